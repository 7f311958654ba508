"""Who asks: the person behind a request, and what they may do."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from inquest.api.state import Opened, Serving, Works
from inquest.app.build import App
from inquest.app.cases.requests import user_name
from inquest.app.service.dispatching import Dispatcher
from inquest.app.service.working import case_work
from inquest.domain.case import Case
from inquest.domain.errors import NotAllowed, NotFound, NotSignedIn
from inquest.domain.person import Person, Role

__all__ = ["Acting", "CurrentPerson", "Investigating", "SeenCase", "current_person", "needs", "visible_case"]

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""Headers of a proxy: what comes through one may come from anywhere."""
_OWN_NAMES = ("localhost", "127.0.0.1", "::1")


def is_at_loopback(request: Request) -> bool:
    """True for a request that comes from this machine itself and names it so: not through a proxy, and not by a page
    whose own name was made to point here."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        near = ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
    return near and request.url.hostname in _OWN_NAMES


async def current_person(request: Request, serving: Serving) -> Person:
    """Whoever asks. At the loopback nobody needs to sign in. Raises NotSignedIn."""
    if serving.open_at_loopback and is_at_loopback(request):
        return Person(name=user_name(), role=Role.ADMIN)
    raise NotSignedIn("Nobody is signed in.", advice="Sign in, or send a token as Authorization: Bearer.")


CurrentPerson = Annotated[Person, Depends(current_person)]


def needs(role: Role) -> Callable[[Person], Awaitable[Person]]:
    """A dependency: whoever asks, who must have this role or one above it."""

    async def person(person: CurrentPerson) -> Person:
        if not person.may(role):
            raise NotAllowed(
                f"{person.name} is {person.role.value}, and this needs {role.value}.", advice="Ask an admin."
            )
        return person

    return person


async def visible_case(case_id: str, person: CurrentPerson, app: Opened) -> Case:
    """The case of the path, where the person may see it; another team's is not there. Raises NotFound."""
    if not person.sees_all:
        owner = await (await case_work(app)).owner(case_id)
        if owner is None or owner[0] not in person.teams:
            raise NotFound(f"There is no case {case_id!r} here.", advice="GET /api/v1/cases lists those there are.")
    return await app.case(case_id)


SeenCase = Annotated[Case, Depends(visible_case)]


@dataclass(frozen=True)
class Acting:
    """What a route that changes cases works with: who asks, and the use cases."""

    person: Person
    app: App
    works: Dispatcher


def _investigating(person: Annotated[Person, Depends(needs(Role.INVESTIGATOR))], app: Opened, works: Works) -> Acting:
    return Acting(person, app, works)


Investigating = Annotated[Acting, Depends(_investigating)]
"""For who opens, decides on, stops and resumes cases."""
