"""The newsroom page of a case with 200 sources and 80 claims: how long the server makes each tab, and what a
browser that has never been here loads.

`python -m bench.speed page [RUNS]`; the median of 9 runs unless told. In process, so that no network is measured.
"""

from __future__ import annotations

import asyncio
import gzip
import re
import statistics
import tempfile
import time
from pathlib import Path

import httpx2

from bench.figures import Figure
from inquest import Inquest
from inquest.api.server import create_app
from inquest.app.pages.case_page import TABS
from inquest.web.pages import add_pages
from tests.faces_web.seeding import seed
from tests.reports.report_cases import long

__all__ = ["measure"]

SOURCES, CLAIMS = 200, 80


def measure(arguments: list[str]) -> list[Figure]:
    """The slowest tab, and the heaviest cold load."""
    with tempfile.TemporaryDirectory() as home:
        return asyncio.run(_measure(Path(home), int(arguments[0]) if arguments else 9))


async def _measure(home: Path, runs: int) -> list[Figure]:
    async with Inquest(home=home) as inquest:
        service = create_app(inquest.app, extend=add_pages)
        case = await seed(inquest.app, long(SOURCES, CLAIMS).case)
        async with service.router.lifespan_context(service):
            transport = httpx2.ASGITransport(service)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8311") as client:
                return await _tabs(client, case.id, runs)


async def _tabs(client: httpx2.AsyncClient, case_id: str, runs: int) -> list[Figure]:
    figures, heaviest = [], 0
    for tab in TABS:
        address = f"/cases/{case_id}" + ("" if tab == "summary" else f"/{tab}")
        times = []
        for _ in range(runs + 1):  # the first one compiles the template
            began = time.perf_counter()
            reply = await client.get(address, headers={"Accept-Encoding": "identity"})
            times.append(1000 * (time.perf_counter() - began))
        figures.append(Figure("page", tab, statistics.median(times[1:]), "ms", {"sources": SOURCES, "claims": CLAIMS}))
        assets = [(await client.get(each)).content for each in re.findall(r'"(/static/[^"]+)"', reply.text)]
        heaviest = max(heaviest, sum(len(gzip.compress(each, 5)) for each in (reply.content, *assets)))
    return [*figures, Figure("page", "cold_load", heaviest / 1000, "kB")]
