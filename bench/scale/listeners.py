"""`python -m bench.scale.listeners`: how long an event of a running case takes to reach its listeners, on
PostgreSQL."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from datetime import UTC, datetime
from statistics import quantiles

from bench.scale.machines import postgres
from inquest.app.clock import SystemClock
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import EventType
from inquest.domain.plan import Brief
from inquest.store.cases import Cases
from inquest.store.database import Database
from inquest.store.events import Events

__all__ = ["measure"]


async def measure(url: str, *, listeners: int, cases: int, seconds: int) -> dict[str, float]:
    """Each case has an event a second, written through another connection; each listener follows one case."""
    reading, writing = await Database.open(url), await Database.open(url)
    delays: list[float] = []
    clock, names = SystemClock(), [f"case-{number}" for number in range(cases)]
    for name in names:
        now = clock.now()
        case = Case(id=name, status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=now, created_at=now)
        await Cases(writing, clock).create(case)
    note = delays.append

    async def follow(name: str) -> None:
        async for event in Events(reading).follow(name):
            note((datetime.now(UTC) - event.at).total_seconds() * 1000)

    async def write(name: str, offset: float) -> None:
        sink = Events(writing).sink(name, clock)
        await asyncio.sleep(offset)
        for number in range(seconds):
            await sink.emit(EventType.QUERY_ANSWERED, str(number))
            await asyncio.sleep(1)
        await sink.emit(EventType.CASE_FINISHED, "done")

    following = [asyncio.create_task(follow(names[number % cases])) for number in range(listeners)]
    await asyncio.sleep(2)
    await asyncio.gather(*(write(name, number / cases) for number, name in enumerate(names)))
    await asyncio.gather(*following)
    await reading.close()
    await writing.close()
    cuts = quantiles(delays, n=100)
    expected = sum((seconds + 1) for _ in range(listeners))
    return {"events": len(delays), "expected": expected, "p50_ms": cuts[49], "p95_ms": cuts[94], "p99_ms": cuts[98]}


def main() -> int:
    """Print the figures as JSON; exit code 1 if an event was lost or duplicated."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listeners", type=int, default=200)
    parser.add_argument("--cases", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=15)
    given = parser.parse_args()
    with postgres() as (url, _):
        found = asyncio.run(measure(url, listeners=given.listeners, cases=given.cases, seconds=given.seconds))
    print(json.dumps({name: round(value, 1) for name, value in found.items()}, indent=2))
    return 0 if found["events"] == found["expected"] else 1


if __name__ == "__main__":
    sys.exit(main())
