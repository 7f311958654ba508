"""What a server has while it runs, as dependencies of its routes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from inquest.app.access.passwords import Passwords
from inquest.app.build import App
from inquest.app.service.dispatching import Dispatcher

__all__ = ["Opened", "Server", "Serving", "Works"]


@dataclass
class Server:
    """One server's state, at `app.state.server` while it runs."""

    app: App
    dispatcher: Dispatcher
    passwords: Passwords = field(default_factory=Passwords)
    open_at_loopback: bool = True
    """Requests of this machine need no sign-in."""
    ready: bool = True
    """False while it ends: a balancer then sends nothing more here."""


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
