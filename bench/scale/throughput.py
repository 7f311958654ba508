"""`python -m bench.scale.throughput`: how many cases per minute one worker completes, and how many four do, if a case
mostly waits for others: each of its searches takes some seconds."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from sqlalchemy import text

from bench.scale.chaos import open_cases
from bench.scale.machines import WorkerProcess, postgres, worker_environment
from bench.scale.world import World
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.app.work.queue import figures
from inquest.app.work.worker import ByQueue

__all__ = ["LEAST_GAIN", "all_ended", "measure"]

LEAST_GAIN = 3.5
"""Gain of four workers over one (the goal)."""
_LIMIT = 900.0


async def measure(workers: int, *, cases: int, at_once: int, wait: float) -> float:
    """Cases per minute of the given number of workers with `at_once` cases each, after each of them has done some: a
    process loads its modules only once, and a fleet is started once."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="inquest-throughput-")))
        world = stack.enter_context(World(wait))
        url, _ = stack.enter_context(postgres())
        environment = worker_environment(folder / "home", url, world.host)
        settings = load_settings(
            home=folder / "home", database_url=url, searxng_url=f"http://{world.host}", allow_hosts=world.host
        )
        async with open_resources(settings) as app:
            queue = ByQueue(app)
            await queue.start()
            made = [WorkerProcess(environment, folder / f"{n}.log", at_once=at_once) for n in range(workers)]
            stack.callback(lambda: [worker.end() for worker in made])
            async with asyncio.timeout(_LIMIT):
                while (await figures(await app.database())).workers < workers:
                    await asyncio.sleep(0.1)
                await open_cases(app, queue, workers * at_once, prefix="FirmWarm")
                await all_ended(app)
                began = time.monotonic()
                await open_cases(app, queue, cases)
                await all_ended(app)
                seconds = time.monotonic() - began
            await queue.aclose()
    return cases / seconds * 60


async def all_ended(app: Resources) -> None:
    """Wait until every case has ended. Raises RuntimeError if one did not complete: a case that fails fast, as when
    searches take longer than their timeout, does not count as throughput."""
    query, database = text("SELECT status, count(*) FROM cases GROUP BY status"), await app.database()
    while True:
        counts = await database.read(lambda connection: {one.status: one[1] for one in connection.execute(query)})
        if not counts.keys() & {"planned", "running"}:
            break
        await asyncio.sleep(0.1)
    if set(counts) != {"completed"}:
        raise RuntimeError(f"not all cases completed: {counts}")


def main() -> int:
    """Print the figures as JSON; exit code 1 if four workers gain less than the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=32)
    parser.add_argument("--at-once", type=int, default=2, help="of each worker")
    parser.add_argument("--wait", type=float, default=4.0, help="seconds of each search")
    given = parser.parse_args()
    rate = {
        workers: asyncio.run(measure(workers, cases=given.cases, at_once=given.at_once, wait=given.wait))
        for workers in (1, 4)
    }
    gain = rate[4] / rate[1]
    print(json.dumps({"one": round(rate[1], 1), "four": round(rate[4], 1), "gain": round(gain, 2)}, indent=2))
    return 0 if gain >= LEAST_GAIN else 1


if __name__ == "__main__":
    sys.exit(main())
