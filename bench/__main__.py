"""`python -m bench`: every speed measure that needs no evaluation data, one after another."""

from __future__ import annotations

import sys

from bench.speed import main

SPEEDS = (["startup"], ["demo"], ["collection", "5000"], ["inquiry"])

if __name__ == "__main__":
    sys.exit(max(main(arguments) for arguments in SPEEDS))
