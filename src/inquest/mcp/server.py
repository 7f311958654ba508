"""The server: the tools over one `App`, on standard input and output or on HTTP."""

from __future__ import annotations

import hmac
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastmcp import FastMCP
from fastmcp.server.auth import AccessToken, TokenVerifier

from inquest import __version__
from inquest.app.build import App, open_app
from inquest.app.tools.for_models import NOTE
from inquest.domain.errors import InputError
from inquest.mcp.case_tools import add_case_tools, add_desk_tools, add_look_tools
from inquest.mcp.running import OneSentence, Running

PATH = "/mcp"
"""Where the endpoint lies on HTTP."""
_LOG_LEVEL = "ERROR"
_SHORTEST_TOKEN, _LONGEST_TOKEN = 16, 4096
INSTRUCTIONS = (
    "Inquest ascertains facts: every stated fact carries a verbatim quote from an archived page. Use check_claim for "
    "what a company claims, verify_topic for a story, ask_market for what moves a share, run_inquiry for any other "
    "question, audit for the citations of a text, read_case to read on. Show "
    f"the user the plan of an inquiry before you approve it. Report verdicts as they are, 'unverified' included, "
    f"and cite. {NOTE}"
)


def make_server(app: App, running: Running, *, files: bool = False) -> FastMCP:
    """The server over an open app. `files`: clients may have files of this machine read, by their paths."""
    server: FastMCP = FastMCP(
        "inquest", instructions=INSTRUCTIONS, version=__version__, middleware=[OneSentence()], mask_error_details=True
    )
    add_case_tools(server, app, running, files=files)
    add_desk_tools(server, app, running, files=files)
    add_look_tools(server, app, running, files=files)
    return server


@asynccontextmanager
async def opened_server(app: App | None = None, *, files: bool = False) -> AsyncIterator[FastMCP]:
    """The server with the settings of this process, or over an app that is open already. At the end cases that are at
    work are stopped and report what they have. Raises SettingError, StorageError."""
    if app is None:
        async with open_app() as own, opened_server(own, files=files) as server:
            yield server
        return
    running = Running()
    try:
        yield make_server(app, running, files=files)
    finally:
        await running.aclose()


async def serve_stdio(*, files: bool = False) -> None:
    """Until standard input ends."""
    async with opened_server(files=files) as server:
        await server.run_stdio_async(show_banner=False, log_level=_LOG_LEVEL)


class _OneToken(TokenVerifier):
    """Lets in whoever sends the token, compared in a time that tells nothing of it."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """None: it is another."""
        right = hmac.compare_digest(token.encode("utf-8", "replace"), self._token)
        return AccessToken(token=token, client_id="token", scopes=[]) if right else None


def token_in(path: Path) -> str:
    """The token in a file, which is all that is there. Raises InputError for a file that cannot be read or holds
    nothing that can be sent as a token."""
    try:
        token = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"The token in {path} cannot be read ({said}).", advice="Check the path.") from error
    if (
        not (_SHORTEST_TOKEN <= len(token) <= _LONGEST_TOKEN and token.isascii() and token.isprintable())
        or " " in token
    ):
        raise InputError(
            f"{path} holds no token: one line of at least {_SHORTEST_TOKEN} letters, digits and signs.",
            advice="Make one: openssl rand -hex 32.",
        )
    return token


async def serve_http(
    bound: socket.socket, on_ready: Callable[[str], None], *, files: bool = False, token: str | None = None
) -> None:
    """On a socket of `listening`, until the process is asked to end. `on_ready` is given the address. With a `token`,
    only those are let in who send it as `Authorization: Bearer`."""
    host, port = bound.getsockname()[:2]
    async with opened_server(files=files) as server:
        server.auth = _OneToken(token) if token else None
        on_ready(f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}")
        await server.run_http_async(
            show_banner=False,
            host=host,
            port=port,
            path=PATH,
            sockets=[bound],
            log_level=_LOG_LEVEL,
            # At the loopback a page of another site could ask through the user's browser. Beyond it, the proxy that is
            # to stand before this server knows the names that it goes by.
            host_origin_protection=ipaddress.ip_address(host).is_loopback,
        )


def listening(address: str, *, exposed: bool = False) -> socket.socket:
    """A socket at HOST:PORT, :PORT or PORT; without a host, at the loopback.

    Raises InputError for what is no such address, an address that cannot be had, or one beyond this machine where
    `exposed` does not say that this is meant: the server asks nobody who they are.
    """
    host, _, number = address.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    if not number.isdecimal() or int(number) > 65535:
        raise InputError(f"'{address}' is not HOST:PORT.", advice="Write it like 127.0.0.1:8765.")
    try:
        at = _looked_up(host)
        if not exposed and not at.is_loopback:
            raise InputError(
                f"{host} can be reached from other machines, and this server asks nobody who they are.",
                advice="Use 127.0.0.1, or put a proxy with a login before it and add --expose.",
            )
        return socket.create_server(
            (str(at), int(number)), family=socket.AF_INET6 if at.version == 6 else socket.AF_INET
        )
    except OSError as error:
        raise InputError(
            f"Nothing can listen at {address} ({error.strerror or error}).", advice="Choose another port."
        ) from error


def _looked_up(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return ipaddress.ip_address(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])
