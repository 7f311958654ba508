"""Connections: one pool for all requests, which connects only to addresses checked by the guard.

`httpx2` has no setting for how TCP connections are made; its engine `httpcore2` has one. This transport gives the pool
a network backend that resolves the name, has the guard check every address, and connects to a checked one. The pool,
TLS (server name, certificate) and the Host header continue to use the name.

At every request the pool checks whether idle connections are readable, that is, closed by the other side. The stream of
`httpcore2` collects all information about the connection (addresses included) for each check, which with dozens of
connections takes longer than the requests. Here the socket is looked up once.

SOCKS5 (RFC 1928, and 1929 for passwords) is implemented here because that of `httpcore2` expects every message in one
piece, raises another library's error for malformed ones, and leaves the connection open after either.
"""

from __future__ import annotations

import asyncio
import select
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpcore2
import httpx2

from inquest.domain.errors import SettingError
from inquest.kit.mcp_server import McpServer
from inquest.net.guard import Guard


class Wire(httpcore2.AnyIOBackend):
    """The default network backend, with faster readability checks."""

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore2.AsyncNetworkStream:
        return _Stream(await super().connect_tcp(host, port, timeout))


class _Stream(httpcore2.AsyncNetworkStream):
    """A stream that remembers its socket, which stays the same under TLS."""

    def __init__(self, inner: httpcore2.AsyncNetworkStream) -> None:
        self._inner = inner
        self._socket: socket.socket | None = inner.get_extra_info("socket")

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        return _Stream(await self._inner.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return _is_readable(self._socket) if info == "is_readable" else self._inner.get_extra_info(info)


def _is_readable(connected: socket.socket | None) -> bool:
    """Return True if data or the end of the stream can be read, or the connection is closed on our side."""
    number = -1 if connected is None else connected.fileno()
    if number < 0:
        return True
    if not hasattr(select, "poll"):  # Windows, where select has no limit on descriptor numbers
        return bool(select.select([number], [], [], 0)[0])
    asked = select.poll()
    asked.register(number, select.POLLIN)
    return bool(asked.poll(0))


_NO_PASSWORD, _PASSWORD = 0, 2
_REPLIES = (
    "succeeded",
    "it failed",
    "its rules forbid it",
    "the network cannot be reached",
    "the host cannot be reached",
    "the host refused the connection",
    "the time to live expired",
    "it does not support the command",
    "it does not support this type of address",
)


class SocksBackend(httpcore2.AsyncNetworkBackend):
    """Connects through a SOCKS5 proxy. Errors of the proxy are raised as `httpcore2.ProxyError`."""

    def __init__(self, host: str, port: int, credentials: tuple[bytes, bytes] | None) -> None:
        self._host = host
        self._port = port
        self._credentials = credentials
        self._wire = Wire()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore2.AsyncNetworkStream:
        stream = await self._wire.connect_tcp(self._host, self._port, timeout)

        async def ask(message: bytes, size: int) -> bytes:
            """Send a message and receive so many bytes."""
            await stream.write(message, timeout=timeout)
            received = b""
            while len(received) < size:
                piece = await stream.read(size - len(received), timeout=timeout)
                if not piece:
                    raise httpcore2.ProxyError("it closed the connection")
                received += piece
            return received

        try:
            await _greet(ask, self._credentials)
            await _lead_to(ask, host, port)
        except BaseException:
            await stream.aclose()
            raise
        return stream


_Ask = Callable[[bytes, int], Awaitable[bytes]]


async def _greet(ask: _Ask, credentials: tuple[bytes, bytes] | None) -> None:
    method = _NO_PASSWORD if credentials is None else _PASSWORD
    version, chosen = await ask(bytes((5, 1, method)), 2)
    if version != 5:
        raise httpcore2.ProxyError("it does not speak SOCKS5")
    if chosen != method:
        wants = "it requires a user name and a password" if credentials is None else "it does not accept a password"
        raise httpcore2.ProxyError(wants)
    if credentials is not None:
        user, word = (part[:255] for part in credentials)
        if (await ask(bytes((1, len(user))) + user + bytes((len(word),)) + word, 2))[1] != 0:
            raise httpcore2.ProxyError("it refused the user name or the password")


async def _lead_to(ask: _Ask, host: str, port: int) -> None:
    try:
        address = ip_address(host)
        to = bytes((1 if address.version == 4 else 4,)) + address.packed
    except ValueError:
        to = bytes((3, len(host))) + host.encode("ascii")
    version, reply, _, kind = await ask(b"\x05\x01\x00" + to + port.to_bytes(2, "big"), 4)
    if version != 5:
        raise httpcore2.ProxyError("it does not speak SOCKS5")
    if reply != 0:
        raise httpcore2.ProxyError(_REPLIES[reply] if reply < len(_REPLIES) else f"it answered {reply}")
    bound = {1: 4, 4: 16}.get(kind) or (await ask(b"", 1))[0]
    await ask(b"", bound + 2)


Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Resolves a name and a port to addresses, best first. Raises OSError (socket.gaierror) if there are none."""

_TRY_NEXT_AFTER = 5.0
"""Connect timeout in seconds while other addresses remain, so that a dead IPv6 route does not use up all the time."""

_POOL: Any = {"max_connections": 200, "max_keepalive_connections": 100, "keepalive_expiry": 30}


class NameUnknown(Exception):
    """The name has no address."""


async def resolve_here(host: str, port: int) -> list[str]:
    """Return the addresses from this machine's resolver in its order of preference (RFC 6724)."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True)
class Network:
    """Which hosts may be reached, and how."""

    allow_hosts: Sequence[str] = ()
    """Internal hosts that may be reached (see `Guard`)."""
    model_hosts: Sequence[str] = ()
    """Further hosts for model calls only, so that no page can lead to a model server on this machine."""
    proxy: str | None = None
    ca_file: str | None = None
    resolve: Resolve = resolve_here
    """Resolves names unless a proxy does."""
    mcp: Mapping[str, McpServer] = field(default_factory=dict)
    """MCP servers that are engines, by name."""


def build_transport(
    guard: Guard, *, trusted: ssl.SSLContext, proxy: str | None = None, resolve: Resolve = resolve_here
) -> httpx2.AsyncBaseTransport:
    """Return a transport that connects only where the guard permits, or through a proxy that resolves the names; it
    connects directly to internal hosts that the user allows. `proxy`: an http, https, socks5 or socks5h URL, with or
    without user and password; the proxy always resolves the names. Raises SettingError for any other URL."""

    def pooled(backend: httpcore2.AsyncNetworkBackend) -> httpx2.AsyncBaseTransport:
        return _Pooled(httpcore2.AsyncConnectionPool(ssl_context=trusted, network_backend=backend, **_POOL))

    direct = pooled(_GuardedBackend(guard, resolve))
    if proxy is None:
        return direct
    through = _proxy(proxy, trusted)
    url = through.url
    if url.scheme in ("socks5", "socks5h"):
        return _Beside(pooled(SocksBackend(url.host, url.port or 1080, through.raw_auth)), direct, guard)
    by_proxy = httpcore2.AsyncHTTPProxy(
        proxy_url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
        proxy_auth=through.raw_auth,
        proxy_headers=through.headers.raw,
        proxy_ssl_context=through.ssl_context,
        ssl_context=trusted,
        network_backend=Wire(),
        **_POOL,
    )
    return _Beside(_Pooled(by_proxy), direct, guard)


def trust(ca_file: str | None) -> ssl.SSLContext:
    """Return a context with the system's certificate authorities and those in `ca_file` (PEM). Raises SettingError."""
    if ca_file is None:
        return _authorities()
    advice = "INQUEST_CA_FILE must name a file of certificates in PEM format."
    if not Path(ca_file).is_file():
        raise SettingError(f"There is no certificate file at {ca_file}.", advice=advice)
    try:
        return _authorities(Path(ca_file).read_bytes())
    except (ssl.SSLError, OSError, ValueError) as error:
        raise SettingError(f"{ca_file} contains no readable certificate.", advice=advice) from error


@lru_cache(maxsize=4)
def _authorities(own: bytes | None = None) -> ssl.SSLContext:
    """The system's authorities and those of a file. Cached, as loading takes 20 ms or more; not to be modified."""
    context = httpx2.create_ssl_context(trust_env=False)
    if own is not None:
        context.load_verify_locations(cadata=own.decode("ascii", "ignore"))
    return context


def _proxy(written: str, trusted: ssl.SSLContext) -> httpx2.Proxy:
    # The message omits the URL, which may contain a password.
    wrong = SettingError(
        "The proxy's address is invalid.",
        advice="INQUEST_PROXY must be like http://host:3128, https://host:3128, socks5://host:1080 or socks5h://host:1080.",
    )
    try:
        url = httpx2.URL(written)
    except httpx2.InvalidURL as error:
        raise wrong from error
    if url.scheme not in ("http", "https", "socks5", "socks5h") or not url.host:
        raise wrong
    return httpx2.Proxy(url, ssl_context=trusted if url.scheme == "https" else None)


class _Pooled(httpx2.AsyncHTTPTransport):
    """Uses the connections of a pool."""

    def __init__(self, pool: httpcore2.AsyncConnectionPool) -> None:
        self._pool = pool  # the parent's constructor, which sets nothing else, would make one that connects anywhere


class _Beside(httpx2.AsyncBaseTransport):
    """Uses a proxy, except for internal hosts that the user allows."""

    def __init__(self, proxy: httpx2.AsyncBaseTransport, direct: httpx2.AsyncBaseTransport, guard: Guard) -> None:
        self._proxy, self._direct, self._guard = proxy, direct, guard

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        port = url.port or (443 if url.scheme == "https" else 80)
        inside = self._guard.is_own_inside(url.host, port)
        return await (self._direct if inside else self._proxy).handle_async_request(request)

    async def aclose(self) -> None:
        await self._proxy.aclose()
        await self._direct.aclose()


class _GuardedBackend(httpcore2.AsyncNetworkBackend):
    def __init__(self, guard: Guard, resolve: Resolve) -> None:
        self._guard = guard
        self._resolve = resolve
        self._wire = Wire()

    async def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, *_: Any, **__: Any
    ) -> httpcore2.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                addresses = self._guard.admit(host, port, await self._resolve(host, port))
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout("the name could not be looked up in time") from error
        except socket.gaierror as error:
            if error.errno == socket.EAI_AGAIN:
                raise httpcore2.ConnectError("the name could not be looked up") from error
            raise NameUnknown from error
        if not addresses:
            raise NameUnknown
        for address in addresses[:-1]:
            try:
                return await self._connect(address, port, min(timeout or _TRY_NEXT_AFTER, _TRY_NEXT_AFTER))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._connect(addresses[-1], port, timeout)

    async def _connect(self, address: str, port: int, timeout: float | None) -> httpcore2.AsyncNetworkStream:
        return await self._wire.connect_tcp(address, port, timeout=timeout)
