"""A market answer with a model, on the simulated web: wall time relative to the longest chain of waits, and the time to
the first headline.

`python -m bench.speed market [TIMES]`. The chain is that of the evaluation: a model's plan, search, page, a model's
answer. The desk does not use a model for the answer, so that its own chain is one model call shorter: `ratio_own`. That
is the stricter figure: the desk's own computing (reading, comparing and reporting ten pages, and the connections; about
0.4 s of processor time, `cpu` below) is compared with shorter waits. Without any model, the only waits are search and
page, less than a second, so that `rules_seconds` gives the seconds beside their chain, and no ratio. As for the
inquiry, each run has its own process, and so does the web; there is a warm-up run on a web without waits; the engine's
own limits are lifted; each figure is the best of TIMES runs (3).
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.figures import Figure
from bench.simulated.markets import NOW, QUESTION, a_market_world
from bench.simulated.running import limits_lifted, running
from bench.simulated.server import FIRST, SECOND, Latencies, settings_for

__all__ = ["measure"]

RUNS = {"ratio": FIRST, "ratio_second": SECOND}
RULES = "rules"
"""Without a model."""


def measure(arguments: list[str]) -> list[Figure]:
    """The figures of each run."""
    times = int(arguments[0]) if arguments else 3
    figures = []
    for name, latencies in RUNS.items():
        said = _best(name, times)
        details = {"chain": _chain(latencies), "seconds": said["seconds"], "stages": said["stages"]}
        own = latencies.model + latencies.search + latencies.page
        figures += [
            Figure("market", name, said["seconds"] / _chain(latencies), "x", details),
            Figure("market", name.replace("ratio", "ratio_own"), said["seconds"] / own, "x", {"chain": own}),
            Figure("market", name.replace("ratio", "first_headline_seconds"), said["first"], "s", {"chain": own}),
        ]
    said = _best(RULES, times)
    told = {"chain": FIRST.search + FIRST.page, "first": said["first"], "cpu": said["cpu_seconds"]}
    return [*figures, Figure("market", "rules_seconds", said["seconds"], "s", told)]


def _best(name: str, times: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.speeds.market", name]
    runs = [
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(times)
    ]
    return min(runs, key=lambda one: float(one["seconds"]))


def _chain(latencies: Latencies) -> float:
    return 2 * latencies.model + latencies.search + latencies.page


async def run(name: str) -> dict[str, Any]:
    """One measured answer in this process."""
    from inquest.engines.web.tavily import Tavily

    with limits_lifted(Tavily):
        with running("market", Latencies()) as port:
            await asked(port, with_model=name != RULES)
        with running("market", RUNS.get(name, FIRST)) as port:
            return await asked(port, with_model=name != RULES)


async def asked(port: int, *, with_model: bool) -> dict[str, Any]:
    """Ask the question of the world in a fresh data folder. Returns the seconds to the first headline and to the
    answer."""
    from inquest import Inquest
    from inquest.domain.event import Event, EventType

    first: list[float] = []

    def listen(event: Event) -> None:
        if event.type is EventType.ANSWER_HEADLINE:
            first.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        ratings = Path(folder) / "ratings.csv"
        ratings.write_text(a_market_world().ratings_csv())
        settings = settings_for(port) | ({} if with_model else {"model": ""})
        async with Inquest(home=Path(folder), ratings=ratings, **settings) as inquest:
            cpu, began = time.process_time(), time.perf_counter()
            case = await inquest.ask(QUESTION, engines=["tavily"], as_of=NOW, on_event=listen)
            seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    if case.answer is None or not case.answer.developments or not first:
        raise SystemExit(f"The answer is {case.answer}, {case.why}")
    return {
        "seconds": round(seconds, 3),
        "first": round(first[0] - began, 3),
        "cpu_seconds": round(cpu, 3),
        "stages": case.timings,
        "sources": len(case.sources),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(sys.argv[1]))))
