"""The dependencies of every page: request, app and person, by required role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from inquest.api.access import Acting, Administrating, CurrentPerson, Editing, Investigating
from inquest.api.state import Opened, Works
from inquest.app.build import App
from inquest.app.service.dispatching import Dispatcher
from inquest.domain.person import Person


@dataclass(frozen=True)
class Visit:
    """One request of a person."""

    request: Request
    app: App
    person: Person
    works: Dispatcher


def _visit(request: Request, app: Opened, person: CurrentPerson, works: Works) -> Visit:
    return Visit(request, app, person, works)


def _of(request: Request, acting: Acting) -> Visit:
    return Visit(request, acting.app, acting.person, acting.works)


def _work(request: Request, acting: Investigating) -> Visit:
    return _of(request, acting)


def _edit(request: Request, acting: Editing) -> Visit:
    return _of(request, acting)


def _administer(request: Request, acting: Administrating) -> Visit:
    return _of(request, acting)


Visiting = Annotated[Visit, Depends(_visit)]
"""A visit of anyone who may read."""
Working = Annotated[Visit, Depends(_work)]
"""A visit of someone who may open cases and decide on them."""
Keeping = Annotated[Visit, Depends(_edit)]
"""A visit of someone who may review, and edit collections and topics."""
Ruling = Annotated[Visit, Depends(_administer)]
"""A visit of someone who may change users and settings."""
