"""Response times of the command: `inquest --help`, `import inquest`, `inquest assess`; each in its own process."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from bench.figures import Figure

__all__ = ["measure"]

TRIES = 7


def measure(arguments: list[str]) -> list[Figure]:
    """Seconds from starting the process to its end."""
    command = Path(sys.executable).with_name("inquest")
    return [
        Figure("startup", "help_seconds", _best([str(command), "--help"]), "s"),
        Figure("startup", "import_seconds", _best([sys.executable, "-c", "import inquest"]), "s"),
        Figure(
            "startup",
            "assess_seconds",
            _best([str(command), "assess", "--claim", "It rose.", "--passage", "It fell."]),
            "s",
        ),
    ]


def _best(command: list[str]) -> float:
    taken = []
    for _ in range(TRIES):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return min(taken)
