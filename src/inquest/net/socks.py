"""A connection through a SOCKS5 proxy (RFC 1928, and 1929 for a password), which is given the name and resolves it.

`httpcore2` has one of its own; it takes every message to come in one piece, lets a malformed one out as another
library's error, and leaves the connection open after either. A proxy is other people's software, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address

import httpcore2

from inquest.net.streams import Wire

_NO_PASSWORD, _PASSWORD = 0, 2
_REPLIES = (
    "succeeded",
    "it failed",
    "its rules forbid it",
    "the network cannot be reached",
    "the host cannot be reached",
    "the host refused the connection",
    "the time to live expired",
    "it does not know the command",
    "it does not know the kind of address",
)


class SocksBackend(httpcore2.AsyncNetworkBackend):
    """Connects by way of the proxy. What the proxy does wrong is `httpcore2.ProxyError`."""

    def __init__(self, host: str, port: int, credentials: tuple[bytes, bytes] | None) -> None:
        self._host = host
        self._port = port
        self._credentials = credentials
        self._wire = Wire()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        stream = await self._wire.connect_tcp(self._host, self._port, timeout=timeout)
        try:
            proxy = _Proxy(stream, timeout)
            await proxy.greet(self._credentials)
            await proxy.connect(host, port)
        except BaseException:
            await stream.aclose()
            raise
        return stream


class _Proxy:
    """The proxy's side of the talk."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream, timeout: float | None) -> None:
        self._stream = stream
        self._timeout = timeout

    async def greet(self, credentials: tuple[bytes, bytes] | None) -> None:
        method = _NO_PASSWORD if credentials is None else _PASSWORD
        await self._say(bytes((5, 1, method)))
        version, chosen = await self._hear(2)
        if version != 5:
            raise httpcore2.ProxyError("it does not speak SOCKS5")
        if chosen != method:
            wants = "it wants a user and a password" if credentials is None else "it takes no password"
            raise httpcore2.ProxyError(wants)
        if credentials is not None:
            user, word = (part[:255] for part in credentials)
            await self._say(bytes((1, len(user))) + user + bytes((len(word),)) + word)
            if (await self._hear(2))[1] != 0:
                raise httpcore2.ProxyError("it refused the user or the password")

    async def connect(self, host: str, port: int) -> None:
        try:
            address = ip_address(host)
            to = bytes((1 if address.version == 4 else 4,)) + address.packed
        except ValueError:
            name = host.encode("ascii")
            to = bytes((3, len(name))) + name
        await self._say(b"\x05\x01\x00" + to + port.to_bytes(2, "big"))
        version, reply, _, kind = await self._hear(4)
        if version != 5:
            raise httpcore2.ProxyError("it does not speak SOCKS5")
        if reply != 0:
            raise httpcore2.ProxyError(_REPLIES[reply] if reply < len(_REPLIES) else f"it answered {reply}")
        bound = {1: 4, 4: 16}.get(kind)
        if bound is None:
            bound = (await self._hear(1))[0]
        await self._hear(bound + 2)

    async def _say(self, message: bytes) -> None:
        await self._stream.write(message, timeout=self._timeout)

    async def _hear(self, size: int) -> bytes:
        received = b""
        while len(received) < size:
            piece = await self._stream.read(size - len(received), timeout=self._timeout)
            if not piece:
                raise httpcore2.ProxyError("it broke the connection off")
            received += piece
        return received
