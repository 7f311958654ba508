"""Notices of all cases for a page: it is notified of another process's writes, in whatever order they become
visible."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inquest.app.pages import desk_page as live
from inquest.app.pages.desk_page import LiveCases
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import open_resources
from inquest.domain.errors import StorageError
from inquest.domain.event import Event, EventType
from inquest.domain.person import Person, Role
from inquest.store import events
from inquest.store.database import Database
from inquest.store.events import Events
from tests.store.conftest import postgres_server, postgres_url, url

__all__ = ["postgres_server", "postgres_url", "url"]


async def test_what_another_process_writes_of_any_case_is_told_once(url: str, tmp_path: Path) -> None:
    async with open_resources(load_settings(home=tmp_path / "home", database_url=url)) as app:
        other = Events(await Database.open(url))
        notices = LiveCases(app).follow(Person(name="Ada", role=Role.ADMIN))
        now = datetime.now(UTC)
        async with asyncio.timeout(10):
            assert (await anext(notices)).type == "listening"
            for case_id in ("alder", "birch", "alder"):
                await other.append(Event(id=0, case_id=case_id, type=EventType.QUERY_ANSWERED, text="?", at=now))
            told = [await anext(notices) for _ in range(3)]
        assert sorted((each.id, each.case_id) for each in told) == [(1, "alder"), (2, "birch"), (3, "alder")]
        await notices.aclose()
        await other._database.close()


async def test_a_database_that_could_not_be_read_for_once_holds_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, failures = events.notices_after, [StorageError("The database is locked.")]

    async def fails_once(database: Database, last: int) -> list[tuple[int, str, str]]:
        if failures:
            raise failures.pop()
        return await read(database, last)

    monkeypatch.setattr(events, "notices_after", fails_once)
    monkeypatch.setattr(live, "_AGAIN_SECONDS", 0.01)
    async with open_resources(load_settings(home=tmp_path / "home")) as app:
        notices = LiveCases(app).follow(Person(name="Ada", role=Role.ADMIN))
        async with asyncio.timeout(10):
            assert (await anext(notices)).type == "listening"
            asked = Event(id=0, case_id="alder", type=EventType.QUERY_ANSWERED, text="?", at=datetime.now(UTC))
            await Events(await app.database()).append(asked)
            told = await anext(notices)
            assert (told.type, told.case_id) == ("missed", "")
            assert (await anext(notices)).case_id == "alder"
        await notices.aclose()
