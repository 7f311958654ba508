"""Events: numbered, in order, none lost and none duplicated, with any writers and listeners."""

from __future__ import annotations

import asyncio
import sys

import pytest

from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import NotFound
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.plan import Brief
from inquest.kit.ports import Clock, EventSink
from inquest.store.cases import Cases
from inquest.store.database import Database
from inquest.store.events import Events


@pytest.fixture
def events(database: Database) -> Events:
    return Events(database)


@pytest.fixture
async def case(database: Database, clock: Clock) -> Case:
    now = clock.now()
    made = Case(id="alder", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=now, created_at=now)
    await Cases(database, clock).create(made)
    return made


async def test_an_event_is_read_back_as_it_was_emitted(events: Events, clock: Clock) -> None:
    sink: EventSink = events.sink("alder", clock)
    emitted = await sink.emit(
        EventType.SOURCE_FOUND,
        "★★★★ The Alder Post: “40 tonnes”",
        stage=Stage.SOURCES,
        marker="PROGRESS",
        source_id="S1",
        found=[1, {"two": None}],
    )
    assert emitted.at == clock.now()
    assert emitted.data == {"source_id": "S1", "found": [1, {"two": None}]}
    assert await events.after("alder") == [emitted]


async def test_ids_grow_and_are_read_after_the_last_that_was_seen(events: Events, clock: Clock) -> None:
    sink = events.sink("alder", clock)
    emitted = [await sink.emit(EventType.QUERY_ANSWERED, str(n)) for n in range(6)]
    await events.sink("birch", clock).emit(EventType.QUERY_ANSWERED, "another case")
    ids = [event.id for event in emitted]
    assert ids == sorted(set(ids))
    assert await events.after("alder", ids[1]) == emitted[2:]
    assert await events.after("alder", ids[1], limit=2) == emitted[2:4]
    assert await events.after("alder", ids[-1]) == []


async def test_following_brings_what_was_and_what_comes_and_ends_with_the_case(
    events: Events, case: Case, clock: Clock
) -> None:
    sink = events.sink(case.id, clock)
    before = await sink.emit(EventType.CASE_STARTED, "before")
    listening = asyncio.create_task(_all(events, case.id))
    later = [await sink.emit(EventType.QUERY_ANSWERED, str(n)) for n in range(20)]
    last = await sink.emit(EventType.CASE_FINISHED, "done")
    assert await listening == [before, *later, last]


async def test_a_case_that_was_taken_up_again_is_followed_past_its_first_end(
    events: Events, case: Case, clock: Clock
) -> None:
    sink = events.sink(case.id, clock)
    types = [EventType.CASE_FINISHED, EventType.CASE_RESUMED, EventType.QUERY_ANSWERED, EventType.CASE_FINISHED]
    for type in types:
        await sink.emit(type, "")
    assert [event.type async for event in events.follow(case.id)] == types


async def test_following_a_case_that_is_not_there_is_not_found(events: Events) -> None:
    with pytest.raises(NotFound):
        await anext(events.follow("nowhere"))


async def test_listeners_that_come_late_or_leave_early_disturb_nobody(events: Events, case: Case, clock: Clock) -> None:
    sink = events.sink(case.id, clock)
    listeners = [asyncio.create_task(_all(events, case.id)) for _ in range(5)]
    await sink.emit(EventType.CASE_STARTED, "")
    listeners[0].cancel()
    await sink.emit(EventType.CASE_FINISHED, "")
    seen = await asyncio.gather(*listeners, return_exceptions=True)
    assert isinstance(seen[0], asyncio.CancelledError)
    assert [len(events) for events in seen[1:] if isinstance(events, list)] == [2] * 4


_WRITER = """
import asyncio, sys
from datetime import UTC, datetime
from inquest.domain.event import Event, EventType
from inquest.store.database import Database
from inquest.store.events import Events

async def main(url):
    database = await Database.open(url)
    events, now = Events(database), datetime.now(UTC)
    await asyncio.gather(*(
        events.append(Event(id=0, case_id="alder", at=now, type=EventType.QUERY_ANSWERED, text=str(n)))
        for n in range(15)
    ))
    await database.close()

asyncio.run(main(sys.argv[1]))
"""


async def test_what_other_processes_write_at_once_is_followed_without_a_gap(
    url: str, events: Events, case: Case, clock: Clock
) -> None:
    listening = asyncio.create_task(_all(events, case.id))
    writers = [await asyncio.create_subprocess_exec(sys.executable, "-c", _WRITER, url) for _ in range(2)]
    for writer in writers:
        assert await writer.wait() == 0
    await events.sink(case.id, clock).emit(EventType.CASE_FINISHED, "done")
    seen = await listening
    assert seen == await events.after(case.id)
    assert len(seen) == 31
    assert sorted(event.text for event in seen[:-1]) == sorted([str(n) for n in range(15)] * 2)


async def _all(events: Events, case_id: str) -> list[Event]:
    return [event async for event in events.follow(case_id)]
