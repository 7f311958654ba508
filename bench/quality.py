"""`python -m bench.quality NAME [--data PATH]`: NAME is a file of bench/measures, or `all`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

from bench import measures
from bench.figures import SHARED, print_figures


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and return 1 if a figure misses its floor."""
    names = sorted(module.name for module in pkgutil.iter_modules(measures.__path__))
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("name", choices=[*names, "all"])
    parser.add_argument("--data", type=Path, help="a file or folder of the form of the visible one")
    parser.add_argument("--held-back", action="store_true", help="the half that nobody has looked at (audit alone)")
    chosen = parser.parse_args(arguments)
    if chosen.held_back and chosen.name != "audit":
        parser.error("only audit has a half that is held back")
    missed: list[str] = []
    for name in names if chosen.name == "all" else [chosen.name]:
        module = importlib.import_module(f"bench.measures.{name}")
        # A measure without data makes its own.
        data = chosen.data or (SHARED / module.DATA if module.DATA else None)
        if data is not None and not data.exists():
            print(f"{name}: there is no data at {data}", file=sys.stderr)
            return 2
        try:
            figures = module.measure(data, held_back=True) if chosen.held_back else module.measure(data)
        except (OSError, ValueError) as error:
            print(f"{name}: {data} cannot be measured: {error}", file=sys.stderr)
            return 2
        missed += print_figures(figures, data)
    for why in missed:
        print(why, file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
