"""Transport of requests for `mcp://NAME/TOOL` to MCP servers.

The library implements the protocol. A server started as a program runs for the length of a case and is started once
more if it ends; it gets none of our environment variables and its output is limited. Exchanges with a server at a URL
are guarded and limited like all others. Servers cannot make requests to us (sampling, files, elicitation), and their
logs are dropped.
"""

from __future__ import annotations

import asyncio
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
    from mcp.client import Client

    from inquest.net.outside import Route

SCHEME = "mcp"
_GRACE = 1.0
"""Seconds a program gets to exit by itself."""
_NEEDS = "cannot be used without the packages of inquest[mcp]: pip install -U 'inquest[mcp]'"
_BROKEN = "sent a reply that is not MCP"
_DIED = "ended or closed the connection before it had answered"
_STARTS = 2
"""Maximum number of times the program of a server is started in one case."""


class McpGuard(Guard):
    """Admits only the names of the servers in the settings. HTTP requests to them pass the usual guard."""

    def __init__(self, names: Mapping[str, McpServer]) -> None:
        super().__init__()
        self._names = names

    def place(self, url: str) -> Place:
        parts = urlsplit(url)
        if parts.scheme != SCHEME or parts.netloc not in self._names:
            raise Forbidden("is not an MCP server in the settings")
        return Place(url, SCHEME, parts.netloc, 0, own=True)


class McpTransport(httpx2.AsyncBaseTransport):
    """A POST to mcp://NAME/TOOL calls the tool with the arguments in its body; a GET of mcp://NAME/ lists the tools.
    The reply is the protocol's result as JSON. Raises Failure and Forbidden."""

    def __init__(self, servers: Mapping[str, McpServer], web: Route, ceilings: Ceilings, *, keeps: bool) -> None:
        """`web`: the route to servers with a URL. `ceilings`: limits of a whole call. `keeps`: programs run on for the
        next call."""
        self._servers = servers
        self._web = web
        self._keeps = keeps
        self._programs: dict[str, _Program] = {}
        self._ceilings = replace(ceilings, first_byte=ceilings.total, idle=ceilings.total, slowest=0)

    async def aclose(self) -> None:
        """End the programs."""
        await asyncio.gather(*(program.end() for program in self._programs.values()))

    def _link(self, name: str) -> _Web | _Program:
        server = self._servers[name]
        if server.url:
            return _Web(self._web, server, self._ceilings)
        program = self._programs.get(name) or _Program(server, self._ceilings.unpacked)
        if self._keeps:
            self._programs[name] = program
        return program

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Make one call: of a program in its session, of a server with a URL in one for this call."""
        try:
            from mcp.shared.exceptions import MCPError
            from mcp_types import CONNECTION_CLOSED
        except ImportError as error:
            raise Failure(FailureKind.BROKEN, _NEEDS) from error
        for name in ("mcp.client", "mcp.shared"):  # they log what a server writes
            logging.getLogger(name).addHandler(logging.NullHandler())
            logging.getLogger(name).propagate = False
        server = self._servers[request.url.host]
        link = self._link(request.url.host)
        status = 200
        try:
            async with link.client() as client:
                tool, arguments = request.url.path[1:], await request.aread()
                result = await (client.call_tool(tool, json.loads(arguments)) if tool else client.list_tools())
                body = result.model_dump_json(by_alias=True, exclude_none=True)
        except Exception as raised:  # noqa: BLE001 - a reply can make the library raise anything, alone or in groups
            cause = _first(raised)
            trouble = raised if isinstance(raised, Failure) else link.trouble
            if trouble is not None:
                raise trouble from cause
            if link.status >= 400:
                status, body = link.status, ""
            elif isinstance(cause, MCPError) and cause.code != CONNECTION_CLOSED:
                body = json.dumps({"isError": True, "content": [{"type": "text", "text": cause.error.message}]})
            elif isinstance(cause, MCPError | OSError | anyio.BrokenResourceError | anyio.ClosedResourceError):
                raise Failure(FailureKind.UNREACHABLE, _DIED) from cause
            else:
                raise Failure(FailureKind.BROKEN, _BROKEN) from cause
        finally:
            if isinstance(link, _Program) and not self._keeps:
                await link.end()
        body = redacted_text(body, [form for value in (server.token, *server.env.values()) for form in secrets(value)])
        headers = [("content-type", "application/json"), *link.headers]
        return httpx2.Response(status, headers=headers, content=body.encode("utf-8", "replace"), request=request)


def _first(error: BaseException) -> BaseException:
    """Return the first error of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _Link:
    """The connection to a server, and errors below the protocol."""

    trouble: Failure | Forbidden | None = None
    status: int = 0
    """Status of the last HTTP reply."""
    headers: tuple[tuple[str, str], ...] = ()


class _Web(_Link, httpx2.AsyncBaseTransport):
    """Makes the HTTP exchanges of a session; streams initiated by the server are rejected."""

    def __init__(self, route: Route, server: McpServer, ceilings: Ceilings) -> None:
        self._route, self._server, self._ceilings = route, server, ceilings

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        """Open a session."""
        from mcp.client import Client

        async with Client(self._transport(), cache=None) as client:
            yield client

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Any]:
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
    """A program with one session, in a task of its own because the library opens and closes a session in the same task.
    Its output is read here because the library's reader has no limit."""

    def __init__(self, server: McpServer, most: int) -> None:
        """`most`: bytes of output between the beginning of a call and that of the next."""
        self._server, self._most, self._left = server, most, most
        self._starting = asyncio.Lock()
        self._starts = 0
        self._client: Client | None = None
        self._session: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        """The session of the program, started if it is not running. If a call does not end with an answer, the program
        is stopped, because its remaining output belongs to no call. Raises Failure."""
        from mcp.shared.exceptions import MCPError
        from mcp_types import CONNECTION_CLOSED

        async with self._starting:
            if self._client is None:
                await self.end()
                await self._start()
            client, session, self._left = self._client, self._session, self._most
        assert client is not None
        try:
            yield client
        except BaseException as error:
            refused = isinstance(error, MCPError) and error.code != CONNECTION_CLOSED
            if not refused and session is self._session:
                await self.end()
            raise

    async def _start(self) -> None:
        if self._starts >= _STARTS:
            raise Failure(FailureKind.UNREACHABLE, "ended again after a restart, and will not be started again")
        self._starts += 1
        self.trouble = None
        begun: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._session = asyncio.ensure_future(self._run(begun))
        try:
            self._client = await begun
        except BaseException:
            await self.end()
            raise

    async def _run(self, begun: asyncio.Future[Client]) -> None:
        """Keep the session until the task is cancelled."""
        from mcp.client import Client

        try:
            async with Client(self._transport(), cache=None) as client:
                begun.set_result(client)
                await asyncio.Event().wait()
        except Exception as error:  # noqa: BLE001 - see `handle_async_request`, which has it from the future
            if not begun.done():
                begun.set_exception(_first(error))

    async def end(self) -> None:
        """End the program, with its session."""
        session, self._session, self._client = self._session, None, None
        if session is not None:
            session.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.wait([session])

    @asynccontextmanager
    async def _transport(self) -> AsyncIterator[Any]:
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
            self.trouble = Failure(FailureKind.BROKEN, "could not be started: its command failed")
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
            self._client = None  # it has ended

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
        line = bytearray()
        with suppress(anyio.EndOfStream):
            while True:
                piece = await output.receive()
                self._left -= len(piece)
                if self._left < 0:
                    self.trouble = Failure(
                        FailureKind.TOO_LARGE, f"sent more than {self._most / 1e6:g} MB, which is over the limit"
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
