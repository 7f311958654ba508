"""Collections of several machines, on an S3 server and on a folder: one writes, the others get what was published."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from inquest.app.clock import FixedClock
from inquest.app.wiring.collections import Collections
from inquest.collection.sharing import Sharing
from inquest.domain.errors import Busy, NotFound, StorageError, Superseded
from inquest.kit.ports import Objects
from inquest.store.database import Database
from inquest.store.shared import SharedCollections
from tests.archive.test_shared_archive import objects, s3
from tests.collection.conftest import NOW, MemoryArchive, unpack
from tests.collection.conftest import read as read_own

__all__ = ["objects", "s3"]

Machine = Callable[[str], Collections]


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(f"sqlite:///{tmp_path}/inquest.db")
    yield opened
    await opened.close()


@pytest.fixture
def machine(objects: Objects, database: Database, tmp_path: Path) -> Machine:
    """The collections as seen by the machine of that name."""

    async def records() -> SharedCollections:
        return SharedCollections(database)

    def made(name: str) -> Collections:
        home = tmp_path / name
        sharing = Sharing(home / "collections", objects, records, name)
        collections = Collections(home, archive=MemoryArchive(), read=read_own, unpack=unpack, clock=FixedClock(NOW))
        collections.sharing = sharing
        return collections

    return made


@pytest.fixture
def rows(tmp_path: Path) -> Callable[..., Path]:
    def written(*texts: str) -> Path:
        path = tmp_path / "rows.jsonl"
        path.write_text("\n".join(json.dumps({"id": text[:5], "text": text}) for text in texts))
        return path

    return written


async def test_what_one_machine_adds_another_finds_and_what_is_new_is_all_that_is_sent(
    machine: Machine, rows: Callable[..., Path], objects: Objects
) -> None:
    alder, birch = machine("alder"), machine("birch")
    await alder.add("leaks", [rows("first the solvent in the river", "second the mill closed")])
    await birch.refresh("leaks")
    assert birch.names() == ("leaks",)
    assert [each.id for each in await birch.search("leaks", "solvent")] == ["first"]
    before = set(await objects.keys("collections/leaks"))
    await birch.add("leaks", [rows("third a solvent again")])
    assert {each.id for each in await alder.search("leaks", "solvent")} == {"first", "third"}
    assert alder.info("leaks").documents == 3
    assert before & set(await objects.keys("collections/leaks")), "segments that did not change stay as they are"


async def test_a_collection_that_one_machine_removes_is_gone_everywhere(
    machine: Machine, rows: Callable[..., Path], objects: Objects, tmp_path: Path
) -> None:
    alder, birch = machine("alder"), machine("birch")
    await alder.add("leaks", [rows("first the solvent")])
    await birch.search("leaks", "solvent")
    await alder.remove("leaks")
    await birch.refresh("leaks")
    assert birch.names() == ()
    assert not (tmp_path / "birch" / "collections" / "leaks").exists()
    with pytest.raises(NotFound):
        await birch.search("leaks", "solvent")
    assert await objects.keys("collections/leaks") == []


async def test_there_is_one_writer_and_one_that_slept_publishes_nothing(
    machine: Machine, rows: Callable[..., Path], database: Database
) -> None:
    from sqlalchemy import text

    alder, birch = machine("alder"), machine("birch")
    await alder.add("leaks", [rows("first the solvent")])
    with pytest.raises(Superseded, match="nothing was published"):
        async with alder._writing("leaks"):
            with pytest.raises(Busy, match="alder"):
                await birch.add("leaks", [rows("second a mill")])
            run_out = "UPDATE shared_collections SET lease_until = '2000-01-01 00:00:00'"
            await database.write(lambda connection: connection.execute(text(run_out)).close())
            await birch.add("leaks", [rows("third a quarry")])
            (alder._library.folder("leaks") / "ratings.csv").write_text("domain,score\nalder.example,80\n")
    assert {each.id for each in await alder.search("leaks", "solvent quarry mill")} == {"first", "third"}
    assert alder.ratings("leaks") is None


async def test_what_a_writer_had_not_published_when_it_died_is_no_part_of_the_collection(
    machine: Machine, rows: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    alder = machine("alder")
    await alder.add("leaks", [rows("first the solvent")])

    async def died(*_: object) -> None:
        raise StorageError("The power went.")

    with monkeypatch.context() as patched:
        patched.setattr(Sharing, "_publish", died)
        with pytest.raises(StorageError):
            await alder.add("leaks", [rows("second a mill")])
    again = machine("alder")
    assert [each.id for each in await again.search("leaks", "solvent mill")] == ["first"]
    assert (await again.add("leaks", [rows("second a mill")])).documents == 1
    assert len(await machine("birch").search("leaks", "solvent mill")) == 2


async def test_searches_go_on_while_another_machine_writes(machine: Machine, rows: Callable[..., Path]) -> None:
    alder, birch = machine("alder"), machine("birch")
    await alder.add("leaks", [rows("00000 the solvent")])

    async def add() -> None:
        for number in range(1, 8):
            await alder.add("leaks", [rows(f"{number:05d} the solvent once more")])

    adding = asyncio.create_task(add())
    while not adding.done():
        assert await birch.search("leaks", "solvent")
        assert await alder.search("leaks", "solvent")
    await adding
    assert len(await birch.search("leaks", "solvent")) == 8


async def test_a_file_that_was_changed_in_the_store_is_never_searched(
    machine: Machine, rows: Callable[..., Path], objects: Objects
) -> None:
    await machine("alder").add("leaks", [rows("first the solvent")])
    for key in await objects.keys("collections/leaks"):
        await objects.put(key, b"{}")
    with pytest.raises(StorageError, match="damaged"):
        await machine("birch").search("leaks", "solvent")
