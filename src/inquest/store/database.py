"""The database: opening, migration, transactions, and translation of its errors into messages."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    Executable,
    Insert,
    Row,
    Select,
    Table,
    create_engine,
    event,
    make_url,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from inquest.domain.errors import SettingError, StorageError
from inquest.store.changes import Changes
from inquest.store.holds import Pulse
from inquest.store.schema import bring_up_to_date, is_up_to_date
from inquest.store.tables import events

if TYPE_CHECKING:
    from psycopg import AsyncConnection
    from psycopg_pool import AsyncConnectionPool

    Connections = AsyncConnectionPool[AsyncConnection[dict[str, Any]]]
    from sqlalchemy.ext.asyncio import AsyncEngine


# SQLite's errors differ only in their text; PostgreSQL's have five-character codes (its manual, appendix A).
_SQLITE = (
    ("database or disk is full", "The disk is full: {where} could not be written.", "Free some space and resume."),
    (
        "readonly database",
        "{where} is read-only.",
        "Give this user the right to write there, or choose another data folder with INQUEST_HOME.",
    ),
    (
        "not a database",
        "{where} is not a database of Inquest, or it is damaged.",
        "Move it away to start a new one, or restore it from a backup.",
    ),
    ("malformed", "{where} is damaged.", "Move it away to start a new one, or restore it from a backup."),
    ("unable to open", "{where} could not be opened.", "Check that its folder exists and is writable."),
    (
        "disk i/o error",
        # SQLite reports an I/O error, not a full disk, if there is no room for its WAL index.
        "The disk is full or failing: {where} could not be read or written.",
        "Free some space and resume. If there is space, check the disk first.",
    ),
    (
        "database is locked",
        "{where} has been locked by another process for too long.",
        "Find out which process holds the lock, and try again.",
    ),
)
_POSTGRES = (
    ("53100", "The disk of the database server is full ({where}).", "Free some space there and resume."),
    ("53", "The database server is out of resources ({where}).", "Try again later, or raise its limits."),
    ("25006", "The database {where} is read-only.", "Use its primary server in INQUEST_DATABASE_URL."),
    ("42501", "The database user lacks a right in {where}.", "Grant it the rights on its schema."),
)


def is_locked(error: DBAPIError) -> bool:
    """Return True if another writer was in the way, so that the transaction is worth retrying."""
    if getattr(error.orig, "sqlstate", None) in ("40001", "40P01"):
        return True
    words = str(error.orig).lower()
    return "database is locked" in words or "database table is locked" in words


def storage_error(error: DBAPIError, where: str) -> StorageError:
    """Translate a driver error. `where` names the database without its password."""
    words = str(error.orig or error).strip()
    code = getattr(error.orig, "sqlstate", None)
    if code:
        for beginning, message, advice in _POSTGRES:
            if code.startswith(beginning):
                return StorageError(message.format(where=where), advice=advice)
    for part, message, advice in _SQLITE:
        if part in words.lower():
            return StorageError(message.format(where=where), advice=advice)
    first = words.splitlines()[0][:200] if words else type(error).__name__
    if error.connection_invalidated or (isinstance(error, OperationalError | InterfaceError) and not code):
        return StorageError(
            f"The database {where} could not be used ({first}).",
            advice="Check INQUEST_DATABASE_URL, and that the database server is running.",
        )
    return StorageError(f"The database {where} rejected a statement ({first}).")


_POOL_MOST = 4
"""Maximum connections. Few serve many cases, because saving a step takes milliseconds and a case minutes."""
_POOL_SECONDS = 20.0
"""Timeout for a free connection, long enough for a restart of the database."""


class Pool:
    """A pool of connections, opened on first use. `options` apply to each connection."""

    def __init__(self, dsn: str, options: Mapping[str, Any]) -> None:
        self._dsn, self._options = dsn, options
        self._opening = asyncio.Lock()
        self._connections: Connections | None = None
        self._ready = False

    async def opened(self, prepare: Callable[[Connections], Awaitable[None]]) -> Connections:
        """Return the connections after calling `prepare` with them once. Raises what it raises, and ImportError if the
        driver is not installed."""
        from psycopg.rows import dict_row
        from psycopg_pool import AsyncConnectionPool

        async with self._opening:
            if self._connections is None:
                kwargs = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row, **self._options}
                made: Any = AsyncConnectionPool(
                    self._dsn,
                    kwargs=kwargs,
                    min_size=0,
                    max_size=_POOL_MOST,
                    timeout=_POOL_SECONDS,
                    # By default it would take minutes to reconnect after a long outage of the database.
                    reconnect_timeout=_POOL_SECONDS,
                    open=False,
                    check=AsyncConnectionPool.check_connection,
                )
                await made.open()
                self._connections = made
            if not self._ready:
                await prepare(self._connections)
                self._ready = True
            return self._connections

    async def close(self) -> None:
        """Close all connections."""
        if self._connections is not None:
            await self._connections.close()


T = TypeVar("T")


_BUSY_SECONDS = 30
_TRIES = 5
POSTGRES_OPTIONS: Mapping[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "options": "-c idle_in_transaction_session_timeout=5s",
}
"""Options of each connection to PostgreSQL. The server ends transactions idle for five seconds, because a process
suspended within one keeps rows locked that others need to take over its case."""

_WRITES = "inquest_writes"
_KEPT_OPEN, _MORE = 5, 3
"""Connections of a process to PostgreSQL that stay open, and additional ones for peaks."""
_WRITERS = 4
"""Concurrent writes of a process on PostgreSQL, so that one waiting for a row locked by a suspended process does not
delay other cases. The remaining connections are for reads."""
_READERS = 4
"""Reader threads. With the writer each has one of the five connections of SQLAlchemy's pool."""


class Database:
    """A database of Inquest. Reads run concurrently, and so do up to four writes per process on PostgreSQL. SQLite
    allows one writer at a time: within a process one thread does all writing, between processes SQLite waits
    (`busy_timeout`), and transactions that still fail are retried, so callers never see 'locked'."""

    def __init__(self, executor: _InThreads | _Awaited, where: str, dsn: str | None = None) -> None:
        self._executor = executor
        self.where = where
        """The name of the database without its password."""
        self.changes = Changes(dsn, self._new_events)
        """Notifies of changes in cases."""
        self.pool = Pool(dsn, POSTGRES_OPTIONS) if dsn is not None else None
        """Connections for checkpoints; None for SQLite, where each case opens its own."""
        self.pulse = Pulse(executor.apart)
        """Heartbeats for the cases this process runs."""

    @classmethod
    async def open(cls, url: str, *, migrate: bool = True) -> Self:
        """Open `sqlite:///PATH` or `postgresql://...`, and bring its tables up to date unless `migrate` is False.
        Raises SettingError if the URL is invalid or the database is of another version, StorageError if it cannot be
        reached, read or written."""
        address = _address(url)
        if address.get_backend_name() == "sqlite":
            database = cls(_InThreads(_sqlite_engine(address)), str(address.database))
        else:
            dsn = address.set(drivername="postgresql").render_as_string(hide_password=False)
            database = cls(_Awaited(_postgres_engine(address)), address.render_as_string(hide_password=True), dsn)
        try:
            if migrate and not await database.read(lambda connection: is_up_to_date(connection, database.where)):
                await database.write(lambda connection: bring_up_to_date(connection, database.where))
        except BaseException:
            await database.close()
            raise
        return database

    @property
    def is_sqlite(self) -> bool:
        return isinstance(self._executor, _InThreads)

    async def read(self, look: Callable[[Connection], T]) -> T:
        """Return the result of `look`, which sees one consistent state. It runs in another thread, possibly more than
        once, and its result must not need the connection."""
        return await self._until_unlocked(lambda: self._executor.read(look))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction. It runs in another thread, possibly more than once, so it must only use the
        connection. If the caller is cancelled, the transaction may or may not have been committed."""
        return await self._until_unlocked(lambda: self._executor.write(work))

    async def _until_unlocked(self, transaction: Callable[[], Awaitable[T]]) -> T:
        # Reads too: switching a new file to WAL fails at once while another connection does the same.
        for attempt in range(1, _TRIES + 1):
            try:
                return await transaction()
            except DBAPIError as error:
                if attempt == _TRIES or not is_locked(error):
                    raise storage_error(error, self.where) from error
                await asyncio.sleep(random.uniform(0.01, 0.05) * 2**attempt)
            except PoolTimeout as error:
                raise StorageError(
                    f"The database {self.where} had no free connection for half a minute.",
                    advice="This process is overloaded: try again later, or start another one.",
                ) from error
        raise AssertionError("unreachable")  # pragma: no cover

    def upsert(
        self,
        table: Table,
        row: Any,
        changed: Mapping[str, Any] | None = None,
        *,
        key: Sequence[str] = (),
        where: Any = None,
    ) -> Any:
        """Return an INSERT of a row, or of several, that makes these changes to one that exists; None: that leaves it
        alone. `key`: the columns that identify it, if not the primary key."""
        made = (sqlite if self.is_sqlite else postgresql).insert(table).values(row)
        if changed is None:
            return made.on_conflict_do_nothing()
        return made.on_conflict_do_update(index_elements=key or table.primary_key.columns, set_=changed, where=where)

    async def close(self) -> None:
        """Finish pending writes and close all connections. The database cannot be used afterwards."""
        await self.pulse.close()
        await self.changes.close()
        if self.pool is not None:
            await self.pool.close()
        await self._executor.close()

    async def _new_events(self, last: int) -> Sequence[tuple[int, str]]:
        rows = select(events.c.id, events.c.case_id)
        newest = rows.order_by(events.c.id.desc()).limit(1)
        query = newest if last < 0 else rows.where(events.c.id > last).order_by(events.c.id)
        return await self.read(lambda connection: [(row.id, row.case_id) for row in connection.execute(query)])


class Kept:
    """Base of classes that store one kind of object in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        return await self._database.read(lambda connection: connection.execute(query).all())

    async def _first(self, query: Select[Any]) -> Row[Any] | None:
        return await self._database.read(lambda connection: connection.execute(query).first())

    async def _number(self, row: Insert) -> int:
        """Insert a row and return its number."""
        query = row.returning(row.table.c.id)
        return int(await self._database.write(lambda connection: connection.execute(query).scalar_one()))

    async def _run(self, statement: Executable) -> None:
        await self._database.write(lambda connection: connection.execute(statement).close())


class _InThreads:
    """Runs each transaction as one call in a thread. Adapters that await each step (SQLAlchemy's over aiosqlite) switch
    threads ten times for what takes SQLite a tenth of a millisecond. Its methods, and those of `_Awaited`, raise
    DBAPIError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reading = ThreadPoolExecutor(_READERS, "inquest-read")
        self._writing = ThreadPoolExecutor(1, "inquest-write")

    async def read(self, look: Callable[[Connection], T]) -> T:
        def run() -> T:
            with self._engine.connect() as connection:
                return look(connection)

        return await asyncio.get_running_loop().run_in_executor(self._reading, run)

    async def write(self, work: Callable[[Connection], T]) -> T:
        def run() -> T:
            with self.apart() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._writing, run)

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        """Open a write transaction in the calling thread, independent of the event loop and its writes."""
        with self._engine.connect() as plain:
            connection = plain.execution_options(**{_WRITES: True})
            with connection.begin():
                yield connection

    async def close(self) -> None:
        for end in (self._reading.shutdown, self._writing.shutdown, self._engine.dispose):
            await asyncio.to_thread(end)


class _Awaited:
    """Runs transactions over an asynchronous driver."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writing = asyncio.Semaphore(_WRITERS)
        self._apart: Engine | None = None

    async def read(self, look: Callable[[Connection], T]) -> T:
        async with self._engine.connect() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ")
            return await connection.run_sync(look)

    async def write(self, work: Callable[[Connection], T]) -> T:
        async with self._writing, self._engine.begin() as connection:
            return await connection.run_sync(work)

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        if self._apart is None:
            options = {"connect_args": POSTGRES_OPTIONS, "pool_pre_ping": True, "pool_size": 1, "max_overflow": 0}
            self._apart = create_engine(self._engine.url, **options)
        with self._apart.begin() as connection:
            yield connection

    async def close(self) -> None:
        await self._engine.dispose()
        if self._apart is not None:
            await asyncio.to_thread(self._apart.dispose)


def _address(url: str) -> URL:
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise SettingError(
            "The database address is not a valid URL.",
            advice="Write INQUEST_DATABASE_URL as sqlite:///PATH or postgresql://USER@HOST/NAME.",
        ) from error
    match address.drivername.split("+")[0]:
        case "sqlite" if address.database and address.database != ":memory:":
            return address.set(drivername="sqlite+pysqlite")
        case "postgresql" | "postgres":
            return address.set(drivername="postgresql+psycopg")
        case "sqlite":
            raise SettingError(
                "The database address does not name a file.", advice="Write INQUEST_DATABASE_URL as sqlite:///PATH."
            )
        case other:
            raise SettingError(
                f"Inquest supports SQLite and PostgreSQL, not {other}.",
                advice="Write INQUEST_DATABASE_URL as sqlite:///PATH or postgresql://USER@HOST/NAME.",
            )


def _sqlite_engine(address: URL) -> Engine:
    folder = Path(str(address.database)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} for the database could not be created ({error.strerror}).",
            advice="Choose another data folder with INQUEST_HOME.",
        ) from error
    # By default the driver begins transactions late, and one that reads before it writes then fails.
    engine = create_engine(address, connect_args={"isolation_level": None, "timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    # NORMAL: after a power cut the last transactions may be lost, but the file is consistent (SQLite's manual, WAL).
    # INCREMENTAL: lets deleted pages be returned to the disk. It only has an effect before the first table is created,
    # and setting it again would write to the file.
    fresh = cursor.execute("PRAGMA page_count").fetchone() == (0,)
    pragmas = ("journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL")
    for pragma in ("auto_vacuum=INCREMENTAL", *pragmas) if fresh else pragmas:
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
    # Imported here because it loads the ORM, which SQLite does not need.
    from sqlalchemy.ext.asyncio import create_async_engine

    return create_async_engine(
        address, connect_args=POSTGRES_OPTIONS, pool_pre_ping=True, pool_size=_KEPT_OPEN, max_overflow=_MORE
    )
