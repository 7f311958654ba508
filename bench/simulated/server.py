"""The simulated web: an HTTP proxy on loopback that answers for every host.

`INQUEST_PROXY` points at it and `INQUEST_CA_FILE` at its certificate, so that the product is measured and tested
unchanged: search engines under their real addresses, pages, and a model service, each after a set time, with faults on
request. The certificate and its key are public; never let anything but a test trust it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from bench.simulated.mind import answer_to, completion
from bench.simulated.wire import ENGINES, query_of
from bench.simulated.worlds import World

__all__ = [
    "CERTIFICATE",
    "FIRST",
    "SECOND",
    "Acts",
    "Faults",
    "Heard",
    "Host",
    "Latencies",
    "SimulatedWeb",
    "Spoken",
    "Told",
    "settings_for",
    "simulated_web",
]

HERE = Path(__file__).parent
CERTIFICATE = HERE / "web.pem"
MODEL_HOST = "api.openai.com"


@dataclass(frozen=True)
class Latencies:
    """Seconds before each kind of reply begins."""

    model: float = 0.0
    search: float = 0.0
    page: float = 0.0
    robots: float = 0.0


FIRST = Latencies(model=1.0, search=0.5, page=0.4)
SECOND = Latencies(model=1.5, search=0.4, page=0.3)

Reply = tuple[int, str, bytes]
"""Status, content type, body."""


class Told(NamedTuple):
    """A reply with headers of its own."""

    status: int
    content_type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


Acts = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""A host's action on the connection in place of a reply; it is closed afterwards."""
Host = Callable[[str, str, bytes], "Told | Acts"]
"""A host with its own behaviour: maps method, address and body of a request to its reply."""
Heard = Reply | Told | Acts | None
"""The result of a request; None: the connection is closed."""
Spoken = Callable[[dict[str, Any]], "str | Reply | None"]
"""The model's answer to a request in place of the truth: text, or a whole reply; None: nothing special."""


@dataclass(frozen=True)
class Faults:
    """The faults. Shares are from 0 to 1; which requests they hit depends only on the address."""

    broken: float = 0.0
    """Share of pages with status 500."""
    silent: float = 0.0
    """Share of pages whose connection is closed before any reply."""
    truncated: float = 0.0
    """Share of pages that are cut off in the middle."""
    refused: tuple[str, ...] = ()
    """Hosts that answer 401."""
    model: Spoken = lambda request: None


@dataclass
class SimulatedWeb:
    """A running simulated web, with its requests and its port."""

    world: World
    latencies: Latencies
    faults: Faults
    hosts: Mapping[str, Host] = field(default_factory=dict)
    """Hosts with their own behaviour, by name."""
    port: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    """Requests by kind: model, search, page, robots, unknown."""
    sent: Counter[str] = field(default_factory=Counter)
    """Bytes of the requests' bodies by kind."""
    log: list[tuple[float, float, str, str]] = field(default_factory=list)
    """Begin and end of each reply (loop time), kind, address."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings with which `Inquest(...)` uses this web."""
        return settings_for(self.port)

    async def reply(self, method: str, url: str, body: bytes) -> Heard:
        """The reply to one request, after its time; None: the connection is closed."""
        parts = urlsplit(url)
        host, kind = parts.hostname or "", _kind(parts.hostname or "", parts.path)
        self.asked[kind] += 1
        self.sent[kind] += len(body)
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(getattr(self.latencies, kind, 0.0))
        try:
            if host in self.faults.refused:
                return 401, "application/json", b'{"error": {"message": "invalid api key"}}'
            if host in self.hosts:
                return self.hosts[host](method, url, body)
            if kind == "model":
                return self._model(json.loads(body))
            if kind == "search":
                return (200, *ENGINES[host](self.world, query_of(url), body))
            return self._page(url, kind)
        finally:
            self.log.append((began, asyncio.get_running_loop().time(), kind, url))

    def _model(self, request: dict[str, Any]) -> Reply:
        said = self.faults.model(request)
        if isinstance(said, tuple):
            return said
        text = answer_to(self.world, request) if said is None else said
        return 200, "application/json", json.dumps(completion(text, request)).encode()

    def _page(self, url: str, kind: str) -> Reply | None:
        page = self.world.page(url)
        if page is None:
            return 404, "text/html", b"<html><body>There is no such page.</body></html>"
        chance = int(hashlib.sha256(url.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
        if chance < self.faults.broken:
            return 500, "text/html", b"<html><body>Out of order.</body></html>"
        if chance < self.faults.broken + self.faults.silent:
            return None
        return 200, "text/html; charset=utf-8", page.html().encode()

    def cut(self, url: str) -> bool:
        """True if a reply is cut off in the middle."""
        chance = int(hashlib.sha256(url.encode()).hexdigest()[8:16], 16) / 0xFFFFFFFF
        return self.world.page(url) is not None and chance < self.faults.truncated


def settings_for(port: int) -> dict[str, Any]:
    """The settings with which `Inquest(...)` uses the web on that port."""
    keys = {"OPENAI_API_KEY": "sk-simulated-0123", "TAVILY_API_KEY": "tvly-simulated-0123"}
    proxy = f"http://127.0.0.1:{port}"
    return {"proxy": proxy, "ca_file": CERTIFICATE, "keys": keys, "model": "openai:gpt-4o-mini"}


def _kind(host: str, path: str) -> str:
    if path == "/robots.txt":
        return "robots"
    if host == MODEL_HOST:
        return "model"
    return "search" if host in ENGINES else "page"


@asynccontextmanager
async def simulated_web(
    world: World,
    latencies: Latencies | None = None,
    faults: Faults | None = None,
    hosts: Mapping[str, Host] | None = None,
) -> AsyncIterator[SimulatedWeb]:
    """Run on a free port of loopback during the block."""
    web = SimulatedWeb(world, latencies or Latencies(), faults or Faults(), hosts or {})
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE, HERE / "web-key.pem")
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
                await _serve(web, context, reader, writer)
        finally:
            tasks.discard(task)
            # Not awaited: after `start_tls` a peer that stays open would hold `wait_closed` for ever (CPython 104344).
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=2**20)
    web.port = server.sockets[0].getsockname()[1]
    try:
        yield web
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()


async def _serve(
    web: SimulatedWeb, context: ssl.SSLContext, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """One connection: CONNECT and TLS inside it, or requests with complete addresses; one after the other."""
    origin = ""
    while True:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ", 2)
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await writer.drain()
            await writer.start_tls(context)
            origin = f"https://{target.removesuffix(':443')}"
            continue
        length = next((int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:")), 0)
        body = await reader.readexactly(length)
        url = target if target.startswith("http") else origin + target
        reply = await web.reply(method, url, body)
        if reply is None:
            return
        if not isinstance(reply, tuple):
            await reply(writer)
            await writer.drain()
            return
        status, content_type, content = reply[:3]
        more = "".join(f"{name}: {value}\r\n" for name, value in reply.headers) if isinstance(reply, Told) else ""
        length_line = f"Content-Length: {len(content)}\r\n"
        head_out = f"HTTP/1.1 {status} Simulated\r\nContent-Type: {content_type}\r\n{more}{length_line}\r\n"
        cut = web.cut(url)
        writer.write(head_out.encode("latin-1") + (content[: len(content) // 2] if cut else content))
        await writer.drain()
        if cut:
            return
