"""De-duplication as the number of articles grows: seconds on one core, memory, copies found, wrong pairs.

`python -m bench.speed near_dup [ARTICLES...]`: 20,000 by default. The articles are made up (bench/articles.py), and
each size is measured in a separate process, so that its memory is measured alone.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from typing import Any

from bench.articles import generate
from bench.figures import Figure
from inquest.stories.likeness import copies

SIZES = (20_000,)
_SEED = 11


def measure(arguments: list[str]) -> list[Figure]:
    """The figures for each requested size."""
    figures = []
    for size in [int(argument) for argument in arguments] or list(SIZES):
        command = [sys.executable, "-m", "bench.speeds.near_dup", str(size)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for row in json.loads(said):
            # A floor applies only to the size it was set for.
            name = row["name"] if size == SIZES[0] else f"{row['name']}_{size}"
            figures.append(Figure("near_dup_speed", name, row["value"], row["unit"], {"articles": size}))
    return figures


def measure_one(size: int) -> list[dict[str, Any]]:
    """Generate and compare, in this process; processor seconds, because the machine may be busy."""
    articles = generate(size, _SEED)
    before = _peak()
    begun, processor = time.perf_counter(), time.process_time()
    found = {(pair.first, pair.second) for pair in copies(articles.texts)}
    seconds, processor = time.perf_counter() - begun, time.process_time() - processor
    return [
        {"name": "seconds", "value": seconds, "unit": "s"},
        {"name": "processor_seconds", "value": processor, "unit": "s"},
        {"name": "memory", "value": _peak() - before, "unit": "MB"},
        {"name": "recall", "value": len(found & articles.pairs) / len(articles.pairs), "unit": ""},
        {"name": "wrong_pairs", "value": float(len(found - articles.pairs)), "unit": ""},
    ]


def _peak() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    print(json.dumps(measure_one(int(sys.argv[1]))))
