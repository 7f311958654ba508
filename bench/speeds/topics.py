"""Investigations of topics with a model, on the simulated web: time, cost, processor time and memory of each.

`python -m bench.speed topics [HOW MANY] [SIDE BY SIDE]`: 100 topics, four at once, by default; one process and one data
folder, as in a newsroom. The topics are the claims of the world in turn, true and false, so it is known which levels
may rise: `false_upgrades` is a share of the topics that rose, `missed_upgrades` of those that are true. Searches of the
last 24 hours are not repeated, as always. The web is a separate process and waits like real services; the engine's own
limits are lifted. `memory_growth` is the increase in the memory of the process from the first tenth to the end.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.figures import Figure
from bench.simulated.running import limits_lifted, running
from bench.simulated.server import FIRST, settings_for
from bench.simulated.worlds import a_world
from inquest.app.cases.session import new_session

if TYPE_CHECKING:
    from inquest import Inquest
    from inquest.domain.case import Case
    from inquest.domain.report import Cost

__all__ = ["measure"]

SOURCES = 20
_UNITS = {
    "seconds_p50": "s", "seconds_p95": "s", "seconds_p99": "s", "cpu_seconds_mean": "s", "usd_mean": "USD",
    "usd_max": "USD", "model_calls_mean": "calls", "search_calls_mean": "calls", "memory_growth": "MB",
    "false_upgrades": "share of those that rose", "missed_upgrades": "share of the true",
}  # fmt: skip


def measure(arguments: list[str]) -> list[Figure]:
    """The figures of one run."""
    many, beside = (int(each) for each in (*arguments, *("100", "4")[len(arguments) :]))
    command = [sys.executable, "-m", "bench.speeds.topics", str(many), str(beside)]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    details = {
        key: said[key]
        for key in ("topics", "side_by_side", "levels", "outages", "wall_seconds", "memory", "missed_titles")
    }
    return [
        Figure("topics", name, said[name], unit, details if name == "seconds_p50" else {})
        for name, unit in _UNITS.items()
    ]


class _Done(NamedTuple):
    """The part of a case that is kept: a hundred whole cases would dominate the memory."""

    level: str
    cost: Cost
    outages: int


async def run(many: int, beside: int) -> dict[str, Any]:
    """Run the given number of investigations, with the given number at once."""
    from inquest import Inquest
    from inquest.engines.web.tavily import Tavily

    world = a_world(SOURCES)
    with limits_lifted(Tavily), running(str(SOURCES), FIRST) as port, tempfile.TemporaryDirectory() as folder:
        ratings = Path(folder) / "ratings.csv"
        ratings.write_text(world.ratings_csv())
        titles = list(world.claims())
        async with Inquest(home=Path(folder), ratings=ratings, **settings_for(port)) as inquest:
            turns = asyncio.Semaphore(beside)
            held: list[float] = []

            async def one(number: int) -> tuple[_Done, float]:
                async with turns:
                    began = time.perf_counter()
                    case = await _investigated(inquest, titles[number % len(titles)], number, Path(folder))
                    took = time.perf_counter() - began
                    held.append(_memory())
                    assert case.investigation is not None, case.why
                    level = case.investigation.recommended_verification_level.value
                    return _Done(level, case.cost, len(case.outages)), took

            cpu, began = time.process_time(), time.perf_counter()
            done = await asyncio.gather(*(one(number) for number in range(many)))
            wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    cases = [each for each, _ in done]
    seconds = sorted(took for _, took in done)
    money = [case.cost.usd for case in cases]
    levels: dict[str, int] = {}
    true = wrong = missed = 0
    left: set[str] = set()
    for number, case in enumerate(cases):
        level = case.level
        levels[level] = levels.get(level, 0) + 1
        fact, side = world.claims()[titles[number % len(titles)]]
        so = fact.verdict == ("verified" if side else "contradicted")
        true, wrong = true + so, wrong + (level != "unverified" and not so)
        if level == "unverified" and so:
            missed += 1
            left.add(titles[number % len(titles)])
    return {
        "topics": many,
        "side_by_side": beside,
        "levels": levels,
        "outages": sum(case.outages for case in cases),
        "wall_seconds": round(wall, 1),
        "missed_titles": sorted(left),
        "memory": [round(each) for each in held[:: max(1, many // 10)]],
        "seconds_p50": _rank(seconds, 0.5),
        "seconds_p95": _rank(seconds, 0.95),
        "seconds_p99": _rank(seconds, 0.99),
        "cpu_seconds_mean": round(cpu / many, 3),
        "usd_mean": round(sum(money) / many, 5),
        "usd_max": round(max(money), 5),
        "model_calls_mean": round(sum(case.cost.model_calls for case in cases) / many, 1),
        "search_calls_mean": round(sum(case.cost.search_calls for case in cases) / many, 1),
        "false_upgrades": round(wrong / max(1, many - levels.get("unverified", 0)), 4),
        "missed_upgrades": round(missed / max(1, true), 4),
        "memory_growth": round(held[-1] - held[many // 10], 1),
    }


async def _investigated(inquest: Inquest, title: str, number: int, folder: Path) -> Case:
    from inquest.app.cases.case_request import TopicRequest
    from inquest.app.cases.requests import approval_from
    from inquest.app.desks.briefs import topic_brief

    file = folder / f"topic{number}.json"
    row = {
        "title": title,
        "place": "Aldermoor",
        "event_date": "2024-03-04",
        "discovery_date": f"2024-03-{5 + number % 20:02d}",
    }
    file.write_text(json.dumps(row))
    brief = await topic_brief(inquest.app, TopicRequest(topic=str(file), again=True, engines=("tavily",)))
    session = await new_session(inquest.app, brief)
    async with session:
        case = await session.begin()
        assert case.plan is not None, case.why
        return await session.decide(approval_from("approve", case.plan, how="bench", by="bench"))


def _rank(values: list[float], share: float) -> float:
    """A percentile by nearest rank."""
    return round(values[max(0, ceil(share * len(values)) - 1)], 2)


def _memory() -> float:
    """The current memory of the process in MB."""
    import psutil

    return float(psutil.Process().memory_info().rss) / 1e6


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(int(sys.argv[1]), int(sys.argv[2])))))
