"""`inquest serve` as a process: it prints its address, streams events, and stops on request."""

from __future__ import annotations

import asyncio
import json
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
        *("--port", "0", "--log", "json"),
        env={**os.environ, "INQUEST_HOME": str(tmp_path / "home"), "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    line = json.loads(await asyncio.wait_for(process.stderr.readline(), 60))
    yield line["message"].removeprefix("Inquest at "), process
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
        cut_off = suppress(httpx2.RemoteProtocolError)  # then an EventSource reconnects, with the last id it saw
        async with client.stream("GET", f"/api/v1/cases/{case_id}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            with cut_off:
                async for line in stream.aiter_lines():
                    if line.startswith("event: "):
                        seen.append(line.removeprefix("event: "))
                    if line == "event: plan_ready":  # the stream stays open: nobody answers the plan
                        process.send_signal(signal.SIGTERM)
        assert seen[0] == "case_created" and seen[-1] == "plan_ready"
    assert process.stderr is not None
    lines = [json.loads(line) for line in (await asyncio.wait_for(process.stderr.read(), 30)).splitlines()]
    assert await process.wait() in (0, -signal.SIGTERM, 130)
    asked = [(line["method"], line["route"], line["status"]) for line in lines if line["logger"] == "inquest.requests"]
    assert ("POST", "/api/v1/cases", 201) in asked
    followed = next(line for line in lines if line.get("route") == "/api/v1/cases/{case_id}/events")
    assert (followed["case"], followed["status"]) == (case_id, 200)
    assert any("handed over" in line["message"] or line.get("case") == case_id for line in lines)
