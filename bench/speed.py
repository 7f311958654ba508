"""`python -m bench.speed NAME [...]`: NAME is a file of bench/speeds."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys

from bench import speeds
from bench.figures import print_figures


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and return 1 if a figure misses its floor."""
    names = sorted(module.name for module in pkgutil.iter_modules(speeds.__path__))
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__)
    parser.add_argument("name", choices=names)
    chosen, rest = parser.parse_known_args(arguments)
    missed = print_figures(importlib.import_module(f"bench.speeds.{chosen.name}").measure(rest))
    for why in missed:
        print(why, file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
