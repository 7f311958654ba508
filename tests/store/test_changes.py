"""Notification of changes: by this process and by others, with one listener for all, and again after a lost
connection."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text

from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import EventType
from inquest.domain.plan import Brief
from inquest.store.cases import Cases
from inquest.store.database import Database
from inquest.store.events import Events
from tests.store.conftest import SetClock


@pytest.fixture
async def case(database: Database, clock: SetClock) -> Case:
    now = clock.now()
    made = Case(id="alder", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=now, created_at=now)
    await Cases(database, clock).create(made)
    return made


async def test_what_another_connection_writes_wakes_those_who_wait_for_that_case_only(
    url: str, database: Database, case: Case, clock: SetClock
) -> None:
    other = await Database.open(url)
    with database.changes.changes("alder") as alder, database.changes.changes("birch") as birch:
        async with asyncio.timeout(10):
            await asyncio.gather(alder.wait(), birch.wait())  # both read once when listening has begun
            alder.clear()
            birch.clear()
            await Events(other).sink("alder", clock).emit(EventType.QUERY_ANSWERED, "1")
            await alder.wait()
        assert not birch.is_set()
    await other.close()


async def test_followers_share_one_listener_and_it_ends_with_the_last(database: Database, case: Case) -> None:
    with database.changes.changes("alder"):
        task = database.changes._task
        with database.changes.changes("alder"), database.changes.changes("birch"):
            assert database.changes._task is task
    assert database.changes._task is None


@pytest.mark.postgres
async def test_nothing_is_lost_or_doubled_when_the_listening_connection_breaks(
    postgres_url: str, clock: SetClock
) -> None:
    database, other = await Database.open(postgres_url), await Database.open(postgres_url)
    now = clock.now()
    case = Case(id="alder", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=now, created_at=now)
    await Cases(database, clock).create(case)
    sink = Events(other).sink("alder", clock)
    seen: list[str] = []
    note = seen.append

    async def follow() -> None:
        async for event in Events(database).follow("alder"):
            note(event.text)

    following = asyncio.create_task(follow())
    await sink.emit(EventType.QUERY_ANSWERED, "before")
    async with asyncio.timeout(20):
        while not seen:
            await asyncio.sleep(0.02)
        listening = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        assert (await other.read(lambda connection: connection.execute(text(listening)).scalars().all())) == [True]
        for number in range(3):
            await sink.emit(EventType.QUERY_ANSWERED, str(number))
        await sink.emit(EventType.CASE_FINISHED, "done")
        await following
    assert seen == ["before", "0", "1", "2", "done"]
    await database.close()
    await other.close()
