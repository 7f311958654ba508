"""`inquest serve` as a process: it says where it is, tells events as they come, and stops when it is told to."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from inquest import Inquest
from tests.faces_api.conftest import INQUIRY


@pytest.fixture
async def served(inquest: Inquest, tmp_path: Path) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """A server on a data folder that has the collection, and its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from inquest.cli import main; main()",
        "serve",
        "--port",
        "0",
        env={**os.environ, "INQUEST_HOME": str(tmp_path / "home"), "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    line = (await asyncio.wait_for(process.stderr.readline(), 60)).decode()
    yield line.split()[2], process
    if process.returncode is None:
        process.kill()
    await process.wait()


async def test_events_come_while_the_case_goes_on_and_a_stop_ends_them_at_once(
    served: tuple[str, asyncio.subprocess.Process],
) -> None:
    address, process = served
    transport = httpx2.AsyncHTTPTransport(retries=50)
    async with httpx2.AsyncClient(base_url=address, timeout=60, transport=transport, trust_env=False) as client:
        case_id = (await client.post("/api/v1/cases", json=INQUIRY)).json()["case_id"]
        seen: list[str] = []
        cut_off = suppress(httpx2.RemoteProtocolError)  # upon which an EventSource asks again, with what it saw last
        async with client.stream("GET", f"/api/v1/cases/{case_id}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            with cut_off:
                async for line in stream.aiter_lines():
                    if line.startswith("event: "):
                        seen.append(line.removeprefix("event: "))
                    if line == "event: plan_ready":  # the stream stays open: nobody answers the plan
                        process.send_signal(signal.SIGTERM)
        assert seen[0] == "case_created" and seen[-1] == "plan_ready"
    assert await asyncio.wait_for(process.wait(), 30) in (0, -signal.SIGTERM, 130)
