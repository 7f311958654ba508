"""Watched topics and cases, run again at intervals: the schedule, the due runs, and the changes since the last run."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from inquest.app.access.accounts import is_theirs, seen_topics
from inquest.app.cases.auditing import audit_of
from inquest.app.cases.auditing import changes as changes_in
from inquest.app.cases.topic_records import carry_out, investigations_of, nobody_answered, topic_number, topics_of
from inquest.app.desks.briefs import run_again, run_topic
from inquest.app.desks.topics import USUAL_TIME, kept_topic
from inquest.app.settings import parse_duration
from inquest.desks.verification.changes_between import change_lines, what_changed
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.errors import InputError, InquestError, NotFound
from inquest.domain.investigation import CaseChanges, InvestigationStatus, Watch
from inquest.domain.topic import Topic
from inquest.store.case_work import CaseRecords
from inquest.store.topics import Watches

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.domain.person import Person

LEAST_EVERY, MOST_EVERY = timedelta(minutes=10), timedelta(days=366)
LEASE = timedelta(hours=1)
"""Time for which a run keeps other schedulers from the same watch if its process dies."""
_WITH_RESULT = (CaseStatus.COMPLETED, CaseStatus.PARTIAL)
LONGEST_SLEEP = timedelta(minutes=1)
"""The longest pause between two checks of the schedule, so that new watches are not missed."""


@dataclass(frozen=True)
class WatchRun:
    """A run of a watch and its changes."""

    subject: Topic | Case
    """The topic after the run, or the watched case."""
    case_id: str | None
    changes: CaseChanges | None
    """None: no result, or nothing to compare it with."""
    lines: tuple[str, ...]
    """Changes and outages, as sentences."""
    why: str = ""
    """The reason why there is no result, no comparison or only a partial result."""
    failed: bool = False
    next_at: datetime | None = None
    """None: it is not watched."""

    @property
    def json(self) -> dict[str, Any]:
        """For programs."""
        return described(self.subject) | {
            "case_id": self.case_id,
            "changed": bool(self.changes and self.changes.anything),
            "complete": bool(self.changes and self.changes.complete and not self.why),
            "changes": self.changes.model_dump(mode="json") if self.changes else None,
            "lines": list(self.lines),
            "failed": self.failed,
            "why": self.why,
            "next_at": self.next_at.isoformat() if self.next_at else None,
        }


def described(subject: Topic | Case) -> dict[str, Any]:
    """The watched topic or case, for programs; a case has neither `topic_id` nor level."""
    if isinstance(subject, Case):
        return {"topic_id": None, "watched_case": subject.id, "title": subject.brief.text, "level": None}
    level = subject.verification_status.value
    return {"topic_id": subject.id, "watched_case": None, "title": subject.title, "level": level}


def name_of(subject: Topic | Case) -> str:
    """'Topic 17' or 'Case 20261103-1f2e3d4c'."""
    return f"{'Case' if isinstance(subject, Case) else 'Topic'} {subject.id}"


async def watchable(
    app: Resources, what: str, *, priority: str | None = None, on_note: Callable[[str], object] | None = None
) -> Topic | Case:
    """Return the check, inquiry or audit with this id, the topic of an investigation with this id, or the topic as
    `kept_topic` does. Raises InputError for a market answer and a case without a result, and as `kept_topic`."""
    if not what.strip() or topic_number(what) is not None:
        return await kept_topic(app, what, priority=priority, on_note=on_note)
    try:
        case = await app.case(what)
    except NotFound:
        if not {".", "/", " "} & set(what):
            raise  # not a file, an address or a headline
        return await kept_topic(app, what, priority=priority, on_note=on_note)
    if case.brief.topic is not None and (topic := await (await topics_of(app)).find(case.brief.topic)) is not None:
        return topic
    if not can_be_watched(case):
        why = "is a market answer" if case.kind is CaseKind.MARKET else f"has no result ({case.status.value})"
        raise InputError(f"The case {case.id} {why}.", advice="Watch a finished check, inquiry, audit or topic.")
    return case


def can_be_watched(case: Case) -> bool:
    """Return True for a case with a result that is not a market answer."""
    return case.kind is not CaseKind.MARKET and case.status in _WITH_RESULT


def parse_every(text: str) -> timedelta:
    """Parse an interval: '30m', '24h', '7d'. Raises InputError."""
    days = re.fullmatch(r"\s*(\d{1,4})\s*d\s*", text)
    every = timedelta(days=int(days[1])) if days else timedelta(seconds=parse_duration(text))
    if not LEAST_EVERY <= every <= MOST_EVERY:
        raise InputError(f"Invalid interval '{text}': expected 10m to 366d, such as 24h.")
    return every


async def watch(app: Resources, subject: Topic | Case, *, every: timedelta, by: str) -> tuple[Watch, bool]:
    """Watch a stored topic or a finished case, or change the interval of its watch. Returns the watch and True if it is
    new. The first run is due at once, or an interval after the last. `by` approves the plans of its runs. Raises
    InputError, StorageError."""
    if subject.id is None:
        raise InputError(f"The topic “{subject.title}” is not stored here.", advice="Add it with `inquest topics add`.")
    store, now = Watches(await app.database()), app.clock.now()
    known = await store.get(subject.id)
    began = subject.created_at if isinstance(subject, Case) else subject.investigation_date
    last = known.last_at if known else began
    wanted = Watch(
        topic_id=None if isinstance(subject, Case) else subject.id,
        watched_case=subject.id if isinstance(subject, Case) else None,
        every=every,
        added_at=now,
        added_by=by,
        next_at=max(last + every, now) if last else now,
        last_case=await _last_case(app, subject.id),
    )
    is_new = await store.put(wanted)
    return await store.get(subject.id) or wanted, is_new


async def unwatch(app: Resources, subject: Topic | Case) -> bool:
    """Stop watching; returns False if it was not watched. The topic and all cases stay. Raises StorageError."""
    return subject.id is not None and await Watches(await app.database()).remove(subject.id)


async def watches_of(app: Resources) -> list[tuple[Watch, Topic | Case]]:
    """Return all watches with their topics or cases, next run first. Raises StorageError."""
    return [(each, await _subject(app, each)) for each in await Watches(await app.database()).list()]


async def seen_watches(
    app: Resources, person: Person, *, changed_since: datetime | None = None
) -> list[tuple[Watch, Topic | Case]]:
    """Return the watches of topics and cases that the person may see, next run first; with `changed_since`, only those
    that found a change since then. Raises StorageError."""
    topics, owners = await seen_topics(app, person), CaseRecords(await app.database())
    seen = []
    for each in await Watches(await app.database()).list():
        if changed_since and not (each.changes and each.last_case and each.last_at and each.last_at >= changed_since):
            continue
        if each.watched_case is None:
            may_see = topics is None or each.topic_id in topics
        else:
            owner = await owners.owner(each.watched_case)
            may_see = person.sees_all or (owner is not None and is_theirs(person, *owner))
        if may_see:
            seen.append((each, await _subject(app, each)))
    return seen


async def watch_of(app: Resources, subject: Topic | Case) -> Watch | None:
    """Return the watch of a stored topic or a case. Raises StorageError."""
    return await Watches(await app.database()).get(subject.id) if subject.id is not None else None


async def run_once(app: Resources, subject: Topic | Case, *, by: str) -> WatchRun:
    """Investigate a stored topic now, regardless of the trigger rules, or run the request of a case again, for `by`,
    and compare it with the last run. A failure is part of the result. Raises StorageError, Busy if it is under
    investigation."""
    assert subject.id is not None
    kept = await Watches(await app.database()).get(subject.id)
    last_case = kept.last_case if kept and kept.watched_case else await _last_case(app, subject.id)
    ended = await _run(app, subject, last_case, by)
    return ended if kept is None else await _record(app, kept, ended)


async def run_due(app: Resources, on_run: Callable[[WatchRun], None] = lambda each: None) -> list[WatchRun]:
    """Run all due watches, the longest overdue first; `on_run` is called as each run ends. Several schedulers may run
    at once: each watch is run by one of them."""
    store, runner, runs = Watches(await app.database()), secrets.token_hex(6), []
    begun = app.clock.now()
    while (due := await store.take_due(runner, begun, lease=LEASE)) is not None:
        subject = await _subject(app, due)
        try:
            ended = await _run(app, subject, due.last_case or await _last_case(app, due.subject), due.added_by)
        except InquestError as error:  # it is under investigation elsewhere; the schedule stays as it is
            ended = WatchRun(subject, None, None, (), why=error.sentence, failed=True)
        except BaseException:
            # Stopped midway: it is still due and may be taken at once.
            await asyncio.shield(store.release(due.subject, runner))
            raise
        ended = await _record(app, due, ended)
        runs.append(ended)
        on_run(ended)
    return runs


async def keep_watching(
    app: Resources,
    *,
    sleep: Callable[[float], Awaitable[object]],
    on_run: Callable[[WatchRun], None] = lambda each: None,
    turns: int | None = None,
) -> None:
    """Run due watches forever, or for this many `turns`, sleeping in between. Raises StorageError."""
    turn = 0
    while turns is None or turn < turns:
        turn += 1
        await run_due(app, on_run)
        waiting = await Watches(await app.database()).list()
        left = (waiting[0].next_at - app.clock.now()) if waiting else LONGEST_SLEEP
        # A watch that is still due is being run by another scheduler.
        nap = min(left, LONGEST_SLEEP) if left > timedelta() else LONGEST_SLEEP
        await sleep(max(1.0, nap.total_seconds()))


async def _run(app: Resources, subject: Topic | Case, last_case: str | None, by: str) -> WatchRun:
    if isinstance(subject, Topic):
        return await _investigate(app, subject, last_case, by)
    last = subject
    with suppress(NotFound):  # the last run was deleted
        last = await app.case(last_case or subject.id)
    try:
        case = await run_again(app, last, by=by)
    except InquestError as error:
        return WatchRun(subject, None, None, (), why=error.sentence, failed=True)
    owners = CaseRecords(await app.database())
    if owner := await owners.owner(subject.id):
        await owners.own(case.id, *owner)
    if case.status not in _WITH_RESULT or nobody_answered(case):
        why = case.why or f"The run ended as {case.status.value}, and nothing could be asked."
        return WatchRun(subject, case.id, None, (), why=why, failed=True)
    changes, lines = what_changed(last, case), []
    audit = await audit_of(app, case)
    if audit is not None and audit.changes:
        changes, lines = changes.model_copy(update={"citations": audit.changes}), changes_in(audit)
    return WatchRun(subject, case.id, changes, (*lines, *change_lines(changes)), why=_partly(case.status, case.why))


def _partly(status: CaseStatus | InvestigationStatus, why: str) -> str:
    return f"The run is partial. {why}".strip() if status.value == CaseStatus.PARTIAL.value else ""


async def _investigate(app: Resources, topic: Topic, last_case: str | None, by: str) -> WatchRun:
    assert topic.id is not None
    now = app.clock.now()
    begun = await (await investigations_of(app)).start(
        topic.id, at=now, priority=topic.priority, estimated=now + USUAL_TIME
    )
    try:
        done = await carry_out(app, begun, lambda topic: run_topic(app, topic, by=by))
    except InquestError as error:
        return WatchRun(topic, None, None, (), why=error.sentence, failed=True)
    after = await (await topics_of(app)).get(topic.id)
    if not done.status.has_result:
        why = done.why or f"The investigation ended as {done.status.value}."
        return WatchRun(after, done.case_id, None, (), why=why, failed=True)
    if last_case is None:
        return WatchRun(after, done.case_id, None, (), why="It is the first run, so there is nothing to compare.")
    try:
        changes = what_changed(await app.case(last_case), await app.case(done.case_id or ""))
    except InquestError as error:
        why = f"The case {last_case} cannot be compared with: {error.sentence}"
        return WatchRun(after, done.case_id, None, (), why=why)
    return WatchRun(after, done.case_id, changes, change_lines(changes), why=_partly(done.status, done.why))


async def _record(app: Resources, watch: Watch, done: WatchRun) -> WatchRun:
    """Store the result of a run and the time of the next: the interval counts from the end, so runs never pile up."""
    now = app.clock.now()
    store = Watches(await app.database())
    current = await store.get(watch.subject)  # it may have been changed or removed meanwhile
    if current is None:
        return done
    ran = current.model_copy(
        update={
            "next_at": now + current.every,
            "last_at": now,
            "last_case": current.last_case if done.failed else done.case_id,
            "changes": current.changes if done.failed else done.lines,
            "failures": current.failures + 1 if done.failed else 0,
            "why": done.why if done.failed else "",
        }
    )
    await store.ran(ran)
    return replace(done, next_at=ran.next_at)


async def _subject(app: Resources, watch: Watch) -> Topic | Case:
    if watch.topic_id is not None:
        return await (await topics_of(app)).get(watch.topic_id)
    return await app.case(watch.watched_case or "")


async def _last_case(app: Resources, subject: int | str) -> str | None:
    """The case of the topic's last investigation that had a result, or the watched case itself."""
    if isinstance(subject, str):
        return subject
    kept = await (await investigations_of(app)).of_topic(subject)
    return next((each.case_id for each in kept if each.case_id is not None and each.status.has_result), None)
