"""`python -m bench.scale.cost`: the cost of one case: processor time of worker and database, rows, bytes, calls.

The cases are the small checks of the other measures: one claim, two searches, no model, and no reading of passages,
whose time `python -m bench.speed assess` measures. The loading at the start of a process is left out. Processor time
hardly depends on other load on the machine. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
from sqlalchemy import Connection, text

from bench.scale.chaos import open_cases
from bench.scale.machines import WorkerProcess, postgres, worker_environment
from bench.scale.throughput import all_ended
from bench.scale.world import World
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import open_resources
from inquest.app.work.worker import ByQueue
from inquest.store.database import Database

__all__ = ["measure"]

_TICKS = os.sysconf("SC_CLK_TCK")
_WARM = 8
"""Number of cases that the worker processes beforehand."""
_TABLES = ("cases", "events", "sources", "claims", "findings", "replies", "texts", "retrievals")


def cpu_seconds(pid: int, *, with_ended_children: bool = False) -> float:
    """Processor time of a process so far (proc(5): fields 14 to 17 of its stat)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_ended_children else 13])) / _TICKS


def _memory(pid: int, name: str) -> int:
    """Bytes of a process (proc(5), status): `VmRSS` now, `VmHWM` the maximum since `_forget_peak`."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith(f"{name}:"))) * 1024


def _forget_peak(pid: int) -> None:
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def _children(pid: int) -> Iterator[int]:
    for task in Path(f"/proc/{pid}/task").iterdir():
        yield from map(int, (task / "children").read_text().split())


def _server_seconds(data: Path) -> float:
    postmaster = int((data / "postmaster.pid").read_text().splitlines()[0])
    return cpu_seconds(postmaster, with_ended_children=True) + sum(map(cpu_seconds, _children(postmaster)))


async def _kept(database: Database) -> dict[str, int]:
    def look(connection: Connection) -> dict[str, int]:
        rows = {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in _TABLES}
        size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        return {**{f"rows of {name}": count for name, count in rows.items()}, "bytes of the database": size}

    return await database.read(look)


def _compact(url: str) -> None:
    """Free the space of deleted rows, such as the checkpoints of a case that has ended."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM FULL")


async def measure(cases: int, at_once: int) -> dict[str, float]:
    """All figures for one case."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="inquest-cost-")))
        world = stack.enter_context(World())
        url, data = stack.enter_context(postgres())
        store = f"file://{folder / 'store'}"
        environment = worker_environment(folder / "home", url, world.host, INQUEST_STORAGE_URL=store)
        settings = load_settings(
            home=folder / "home",
            database_url=url,
            storage_url=store,
            searxng_url=f"http://{world.host}",
            allow_hosts=world.host,
        )
        async with open_resources(settings) as app:
            queue = ByQueue(app)
            await queue.start()
            worker = WorkerProcess(environment, folder / "worker.log", at_once=at_once)
            stack.callback(worker.end)
            database = await app.database()

            async def figures() -> dict[str, float]:
                seconds = {
                    "core-seconds of the worker": cpu_seconds(worker.process.pid),
                    "core-seconds of the database": _server_seconds(data),
                }
                await asyncio.to_thread(_compact, url)
                files = [path.stat().st_size for path in (folder / "store").rglob("*") if path.is_file()]
                return {
                    **seconds,
                    "searches": sum(map(len, world.calls.values())),
                    "bytes of evidence": sum(files),
                    **await _kept(database),
                }

            await open_cases(app, queue, _WARM, prefix="FirmWarm")
            await all_ended(app)
            before = await figures()
            before["core-seconds of the database"] = _server_seconds(data)
            resting = _memory(worker.process.pid, "VmRSS")
            _forget_peak(worker.process.pid)
            await open_cases(app, queue, cases)
            await all_ended(app)
            after = await figures()
            most = _memory(worker.process.pid, "VmHWM")
            await queue.aclose()
    of_one = {name: round((after[name] - before[name]) / cases, 3) for name in after}
    at_work = {"bytes of memory of a case at work": round(max(most - resting, 0) / min(cases, at_once))}
    return of_one | at_work | {"bytes of memory of a worker at rest": resting}


def main() -> int:
    """Print the figures for one case as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--at-once", type=int, default=8)
    given = parser.parse_args()
    print(json.dumps(asyncio.run(measure(given.cases, given.at_once)), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
