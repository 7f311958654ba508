"""The queue: waiting cases, workers, cases taken back from silent workers, and how a worker is told to end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from procrastinate.jobs import Status
from sqlalchemy import Connection, text

from inquest.app.service import dispatching
from inquest.app.service.dispatching import InProcess, case_work
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import Resources, open_resources
from inquest.app.work import queue as sweeping
from inquest.app.work import worker as working
from inquest.app.work.queue import (
    any_cut_off,
    database_status,
    figures,
    lost,
    prepare,
    take_back,
    upgrade_database,
)
from inquest.app.work.worker import ALWAYS, ByQueue, Room, Worker, dispatcher_of
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.errors import HandedOver, SettingError
from inquest.domain.plan import Brief
from tests.store.conftest import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]


@pytest.fixture
async def app(postgres_url: str, tmp_path: Path) -> AsyncIterator[Resources]:
    async with open_resources(load_settings(home=tmp_path / "home", database_url=postgres_url)) as opened:
        yield opened


@pytest.fixture
async def queue(app: Resources) -> AsyncIterator[ByQueue]:
    made = ByQueue(app)
    await made.start()
    yield made
    await made.aclose()


async def a_case(app: Resources, case_id: str, kind: CaseKind = CaseKind.CLAIMS) -> str:
    now = datetime.now(UTC)
    brief = Brief(text="?")
    case = Case(id=case_id, kind=kind, status=CaseStatus.PLANNED, brief=brief, as_of=now, created_at=now)
    await (await app.store()).create(case)
    return case_id


async def _until(app: Resources, waiting: int, working: int) -> None:
    async with asyncio.timeout(30):
        while True:
            found = await figures(await app.database())
            if (found.waiting, found.working) == (waiting, working):
                return
            await asyncio.sleep(0.05)


def test_on_a_file_the_process_itself_does_the_work(tmp_path: Path) -> None:
    async def made() -> None:
        async with open_resources(load_settings(home=tmp_path)) as app:
            assert isinstance(dispatcher_of(app), InProcess)
            with pytest.raises(SettingError, match="database is a file"):
                Worker(app)

    asyncio.run(made())


async def test_a_second_server_on_one_file_takes_over_what_the_first_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first holds the case and dies without releasing it; while it lives, the second leaves the case alone."""
    worked = asyncio.Event()

    async def work_on(app: Resources, case_id: str, **_: object) -> None:
        worked.set()

    monkeypatch.setattr(dispatching, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(dispatching, "work_on", work_on)
    settings = load_settings(home=tmp_path)
    async with open_resources(settings) as first, open_resources(settings) as second:
        case_id = await a_case(first, "alder")
        await (await case_work(first)).submitted(case_id)
        await (await first.hold(case_id, "first")).take(lease=timedelta(seconds=1))
        works = InProcess(second)
        await works.start()
        await asyncio.sleep(0.3)
        assert not worked.is_set()
        async with asyncio.timeout(10):
            await worked.wait()
        await works.aclose()


@pytest.mark.postgres
async def test_a_case_waits_once_and_is_stopped_before_it_began(app: Resources, queue: ByQueue) -> None:
    case_id = await a_case(app, "alder")
    await queue.submit(case_id)
    await queue.submit(case_id)
    database = await app.database()
    assert (await figures(database)).waiting == 1
    assert await queue.cancel(case_id, report=False)
    assert (await app.case(case_id)).status is CaseStatus.CANCELLED
    assert (await figures(database)).waiting == 0
    assert not await queue.cancel(case_id, report=True), "nobody works on it any more"
    assert await lost(database) == [], "it is not to be worked on"


@pytest.mark.postgres
async def test_the_market_desk_is_served_first(app: Resources, queue: ByQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    for case_id, kind in (("a", CaseKind.CLAIMS), ("b", CaseKind.INQUIRY), ("c", CaseKind.MARKET)):
        await queue.submit(await a_case(app, case_id, kind))
    newer = text("""UPDATE procrastinate_jobs SET args = args || '{"by_a_newer_version": 1}'""")
    await (await app.database()).write(lambda connection: connection.execute(newer).close())
    order: list[str] = []

    async def work_on(app: Resources, case_id: str, **_: object) -> Case:
        order.append(case_id)
        return await app.case(case_id)

    monkeypatch.setattr(working, "work_on", work_on)
    running = asyncio.create_task(Worker(app, at_once=1).run())
    await _until(app, 0, 0)
    running.cancel()
    await asyncio.wait([running])
    assert order == ["c", "b", "a"]


@pytest.mark.postgres
async def test_a_worker_that_is_told_to_end_hands_its_case_to_the_next(
    app: Resources, queue: ByQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    case_id = await a_case(app, "alder")
    begun, told, seen = asyncio.Event(), asyncio.Event(), []

    class Session:
        def hand_over(self) -> None:
            told.set()

    async def work_on(app: Resources, case_id: str, *, opened: object) -> Case:
        seen.append(case_id)
        if len(seen) == 1:
            assert callable(opened)
            opened(Session())
            begun.set()
            await told.wait()
            raise HandedOver("")
        return await app.case(case_id)

    monkeypatch.setattr(working, "work_on", work_on)
    first = asyncio.create_task(Worker(app, grace=0).run())
    await queue.submit(case_id)
    await begun.wait()
    first.cancel()
    await asyncio.wait([first])
    assert told.is_set()
    await _until(app, 1, 0)
    second = asyncio.create_task(Worker(app).run())
    await _until(app, 0, 0)
    second.cancel()
    await asyncio.wait([second])
    assert seen == [case_id, case_id]


@pytest.mark.postgres
async def test_a_worker_that_is_told_twice_hands_over_what_it_has_before_its_grace_is_over(
    app: Resources, queue: ByQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    case_id = await a_case(app, "alder")
    begun, told = asyncio.Event(), asyncio.Event()

    class Session:
        def hand_over(self) -> None:
            told.set()

    async def work_on(app: Resources, case_id: str, *, opened: Callable[[object], None]) -> Case:
        opened(Session())
        begun.set()
        await told.wait()
        raise HandedOver("")

    monkeypatch.setattr(working, "work_on", work_on)
    worker = Worker(app, grace=600)
    running = asyncio.create_task(worker.run())
    await queue.submit(case_id)
    await begun.wait()
    running.cancel()
    done, _ = await asyncio.wait([running], timeout=0.05)
    assert not done and not told.is_set(), "its grace"
    worker.hand_over()
    await asyncio.wait([running])
    assert (await figures(await app.database())).waiting == 1


@pytest.mark.postgres
async def test_a_worker_of_an_older_version_takes_nothing_from_newer_tables(
    app: Resources, caplog: pytest.LogCaptureFixture
) -> None:
    worker, database = Worker(app), await app.database()
    await worker._look_at_tables(database)
    assert await worker._has_room()
    revision = text("UPDATE inquest_schema SET version_num = '9999'")
    await database.write(lambda connection: connection.execute(revision).close())
    for _ in range(2):
        await worker._look_at_tables(database)
    assert not await worker._has_room()
    assert caplog.text.count("takes no more cases: This data was written by another version of Inquest") == 1


@pytest.mark.postgres
async def test_a_job_that_was_taken_back_is_not_ended_by_its_former_worker(app: Resources, queue: ByQueue) -> None:
    await queue.submit(await a_case(app, "alder"))
    jobs, database = queue._queue.job_manager, await app.database()
    first, second = await jobs.register_worker(), await jobs.register_worker()
    job = await jobs.fetch_job(None, first)
    assert job is not None

    async def belongs_to(worker: int) -> None:
        query = text("UPDATE procrastinate_jobs SET worker_id = :worker")
        await database.write(lambda connection: connection.execute(query, {"worker": worker}).close())

    await belongs_to(second)
    await jobs.finish_job(job, Status.SUCCEEDED, True)
    await jobs.retry_job(job)
    assert (await figures(database)).working == 1
    await belongs_to(first)
    await jobs.finish_job(job, Status.SUCCEEDED, True)
    found = await figures(database)
    assert (found.waiting, found.working) == (0, 0)


@pytest.mark.postgres
async def test_the_jobs_of_a_silent_worker_are_taken_back_and_lost_ones_are_made_again(
    app: Resources, queue: ByQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    case_id, database = await a_case(app, "alder"), await app.database()
    await queue.submit(case_id)

    def silent(connection: Connection) -> None:
        number = connection.execute(
            text("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '2 hours') RETURNING id")
        ).scalar_one()
        connection.execute(text(f"UPDATE procrastinate_jobs SET status = 'doing', worker_id = {number}"))

    await database.write(silent)
    monkeypatch.setattr(sweeping, "STALLED_SECONDS", 3600)
    assert await database.write(take_back) == [], "since its server was started nobody was silent for so long"
    monkeypatch.setattr(sweeping, "STALLED_SECONDS", 0)
    assert not await any_cut_off(database)
    assert await database.write(take_back) == [case_id]
    assert await any_cut_off(database), "it comes before all others, however late a worker's loop is"
    found = await figures(database)
    assert (found.waiting, found.working) == (1, 0)

    def without_job(connection: Connection) -> None:
        connection.execute(text("DELETE FROM procrastinate_jobs"))
        connection.execute(text("UPDATE submissions SET at = now() - interval '1 minute'"))

    await database.write(without_job)
    assert await lost(database) == [(case_id, "claims")]


def test_a_worker_whose_loop_is_late_takes_few_cases() -> None:
    room = Room()
    assert all(room.admits(at_work) for at_work in range(ALWAYS))
    assert not room.admits(ALWAYS), "what those do to the loop is not known yet"
    room.measured(0.01)
    assert room.admits(ALWAYS)
    room.measured(0.7)
    assert not room.admits(ALWAYS) and room.admits(ALWAYS - 1)


@pytest.mark.postgres
async def test_a_case_that_nobody_works_on_is_said_to_be_stuck(app: Resources, queue: ByQueue) -> None:
    await a_case(app, "alder")
    database = await app.database()

    def running(connection: Connection) -> None:
        connection.execute(text("UPDATE cases SET status = 'running', updated_at = now() - interval '2 minutes'"))

    await database.write(running)
    assert (await figures(database)).stuck == ("alder",)


@pytest.mark.postgres
async def test_the_tables_of_the_queue_are_made_once_whoever_comes_first(postgres_url: str, tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path, database_url=postgres_url)
    assert (await database_status(settings))["revision"] is None
    await upgrade_database(settings)
    assert (await database_status(settings))["up_to_date"]
    await asyncio.gather(*(prepare(postgres_url) for _ in range(4)))
