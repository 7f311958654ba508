"""View models of the list of cases and of topics, and the live notices of changes in cases."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal

from pydantic import field_validator

from inquest.app.access.accounts import is_theirs, seen_topics
from inquest.app.cases.claim_decisions import claim_decisions
from inquest.app.cases.topic_records import decisions_of, investigations_of
from inquest.app.desks.topics import candidates, list_topics
from inquest.app.desks.watching import described, seen_watches, watch_of, watches_of
from inquest.app.service.case_actions import Owner, add_rows
from inquest.app.service.dispatching import case_work
from inquest.app.service.looking import CaseLine, CaseQuery, list_cases, users_of
from inquest.domain.case import CaseStatus
from inquest.domain.errors import InputError, StorageError
from inquest.domain.finding import Verdict
from inquest.domain.person import Person, Role
from inquest.domain.topic import Topic
from inquest.domain.value import grouped
from inquest.reports.view import VERDICT_ORDER
from inquest.store.case_figures import Outline, outlines

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

PAGE = 30
"""Cases on a page of the list."""
_SORTED = 300
"""Number of newest cases sorted by cost or verdict, all on one page."""
_WAITING = 50
"""Maximum number of waiting plans shown above the list."""
_LATELY = timedelta(days=7)
"""The age up to which a change found by a watch is shown."""


class Wanted(CaseQuery, extra="ignore"):
    """Filter and order of the list of cases."""

    sort: Literal["newest", "cost", "contradicted"] = "newest"
    """The latter two sort the newest 300 cases."""

    @field_validator("kind", "status", mode="before")
    @classmethod
    def _chosen(cls, given: list[str]) -> list[str]:
        return [each for each in given if each]  # a form sends '' for any


@dataclass(frozen=True)
class DeskRow:
    """A case of the list."""

    line: CaseLine
    outline: Outline

    @property
    def verdicts(self) -> Sequence[tuple[str, int]]:
        """Verdicts with their number of claims, without those that no claim has."""
        counts = Counter(self.outline.verdicts.values())
        return [(verdict.value, counts[verdict.value]) for verdict in VERDICT_ORDER if counts.get(verdict.value)]


@dataclass(frozen=True)
class DeskPage:
    """A page of the list. `following`: the cursor of the next page, if any."""

    rows: tuple[DeskRow, ...]
    wanted: Wanted
    following: str | None
    changed: tuple[tuple[str, str, str], ...] = ()
    """Recent changes found by watches: case id, headline and change."""
    waiting: tuple[DeskRow, ...] = ()
    """Cases with a waiting plan, on this page or not."""
    people: tuple[str, ...] = ()
    """The users of the service; (): a single-user machine, without assignments."""
    mentions: tuple[DeskRow, ...] = ()
    """Cases with a note that mentions the reader, on this page or not."""

    @property
    def to_review(self) -> tuple[DeskRow, ...]:
        """Rows of this page whose level needs review by a person."""
        return tuple(row for row in self.rows if row.outline.review)

    @property
    def live(self) -> bool:
        """True if a case on this page can change without a request from a person."""
        return any(row.line.status in ("planned", "running") for row in self.rows)


async def desk_page(app: Resources, person: Person, wanted: Wanted) -> DeskPage:
    """Return the wanted cases that the person may see. Raises InputError, StorageError."""
    limit = PAGE if wanted.sort == "newest" else _SORTED
    rows, following = await _rows(app, person, wanted.model_copy(update={"limit": limit}))
    planned, _ = await _rows(app, person, CaseQuery(status=[CaseStatus.PLANNED], limit=_WAITING))
    if wanted.sort == "cost":
        rows.sort(key=lambda row: -row.outline.usd)
    elif wanted.sort == "contradicted":
        rows.sort(key=lambda row: -dict(row.verdicts).get(Verdict.CONTRADICTED.value, 0))
    waiting = tuple(row for row in planned if row.outline.waits)
    people = tuple(user.name for user in await users_of(app))
    mentions, _ = await _rows(app, person, CaseQuery(mentioned=True, limit=_WAITING)) if people else ([], None)
    changed = await _changed(app, person)
    return DeskPage(tuple(rows), wanted, following, changed, waiting, people, tuple(mentions))


async def _rows(app: Resources, person: Person, query: CaseQuery) -> tuple[list[DeskRow], str | None]:
    lines, following = await list_cases(app, person, query)
    ids = [line.case_id for line in lines]
    said = grouped((each.case_id, each) for each in await (await app.events()).said_by_people(ids))
    decided = {case_id: found for case_id, events in said.items() if (found := claim_decisions(events))}
    by_case = await outlines(await app.database(), ids, app.known_outlines, decided)
    return [DeskRow(line, by_case.get(line.case_id, Outline())) for line in lines], following


async def _changed(app: Resources, person: Person) -> tuple[tuple[str, str, str], ...]:
    """Return recent changes found by watches, for those who may edit watches."""
    if not person.may(Role.EDITOR):
        return ()
    since = app.clock.now() - _LATELY
    return tuple(
        (watch.last_case or "", described(subject)["title"], watch.changes[0])
        for watch, subject in await seen_watches(app, person, changed_since=since)
    )


_log = logging.getLogger(__name__)
_LATE = 200
"""Event numbers before the last that are read again: PostgreSQL assigns a number before the event becomes visible."""
_AGAIN_SECONDS = 1.0
"""Seconds before a database that could not be read is tried again."""
_KEPT = 1000
"""Queued notices per listener; one that falls further behind gets a single 'missed' notice."""


@dataclass(frozen=True)
class Happened:
    """A notice that event `id` happened in a case; `case_id` '': any case may have changed."""

    id: int
    case_id: str
    type: str


class LiveCases:
    """Notify listeners of new events, which one task reads while there are listeners."""

    def __init__(self, app: Resources) -> None:
        self._app = app
        self._listeners: set[asyncio.Queue[Happened]] = set()
        self._reader: asyncio.Task[None] | None = None

    async def follow(self, person: Person) -> AsyncGenerator[Happened, None]:
        """Yield 'listening', then notices of cases that the person may see, endlessly. Raises StorageError."""
        from inquest.store.events import last_event

        queue: asyncio.Queue[Happened] = asyncio.Queue(_KEPT)
        last = await last_event(await self._app.database())
        self._listeners.add(queue)
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read(last), name="live cases")
        seen: dict[str, bool] = {}
        try:
            # Nothing is missed from here on; a page rendered earlier may lack events up to now.
            yield Happened(last, "", "listening")
            while True:
                notice = await queue.get()
                case_id = notice.case_id
                if case_id and not person.sees_all and case_id not in seen:
                    owner = await (await case_work(self._app)).owner(case_id)
                    seen[case_id] = owner is not None and is_theirs(person, *owner)
                if seen.get(case_id, True):
                    yield notice
        finally:
            self._listeners.discard(queue)
            if not self._listeners and self._reader is not None:
                self._reader.cancel()
                with suppress(asyncio.CancelledError):
                    await self._reader
                self._reader = None

    async def _read(self, last: int) -> None:
        """Read events until cancelled. After a failure of the database all listeners get a 'missed' notice."""
        while True:
            try:
                await self._read_after(last)
            except StorageError as error:
                _log.warning("Live pages wait for the database: %s", error)
                await asyncio.sleep(_AGAIN_SECONDS)
                self._notify(Happened(last, "", "missed"))

    async def _read_after(self, last: int) -> None:
        from inquest.store.changes import ANY_CASE, REREAD_SECONDS
        from inquest.store.events import notices_after

        database = await self._app.database()
        sent = {number for number, _, _ in await notices_after(database, last - _LATE) if number <= last}
        with database.changes.changes(ANY_CASE) as woken:
            while True:
                woken.clear()
                for number, case_id, kind in await notices_after(database, last - _LATE):
                    if number not in sent:
                        sent.add(number)
                        last = max(last, number)
                        self._notify(Happened(number, case_id, kind))
                        woken.set()  # one read may not return all events
                sent = {number for number in sent if number > last - _LATE}
                with suppress(TimeoutError):
                    async with asyncio.timeout(REREAD_SECONDS):
                        await woken.wait()

    def _notify(self, notice: Happened) -> None:
        for queue in self._listeners:
            if queue.full():
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(Happened(notice.id, "", "missed"))
            queue.put_nowait(notice)


_MOST = 500


async def topics_page(app: Resources, person: Person) -> dict[str, Any]:
    """Return `rows` of the topics that the person may see, those that call for an investigation first, then the newest,
    and the `total`. Raises StorageError."""
    seen = await seen_topics(app, person)
    topics = await list_topics(app, seen)
    watches = {subject.id: watch for watch, subject in await watches_of(app)}
    calling = [each["topic_id"] for each in (await candidates(app, limit=100, seen=seen))["topics"]]
    rank = {number: place for place, number in enumerate(calling)}
    topics.sort(key=lambda each: (rank.get(each.id or 0, len(rank)), -(each.id or 0)))
    rows = [
        {"topic": each, "watch": watches.get(each.id), "wanted": each.id in rank} for each in topics[:_MOST]
    ]  # `wanted`: the trigger rules call for an investigation
    return {"rows": rows, "total": len(topics)}


async def topic_page(app: Resources, topic: Topic) -> dict[str, Any]:
    """Return a stored `topic`, its `watch`, and the `history` of its investigations, newest first, each with the
    reviews of its level, oldest first. Raises StorageError."""
    assert topic.id is not None
    investigations = await (await investigations_of(app)).of_topic(topic.id)
    history = [
        (each, await decisions_of(app, each.case_id) if each.case_id else ())
        for each in sorted(investigations, key=lambda each: each.id, reverse=True)
    ]
    return {"topic": topic, "watch": await watch_of(app, topic), "history": history}


async def take_topic(app: Resources, title: str, url: str, owner: Owner) -> str:
    """Add a topic for the owner; returns the notes on it. Raises InputError."""
    if not title.strip() and not url.strip():
        raise InputError("Missing title and address of the topic.", advice="Give one of them.", field="title")
    row = {name: value.strip() for name, value in (("title", title), ("url", url)) if value.strip()}
    added = await add_rows(app, [row], owner)
    if added.refused:
        raise InputError(added.refused[0][1])
    return " ".join(note for _, note in added.notes)
