"""The detailed inquiry with a model, on the simulated web: wall time relative to the longest chain of waits, and its
cost.

`python -m bench.speed inquiry [SOURCES]`: 20 sources by default. The chain has the waits that no order of work can
avoid: plan, search, page, summarise, merge, search, page, assess, write. Each run has its own process, and so does the
web; there is a warm-up run on a web without waits, so that imports are not measured. The engines' own limits are
lifted, except for `ratio_limited`. For `ratio_robots` every site's robots.txt takes as long as a page, which the chain
does not include. Each figure is the best of three runs, since other load on the machine can only add to it.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.figures import Figure
from bench.simulated.running import limits_lifted, running
from bench.simulated.server import FIRST, SECOND, Latencies, settings_for
from bench.simulated.worlds import BRIEF, a_world

RUNS = {
    "ratio": (FIRST, True),
    "ratio_second": (SECOND, True),
    "ratio_robots": (replace(FIRST, robots=FIRST.page), True),
    "ratio_limited": (FIRST, False),
}


def measure(arguments: list[str]) -> list[Figure]:
    """The figures of each run."""
    sources = int(arguments[0]) if arguments else 20
    figures = []
    for name in RUNS:
        command = [sys.executable, "-m", "bench.speeds.inquiry", name, str(sources)]
        runs = [
            json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(3)
        ]
        said = min(runs, key=lambda one: float(one["seconds"]))
        details = {"sources": sources, "chain": said["chain"], "seconds": sorted(one["seconds"] for one in runs)}
        details["stages"] = said["stages"]
        figures.append(Figure("inquiry", name, said["seconds"] / said["chain"], "x", details))
        if name == "ratio":
            figures += [Figure("inquiry", key, said[key], unit, {"sources": sources}) for key, unit in _COSTS.items()]
    return figures


_COSTS = {"model_calls": "calls", "search_calls": "calls", "cpu_seconds": "s", "peak_memory": "MB"}


def chain(latencies: Latencies) -> float:
    """Seconds of the longest chain of waits: five model calls, two searches, two pages."""
    return 5 * latencies.model + 2 * latencies.search + 2 * latencies.page


async def run(name: str, sources: int) -> dict[str, Any]:
    """One measured inquiry in this process."""
    latencies, lifted = RUNS[name]
    from inquest.engines.web.tavily import Tavily

    with limits_lifted(Tavily) if lifted else nullcontext():
        with running(str(sources), Latencies()) as port:
            await inquire(port, sources)
        with running(str(sources), latencies) as port:
            case, seconds, cpu = await inquire(port, sources)
    assert case.status.value == "completed" and len(case.sources) >= sources, case.why
    return {
        "seconds": round(seconds, 3),
        "chain": chain(latencies),
        "stages": case.timings,
        "model_calls": case.cost.model_calls,
        "search_calls": case.cost.search_calls,
        "cpu_seconds": round(cpu, 3),
        "peak_memory": round(_peak(), 1),
    }


async def inquire(port: int, sources: int) -> tuple[Any, float, float]:
    """Run the detailed inquiry into the world of the web on that port, in a fresh data folder. Returns the case, and
    the seconds of wall and processor time from the brief to the report."""
    from inquest import Inquest

    with tempfile.TemporaryDirectory() as folder:
        ratings = Path(folder) / "ratings.csv"
        ratings.write_text(a_world(sources).ratings_csv())
        async with Inquest(home=Path(folder), ratings=ratings, **settings_for(port)) as inquest:
            cpu, began = time.process_time(), time.perf_counter()
            case = await inquest.inquiry(BRIEF, mode="detailed", engines=["tavily"])
            return case, time.perf_counter() - began, time.process_time() - cpu


def _peak() -> float:
    try:
        import resource
    except ImportError:
        import psutil

        return float(psutil.Process().memory_info().rss) / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(sys.argv[1], int(sys.argv[2])))))
