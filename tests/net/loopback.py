"""A small web on loopback that misbehaves as requested, and other helpers for the tests of the door."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from inquest.domain.errors import Shortage
from inquest.domain.report import Cost
from inquest.kit.exchange import Purpose, Reply, Request
from inquest.net.client import Network
from inquest.net.door import Door
from inquest.net.outside import Allowances
from inquest.net.policy import CEILINGS, RequestPolicy

AGENT = "Inquest/0.1 (+https://inquest.example)"

QUICK = RequestPolicy(
    first_wait=0,
    jitter=0,
    page_interval=0,
    ceilings={purpose: replace(ceilings, packed=200_000, unpacked=300_000) for purpose, ceilings in CEILINGS.items()},
)
"""No waits between attempts, and limits on size that are low enough to be reached in a test."""

IMPATIENT = replace(
    QUICK,
    ceilings={
        purpose: replace(ceilings, first_byte=0.3, idle=0.3, total=2.0) for purpose, ceilings in QUICK.ceilings.items()
    },
)
"""The same with short timeouts, for replies that never come."""


@dataclass(frozen=True)
class Asked:
    """One request as received."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Answers = Callable[[Asked, asyncio.StreamWriter], Awaitable[bool | None]]
"""Writes an answer; True keeps the connection open for another request."""


def http(status: int = 200, body: bytes = b"", content_type: str = "text/html", **headers: str) -> bytes:
    """A well-formed reply. Names of headers are written with _ for -."""
    lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}"]
    if content_type:
        lines.append(f"Content-Type: {content_type}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def says(*replies: bytes) -> Answers:
    """Writes the replies one after the other, one a request; the last one again and again."""
    left = list(replies)

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> bool:
        writer.write(left.pop(0) if len(left) > 1 else left[0])
        return True

    return answer


def says_and_closes(raw: bytes) -> Answers:
    """Writes the bytes and hangs up."""

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)

    return answer


def in_turn(*answers: Answers) -> Answers:
    """A different answer each time; the last one again and again."""
    left = list(answers)

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> bool | None:
        return await (left.pop(0) if len(left) > 1 else left[0])(asked, writer)

    return answer


async def never(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """Accepts the request and never answers."""
    await asyncio.sleep(60)


async def resets(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """Breaks the connection (RST)."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


def drips(every: float) -> Answers:
    """Announces a long reply, and sends a byte at a time."""

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
        for _ in range(1000):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(every)

    return answer


@asynccontextmanager
async def serving(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    context: ssl.SSLContext | None = None,
) -> AsyncIterator[int]:
    """Run a server on loopback; yields its port. Pending requests are ended at the end."""
    tasks: set[asyncio.Task[None]] = set()

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await serve(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError, ssl.SSLError):
                await writer.wait_closed()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(one(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()


@dataclass
class LoopbackWeb:
    """The web, with answers by path; every other path is a 404."""

    at: dict[str, Answers] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0
    closed: int = 0
    port: int = 0
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        """The requested paths, except robots.txt."""
        return [asked.path for asked in self.asked if asked.path != "/robots.txt"]

    async def __aenter__(self) -> LoopbackWeb:
        self.port = await self._open.enter_async_context(serving(self._serve))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while await self._one(reader, writer):
            pass
        writer.close()
        await writer.wait_closed()
        self.closed += 1

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return False
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        headers = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in lines if ":" in line}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        asked = Asked(method, target, headers, body)
        self.asked.append(asked)
        answer = self.at.get(target.split("?")[0]) or says(http(404, b"not here"))
        again = await answer(asked, writer)
        with suppress(ConnectionError):
            await writer.drain()
        return bool(again)


@dataclass
class SetClock:
    """A clock that stands still until it is moved."""

    time: datetime = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time


@dataclass
class MemoryRecording:
    """A recording in memory."""

    clock: SetClock = field(default_factory=SetClock)
    replies: dict[tuple[str | None, str], tuple[Request, Reply]] = field(default_factory=dict)
    failures: dict[tuple[str, str], tuple[Request, str]] = field(default_factory=dict)

    async def find(self, fingerprint: str, *, case_id: str | None, younger_than: timedelta | None) -> Reply | None:
        for (case, kept), (_, reply) in reversed(self.replies.items()):
            young = younger_than is None or self.clock.now() - reply.at <= younger_than
            if kept == fingerprint and case_id in (None, case) and young:
                return reply
        return None

    async def failure(self, fingerprint: str, *, case_id: str) -> str | None:
        kept = self.failures.get((case_id, fingerprint))
        return kept[1] if kept else None

    async def keep(self, fingerprint: str, request: Request, reply: Reply, *, case_id: str | None) -> None:
        self.replies.pop((case_id, fingerprint), None)
        self.replies[case_id, fingerprint] = (request, reply)

    async def keep_failure(self, fingerprint: str, request: Request, error: str, *, case_id: str) -> None:
        self.failures[case_id, fingerprint] = (request, error)


@dataclass
class Purse:
    """A budget, with the seconds left and the amount spent."""

    seconds_left: float | None = None
    spent: Cost = field(default_factory=Cost)
    met: Exception | None = None

    def check(self) -> None:
        if self.met is not None:
            raise self.met

    usd: float | None = None

    @property
    def seconds_to_ask(self) -> float | None:
        return self.seconds_left

    def reserve(self, usd: float, purpose: Purpose = Purpose.PAGE) -> bool:
        return True

    def release(self, usd: float) -> None:
        pass

    def fell_short(self, kind: Shortage) -> None:
        pass

    def spend(self, cost: Cost, *, reserved: float | None = None) -> None:
        self.spent = self.spent + cost


def a_door(web: LoopbackWeb | None = None, *, policy: RequestPolicy = QUICK, **settings: Any) -> Door:
    """A door that may reach the loopback web, and no other internal address."""
    allowed = () if web is None else (f"127.0.0.1:{web.port}",)
    given: dict[str, Any] = {"clock": SetClock(), "user_agent": AGENT, "allow_hosts": allowed, "policy": policy}
    given |= settings
    for name, group in (("network", Network), ("allowances", Allowances)):
        given[name] = group(**{each.name: given.pop(each.name) for each in fields(group) if each.name in given})
    return Door(**given)


async def page(door: Door, url: str) -> Reply:
    return await door.fetch(Request(url=url), purpose=Purpose.PAGE, label="page")


async def engine(door: Door, url: str, label: str = "alpha") -> Reply:
    return await door.fetch(Request(url=url), purpose=Purpose.ENGINE, label=label)


async def model(door: Door, url: str, label: str = "mind") -> Reply:
    request = Request(url=url, method="POST", body=b"{}")
    return await door.fetch(request, purpose=Purpose.MODEL, label=label)
