"""Checkpoints: a runner whose case was taken over cannot store steps beside its successor's, on either database."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from inquest.app.cases.checkpoints import last_checkpoint, open_saver, postgres_saver
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import StorageError, Superseded
from inquest.domain.plan import Brief
from inquest.store.cases import Cases
from inquest.store.database import Database, Pool
from inquest.store.holds import CaseHold
from tests.store.conftest import (
    SetClock,
    clock,
    database,
    postgres_server,
    postgres_tables,
    postgres_url,
    sqlite_template,
    url,
)

__all__ = ["clock", "database", "postgres_server", "postgres_tables", "postgres_url", "sqlite_template", "url"]


async def test_a_runner_whose_case_was_taken_keeps_no_step(url: str, database: Database, clock: SetClock) -> None:
    now = datetime.now(UTC)
    case = Case(id="alder's", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=now, created_at=now)
    await Cases(database, clock).create(case)
    first, second = CaseHold(database, case.id, "first"), CaseHold(database, case.id, "second")
    config: Any = {"configurable": {"thread_id": case.id, "checkpoint_ns": ""}}
    async with AsyncExitStack() as stack:
        await first.take(lease=timedelta(seconds=0.1))
        stale = await open_saver(database, first, stack)
        step = await stale.aput(config, empty_checkpoint(), {}, {})
        await stale.aput_writes(step, [("found", 1)], "task")

        await second.take(lease=timedelta(minutes=1), wait=True)
        for late in (
            stale.aput(config, empty_checkpoint(), {}, {}),
            stale.aput_writes(step, [("found", 2)], "late"),
            stale.adelete_thread(case.id),
        ):
            with pytest.raises(Superseded):
                await late
        successor = await open_saver(database, second, stack)
        kept = await successor.aget_tuple(config)
        assert kept is not None and kept.pending_writes == [("task", "found", 1)]
        assert [each async for each in successor.alist(config)] == [kept]
        await successor.adelete_thread(case.id)
        assert await last_checkpoint(successor, case.id) is None


async def test_a_server_that_is_away_is_an_outage_and_no_defect(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inquest.store.database._POOL_SECONDS", 0.1)
    away = Pool("postgresql://nobody@127.0.0.1:1/none", {"connect_timeout": 1})
    with pytest.raises(StorageError, match="The checkpoints cannot be saved or read"):
        await postgres_saver(away, CaseHold(database, "alder", "first"))
    await away.close()


async def test_a_full_disk_is_an_error_of_the_storage(tmp_path: Path, clock: SetClock) -> None:
    database = await Database.open(f"sqlite:///{tmp_path / 'full.db'}")
    case = Case(id="alder", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=clock.now(), created_at=clock.now())
    await Cases(database, clock).create(case)
    hold = CaseHold(database, case.id, "first")
    async with AsyncExitStack() as stack:
        await hold.take(lease=timedelta(minutes=1))
        saver: Any = await open_saver(database, hold, stack)
        await saver.conn.execute("PRAGMA max_page_count = 1")  # no page can be added
        config: Any = {"configurable": {"thread_id": case.id, "checkpoint_ns": ""}}
        with pytest.raises(StorageError, match="full"):
            await saver.aput(config, empty_checkpoint(), {"text": "x" * 100_000}, {})
    await database.close()


async def test_a_step_being_stored_as_its_case_is_closed_is_kept_and_locks_nobody_out(
    tmp_path: Path, clock: SetClock
) -> None:
    # LangGraph leaves such a write behind if it is cancelled while it ends.
    database = await Database.open(f"sqlite:///{tmp_path / 'closed.db'}")
    case = Case(id="alder", status=CaseStatus.RUNNING, brief=Brief(text="?"), as_of=clock.now(), created_at=clock.now())
    await Cases(database, clock).create(case)
    hold = CaseHold(database, case.id, "first")
    await hold.take(lease=timedelta(minutes=1))
    stack = AsyncExitStack()
    saver = await open_saver(database, hold, stack)
    config: Any = {"configurable": {"thread_id": case.id, "checkpoint_ns": ""}}
    step = await saver.aput(config, empty_checkpoint(), {}, {})
    left_behind = asyncio.create_task(saver.aput_writes(step, [("found", 1)], "task"))
    await asyncio.sleep(0)
    await stack.aclose()
    await asyncio.wait([left_behind])  # its error would keep a cursor, and with it the lock

    with closing(sqlite3.connect(database.where, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert other.execute("SELECT count(*) FROM writes").fetchone() == (1,)
    assert left_behind.exception() is None
    await database.close()
