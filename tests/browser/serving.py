"""A real server on a port of its own, on a thread, over a data folder with cases in it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from inquest import Inquest
from inquest.api.server import create_app
from inquest.app.sockets import listening
from inquest.app.wiring.resources import Resources
from inquest.web.pages import add_pages

__all__ = ["served"]


@contextmanager
def served(home: Path, prepare: Callable[[Resources], Awaitable[object]], port: int = 0) -> Iterator[str]:
    """The address of a newsroom page over this folder, once `prepare` has filled it."""
    bound, _ = listening("127.0.0.1", port)
    ready = threading.Event()
    server: list[uvicorn.Server] = []

    async def run() -> None:
        async with Inquest(home=home) as inquest:
            await prepare(inquest.app)
            config = uvicorn.Config(
                create_app(inquest.app, extend=add_pages), log_level="warning", timeout_graceful_shutdown=1
            )
            server.append(uvicorn.Server(config))
            ready.set()
            await server[0].serve(sockets=[bound])

    def work() -> None:
        try:
            asyncio.run(run())
        finally:
            ready.set()

    thread = threading.Thread(target=work, name="served page")
    thread.start()
    try:
        assert ready.wait(60)
        assert server, "the server did not start; its thread says why"
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        if server:
            server[0].should_exit = True
        thread.join(30)
        bound.close()
