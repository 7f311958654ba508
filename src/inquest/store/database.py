"""One door to the database: open, migrate, read, write, close."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self, TypeVar

from sqlalchemy import URL, Connection, Table, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from inquest.domain.errors import SettingError, StorageError
from inquest.store.failures import is_locked, storage_error
from inquest.store.schema import bring_up_to_date, is_up_to_date

__all__ = ["Database"]

T = TypeVar("T")

_BUSY_SECONDS = 30
_TRIES = 5
_WRITES = "inquest_writes"


_LAST_WORDS = 0.05
"""Seconds."""


class Database:
    """A database of Inquest's. Reads run side by side; writes of one process run one after another.

    SQLite allows one writer at a time. Within the process a lock puts writers in line, between processes SQLite makes
    them wait (`busy_timeout`), and what is refused all the same is tried again: callers never see 'locked'.
    """

    def __init__(self, engine: AsyncEngine, where: str) -> None:
        self._engine = engine
        self._writing = asyncio.Lock()
        self.where = where
        """The database as it may be shown: without its password."""

    @classmethod
    async def open(cls, url: str, *, migrate: bool = True) -> Self:
        """Open `sqlite:///PATH` or `postgresql://...`, and bring its tables up to date unless told not to.

        Raises SettingError where the URL cannot be used or the database is a newer Inquest's, StorageError where it
        cannot be reached, read or written.
        """
        address = _address(url)
        if address.get_backend_name() == "sqlite":
            database = cls(_sqlite_engine(address), str(address.database))
        else:
            database = cls(_postgres_engine(address), address.render_as_string(hide_password=True))
        try:
            if migrate:
                await database._prepare()
        except BaseException:
            await database.close()
            raise
        return database

    @property
    def is_sqlite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees one consistent state. Raises StorageError."""
        try:
            async with self._engine.connect() as connection:
                if not self.is_sqlite:
                    await connection.execution_options(isolation_level="REPEATABLE READ")
                yield connection
        except DBAPIError as error:
            raise storage_error(error, self.where) from error

    async def write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run `work` in one transaction: all of it is kept, or nothing. It may be run more than once, so it must do
        nothing but talk to the connection. Raises StorageError."""
        for attempt in range(1, _TRIES + 1):
            try:
                async with self._writing, self._engine.connect() as plain:
                    connection = await plain.execution_options(**{_WRITES: True})
                    async with connection.begin():
                        return await work(connection)
            except DBAPIError as error:
                if attempt == _TRIES or not is_locked(error):
                    raise storage_error(error, self.where) from error
                await asyncio.sleep(random.uniform(0.01, 0.05) * 2**attempt)
        raise AssertionError("unreachable")  # pragma: no cover

    def upsert(self, table: Table) -> Any:
        """An INSERT that knows `on_conflict_do_update` and `returning`, in this database's dialect."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    async def close(self) -> None:
        """Give all connections back. The database can't be used afterwards."""
        await self._engine.dispose()
        if self.is_sqlite:
            # A statement that was cut off ends in its thread a moment later, and must find the loop still running.
            await asyncio.sleep(_LAST_WORDS)

    async def _prepare(self) -> None:
        async with self.read() as connection:
            if await connection.run_sync(lambda plain: is_up_to_date(plain, self.where)):
                return

        async def work(connection: AsyncConnection) -> None:
            await connection.run_sync(lambda plain: bring_up_to_date(plain, self.where))

        await self.write(work)


def _address(url: str) -> URL:
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise SettingError(
            "The database address cannot be read as a URL.",
            advice="Write INQUEST_DATABASE_URL as sqlite:///PATH or postgresql://USER@HOST/NAME.",
        ) from error
    match address.drivername.split("+")[0]:
        case "sqlite" if address.database and address.database != ":memory:":
            return address.set(drivername="sqlite+aiosqlite")
        case "postgresql" | "postgres":
            return address.set(drivername="postgresql+psycopg")
        case "sqlite":
            raise SettingError(
                "The database address names no file.", advice="Write INQUEST_DATABASE_URL as sqlite:///PATH."
            )
        case other:
            raise SettingError(
                f"Inquest keeps its cases in SQLite or PostgreSQL, not in {other}.",
                advice="Write INQUEST_DATABASE_URL as sqlite:///PATH or postgresql://USER@HOST/NAME.",
            )


def _sqlite_engine(address: URL) -> AsyncEngine:
    folder = Path(str(address.database)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} for the database could not be made ({error.strerror}).",
            advice="Choose another data folder with INQUEST_HOME.",
        ) from error
    # Without isolation_level=None the driver begins transactions itself, late, and a reader that turns writer fails.
    engine = create_async_engine(address, connect_args={"isolation_level": None, "timeout": _BUSY_SECONDS})
    event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    # NORMAL: after a power cut the last moments may be missing, but the file is whole (SQLite's manual, WAL).
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgres_engine(address: URL) -> AsyncEngine:
    if find_spec("psycopg") is None:
        raise SettingError(
            "PostgreSQL needs a driver that is not installed.",
            advice="Install it with: pip install 'inquest[postgres]'.",
        )
    return create_async_engine(address, connect_args={"connect_timeout": 10}, pool_pre_ping=True)
