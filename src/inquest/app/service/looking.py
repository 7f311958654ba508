"""What a service shows of its cases without loading them whole: lists, page by page."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from inquest.app.service.assigning import assignments
from inquest.app.service.dispatching import case_work
from inquest.domain.assignment import Assignment
from inquest.domain.case import Case
from inquest.domain.errors import InputError, NotFound
from inquest.domain.event import Event, EventType
from inquest.domain.person import Person
from inquest.domain.value import Value
from inquest.store.case_work import CaseLine, Listing

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


_NOBODY = "orchestrator"
"""Whose events are those that name no agent."""

__all__ = ["CaseLine", "CaseQuery", "agent_shapes", "events_since", "known_event", "list_cases"]


@dataclass(frozen=True)
class CaseQuery:
    """Which cases are listed."""

    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    words: str = ""
    """Each is in the title, a claim, a source or a quote."""
    assigned: str = ""
    """The name of a user that the case is assigned to."""
    desk_status: str = ""
    mentioned: bool = False
    """Only where a note mentions whoever looks, who has written nothing since."""
    after: str = ""
    """What an earlier page gave as the place where the next begins."""
    limit: int = 50


async def list_cases(app: Resources, person: Person, asked: CaseQuery) -> tuple[list[CaseLine], str | None]:
    """The cases that the person may see, newest first, and where the next page begins; None: there is none. Raises
    InputError, StorageError."""
    chosen = None
    if asked.assigned or asked.desk_status or asked.mentioned:
        chosen = tuple(name for name, each in (await assignments(app, person)).items() if _fits(each, asked))
    wanted = Listing(
        ids=chosen,
        kinds=asked.kinds,
        statuses=asked.statuses,
        words=asked.words,
        teams=None if person.sees_all else person.teams,
        by=person.name,
        before=_place(asked.after) if asked.after else None,
        limit=asked.limit + 1,
    )
    lines = await (await case_work(app)).lines(wanted)
    more = lines[asked.limit - 1] if len(lines) > asked.limit else None
    shown = lines[: asked.limit]
    by_case = await assignments(app, person, [line.case_id for line in shown])
    shown = [replace(line, assignment=by_case.get(line.case_id)) for line in shown]
    return shown, _cursor(more) if more else None


def _fits(found: Assignment, asked: CaseQuery) -> bool:
    return (
        (not asked.assigned or found.assigned.casefold() == asked.assigned.casefold())
        and (not asked.desk_status or found.desk_status == asked.desk_status)
        and (not asked.mentioned or bool(found.mentioned_by))
    )


def _cursor(line: CaseLine) -> str:
    place = json.dumps([line.created_at.isoformat(), line.case_id])
    return base64.urlsafe_b64encode(place.encode()).decode().rstrip("=")


def _place(cursor: str) -> tuple[datetime, str]:
    try:
        at, case_id = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None or not isinstance(case_id, str):
            raise ValueError
    except (ValueError, TypeError, binascii.Error) as error:
        raise InputError(f"'{cursor[:80]}' is no place in the list.", advice="Give what `next` said.") from error
    return moment, case_id


async def events_since(app: Resources, case: Case, after: int, limit: int) -> tuple[list[Event], bool]:
    """The events after that number, oldest first, and True where there will be no more. Raises InputError for a number
    that the case has not reached, StorageError."""
    events = await app.events()
    found = await events.after(case.id, after, limit)
    if not found and after:
        await known_event(app, case, after)
    last = found[-1].type if found else None
    return found, last is EventType.CASE_FINISHED or (not found and case.status.ended)


async def known_event(app: Resources, case: Case, number: int) -> None:
    """Raises InputError where no event of the case has this number or a greater one."""
    if number and not await (await app.events()).after(case.id, number - 1, 1):
        raise InputError(
            f"The case {case.id} has no event {number} yet.", advice="Give the number of the last event you have seen."
        )


def agent_shapes(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Those that an agent gave rise to, under the names of spec 000 §9.2."""
    from inquest.app.nodes.sibyl_shapes import stream_event

    streamed = (stream_event(event, str(event.data.get("agent_name") or _NOBODY)) for event in events)
    return [each.model_dump(mode="json") for each in streamed if each is not None and each.agent_name != _NOBODY]


class Highlight(Value):
    """A span of a page in its context; `before + span + after` stand there one after the other."""

    snapshot: str
    url: str
    retrieved_at: str
    start: int
    end: int
    total: int
    """Characters of the whole text."""
    before: str
    span: str
    after: str


async def highlighted(
    app: Resources, known: Sequence[str], snapshot_hash: str, span: tuple[int, int], around: int
) -> Highlight:
    """The span of the page, where the page is one of `known`. Raises NotFound for another, InputError for a span that
    does not stand in the text, PageError."""
    if snapshot_hash not in known:
        raise NotFound(f"The case rests on no page {snapshot_hash[:100]!r}.", advice="Its sources name its pages.")
    text = await app.snapshot_text(snapshot_hash)
    snapshot = await app.archive.snapshot(snapshot_hash)
    start, end = span
    if not start <= end <= len(text):
        raise InputError(
            f"The page has {len(text):,} characters, in which no span goes from {start} to {end}.",
            advice="Take start and end from the finding.",
        )
    url = snapshot.final_url
    return Highlight(
        snapshot=snapshot_hash,
        url=f"file:///{url.rsplit('/', 1)[-1]}" if url.lower().startswith("file:") else url,
        retrieved_at=snapshot.retrieved_at.isoformat(),
        start=start,
        end=end,
        total=len(text),
        before=text[max(0, start - around) : start],
        span=text[start:end],
        after=text[end : end + around],
    )
