"""The state of a running server, as dependencies of its routes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from inquest.app.access.accounts import Passwords
from inquest.app.build import App
from inquest.app.service.dispatching import Dispatcher

log = logging.getLogger("inquest.service")


@dataclass
class Server:
    """One server's state, at `app.state.server` while it runs."""

    app: App
    dispatcher: Dispatcher
    passwords: Passwords = field(default_factory=Passwords)
    open_at_loopback: bool = True
    """Requests of this machine need no sign-in."""
    ready: bool = True
    """False during shutdown, so that a load balancer sends no more requests."""
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    def in_background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run it while the server runs, and log its failure."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("background work failed: %s", error)

    async def aclose(self) -> None:
        """Stop the background tasks."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


def _serving(request: Request) -> Server:
    server = request.app.state.server
    assert isinstance(server, Server)
    return server


Serving = Annotated[Server, Depends(_serving)]


def _opened(serving: Serving) -> App:
    return serving.app


def _works(serving: Serving) -> Dispatcher:
    return serving.dispatcher


Opened = Annotated[App, Depends(_opened)]
Works = Annotated[Dispatcher, Depends(_works)]
