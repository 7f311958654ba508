"""The newsroom page of a case with 200 sources and 80 claims: how long the server takes for each tab, and what a
browser with an empty cache loads.

`python -m bench.speed page [RUNS]`; the median of 9 runs by default. In process, so that no network is measured. Also
measures what 100 open pages add to the memory of a server: a separate process, and 100 browsers that have read the case
and keep their stream of notices open.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import socket
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
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
PAGES = 100


def measure(arguments: list[str]) -> list[Figure]:
    """The slowest tab, and the heaviest cold load."""
    with tempfile.TemporaryDirectory() as home:
        figures = asyncio.run(_measure(Path(home), int(arguments[0]) if arguments else 9))
        return [*figures, asyncio.run(_open_pages(Path(home)))]


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


async def _open_pages(home: Path) -> Figure:
    """Megabytes that open pages add to the memory of a server that has already made each tab."""
    port = _free_port()
    command = [sys.executable, "-c", "from inquest.cli.entry import run; import sys; sys.exit(run(sys.argv[1:]))"]
    environment = {**os.environ, "INQUEST_HOME": str(home)}
    server = await asyncio.create_subprocess_exec(
        *command, "serve", "--port", str(port), env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
        async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=60) as client:
            await _up(client)
            case = (await client.get("/api/v1/cases")).json()["cases"][0]["case_id"]
            for _ in range(2):
                for tab in TABS:
                    await client.get(f"/cases/{case}" + ("" if tab == "summary" else f"/{tab}"))
            async with AsyncExitStack() as stack:
                before = _megabytes(server.pid)
                for _ in range(PAGES):
                    await client.get(f"/cases/{case}/verdicts")
                    await stack.enter_async_context(client.stream("GET", "/live"))
                await asyncio.sleep(1)  # the streams have begun
                added = _megabytes(server.pid) - before
    finally:
        server.terminate()
        await server.wait()
    return Figure("page", "open_pages", added, "MB", {"pages": PAGES})


async def _up(client: httpx2.AsyncClient) -> None:
    for _ in range(600):
        try:
            if (await client.get("/healthz")).status_code == 200:
                return
        except httpx2.ConnectError:
            await asyncio.sleep(0.1)
    raise SystemExit("The server did not start.")


def _megabytes(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
