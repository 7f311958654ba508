"""Transport of requests for `mcp://NAME/TOOL` to MCP servers.

The library implements the protocol. A server started as a program gets none of our environment variables and its output
is limited; exchanges with a server at a URL are guarded and limited like all others. Servers cannot make requests to us
(sampling, files, elicitation), and their logs are dropped.
"""

from __future__ import annotations

import json
import logging
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import anyio
import httpx2

from inquest.kit.dialect import secrets
from inquest.kit.exchange import Request
from inquest.kit.mcp_server import McpServer
from inquest.net.guard import Forbidden, Guard, Place
from inquest.net.policy import Ceilings
from inquest.net.redaction import redacted_text
from inquest.net.wire import Failure, FailureKind, Intake, exchange

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream, Process

    from inquest.net.outside import Route

SCHEME = "mcp"
_GRACE = 1.0
"""Seconds a program gets to exit by itself."""
_NEEDS = "cannot be used without the packages of inquest[mcp]: pip install -U 'inquest[mcp]'"
_BROKEN = "answered something that is not MCP"
_DIED = "ended or broke off before it had answered"


class McpGuard(Guard):
    """Admits only the names of the servers in the settings. HTTP requests to them pass the usual guard."""

    def __init__(self, names: Mapping[str, McpServer]) -> None:
        super().__init__()
        self._names = names

    def place(self, url: str) -> Place:
        parts = urlsplit(url)
        if parts.scheme != SCHEME or parts.netloc not in self._names:
            raise Forbidden("is no MCP server of the settings")
        return Place(url, SCHEME, parts.netloc, 0, own=True)


class McpTransport(httpx2.AsyncBaseTransport):
    """A POST to mcp://NAME/TOOL calls the tool with the arguments in its body; a GET of mcp://NAME/ lists the tools.
    The reply is the protocol's result as JSON. Raises Failure and Forbidden."""

    def __init__(self, servers: Mapping[str, McpServer], web: Route, ceilings: Ceilings) -> None:
        """`web`: the route to servers with a URL. `ceilings`: limits of a whole call."""
        self._servers = servers
        self._web = web
        self._ceilings = replace(ceilings, first_byte=ceilings.total, idle=ceilings.total, slowest=0)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Make one call in a session of its own."""
        try:
            from mcp.client import Client
            from mcp.shared.exceptions import MCPError
            from mcp_types import CONNECTION_CLOSED
        except ImportError as error:
            raise Failure(FailureKind.BROKEN, _NEEDS) from error
        for name in ("mcp.client", "mcp.shared"):  # they log what a server writes
            logging.getLogger(name).addHandler(logging.NullHandler())
            logging.getLogger(name).propagate = False
        server = self._servers[request.url.host]
        link = _Web(self._web, server, self._ceilings) if server.url else _Program(server, self._ceilings.unpacked)
        status = 200
        try:
            async with Client(link.transport(), cache=None) as client:
                tool, arguments = request.url.path[1:], await request.aread()
                result = await (client.call_tool(tool, json.loads(arguments)) if tool else client.list_tools())
                body = result.model_dump_json(by_alias=True, exclude_none=True)
        except Exception as raised:  # noqa: BLE001 - the library raises by itself, and in groups, whatever a reply causes
            cause = _first(raised)
            if link.trouble is not None:
                raise link.trouble from cause
            if link.status >= 400:
                status, body = link.status, ""
            elif isinstance(cause, MCPError) and cause.code != CONNECTION_CLOSED:
                body = json.dumps({"isError": True, "content": [{"type": "text", "text": cause.error.message}]})
            elif isinstance(cause, MCPError | OSError | anyio.BrokenResourceError | anyio.ClosedResourceError):
                raise Failure(FailureKind.UNREACHABLE, _DIED) from cause
            else:
                raise Failure(FailureKind.BROKEN, _BROKEN) from cause
        body = redacted_text(body, [form for value in (server.token, *server.env.values()) for form in secrets(value)])
        headers = [("content-type", "application/json"), *link.headers]
        return httpx2.Response(status, headers=headers, content=body.encode("utf-8", "replace"), request=request)


def _first(error: BaseException) -> BaseException:
    """Return the first error of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _Link:
    """The connection of one call, and errors below the protocol."""

    trouble: Failure | Forbidden | None = None
    status: int = 0
    """Of the last HTTP reply."""
    headers: tuple[tuple[str, str], ...] = ()


class _Web(_Link, httpx2.AsyncBaseTransport):
    """Makes the HTTP exchanges of a session; streams initiated by the server are rejected."""

    def __init__(self, route: Route, server: McpServer, ceilings: Ceilings) -> None:
        self._route, self._server, self._ceilings = route, server, ceilings

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[Any]:
        from mcp.client.streamable_http import streamable_http_client

        token = {"authorization": f"Bearer {self._server.token}"} if self._server.token else {}
        async with (
            httpx2.AsyncClient(transport=self, headers=token, trust_env=False) as web,
            streamable_http_client(self._server.url, http_client=web) as streams,
        ):
            yield streams

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.method == "GET":
            return httpx2.Response(405, request=request)
        try:
            place = self._route.guard.place(str(request.url))
            headers, body = tuple(request.headers.multi_items()), await request.aread()
            sent = Request(url=place.url, method=request.method, headers=headers, body=body)
            answer = await exchange(self._route.transport, sent, self._ceilings, Intake(), proxied=self._route.proxied)
        except Forbidden as error:
            self.trouble = Forbidden(f"is at {request.url.scheme}://{request.url.netloc.decode()}, which {error}")
            raise httpx2.ConnectError("forbidden") from error
        except Failure as error:
            self.trouble = error
            raise httpx2.ConnectError("failed") from error
        if request.method == "POST":
            self.status = answer.status
            self.headers = tuple(header for header in answer.headers if header[0] == "retry-after")
        return httpx2.Response(answer.status, headers=list(answer.headers), content=answer.body, request=request)


class _Program(_Link):
    """A program started for one call. Its output is read here because the library's reader has no limit."""

    def __init__(self, server: McpServer, most: int) -> None:
        self._server, self._most = server, most

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[Any]:
        from mcp.client.stdio import get_default_environment
        from mcp.shared.message import SessionMessage

        command = shlex.split(self._server.command)
        program = shutil.which(command[0]) if command else None
        try:
            if program is None:
                raise FileNotFoundError
            process = await anyio.open_process(
                [program, *command[1:]],
                stderr=subprocess.DEVNULL,
                env=get_default_environment() | self._server.env,
                start_new_session=True,
            )
        except OSError as error:
            self.trouble = Failure(FailureKind.BROKEN, "could not be started: its command does not run")
            raise self.trouble from error
        to_client, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        write, from_client = anyio.create_memory_object_stream[SessionMessage](0)
        assert process.stdin is not None and process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        async def take() -> None:
            from mcp_types import jsonrpc_message_adapter

            async with to_client:
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    async for line in self._lines(stdout):
                        try:
                            message = SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
                        except ValueError as error:
                            await to_client.send(error)
                        else:
                            await to_client.send(message)

        async def give() -> None:
            async with from_client:
                with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                    async for sent in from_client:
                        text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                        await stdin.send(text.encode() + b"\n")

        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(take)
                tasks.start_soon(give)
                try:
                    yield read, write
                finally:
                    tasks.cancel_scope.cancel()
        finally:
            for stream in (to_client, read, write, from_client):
                stream.close()
            await _ended(process)

    async def _lines(self, output: ByteReceiveStream) -> AsyncIterator[bytes]:
        """Yield the lines of the program's output up to the limit in bytes."""
        left, line = self._most, bytearray()
        with suppress(anyio.EndOfStream):
            while True:
                piece = await output.receive()
                left -= len(piece)
                if left < 0:
                    self.trouble = Failure(
                        FailureKind.TOO_LARGE, f"sent more than {self._most / 1e6:g} MB, which is more than is read"
                    )
                    return
                *whole, rest = piece.split(b"\n")
                for part in whole:
                    yield bytes(line + part)
                    line.clear()
                line += rest


async def _ended(process: Process) -> None:
    """Close the program's input, and kill its process group if it does not exit by itself."""
    with anyio.CancelScope(shield=True):
        if process.stdin is not None:
            await process.stdin.aclose()
        with anyio.move_on_after(_GRACE):
            await process.wait()
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.aclose()
