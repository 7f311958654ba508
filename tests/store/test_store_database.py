"""Opening a database: migrations, databases that cannot be opened, and concurrent writers."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, insert, inspect, select, text

from inquest.domain.errors import SettingError, StorageError
from inquest.store.database import Database
from inquest.store.schema import VERSION_TABLE, create, migrate
from inquest.store.tables import SCHEMA, metadata, quotas


async def test_an_empty_database_gets_exactly_the_tables_of_the_code(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        return list(compare_metadata(context, metadata))

    assert await database.read(differences) == []


def test_the_schema_is_the_newest_migration() -> None:
    configuration = Config()
    configuration.set_main_option("script_location", "inquest.store:migrations")
    assert ScriptDirectory.from_config(configuration).get_heads() == [SCHEMA]


async def test_tables_made_at_once_are_those_that_the_migrations_make(url: str) -> None:
    found = []
    for make in (create, migrate):
        database = await Database.open(url, migrate=False)
        await database.write(make)
        found.append(await database.read(_described))
        await database.write(_drop_all)
        await database.close()
    at_once, migrated = found
    assert at_once == migrated


def _described(connection: Connection) -> dict[str, object]:
    """Everything that the database reports on each of its tables, and the revision."""
    tables = inspect(connection)
    said: dict[str, object] = {"revision": connection.execute(text(f"SELECT * FROM {VERSION_TABLE}")).all()}
    for name in sorted(tables.get_table_names()):
        columns = {column["name"]: column | {"type": repr(column["type"])} for column in tables.get_columns(name)}
        key, uniques = tables.get_pk_constraint(name), tables.get_unique_constraints(name)
        by_name = {
            index["name"]: {key: _comparable(value) for key, value in index.items()}
            for index in tables.get_indexes(name)
        }
        foreign = sorted(tables.get_foreign_keys(name), key=repr)
        said[name] = (columns, key, sorted(uniques, key=repr), by_name, foreign, tables.get_check_constraints(name))
    return said


def _comparable(value: object) -> object:
    """The conditions of an index are clauses, which are equal only to themselves."""
    return {key: str(each) for key, each in value.items()} if isinstance(value, dict) else value


def _drop_all(connection: Connection) -> None:
    connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))
    metadata.drop_all(connection)


async def test_a_database_of_a_newer_version_is_refused_and_left_alone(url: str) -> None:
    database = await Database.open(url)

    def become_newer(connection: Connection) -> None:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))

    await database.write(become_newer)
    await database.close()
    with pytest.raises(SettingError, match=r"written by another version of Inquest.*9999") as caught:
        await Database.open(url)
    assert caught.value.exit_code == 1
    assert "Use that version" in caught.value.advice


async def test_several_that_open_an_empty_database_at_once_all_find_it_ready(url: str) -> None:
    opened = await asyncio.gather(*(Database.open(url) for _ in range(4)))
    for database in opened:
        await _count_up(database, "each")
    assert await _used(opened[0], "each") == 4
    for database in opened:
        await database.close()


_WRITER = """
import asyncio, sys
from sqlalchemy import insert, select, update
from inquest.store.database import Database
from inquest.store.tables import quotas

async def main(url, turns):
    database = await Database.open(url)
    def once(connection):
        query = select(quotas.c.used).where(quotas.c.engine == "both").with_for_update()
        row = connection.execute(query).first()
        connection.execute(update(quotas).where(quotas.c.engine == "both").values(used=row.used + 1))
    await asyncio.gather(*(database.write(once) for _ in range(turns)))
    await database.close()

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


async def test_two_processes_write_to_one_database_and_nothing_is_lost(url: str, database: Database) -> None:
    await _count_up(database, "both")
    writers = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", _WRITER, url, "25", stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [(await writer.communicate())[1].decode() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], said
    assert await _used(database, "both") == 51


async def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    def work(connection: Connection) -> None:
        connection.execute(insert(quotas).values(engine="half", account="a", period="2024", used=1))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.write(work)
    assert await _rows(database) == 0


async def test_a_file_that_is_no_database_is_a_storage_error(tmp_path: Path) -> None:
    path = tmp_path / "inquest.db"
    path.write_bytes(b"These are minutes of a meeting, not a database. " * 100)
    with pytest.raises(StorageError, match="is not a database of Inquest, or it is damaged"):
        await Database.open(f"sqlite:///{path}")
    assert path.read_bytes().startswith(b"These are minutes")


async def test_a_damaged_database_is_a_storage_error(tmp_path: Path) -> None:
    path = tmp_path / "inquest.db"
    database = await Database.open(f"sqlite:///{path}")
    await _count_up(database, "x")
    await database.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\x07" * (len(whole) - 4096))
    with pytest.raises(StorageError, match="damaged"):
        await Database.open(f"sqlite:///{path}")


async def test_a_full_disk_is_one_sentence_and_nothing_is_half_written(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite:///{tmp_path}/inquest.db")

    def fill(connection: Connection) -> None:
        # SQLite's own limit on its file behaves exactly like a full disk.
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count = {pages + 2}"))
        connection.execute(insert(quotas).values(engine="x" * 100_000, account="a", period="2024", used=1))

    with pytest.raises(StorageError, match="The disk is full") as caught:
        await database.write(fill)
    assert "\n" not in caught.value.sentence
    assert await _rows(database) == 0
    await database.close()


async def test_where_the_disk_takes_nothing_at_all_it_is_full_or_failing(tmp_path: Path) -> None:
    """The limit on a file's size makes every write fail, as it does with no kilobyte left."""
    database = await Database.open(f"sqlite:///{tmp_path}/inquest.db")
    await _count_up(database, "x")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        with pytest.raises(StorageError, match="The disk is full or failing") as caught:
            await _count_up(database, "y" * 9000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "Free some space and resume" in caught.value.sentence and "\n" not in caught.value.sentence
    assert await _rows(database) == 1, "and what was there before is there"
    await database.close()


@pytest.mark.postgres
async def test_a_full_disk_of_the_database_server_is_one_sentence(postgres_url: str) -> None:
    database = await Database.open(postgres_url)
    full = text(
        "DO $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$"
    )
    with pytest.raises(StorageError, match="The disk of the database server is full") as caught:
        await database.write(lambda connection: connection.execute(full).close())
    assert "Free some space there and resume" in caught.value.sentence and "\n" not in caught.value.sentence
    await _count_up(database, "x")
    assert await _rows(database) == 1, "and the connection goes on"
    await database.close()


async def test_a_read_only_file_is_one_sentence(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite:///{tmp_path}/inquest.db")

    def work(connection: Connection) -> None:
        connection.execute(text("PRAGMA query_only = ON"))
        connection.execute(insert(quotas).values(engine="x", account="a", period="2024", used=1))

    with pytest.raises(StorageError, match="is read-only"):
        await database.write(work)
    await database.close()


async def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="could not be created"):
        await Database.open(f"sqlite:///{tmp_path}/file/data/inquest.db")


async def test_a_server_that_is_not_there_is_one_sentence_without_the_password() -> None:
    with pytest.raises(StorageError, match="could not be used") as caught:
        await Database.open("postgresql://me:secret@127.0.0.1:9/inquest")
    assert "secret" not in caught.value.sentence
    assert "\n" not in caught.value.sentence


@pytest.mark.postgres
async def test_a_database_that_does_not_exist_on_the_server_is_one_sentence(postgres_server: str) -> None:
    with pytest.raises(StorageError, match="does not exist") as caught:
        await Database.open(postgres_server.replace("/postgres?", "/nowhere?"))
    assert "Check INQUEST_DATABASE_URL" in caught.value.advice


@pytest.mark.parametrize("address", ["", "nonsense", "mysql://host/name", "sqlite://", "sqlite:///:memory:"])
async def test_an_address_that_names_no_database_of_ours_is_a_setting_error(address: str) -> None:
    with pytest.raises(SettingError, match=r"database address|Inquest supports SQLite and PostgreSQL"):
        await Database.open(address)


async def test_sqlite_is_set_up_for_readers_beside_a_writer(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite:///{tmp_path}/inquest.db")
    names = ("journal_mode", "foreign_keys", "busy_timeout")
    found = await database.read(lambda one: [one.execute(text(f"PRAGMA {name}")).scalar() for name in names])
    assert found == ["wal", 1, 30_000]
    await database.close()


async def test_a_writer_waits_for_another_program_that_holds_the_file(tmp_path: Path) -> None:
    path = tmp_path / "inquest.db"
    database = await Database.open(f"sqlite:///{path}")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(_count_up(database, "patient"))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    other.execute("COMMIT")
    other.close()
    await waiting
    assert await _used(database, "patient") == 1
    await database.close()


def test_the_package_itself_loads_no_database_library() -> None:
    code = "import sys, inquest.store; print([n for n in ('sqlalchemy', 'alembic') if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


async def _count_up(database: Database, name: str) -> None:
    row = {"engine": name, "account": "a", "period": "2024", "used": 1}
    statement = database.upsert(quotas, row, {"used": quotas.c.used + 1})

    def work(connection: Connection) -> None:
        connection.execute(statement)

    await database.write(work)


async def _rows(database: Database) -> int:
    query = select(func.count()).select_from(quotas)
    return await database.read(lambda connection: connection.execute(query).scalar_one())


async def _used(database: Database, name: str) -> int:
    return await database.read(
        lambda connection: int(connection.execute(select(quotas.c.used).where(quotas.c.engine == name)).scalar_one())
    )


async def test_a_process_that_asks_too_much_at_once_meets_an_outage_and_no_defect(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy.exc import TimeoutError as PoolTimeout

    async def full(_: object) -> None:
        raise PoolTimeout("QueuePool limit reached")

    for name in ("read", "write"):
        monkeypatch.setattr(database._executor, name, full)
        with pytest.raises(StorageError, match="no free connection"):
            await getattr(database, name)(lambda connection: None)
