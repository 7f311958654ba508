"""`python -m bench.scale.reads`: how long every read endpoint takes over 10, 1,000 and 10,000 cases, and how many
requests per second one process answers. No network is measured. Uses SQLite unless `--postgres` is given."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import quantiles

import httpx2
from sqlalchemy import Connection, text

from bench.scale.machines import postgres
from inquest import Inquest
from inquest.api.server import create_app
from inquest.domain.event import EventType
from inquest.store.case_figures import keep_figures
from inquest.store.database import Database
from tests.faces_web.seeding import seed
from tests.reports.report_cases import long

__all__ = ["MOST_P95_MS", "measure"]

MOST_P95_MS = 50.0
"""The goal: no endpoint may take longer, however many cases there are."""
_EVENTS = 60
"""Number for each case."""
_AT_ONCE = 16
"""Concurrent requests when measuring requests per second."""
_PATHS = (
    "/healthz",
    "/readyz",
    "/metrics",
    "/api/v1/me",
    "/api/v1/cases",
    "/api/v1/cases?limit=200",
    "/api/v1/cases?status=completed",
    "/api/v1/cases?status=failed",
    "/api/v1/cases?kind=inquiry&status=completed",
    "/api/v1/cases?q=nothing-of-the-kind",
    "/api/v1/stats",
    "/api/v1/stats?days=36500",
    "/api/v1/topics",
    "/api/v1/watches",
    "/api/v1/collections",
    "/api/investigations/candidates",
    *(
        f"/api/v1/cases/CASE{part}"
        for part in ("", "/plan", "/sources", "/claims", "/findings", "/verdicts", "/bias", "/timeline", "/citations")
    ),
    "/api/v1/cases/CASE/outages",
    "/api/v1/cases/CASE/agent-events",
    "/api/v1/cases/CASE/callbacks",
    "/api/v1/cases/CASE/report?form=md",
)
_COPIES = {
    "cases": "id, kind, status, title, created_at, updated_at, version, document, epoch",
    "sources": "case_id, id, place, url, domain, tier, story, snapshot, document",
    "claims": "case_id, id, place, type, text, document",
    "findings": "case_id, id, place, claim_id, source_id, agent, stance, confidence, snapshot, document",
    "events": "case_id, at, type, stage, marker, text, data",
}


async def measure(home: Path, url: str | None, sizes: list[int], rounds: int) -> dict[str, object]:
    """By number of cases: p50, p95 and p99 (ms) of each path, and requests per second for all of them mixed."""
    found: dict[str, object] = {}
    settings = {"database_url": url} if url else {}
    async with Inquest(home=home, **settings) as inquest:
        first = await seed(inquest.app, long(20, 8).case)
        sink = (await inquest.app.events()).sink(first.id, inquest.app.clock)
        for number in range(_EVENTS):
            await sink.emit(EventType.QUERY_ANSWERED, f"answer {number}")
        database, there = await inquest.app.database(), 1
        api = create_app(inquest.app)
        async with api.router.lifespan_context(api):
            transport = httpx2.ASGITransport(api)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8311") as client:
                for size in sizes:
                    await _copy(database, first.id, there, size)
                    there = size
                    found[f"{size} cases"] = await _all(client, first.id, rounds)
    return found


async def _copy(database: Database, case_id: str, since: int, until: int) -> None:
    """Copies of the case with ids of their own, each started a minute before the previous one."""

    def work(connection: Connection) -> None:
        for number in range(since, until):
            values = {"old": case_id, "new": f"{case_id}-{number}", "minutes": number}
            for table, columns in _COPIES.items():
                connection.execute(text(_copied(table, columns, connection.dialect.name)), values)

    await database.write(work)
    await keep_figures(database)  # as a server does by itself
    await database.write(lambda connection: connection.execute(text("ANALYZE")).close())


def _copied(table: str, columns: str, dialect: str) -> str:
    at = "datetime(created_at, -:minutes || ' minutes')"
    if dialect == "postgresql":
        at = "created_at - make_interval(mins => :minutes)"
    key = "id" if table == "cases" else "case_id"
    taken = columns.replace(key, "CAST(:new AS text)", 1).replace("created_at", at)
    if table == "cases":
        taken = taken.replace("document", "replace(document, :old, :new)")
    return f"INSERT INTO {table} ({columns}) SELECT {taken} FROM {table} WHERE {key} = :old"


async def _all(client: httpx2.AsyncClient, case_id: str, rounds: int) -> dict[str, object]:
    paths = [path.replace("CASE", case_id) for path in _PATHS]
    told: dict[str, object] = {}
    for path in paths:
        times = []
        for _ in range(rounds + 1):
            began = time.perf_counter()
            reply = await client.get(path)
            times.append((time.perf_counter() - began) * 1000)
            if reply.status_code != 200:
                raise RuntimeError(f"{path} gave {reply.status_code}: {reply.text[:300]}")
        cuts = quantiles(times[1:], n=100, method="inclusive")
        told[path.replace(case_id, "CASE")] = {
            "first": round(times[0], 1),
            **{name: round(cuts[place], 1) for name, place in (("p50", 49), ("p95", 94), ("p99", 98))},
        }
    began, asked = time.perf_counter(), iter(paths * 10)

    async def ask() -> None:
        for path in asked:
            await client.get(path)

    await asyncio.gather(*(ask() for _ in range(_AT_ONCE)))
    told["requests a second"] = round(len(paths) * 10 / (time.perf_counter() - began), 1)
    return told


def main() -> int:
    """Print the figures as JSON; exit code 1 if an endpoint is over the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 1_000, 10_000])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--postgres", action="store_true")
    given = parser.parse_args()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="inquest-reads-")))
        url = stack.enter_context(postgres())[0] if given.postgres else None
        found = asyncio.run(measure(home, url, given.sizes, given.rounds))
    print(json.dumps(found, indent=2))
    slow = [
        f"{path} over {size}: {each['p95']} ms"
        for size, paths in found.items()
        if isinstance(paths, dict)
        for path, each in paths.items()
        if isinstance(each, dict) and each["p95"] > MOST_P95_MS
    ]
    print(*slow, sep="\n", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
