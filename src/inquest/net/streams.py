"""TCP connections whose pool may look often whether they are still open.

The pool of `httpcore2` asks every idle connection at every request whether it can be read from, which means that the
other side has closed it. Its own stream gathers all it knows of the connection for each answer (addresses included);
with some dozens of connections that takes longer than the requests do. Here the socket is looked up once.
"""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore2


class Wire(httpcore2.AnyIOBackend):
    """The usual way to the network."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        return _Stream(await super().connect_tcp(host, port, timeout, local_address, socket_options))


class _Stream(httpcore2.AsyncNetworkStream):
    """A stream that remembers its socket. Encrypted, it has the same one."""

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
    """Whether there is something to read, the end included; a connection that is closed here counts as at its end."""
    number = -1 if connected is None else connected.fileno()
    if number < 0:
        return True
    if not hasattr(select, "poll"):  # Windows; numbers have no limit there
        return bool(select.select([number], [], [], 0)[0])
    asked = select.poll()
    asked.register(number, select.POLLIN)
    return bool(asked.poll(0))
