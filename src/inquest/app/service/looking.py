"""Lists of cases, their events and spans of their pages, without loading whole cases; and who works on a case."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, Field

from inquest.app.access.accounts import accounts_of, is_theirs
from inquest.app.files import without_folders
from inquest.app.service.dispatching import case_work
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.errors import InputError, NotFound
from inquest.domain.event import Assignment, DeskStatus, Event, EventType, assignment_in
from inquest.domain.person import Person, Role, User
from inquest.domain.value import Value
from inquest.store.case_work import CaseLine as CaseLine
from inquest.store.case_work import Listing

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


class Assigning(BaseModel, extra="forbid"):
    """A new assignment, desk status or note; a missing field changes nothing."""

    assigned: Annotated[str, Field(max_length=200)] | None = Field(None, description="'': nobody", examples=["Ada"])
    desk_status: DeskStatus | None = Field(None, examples=["in_review"])
    note: Annotated[str, Field(max_length=5_000)] = Field("", description="'@NAME' mentions a user")


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
    done = [f"assigned it to {assigned or 'nobody'}"] if assigned != before.assigned else []
    done += [f"set it to {status.value.replace('_', ' ')}"] if status != before.desk_status else []
    words = f"{by} {' and '.join(done) or 'left a note'}"
    sink = (await app.events()).sink(case.id, app.clock)
    return await sink.emit(
        EventType.CASE_ASSIGNED,
        f"{words}: {note}" if note else words,
        assigned=assigned,
        desk_status=status.value,
        why=note,
        by=by,
    )


async def assignments(
    app: Resources, person: Person, case_ids: Iterable[str] | None = None
) -> Mapping[str, Assignment]:
    """Return the assignments as the person sees them, of all cases or these; {} on a single-user machine."""
    names = [user.name for user in await users_of(app)]
    if not names:
        return {}
    events = await (await app.events()).said_by_people(None if case_ids is None else tuple(case_ids))
    by_case = groupby(events, key=lambda event: event.case_id)
    return {case_id: assignment_in(group, person.name, names) for case_id, group in by_case}


_NO_AGENT = "orchestrator"
"""The agent of events that name none."""


class CaseQuery(BaseModel, extra="forbid"):
    """A filter of a list of cases."""

    kind: list[CaseKind] = Field([], max_length=5, description="only of these kinds")
    status: list[CaseStatus] = Field([], max_length=6, description="only with these statuses")
    q: str = Field("", max_length=200, description="words that the title, a claim, a source or a quote contains")
    assigned: str = Field("", max_length=200, description="only those assigned to this user")
    desk_status: DeskStatus | Literal[""] = Field("", description="only with this desk status")
    mentioned: bool = Field(False, description="only where a note mentions you, unless you wrote on the case since")
    after: str = Field("", max_length=500, description="`next` of the page before")
    limit: int = Field(50, ge=1, le=200)


async def list_cases(app: Resources, person: Person, asked: CaseQuery) -> tuple[list[CaseLine], str | None]:
    """Return the cases that the person may see, newest first, and the cursor of the next page. Raises InputError."""
    chosen = None
    if asked.assigned or asked.desk_status or asked.mentioned:
        chosen = tuple(
            name
            for name, each in (await assignments(app, person)).items()
            if (
                (not asked.assigned or each.assigned.casefold() == asked.assigned.casefold())
                and (not asked.desk_status or each.desk_status == asked.desk_status)
                and (not asked.mentioned or bool(each.mentioned_by))
            )
        )
    wanted = Listing(
        ids=chosen,
        kinds=tuple(asked.kind),
        statuses=tuple(asked.status),
        words=asked.q,
        teams=None if person.sees_all else person.teams,
        by=person.name,
        before=_place(asked.after) if asked.after else None,
        limit=asked.limit + 1,
    )
    lines = await (await case_work(app)).lines(wanted)
    shown, cursor = lines[: asked.limit], None
    if len(lines) > asked.limit:
        place = json.dumps([shown[-1].created_at.isoformat(), shown[-1].case_id])
        cursor = base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")
    by_case = await assignments(app, person, [line.case_id for line in shown])
    return [replace(line, assignment=by_case.get(line.case_id)) for line in shown], cursor


def _place(cursor: str) -> tuple[datetime, str]:
    try:
        at, case_id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None or not isinstance(case_id, str):
            raise ValueError
    except (ValueError, TypeError, binascii.Error) as error:
        raise InputError(f"Invalid cursor '{cursor[:80]}': expected the value of `next`.") from error
    return moment, case_id


async def events_since(app: Resources, case: Case, after: int, limit: int) -> tuple[list[Event], bool]:
    """Return the events after that number, oldest first, and True if they are the last ones. Raises InputError for a
    number that the case has not reached, StorageError."""
    events = await (await app.events()).after(case.id, after, limit)
    if not events:
        await known_event(app, case, after)
        return events, case.status.ended
    return events, events[-1].type is EventType.CASE_FINISHED


async def known_event(app: Resources, case: Case, number: int) -> None:
    """Raise InputError if no event of the case has this number or a greater one."""
    if number and not await (await app.events()).after(case.id, number - 1, 1):
        raise InputError(
            f"The case {case.id} has no event {number} yet.", advice="Give the number of the last event you have seen."
        )


def agent_shapes(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the events of agents under the names of spec 000 §9.2."""
    from inquest.app.nodes.sibyl_state import stream_event

    streamed = (stream_event(event, str(event.data.get("agent_name") or _NO_AGENT)) for event in events)
    return [each.model_dump(mode="json") for each in streamed if each is not None and each.agent_name != _NO_AGENT]


class Highlight(Value):
    """A span of a page in its context; `before + span + after` is contiguous text of the page."""

    snapshot: str
    url: str
    retrieved_at: str
    start: int
    end: int
    total: int
    """Length of the whole text in characters."""
    before: str
    span: str
    after: str


async def highlighted(
    app: Resources, known: Sequence[str], snapshot_hash: str, span: tuple[int, int], around: int
) -> Highlight:
    """Return the span of a page in its context. Raises NotFound, InputError (outside the text), PageError."""
    if snapshot_hash not in known:
        raise NotFound(f"The case has no page {snapshot_hash[:100]!r}.", advice="Its sources list its pages.")
    text = await app.snapshot_text(snapshot_hash)
    snapshot = await app.archive.snapshot(snapshot_hash)
    start, end = span
    if not start <= end <= len(text):
        raise InputError(
            f"Invalid span {start} to {end}: the page has {len(text):,} characters.",
            advice="Take start and end from the finding.",
        )
    return Highlight(
        snapshot=snapshot_hash,
        url=without_folders(snapshot.final_url),
        retrieved_at=snapshot.retrieved_at.isoformat(),
        start=start,
        end=end,
        total=len(text),
        before=text[max(0, start - around) : start],
        span=text[start:end],
        after=text[end : end + around],
    )
