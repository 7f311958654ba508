"""MCP servers as engines: real servers, as processes or over HTTP, that answer and misbehave."""

from __future__ import annotations

import asyncio
import os
import shlex
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineUnavailable, PageForbidden
from inquest.domain.search import Hit, Query
from inquest.kit.exchange import Purpose
from inquest.kit.mcp_server import McpServer, mcp_engine
from inquest.net.door import Door
from inquest.net.policy import CEILINGS, RequestPolicy
from inquest.net.searcher import Searcher
from tests.net.loopback import QUICK, LoopbackWeb, MemoryRecording, a_door, http, page, says

SERVER = Path(__file__).parent / "mcp_test_server.py"
ASKED = Query(text="harbour fine", limit=3)


def command(kind: str) -> str:
    return shlex.join([sys.executable, str(SERVER), kind])


def within(seconds: float) -> RequestPolicy:
    ceilings = replace(CEILINGS[Purpose.ENGINE], packed=1_000_000, unpacked=1_000_000, total=seconds)
    return replace(QUICK, attempts=1, ceilings={**CEILINGS, Purpose.ENGINE: ceilings})


async def found(server: McpServer, *, recording: MemoryRecording | None = None, **settings: Any) -> list[Hit]:
    settings = {"policy": within(20.0), **settings}
    async with a_door(mcp={"trial": server}, recording=recording or MemoryRecording(), **settings) as door:
        searcher = Searcher({"mcp:trial": mcp_engine("trial", server)()}, door.for_case("case"))
        return await searcher.search("mcp:trial", ASKED)


def started(kind: str, **more: Any) -> McpServer:
    return McpServer(command=command(kind), tool="web_search", query="query", limit="limit", **more)


@asynccontextmanager
async def served(kind: str) -> AsyncIterator[str]:
    """The host and port of a server over HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(SERVER), kind, str(port), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                await writer.wait_closed()
                break
            await asyncio.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        await process.wait()


async def test_hits_of_a_started_server_are_leads_and_it_sees_no_key_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "a-key-of-ours")
    server = started("good", env={"OWN_KEY": "a-key-of-its-own"})
    recording = MemoryRecording()
    hits = await found(server, recording=recording)
    assert [hit.url for hit in hits] == ["https://courier.example/fine"] * 3
    assert hits[0].title.isprintable() and "Harbour" in hits[0].title and hits[0].published is not None
    assert hits[0].engine == "mcp:trial" and "harbour fine" in hits[0].snippet
    assert "TAVILY" not in hits[0].snippet and "OWN_KEY" in hits[0].snippet
    [(request, reply)] = recording.replies.values()
    assert request.url == "mcp://trial/web_search" and b"a-key" not in reply.body

    gone = server.model_copy(update={"command": "no-such-program-here"})
    async with a_door(mcp={"trial": gone}, recording=recording) as door:
        again = Searcher({"mcp:trial": mcp_engine("trial", gone)()}, door.for_case("case", replay=True))
        assert await again.search("mcp:trial", ASKED) == hits


@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        ("huge", EngineFormat, "more than 1 MB"),
        ("dies", EngineUnavailable, "closed the connection"),
        ("fails", EngineKeyRefused, "invalid API key"),
    ],
)
async def test_what_goes_wrong_is_an_outage_of_its_own_kind(kind: str, error: type[EngineError], words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        await found(started(kind))
    assert raised.value.who == "mcp:trial"


async def test_a_server_that_hangs_is_ended(tmp_path: Path) -> None:
    # The program writes its process id, and becomes the server.
    pid = tmp_path / "pid"
    script = f"echo $$ > {pid}; exec {command('hang')}"
    with pytest.raises(EngineUnavailable, match="did not finish its response within 6 s"):
        await found(McpServer(command=shlex.join(["sh", "-c", script]), tool="web_search"), policy=within(6.0))
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.fixture
def logged(tmp_path: Path) -> Callable[[str], tuple[McpServer, Callable[[], list[int]]]]:
    """Servers that record the id of each process they run in, with the ids so far."""

    def made(kind: str) -> tuple[McpServer, Callable[[], list[int]]]:
        log = tmp_path / "pids"
        log.touch()
        script = f"echo $$ >> {log}; exec {command(kind)}"
        server = McpServer(command=shlex.join(["sh", "-c", script]), tool="web_search", limit="limit")
        return server, lambda: [int(pid) for pid in log.read_text().split()]

    return made


Logged = Callable[[str], tuple[McpServer, Callable[[], list[int]]]]


def runs(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def searches(door: Door, server: McpServer, case: str | None) -> Callable[[str], Awaitable[list[Hit]]]:
    searcher = Searcher({"mcp:trial": mcp_engine("trial", server)()}, door.for_case(case))
    return lambda text: searcher.search("mcp:trial", Query(text=text, limit=1))


async def test_a_program_runs_for_one_case_and_ends_with_it(logged: Logged) -> None:
    server, pids = logged("good")
    async with a_door(mcp={"trial": server}, recording=MemoryRecording(), policy=within(20.0)) as door:
        one, other = searches(door, server, "one"), searches(door, server, "other")
        found = await asyncio.gather(*map(one, ("harbour", "quay", "pier")))
        assert all(len(hits) == 1 for hits in found) and len(pids()) == 1
        assert "quay" in found[1][0].snippet
        await other("harbour wall")
        first, second = pids()
        await door.for_case("one").end_case()
        assert not runs(first) and runs(second)
    assert not runs(second)


async def test_a_program_that_died_is_started_once_more(logged: Logged) -> None:
    server, pids = logged("dies at second")
    async with a_door(mcp={"trial": server}, policy=replace(within(20.0), attempts=2)) as door:
        search = searches(door, server, "case")
        assert len(await search("harbour")) == len(await search("quay")) == 1 and len(pids()) == 2
        with pytest.raises(EngineUnavailable, match="will not be started again"):
            await search("pier")
        assert len(pids()) == 2 and not any(map(runs, pids()))


async def test_a_search_that_is_cancelled_leaves_no_program(logged: Logged) -> None:
    server, pids = logged("hang")
    async with a_door(mcp={"trial": server}, policy=within(20.0)) as door:
        search = asyncio.ensure_future(searches(door, server, "case")("harbour"))
        while not pids():
            await asyncio.sleep(0.05)
        search.cancel()
        await asyncio.gather(search, return_exceptions=True)
        assert not any(map(runs, pids()))


async def test_a_program_asked_outside_a_case_ends_with_the_call(logged: Logged) -> None:
    server, pids = logged("good")
    async with a_door(mcp={"trial": server}, policy=within(20.0)) as door:
        assert len(await searches(door, server, None)("harbour")) == 1
        assert [runs(pid) for pid in pids()] == [False]


async def test_a_command_that_does_not_run() -> None:
    with pytest.raises(EngineUnavailable, match="could not be started"):
        await found(McpServer(command="no-such-program-here --flag"))


async def test_over_http_inside_only_where_it_is_allowed() -> None:
    async with served("good") as host:
        server = McpServer(url=f"http://{host}/mcp", tool="web_search", limit="limit", token="a-token-of-ours")
        assert len(await found(server, allow_hosts=(host,))) == 3
        with pytest.raises(EngineUnavailable, match=f"{host}, which is a loopback address") as raised:
            await found(server)
        assert "INQUEST_ALLOW_HOSTS" in raised.value.advice


async def test_statuses_and_sizes_over_http() -> None:
    async with LoopbackWeb() as web:
        server = McpServer(url=web.url("/mcp"), token="a-token-of-ours")
        web.at["/mcp"] = says(http(401, b"who are you?"))
        with pytest.raises(EngineKeyRefused):
            await found(server, allow_hosts=(f"127.0.0.1:{web.port}",))
        assert web.asked[0].headers["authorization"] == "Bearer a-token-of-ours"
        web.at["/mcp"] = says(http(200, b"{" * 1_500_000))
        with pytest.raises(EngineFormat, match="more than 1 MB"):
            await found(server, allow_hosts=(f"127.0.0.1:{web.port}",))
        web.at["/mcp"] = says(http(200, b"<p>a page</p>"))
        with pytest.raises(EngineError):
            await found(server, allow_hosts=(f"127.0.0.1:{web.port}",))


async def test_a_page_cannot_lead_to_a_server() -> None:
    async with a_door(mcp={"trial": started("good")}) as door:
        with pytest.raises(PageForbidden):
            await page(door, "mcp://trial/web_search")
