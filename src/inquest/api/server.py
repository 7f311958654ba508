"""The ASGI application, and serving it until the process is stopped."""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvicorn
from fastapi import APIRouter, FastAPI
from uvicorn.config import LOGGING_CONFIG

from inquest import __version__
from inquest.api import docs
from inquest.api.access import Server
from inquest.api.docs import add_examples
from inquest.api.guarding import PREFIX, Guarding, RequestLog
from inquest.api.problems import Problem, add_problems, problems
from inquest.api.routes import (
    access,
    audits,
    callbacks,
    cases,
    collections,
    events,
    figures,
    files,
    looks,
    oidc,
    parts,
    shares,
    topics,
)
from inquest.app.build import App, open_app
from inquest.app.callbacks.relay import Relay
from inquest.app.cases.statistics import keep_counting
from inquest.app.service.dispatching import Dispatcher, InProcess
from inquest.app.settings import for_operators, load_settings
from inquest.domain.errors import InputError

__all__ = ["DEFAULT_PORT", "PREFIX", "create_app", "listening", "log_requests", "serve"]

DEFAULT_PORT = 8311
STOP_SECONDS = 10
"""The time for running requests to finish when the process is stopped."""

Extend = Callable[[FastAPI], None]
"""Adds pages to the application: the newsroom page."""


def create_app(
    app: App | None = None,
    *,
    dispatcher: Callable[[App], Dispatcher] = InProcess,
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
    for plain in (figures.for_operators, docs.router):
        api.include_router(plain)
    rest = APIRouter(prefix=PREFIX)
    rest.include_router(events.chat_router)
    # The first match wins: the parts of a case come last, because their names are a parameter of the path.
    for each in (
        *(cases, events, files, topics, callbacks, shares, parts),
        *(looks, audits, collections, figures, access, oidc),
    ):
        rest.include_router(each.router)
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

    def openapi() -> dict[str, object]:
        is_new = api.openapi_schema is None
        schema = made()
        if is_new:
            components = schema.setdefault("components", {}).setdefault("schemas", {})
            components.setdefault("Problem", Problem.model_json_schema())
            for operation in (each for methods in schema["paths"].values() for each in methods.values()):
                if "requestBody" in operation:
                    operation["responses"]["415"] = problems(415)[415]
            add_examples(schema)
        return schema

    api.openapi = openapi  # type: ignore[method-assign]


@asynccontextmanager
async def _opened(app: App | None) -> AsyncIterator[App]:
    if app is not None:
        yield app
        return
    async with open_app(for_operators(load_settings())) as opened:
        yield opened


def log_requests(api: FastAPI) -> None:
    """Log each request of the application. Call it before `serve`."""
    api.add_middleware(RequestLog)


async def serve(bound: socket.socket, api: FastAPI, on_ready: Callable[[str], None]) -> None:
    """Serve on a socket of `listening` until the process is stopped; `on_ready` receives the address."""
    host, port = bound.getsockname()[:2]
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
    on_ready(f"http://{f'[{host}]' if ':' in host else host}:{port}")
    await uvicorn.Server(config).serve(sockets=[bound])


def listening(host: str, port: int) -> tuple[socket.socket, bool]:
    """A socket, and True if only this machine can reach it. Raises InputError for an unavailable address."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.create_server(found[4][:2], family=found[0])
    except (OSError, OverflowError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(
            f"The server cannot listen at {host}:{port} ({why}).", advice="Choose another port."
        ) from error
    return bound, ipaddress.ip_address(bound.getsockname()[0]).is_loopback
