"""The ASGI application, its middleware (limits, origin, secrets, headers, log), and serving it until it is stopped."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from urllib.parse import parse_qsl, urlsplit

import uvicorn
from fastapi import APIRouter, FastAPI
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.config import LOGGING_CONFIG

from inquest import __version__
from inquest.api.access import Server
from inquest.api.problems import Problem, add_problems, problem, problems
from inquest.api.routes import access, audits, cases, collections, events, looks, outgoing, service, topics
from inquest.api.routes.service import add_examples
from inquest.app.access.accounts import TOKEN_PREFIX
from inquest.app.callbacks.relay import Relay
from inquest.app.cases.statistics import keep_counting
from inquest.app.logs import FIELDS
from inquest.app.service.dispatching import Dispatcher, InProcess
from inquest.app.settings import for_operators, load_settings
from inquest.app.sockets import address_of
from inquest.app.wiring.resources import Resources, open_resources

_SAFE = ("GET", "HEAD", "OPTIONS")
_SECRET_NAMES = frozenset(
    "token access_token auth_token refresh_token id_token jwt bearer authorization auth api_key apikey key secret"
    " client_secret password passwd session".split()
)
"""Query parameters that programs use for secrets."""
_BODY = 2 * 2**20  # the maximum bytes of a body without an upload
_UPLOAD_ROOM = 2**20  # the maximum bytes of the other fields of an upload
_HEADERS = (
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ("Cache-Control", "private, no-store"),
)
"""Defaults for replies."""


class Guarding:
    """An ASGI middleware. `public_url`: the server's address through a proxy."""

    def __init__(self, app: ASGIApp, *, public_url: str | None, upload_bytes: int) -> None:
        self._app = app
        self._public = urlsplit(public_url).netloc.lower() if public_url else ""
        self._upload = upload_bytes + _UPLOAD_ROOM

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request with a problem, or forward it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        sending = _with_headers(send)
        most = self._upload if headers.get("content-type", "").startswith("multipart/form-data") else _BODY
        if (refused := self._refused(scope, headers, most)) is not None:
            status, detail, advice = refused
            await problem(status, detail, advice=advice)(scope, receive, sending)
            return
        await self._app(scope, _limited(receive, most), sending)

    def _refused(self, scope: Scope, headers: Headers, most: int) -> tuple[int, str, str] | None:
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if "\0" in scope["path"] or any("\0" in part for pair in query for part in pair):
            return 400, "The address has a null character.", "Remove it."
        if any(name.lower() in _SECRET_NAMES or TOKEN_PREFIX in value for name, value in query):
            return 400, "The address contains a secret, which would be logged.", "Send it as Authorization: Bearer."
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > most:
            return 413, f"The request has {int(length):,} bytes; the limit is {most:,}.", "Send a smaller one."
        if scope["method"] not in _SAFE and "authorization" not in headers and not self._is_same_origin(headers):
            return 403, "The request was made by a page of another site.", "Make it from this server's own pages."
        return None

    def _is_same_origin(self, headers: Headers) -> bool:
        """False if a browser reports that a page of another site made the request; programs report nothing."""
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc.lower() in (headers.get("host", "").lower(), self._public)


def _limited(receive: Receive, most: int) -> Receive:
    """`receive`, which raises an error beyond this number of bytes."""
    received = 0

    async def receiving() -> Message:
        nonlocal received
        message = await receive()
        if message["type"] == "http.request":
            received += len(message.get("body", b""))
            if received > most:
                raise HTTPException(413, f"The request has more than {most:,} bytes")
        return message

    return receiving


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS:
                headers.setdefault(name, value)
        await send(message)

    return sending


log = logging.getLogger("inquest.requests")

PREFIX = "/api/v1"
_NOWHERE = "(no such address)"
_QUIET = ("/healthz", "/readyz", "/metrics")  # routes that machines request every few seconds, logged only if they fail


class RequestLog:
    """An ASGI middleware. It logs the route instead of the address, which may contain secrets: links for readers, or
    tokens that people typed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, and log it after its reply."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            _log(scope, status, time.monotonic() - began)


def _log(scope: Scope, status: int, seconds: float) -> None:
    route = str(getattr(scope.get("route"), "path", _NOWHERE))
    if route.startswith("/") and not route.startswith(PREFIX) and scope["path"].startswith(f"{PREFIX}/"):
        route = PREFIX + route  # the route of an included router lacks its prefix
    if route in _QUIET and status < 400:
        return
    fields: dict[str, str | int | float] = {
        "method": scope["method"],
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    case_id = scope.get("path_params", {}).get("case_id")
    if isinstance(case_id, str) and route != _NOWHERE:
        fields["case"] = case_id[:100]
    level = logging.INFO if status < 500 else logging.ERROR
    log.log(level, "%s %s gave %d", scope["method"], route, status, extra={FIELDS: fields})


STOP_SECONDS = 10  # the time for running requests to finish when the process is stopped

Extend = Callable[[FastAPI], None]  # adds pages to the application: the newsroom page


def create_app(
    app: Resources | None = None,
    *,
    dispatcher: Callable[[Resources], Dispatcher] = InProcess,
    extend: Extend | None = None,
    open_at_loopback: bool = True,
) -> FastAPI:
    """The ASGI application. `app`: an open app; None: one with the settings of this process is opened at the start,
    which raises SettingError or StorageError. `open_at_loopback`: requests from this machine need no sign-in."""

    @asynccontextmanager
    async def lifespan(api: FastAPI) -> AsyncIterator[None]:
        async with _opened(app) as opened:
            works = dispatcher(opened)
            api.state.server = server = Server(
                opened, works, open_at_loopback=open_at_loopback and not opened.settings.sign_in
            )
            await works.start()
            server.in_background(Relay(opened).run())
            server.in_background(keep_counting(opened))
            try:
                yield
            finally:
                server.ready = False
                await server.aclose()
                await works.aclose()

    api = FastAPI(
        title="Inquest",
        version=__version__,
        summary="Ascertains the facts: every stated fact carries a verbatim quote from an archived page.",
        lifespan=lifespan,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    for plain in (service.for_operators, service.docs):
        api.include_router(plain)
    rest = APIRouter(prefix=PREFIX)
    # The first match wins: the parts of a case come last, because their names are a parameter of the path.
    of_cases = (
        cases.router,
        events.router,
        outgoing.router,
        topics.router,
        outgoing.callbacks,
        outgoing.shares,
        cases.parts,
    )
    others = (each.router for each in (looks, audits, collections, service, access))
    for each in (events.chat_router, *of_cases, *others):
        rest.include_router(each)
    api.include_router(rest)
    api.include_router(topics.spec_001)
    settings = app.settings if app is not None else load_settings()
    api.add_middleware(Guarding, public_url=settings.public_url, upload_bytes=settings.upload_mb * 2**20)
    add_problems(api)
    _complete_openapi(api)
    if extend is not None:
        extend(api)
    return api


def _complete_openapi(api: FastAPI) -> None:
    """Add the schema of a problem, the reply to a body of another type, and examples to OpenAPI."""
    made = api.openapi

    @cache
    def openapi() -> dict[str, object]:
        schema = made()
        schema.setdefault("components", {}).setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
        for operation in (each for methods in schema["paths"].values() for each in methods.values()):
            if "requestBody" in operation:
                operation["responses"]["415"] = problems(415)[415]
        add_examples(schema)
        return schema

    api.openapi = openapi  # type: ignore[method-assign]


@asynccontextmanager
async def _opened(app: Resources | None) -> AsyncIterator[Resources]:
    if app is not None:
        yield app
        return
    async with open_resources(for_operators(load_settings())) as opened:
        yield opened


def log_requests(api: FastAPI) -> None:
    """Log each request of the application. Call it before `serve`."""
    api.add_middleware(RequestLog)


async def serve(bound: socket.socket, api: FastAPI, on_ready: Callable[[str], None]) -> None:
    """Serve on a socket of `listening` until the process is stopped; `on_ready` receives the address."""
    config = uvicorn.Config(
        api,
        log_level="warning",
        log_config=None if logging.getLogger().handlers else LOGGING_CONFIG,  # in the form of the process's own log
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=STOP_SECONDS,
        lifespan="on",
    )
    on_ready(address_of(bound))
    await uvicorn.Server(config).serve(sockets=[bound])
