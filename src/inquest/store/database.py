"""The database: open, migrate, read, write, close; and what its own errors mean to a person."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from inquest.domain.errors import SettingError, StorageError
from inquest.store.changes import Changes
from inquest.store.pulse import Pulse
from inquest.store.schema import bring_up_to_date, is_up_to_date
from inquest.store.tables import events

if TYPE_CHECKING:
    from psycopg import AsyncConnection
    from psycopg_pool import AsyncConnectionPool

    Connections = AsyncConnectionPool[AsyncConnection[dict[str, Any]]]
    from sqlalchemy.ext.asyncio import AsyncEngine


# SQLite tells its errors apart by words only; PostgreSQL by five-character codes (its manual, appendix A).
_SQLITE = (
    ("database or disk is full", "The disk is full: {where} could not be written.", "Free some space and resume."),
    (
        "readonly database",
        "{where} is read-only.",
        "Give this user the right to write there, or choose another data folder with INQUEST_HOME.",
    ),
    (
        "not a database",
        "{where} is not a database of Inquest's, or it is damaged.",
        "Move it away to begin a new one, or restore it from a backup.",
    ),
    (
        "malformed",
        "{where} is damaged.",
        "Move it away to begin a new one, or restore it from a backup.",
    ),
    (
        "unable to open",
        "{where} could not be opened.",
        "Check that its folder exists and may be written to.",
    ),
    (
        "disk i/o error",
        # With no room left for its index of pages SQLite speaks of input and output, not of a full disk.
        "The disk is full or failing: {where} could not be read or written.",
        "Free some space and resume. Where there is space, check the disk first.",
    ),
    (
        "database is locked",
        "{where} has been locked by another process for too long.",
        "See which process holds it, and try again.",
    ),
)
_POSTGRES = (
    ("53100", "The disk of the database server is full ({where}).", "Free some space there and resume."),
    ("53", "The database server is out of resources ({where}).", "Try again later, or raise its limits."),
    ("25006", "The database {where} is read-only.", "Use its primary server in INQUEST_DATABASE_URL."),
    ("42501", "The database user lacks a right in {where}.", "Grant it the rights on its schema."),
    ("28", "The database {where} refused the user or the password.", "Check INQUEST_DATABASE_URL."),
    ("3D000", "The database {where} does not exist.", "Create it, or check INQUEST_DATABASE_URL."),
)


def is_locked(error: DBAPIError) -> bool:
    """Whether trying the transaction again can help: another writer was in the way."""
    if getattr(error.orig, "sqlstate", None) in ("40001", "40P01"):
        return True
    words = str(error.orig).lower()
    return "database is locked" in words or "database table is locked" in words


def storage_error(error: DBAPIError, where: str) -> StorageError:
    """The error as one sentence. `where` names the database without its password."""
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
            f"The database {where} could not be reached ({first}).",
            advice="Check that it runs and that it can be reached.",
        )
    return StorageError(f"The database {where} refused what was asked of it ({first}).")


_POOL_MOST = 4
"""Connections. A step of a case is kept in milliseconds, and a case takes minutes: few serve many."""
_POOL_SECONDS = 20.0
"""For which a connection is waited for: a database that is restarted is back by then."""


class Pool:
    """Opened when it is first asked for. `options`: for each connection."""

    def __init__(self, dsn: str, options: Mapping[str, Any]) -> None:
        self._dsn, self._options = dsn, options
        self._opening = asyncio.Lock()
        self._connections: Connections | None = None
        self._ready = False

    async def opened(self, prepare: Callable[[Connections], Awaitable[None]]) -> Connections:
        """The connections; `prepare` is called with them once, before anybody has them. Raises what it raises, and
        ImportError where the packages are not there."""
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
                    # Or, after a long absence of the database, it would be minutes until it looks again.
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
        """Give all connections back."""
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
"""For each connection to PostgreSQL. A process that is stopped within a transaction keeps the rows that it has
locked; the server ends such a transaction after five seconds, so that others can take the case over."""

_WRITES = "inquest_writes"
_KEPT_OPEN, _MORE = 5, 3
"""Connections of a process to PostgreSQL that stay open, and those that are opened beside them when all are taken."""
_WRITERS = 4
"""Writes of a process that run side by side on PostgreSQL. One that waits for a row that a stopped process has locked
holds up none of other cases; the rest of the connections is for those who read."""
_READERS = 4
"""Threads. With the writer's they have a connection each of SQLAlchemy's pool of five."""


class Database:
    """A database of Inquest's. Reads run side by side; on PostgreSQL so do writes, four of a process at a time.

    SQLite allows one writer at a time. Within the process one thread does all writing, between processes SQLite makes
    them wait (`busy_timeout`), and what is refused all the same is tried again: callers never see 'locked'.
    """

    def __init__(self, way: _Way, where: str, dsn: str | None = None) -> None:
        self._way = way
        self.where = where
        """The database as it may be shown: without its password."""
        self.changes = Changes(dsn, self._new_events)
        """Who waits for what happens in cases."""
        self.pool = Pool(dsn, POSTGRES_OPTIONS) if dsn is not None else None
        """Connections for the checkpoints; None: the database is a file, of which each case has its own connection."""
        self.pulse = Pulse(way.apart)
        """Signs of life for the cases that this process runs."""

    @classmethod
    async def open(cls, url: str, *, migrate: bool = True) -> Self:
        """Open `sqlite:///PATH` or `postgresql://...`, and bring its tables up to date unless `migrate` is False.

        Raises SettingError where the URL cannot be used or the database is a another version's, StorageError where it
        cannot be reached, read or written.
        """
        address = _address(url)
        if address.get_backend_name() == "sqlite":
            database = cls(_InThreads(_sqlite_engine(address)), str(address.database))
        else:
            dsn = address.set(drivername="postgresql").render_as_string(hide_password=False)
            database = cls(_Awaited(_postgres_engine(address)), address.render_as_string(hide_password=True), dsn)
        try:
            if migrate:
                await database._prepare()
        except BaseException:
            await database.close()
            raise
        return database

    @property
    def is_sqlite(self) -> bool:
        return isinstance(self._way, _InThreads)

    async def read(self, look: Callable[[Connection], T]) -> T:
        """What `look` finds, which sees one consistent state and is called in another thread: what it returns must not
        need the connection any more. It may be called more than once. Raises StorageError."""
        return await self._until_unlocked(lambda: self._way.read(look))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction: all of it is kept, or nothing. It is called in another thread and may be
        called more than once, so it must do nothing but talk to the connection. Raises StorageError.

        Whoever is cancelled while it runs cannot tell whether it was kept.
        """
        return await self._until_unlocked(lambda: self._way.write(work))

    async def _until_unlocked(self, transaction: Callable[[], Awaitable[T]]) -> T:
        # Readers too: a connection that turns a new file to WAL is refused at once while another one does the same.
        for attempt in range(1, _TRIES + 1):
            try:
                return await transaction()
            except DBAPIError as error:
                if attempt == _TRIES or not is_locked(error):
                    raise storage_error(error, self.where) from error
                await asyncio.sleep(random.uniform(0.01, 0.05) * 2**attempt)
            except PoolTimeout as error:
                raise _too_busy(self.where) from error
        raise AssertionError("unreachable")  # pragma: no cover

    def upsert(self, table: Table) -> Any:
        """An INSERT that knows `on_conflict_do_update` and `returning`, in this database's dialect."""
        return sqlite.insert(table) if self.is_sqlite else postgresql.insert(table)

    async def close(self) -> None:
        """Give all connections back, once what is being written is written. The database can't be used afterwards."""
        await self.pulse.close()
        await self.changes.close()
        if self.pool is not None:
            await self.pool.close()
        await self._way.close()

    async def _new_events(self, last: int) -> Sequence[tuple[int, str]]:
        rows = select(events.c.id, events.c.case_id)
        newest = rows.order_by(events.c.id.desc()).limit(1)
        query = newest if last < 0 else rows.where(events.c.id > last).order_by(events.c.id)
        return await self.read(lambda connection: [(row.id, row.case_id) for row in connection.execute(query)])

    async def _prepare(self) -> None:
        if not await self.read(lambda connection: is_up_to_date(connection, self.where)):
            await self.write(lambda connection: bring_up_to_date(connection, self.where))


class Kept:
    """What is kept of one kind of thing, in the tables of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database


class _Way(Protocol):
    """How transactions are run. Each raises DBAPIError."""

    async def read(self, look: Callable[[Connection], T]) -> T: ...

    async def write(self, work: Callable[[Connection], T]) -> T: ...

    def apart(self) -> AbstractContextManager[Connection]:
        """One transaction that writes, in the calling thread, whatever the loop and its writes are at."""
        ...

    async def close(self) -> None: ...


class _InThreads:
    """A transaction is one piece of work in a thread. An adapter that awaits each step of one (SQLAlchemy's over
    aiosqlite) crosses between threads ten times for what takes SQLite a tenth of a millisecond."""

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
        with self._engine.connect() as plain:
            connection = plain.execution_options(**{_WRITES: True})
            with connection.begin():
                yield connection

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._reading.shutdown()
        self._writing.shutdown()
        self._engine.dispose()


class _Awaited:
    """Over a driver that waits for its server without a thread."""

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


def _too_busy(where: str) -> StorageError:
    return StorageError(
        f"The database {where} had no connection free for half a minute.",
        advice="Too much is asked of this process at once: try again, or start another.",
    )


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
            return address.set(drivername="sqlite+pysqlite")
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


def _sqlite_engine(address: URL) -> Engine:
    folder = Path(str(address.database)).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} for the database could not be made ({error.strerror}).",
            advice="Choose another data folder with INQUEST_HOME.",
        ) from error
    # Without isolation_level=None the driver begins transactions itself, late, and a reader that turns writer fails.
    engine = create_engine(address, connect_args={"isolation_level": None, "timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    # NORMAL: after a power cut the last moments may be missing, but the file is whole (SQLite's manual, WAL).
    # INCREMENTAL: what is deleted can be given back to the disk. Only a file without tables takes it, and to name it
    # again writes to the file, so a database that is there already is not asked.
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
    # Here, because it loads the whole mapper, which SQLite does without.
    from sqlalchemy.ext.asyncio import create_async_engine

    return create_async_engine(
        address, connect_args=POSTGRES_OPTIONS, pool_pre_ping=True, pool_size=_KEPT_OPEN, max_overflow=_MORE
    )
