"""The connections that a pool looks at often: open, closed by the other side, closed by us, encrypted."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpcore2

from bench.simulated.server import CERTIFICATE, HERE
from inquest.net.client import Wire


@asynccontextmanager
async def _server(tls: ssl.SSLContext | None = None) -> AsyncIterator[tuple[int, list[asyncio.StreamWriter]]]:
    """Answers every line with 'yes'; its port, and the connections it has."""
    had: list[asyncio.StreamWriter] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        had.append(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                await reader.readuntil(b"\n")
                writer.write(b"yes\n")

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1], had
    finally:
        server.close()
        for writer in had:
            writer.close()
        await server.wait_closed()


async def _becomes_readable(stream: httpcore2.AsyncNetworkStream) -> bool:
    for _ in range(200):
        if stream.get_extra_info("is_readable"):
            return True
        await asyncio.sleep(0.01)
    return False


async def test_an_open_connection_has_nothing_to_read_and_one_closed_by_the_other_side_is_at_its_end() -> None:
    async with _server() as (port, had):
        stream = await Wire().connect_tcp("127.0.0.1", port)
        await stream.write(b"are you there?\n")
        assert await stream.read(100) == b"yes\n"
        assert not stream.get_extra_info("is_readable")
        had[0].close()
        assert await _becomes_readable(stream)
        assert await stream.read(100) == b""
        await stream.aclose()


async def test_a_connection_that_was_closed_here_counts_as_at_its_end() -> None:
    async with _server() as (port, _):
        stream = await Wire().connect_tcp("127.0.0.1", port)
        await stream.aclose()
        assert stream.get_extra_info("is_readable")


async def test_an_encrypted_connection_is_looked_at_in_the_same_way_and_tells_of_its_encryption() -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE, HERE / "web-key.pem")
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    trusting.check_hostname = False
    async with _server(tls) as (port, had):
        plain = await Wire().connect_tcp("127.0.0.1", port)
        stream = await plain.start_tls(trusting, "localhost")
        await stream.write(b"are you there?\n")
        assert await stream.read(100) == b"yes\n"
        assert stream.get_extra_info("ssl_object").version().startswith("TLS")
        assert stream.get_extra_info("server_addr")[1] == port
        had[0].close()
        assert await _becomes_readable(stream)
        await stream.aclose()
