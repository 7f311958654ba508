"""The MCP server, on standard input and output or on HTTP."""

from __future__ import annotations

import hmac
import ipaddress
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastmcp import FastMCP
from fastmcp.server.auth import AccessToken, TokenVerifier

from inquest import __version__
from inquest.app import sockets
from inquest.app.tools.for_models import NOTE
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.errors import InputError
from inquest.mcp.case_tools import add_case_tools, add_desk_tools, add_look_tools
from inquest.mcp.running import OneSentence, Running

PATH = "/mcp"  # path of the HTTP endpoint
_LOG_LEVEL = "ERROR"
_SHORTEST_TOKEN = 16
_TOKEN = re.compile(rf"[!-~]{{{_SHORTEST_TOKEN},4096}}")
INSTRUCTIONS = (
    "Inquest ascertains the facts: every stated fact carries a verbatim quote from an archived page. Use check_claim "
    "for claims of companies, verify_topic for a story, ask_market for why a share moved, run_inquiry for any "
    "other question, audit for the citations of a text, and read_case to read more. Show the user the plan of an "
    f"inquiry before you approve it. Report verdicts as they are, including 'unverified', and cite. {NOTE}"
)


@asynccontextmanager
async def opened_server(app: Resources | None = None, *, files: bool = False) -> AsyncIterator[FastMCP]:
    """The server of an open app, or of one with the settings of this process. At the end, running cases stop with a
    partial report. `files`: clients may read files on this machine. Raises SettingError, StorageError."""
    if app is None:
        async with open_resources() as own, opened_server(own, files=files) as opened:
            yield opened
        return
    running = Running()
    try:
        server: FastMCP = FastMCP(
            "inquest",
            instructions=INSTRUCTIONS,
            version=__version__,
            middleware=[OneSentence()],
            mask_error_details=True,
        )
        add_case_tools(server, app, running, files=files)
        add_desk_tools(server, app, running, files=files)
        add_look_tools(server, app, running, files=files)
        yield server
    finally:
        await running.aclose()


async def serve_stdio(*, files: bool = False) -> None:
    """Serve until standard input ends."""
    async with opened_server(files=files) as server:
        await server.run_stdio_async(show_banner=False, log_level=_LOG_LEVEL)


class _OneToken(TokenVerifier):
    """Accepts one token, compared in constant time."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        equal = hmac.compare_digest(token.encode("utf-8", "replace"), self._token)
        return AccessToken(token=token, client_id="token", scopes=[]) if equal else None


def token_in(path: Path) -> str:
    """The token in a file. Raises InputError."""
    try:
        token = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"The token in {path} cannot be read ({why}).", advice="Check the path.") from error
    if not _TOKEN.fullmatch(token):
        raise InputError(
            f"Invalid token in {path}: expected one line of at least {_SHORTEST_TOKEN} letters, digits and symbols.",
            advice="Create one: openssl rand -hex 32.",
        )
    return token


async def serve_http(
    bound: socket.socket, on_ready: Callable[[str], None], *, files: bool = False, token: str | None = None
) -> None:
    """Serve on a socket of `listening` until the process is stopped. `on_ready` receives the address. `token`: the
    bearer token that clients must send."""
    host, port = bound.getsockname()[:2]
    async with opened_server(files=files) as server:
        server.auth = _OneToken(token) if token else None
        on_ready(f"{sockets.address_of(bound)}{PATH}")
        await server.run_http_async(
            show_banner=False,
            host=host,
            port=port,
            path=PATH,
            sockets=[bound],
            log_level=_LOG_LEVEL,
            # At the loopback, a page of another site could send requests through the user's browser. Elsewhere, the
            # proxy in front of this server checks its host names.
            host_origin_protection=ipaddress.ip_address(host).is_loopback,
        )


def listening(address: str, *, exposed: bool = False) -> socket.socket:
    """A socket at HOST:PORT, :PORT or PORT; without a host, at the loopback. Raises InputError for an invalid or
    unavailable address, and for one beyond this machine unless `exposed`, because the server has no sign-in."""
    host, _, number = address.rpartition(":")
    if not number.isdecimal() or int(number) > 65535:
        raise InputError(f"Invalid address '{address}': expected HOST:PORT, like 127.0.0.1:8765.")
    bound, is_loopback = sockets.listening(host.strip("[]") or "127.0.0.1", int(number))
    if not exposed and not is_loopback:
        bound.close()
        raise InputError(
            f"Other machines can reach {host}, and this server has no sign-in.",
            advice="Use 127.0.0.1, or put a proxy with a login in front and add --expose.",
        )
    return bound
