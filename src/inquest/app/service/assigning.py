"""Assignment of cases to users of the service, with a desk status and notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from inquest.app.access.accounts import accounts_of
from inquest.app.access.ownership import is_theirs
from inquest.app.service.dispatching import case_work
from inquest.domain.case import Case
from inquest.domain.editorial import Assignment, DeskStatus, assignment_in
from inquest.domain.errors import InputError
from inquest.domain.event import Event, EventType
from inquest.domain.person import Person, Role, User

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


@dataclass(frozen=True)
class Assigning:
    """The changes to an assignment; None: unchanged."""

    assigned: str | None = None
    """A user name; '': unassigned."""
    desk_status: DeskStatus | None = None
    note: str = ""


async def users_of(app: Resources) -> tuple[User, ...]:
    """Return the users who may sign in; (): a single-user machine. Raises StorageError."""
    return tuple(user for user in await (await accounts_of(app)).users() if user.active)


async def assignees(app: Resources, case: Case) -> tuple[str, ...]:
    """Return the names of the users who may see the case. Raises StorageError."""
    if not (users := await users_of(app)):
        return ()
    owner = await (await case_work(app)).owner(case.id)

    def sees(user: User) -> bool:
        person = Person(name=user.name, role=user.role, teams=tuple(team.id for team in user.teams))
        return user.role is Role.ADMIN or (owner is not None and is_theirs(person, *owner))

    return tuple(user.name for user in users if sees(user))


async def assign(app: Resources, case: Case, wanted: Assigning, *, by: str) -> Event:
    """Change the assignment of a case, its desk status, or add a note. Raises InputError for a user who may not see the
    case or when nothing changes, StorageError."""
    names = await assignees(app, case)
    before = assignment_in(await app.events_of(case.id, EventType.CASE_ASSIGNED))
    known = {name.casefold(): name for name in names}
    note = wanted.note.strip()
    assigned = before.assigned if wanted.assigned is None else wanted.assigned.strip()
    if assigned and assigned != before.assigned:
        if assigned.casefold() not in known:
            raise InputError(
                f"Invalid user: {assigned[:80]!r} may not see the case {case.id}.",
                advice=f"Expected: {', '.join(names)}." if names else "Add users with `inquest users add`.",
                field="assigned",
            )
        assigned = known[assigned.casefold()]
    status = wanted.desk_status or before.desk_status or DeskStatus.TO_DO
    if (assigned, status) == (before.assigned, before.desk_status) and not note:
        raise InputError("Nothing to change.", advice="Choose a user or a status, or write a note.", field="assigned")
    words = f"{by} assigned it to {assigned or 'nobody'}: {status.value.replace('_', ' ')}"
    sink = (await app.events()).sink(case.id, app.clock)
    return await sink.emit(
        EventType.CASE_ASSIGNED,
        f"{words}. {note}" if note else words,
        assigned=assigned,
        desk_status=status.value,
        why=note,
        by=by,
    )


async def assignments(
    app: Resources, person: Person, case_ids: Iterable[str] | None = None
) -> Mapping[str, Assignment]:
    """Return the assignments by case id as the person sees them; {} on a single-user machine. `case_ids`: only these.
    Raises StorageError."""
    names = [user.name for user in await users_of(app)]
    if not names:
        return {}
    events = await (await app.events()).said_by_people(None if case_ids is None else tuple(case_ids))
    by_case = groupby(events, key=lambda event: event.case_id)
    return {case_id: assignment_in(group, person.name, names) for case_id, group in by_case}
