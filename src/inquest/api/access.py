"""The state of a running server, the person behind a request, and the checks of roles, as dependencies of routes."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from inquest.app.access.accounts import is_theirs, limits_of, person_of
from inquest.app.cases.requests import user_name
from inquest.app.service.dispatching import Dispatcher, case_work
from inquest.app.wiring.resources import Resources
from inquest.domain.case import Case
from inquest.domain.errors import NotAllowed, NotFound, NotSignedIn
from inquest.domain.person import Person, Role

log = logging.getLogger("inquest.service")


@dataclass
class Server:
    """One server's state, at `app.state.server` while it runs."""

    app: Resources
    dispatcher: Dispatcher
    open_at_loopback: bool = True  # requests from this machine need no sign-in
    ready: bool = True  # false during shutdown, so that a load balancer sends no more requests
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


async def _serving(request: Request) -> Server:  # a plain function would run in a thread, for each request
    server = request.app.state.server
    assert isinstance(server, Server)
    return server


Serving = Annotated[Server, Depends(_serving)]


async def _opened(serving: Serving) -> Resources:
    return serving.app


Opened = Annotated[Resources, Depends(_opened)]

COOKIE = "inquest_session"
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers of proxies, whose requests may come from anywhere."""
_OWN_NAMES = ("localhost", "127.0.0.1", "::1")


def is_at_loopback(request: Request) -> bool:
    """True for a request from this machine to one of its own names: not through a proxy, and not from a page whose
    host name resolves to this machine."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        near = ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
    return near and request.url.hostname in _OWN_NAMES


async def current_person(request: Request, serving: Serving, app: Opened) -> Person:
    """The person of the request: by token, by session, or at the loopback without signing in. Requests of users are
    counted. Raises NotSignedIn, TooManyRequests."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    cookie = request.cookies.get(COOKIE)
    if scheme:
        if scheme.lower() != "bearer" or not token.strip():
            raise NotSignedIn(
                "Invalid Authorization header: expected a Bearer token.", advice="Send Authorization: Bearer TOKEN."
            )
        person = await person_of(app, token.strip(), kind="token")
    elif cookie:
        person = await person_of(app, cookie, kind="session")
    elif serving.open_at_loopback and is_at_loopback(request):
        return Person(name=user_name(), role=Role.ADMIN)
    else:
        raise NotSignedIn("You are not signed in.", advice="Sign in, or send a token as Authorization: Bearer.")
    limits = await limits_of(app)
    await limits.count(f"user {person.id}", app.settings.requests_per_minute, at=app.clock.now())
    return person


CurrentPerson = Annotated[Person, Depends(current_person)]


def address_of(request: Request) -> str:
    """The address of the connection, regardless of the headers."""
    return request.client.host if request.client else ""


def root_of(request: Request, app: Resources) -> str:
    """The address of the server as its users reach it, without a slash at the end."""
    return (app.settings.public_url or str(request.base_url)).rstrip("/")


async def visible_case(case_id: str, person: CurrentPerson, app: Opened) -> Case:
    """The case of the path, if the person may see it. Raises NotFound."""
    if not person.sees_all:
        owner = await (await case_work(app)).owner(case_id)
        if owner is None or not is_theirs(person, *owner):
            raise NotFound(f"There is no case {case_id!r} here.", advice="GET /api/v1/cases lists the cases.")
    return await app.case(case_id)


SeenCase = Annotated[Case, Depends(visible_case)]


@dataclass(frozen=True)
class Acting:
    """A person's request, and the objects that its route needs."""

    request: Request
    person: Person
    app: Resources
    works: Dispatcher


async def _acting(request: Request, person: CurrentPerson, serving: Serving) -> Acting:
    return Acting(request, person, serving.app, serving.dispatcher)


def require(person: Person, role: Role) -> None:
    """Raise NotAllowed without this role or a higher one."""
    if not person.may(role):
        raise NotAllowed(
            f"{person.name} has the role {person.role.value} here, and this needs {role.value}.",
            advice="Use a token with a wider scope, or ask an admin.",
        )


def needs(role: Role) -> Callable[[Acting], Coroutine[Any, Any, Acting]]:
    """A dependency that raises NotAllowed without this role or a higher one."""

    async def allowed(acting: Annotated[Acting, Depends(_acting)]) -> Acting:
        require(acting.person, role)
        return acting

    return allowed


Reading = Annotated[Acting, Depends(_acting)]  # for routes that change nothing
Investigating = Annotated[Acting, Depends(needs(Role.INVESTIGATOR))]
"""For opening, deciding on, stopping and resuming cases."""
Editing = Annotated[Acting, Depends(needs(Role.EDITOR))]
"""For reviewing, deleting, and managing collections, topics and callbacks."""
Administrating = Annotated[Acting, Depends(needs(Role.ADMIN))]  # for managing users, teams and tokens
