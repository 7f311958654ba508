"""Holds: of all runners that try to take a case one writes, whatever the state of the others."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import Connection, update

from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import Busy, Superseded
from inquest.domain.event import EventType
from inquest.domain.plan import Brief
from inquest.kit.exchange import Reply, Request
from inquest.kit.ports import StopWish
from inquest.store import tables
from inquest.store.cases import Cases
from inquest.store.database import Database
from inquest.store.events import Events
from inquest.store.holds import CaseHold, ask_to_stop, database_time
from inquest.store.recording import ReplyRecording
from tests.store.conftest import MemoryArchive, SetClock

LEASE = timedelta(minutes=1)
HoldOf = Callable[[str], CaseHold]


@pytest.fixture
async def case(database: Database, clock: SetClock) -> Case:
    now = clock.now()
    made = Case(id="alder", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=now, created_at=now)
    await Cases(database, clock).create(made)
    return made


@pytest.fixture
def hold_of(database: Database, case: Case) -> HoldOf:
    return lambda runner: CaseHold(database, case.id, runner)


async def _sign_of_life(database: Database, *holds: CaseHold) -> None:
    """Renew these holds as the process's own thread does, and pass the result to them."""
    for hold in holds:
        hold.stay_alive(lease=LEASE)
    for hold, wish in (await asyncio.to_thread(database.pulse.give)).items():
        hold.receive(wish)


async def _fall_silent(database: Database) -> None:
    """Let the lease of the holder of a case have expired a moment ago."""

    def work(connection: Connection) -> None:
        past = database_time(connection) - timedelta(milliseconds=1)
        connection.execute(update(tables.cases).values(lease_until=past))

    await database.write(work)


async def test_one_runner_at_a_time(hold_of: HoldOf) -> None:
    await hold_of("one").take(lease=LEASE)
    with pytest.raises(Busy, match=r"another process \(one\) since"):
        await hold_of("two").take(lease=LEASE)


async def test_of_many_that_reach_for_a_case_one_gets_it(hold_of: HoldOf) -> None:
    tries = (hold_of(f"runner {n}").take(lease=LEASE) for n in range(8))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert [result for result in results if not isinstance(result, Busy)] == [None]


async def test_each_taking_raises_the_epoch(hold_of: HoldOf) -> None:
    for expected in (1, 2, 3):
        hold = hold_of("one")
        await hold.take(lease=LEASE)
        assert hold.epoch == expected
        await hold.release()


async def test_a_lease_is_counted_by_the_database_however_far_off_the_clock_of_the_process_is(
    database: Database, clock: SetClock, hold_of: HoldOf
) -> None:
    clock.move(days=400)
    await hold_of("one").take(lease=LEASE)
    assert await Cases(database, clock).interrupted() == []
    with pytest.raises(Busy):
        await hold_of("two").take(lease=LEASE)
    await _fall_silent(database)
    clock.move(days=-800)
    assert await Cases(database, clock).interrupted() == ["alder"]
    await hold_of("two").take(lease=LEASE)


async def test_a_plan_that_waits_is_not_interrupted_when_the_process_that_made_it_died(
    database: Database, clock: SetClock, case: Case, hold_of: HoldOf
) -> None:
    await hold_of("one").take(lease=LEASE)
    store = Cases(database, clock)
    await store.save(case.model_copy(update={"status": CaseStatus.PLANNED}))
    await _fall_silent(database)
    assert await store.interrupted() == ["alder"]
    await Events(database).sink("alder", clock).emit(EventType.PLAN_READY, "The plan.")
    assert await store.interrupted() == []


async def test_a_runner_that_was_late_renews_so_long_as_nobody_took_the_case(
    database: Database, hold_of: HoldOf
) -> None:
    hold = hold_of("one")
    await hold.take(lease=LEASE)
    await _fall_silent(database)
    await _sign_of_life(database, hold)
    with pytest.raises(Busy):
        await hold_of("two").take(lease=LEASE)


async def test_a_silent_holder_is_waited_for_and_a_living_one_is_not(database: Database, hold_of: HoldOf) -> None:
    first = hold_of("one")
    await first.take(lease=timedelta(seconds=0.3))
    second = hold_of("two")
    await second.take(lease=LEASE, wait=True)
    assert second.epoch == 2
    third = asyncio.create_task(hold_of("three").take(lease=LEASE, wait=True))
    while not third.done():
        await _sign_of_life(database, second)
        await asyncio.sleep(0.05)
    with pytest.raises(Busy, match="two"):
        await third


async def test_only_the_holder_gives_a_case_up(hold_of: HoldOf, database: Database) -> None:
    first, second = hold_of("one"), hold_of("two")
    await first.take(lease=LEASE)
    await _fall_silent(database)
    await second.take(lease=LEASE)
    await first.release()
    with pytest.raises(Busy, match="two"):
        await hold_of("three").take(lease=LEASE)


async def test_who_holds_a_case_hears_that_it_is_to_stop(database: Database, hold_of: HoldOf) -> None:
    assert not await ask_to_stop(database, "alder", "report")
    hold = hold_of("one")
    await hold.take(lease=LEASE)
    asked = asyncio.ensure_future(hold.asked())
    await _sign_of_life(database, hold)
    assert not asked.done()
    wishes: tuple[StopWish, ...] = ("report", "stop")
    for wish in wishes:
        assert await ask_to_stop(database, "alder", wish)
        await _sign_of_life(database, hold)
        assert await asked == wish
        asked = asyncio.ensure_future(hold.asked())
    await hold.release()
    await hold.take(lease=LEASE)
    await _sign_of_life(database, hold)
    assert not asked.done(), "it was asked of the earlier run"
    asked.cancel()


async def test_no_write_of_a_runner_is_kept_once_another_has_the_case(
    database: Database, case: Case, clock: SetClock, archive: MemoryArchive, hold_of: HoldOf
) -> None:
    first, second = hold_of("one"), hold_of("two")
    await first.take(lease=LEASE)
    stale_cases, stale_sink = Cases(database, clock, first), Events(database).sink("alder", clock, first)
    stale_replies = ReplyRecording(database, archive, clock, first)
    await stale_cases.save(case)
    await stale_sink.emit(EventType.CASE_STARTED, "first")
    await _fall_silent(database)
    await second.take(lease=LEASE)
    await Events(database).sink("alder", clock, second).emit(EventType.CASE_RESUMED, "second")

    await _sign_of_life(database, first, second)
    request = Request(method="GET", url="https://alder.example/")
    reply = Reply(url=request.url, status=200, headers=(), body=b"late", at=clock.now())
    for late in (
        stale_cases.save(case.model_copy(update={"why": "late"})),
        stale_sink.emit(EventType.CASE_FINISHED, "late"),
        stale_replies.keep("f", request, reply, case_id="alder"),
        stale_replies.keep_failure("f", request, "late", case_id="alder"),
        stale_replies.find("f", case_id="alder", younger_than=None),
        first.asked(),
    ):
        with pytest.raises(Superseded, match="taken over case alder"):
            await late
    assert (await Cases(database, clock).load("alder")).why == ""
    assert [event.text for event in await Events(database).after("alder")] == ["first", "second"]
    assert await ReplyRecording(database, archive, clock).find("f", case_id="alder", younger_than=None) is None


async def test_a_process_that_is_busy_is_alive_and_one_whose_loop_is_stuck_is_not(
    database: Database, hold_of: HoldOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inquest.store.holds.EVERY", 0.02)
    given = threading.Semaphore(0)
    hold = hold_of("one")
    await hold.take(lease=LEASE)
    with database.pulse.also(lambda connection: given.release(), lambda connection: None):
        hold.stay_alive(lease=LEASE)
        for _ in range(3):
            given.acquire(timeout=30)  # the loop does nothing else meanwhile, and cannot answer
        monkeypatch.setattr("inquest.store.holds.STUCK", 0.0)
        while given.acquire(timeout=0.5):
            pass


_RUNNER = """
import asyncio, os, signal, sys
from datetime import timedelta
from inquest.app.clock import SystemClock
from inquest.domain.errors import StorageError, Superseded
from inquest.domain.event import EventType
from inquest.store.cases import Cases
from inquest.store.database import Database
from inquest.store.events import Events
from inquest.store.holds import CaseHold

def stop_here():
    print("stopped", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)

def within(connection):
    hold.check(connection)
    stop_here()

async def main(url, name, where):
    global hold
    database = await Database.open(url)
    hold = CaseHold(database, "alder", name)
    await hold.take(lease=timedelta(seconds=0.2), wait=True)
    cases, sink = Cases(database, SystemClock(), hold), Events(database).sink("alder", SystemClock(), hold)
    case = await cases.load("alder")
    try:
        await sink.emit(EventType.QUERY_ANSWERED, name)
        if where == "within":
            try:
                await database.write(within)
            except StorageError:  # the server has ended the transaction
                pass
        else:
            stop_here()
        await sink.emit(EventType.QUERY_ANSWERED, name)
        await cases.save(case.model_copy(update={"why": name}))
    except Superseded:
        print("superseded", flush=True)
    await database.close()

asyncio.run(main(*sys.argv[1:]))
"""


async def _writes_nothing_beside_its_successor(url: str, database: Database, case: Case, *, stopped: str) -> None:
    """A process takes the case, stops itself `stopped` (between two writes or within one), and continues when another
    has the case."""
    runner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _RUNNER, url, "first", stopped, stdout=asyncio.subprocess.PIPE
    )
    assert runner.stdout is not None
    assert await runner.stdout.readline() == b"stopped\n"
    try:
        successor = CaseHold(database, case.id, "second")
        await successor.take(lease=LEASE, wait=True)
        clock = SetClock()
        sink = Events(database).sink(case.id, clock, successor)
        taken_over = await sink.emit(EventType.CASE_RESUMED, "second")
        await Cases(database, clock, successor).save(case.model_copy(update={"why": "second"}))
    finally:
        os.kill(runner.pid, signal.SIGCONT)
    said, _ = await runner.communicate()
    assert (said, runner.returncode) == (b"superseded\n", 0), "it ended itself"
    assert [event.text for event in await Events(database).after(case.id, taken_over.id - 1)] == ["second"]
    assert (await Cases(database, clock).load(case.id)).why == "second"


async def test_a_stopped_process_that_goes_on_writes_nothing_beside_its_successor(
    url: str, database: Database, case: Case
) -> None:
    await _writes_nothing_beside_its_successor(url, database, case, stopped="between")


@pytest.mark.postgres
async def test_a_process_that_is_stopped_within_a_write_does_not_keep_others_from_the_case(
    postgres_url: str, clock: SetClock
) -> None:
    database = await Database.open(postgres_url)
    now = clock.now()
    case = Case(id="alder", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=now, created_at=now)
    await Cases(database, clock).create(case)
    await _writes_nothing_beside_its_successor(postgres_url, database, case, stopped="within")
    await database.close()
