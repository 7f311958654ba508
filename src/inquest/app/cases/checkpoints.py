"""Checkpoints of a case, in the same database as everything else, written only under the hold of its runner.

The savers are LangGraph's. Each write is in one transaction with a check that this runner still holds the case, so that
a superseded runner leaves no step among its successor's.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from inquest.domain.errors import Outage, SettingError, StorageError, Superseded

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple

    from inquest.store.database import Connections, Database, Pool
    from inquest.store.holds import CaseHold


async def open_saver(database: Database, hold: CaseHold, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    """Open checkpoints in the database, closed with the stack. Raises SettingError, Outage, StorageError."""
    if database.pool is None:
        import aiosqlite

        async with _as_outages():
            connection = await stack.enter_async_context(aiosqlite.connect(database.where, timeout=30))
            return await _sqlite_saver(connection, hold, stack)
    try:
        return await postgres_saver(database.pool, hold)
    except ImportError as error:
        raise SettingError(
            "PostgreSQL needs the extra packages of `inquest[postgres]`.", advice="Install them."
        ) from error


async def forget_steps(saver: BaseCheckpointSaver[str], case_id: str, *, is_sqlite: bool) -> None:
    """Delete the checkpoints of a finished case: its results are in the store, and checkpoints take up nine tenths of
    its space. They stay if the database cannot delete them now."""
    with suppress(StorageError):
        async with _as_outages():
            await saver.adelete_thread(case_id)
            if is_sqlite:
                connection: Any = saver
                await connection.conn.executescript("PRAGMA incremental_vacuum")  # only a script is run to completion


async def last_checkpoint(saver: BaseCheckpointSaver[str], case_id: str) -> datetime | None:
    """The time of the last checkpoint; work after it is repeated."""
    last = await saver.aget_tuple({"configurable": {"thread_id": case_id}})
    return datetime.fromisoformat(last.checkpoint["ts"]) if last else None


async def undo_half_write(saver: Any) -> None:
    """Roll back a write of an SQLite saver that was interrupted before its commit. A connection closed in a transaction
    keeps its lock on the database as long as any of its cursors is referenced. A write in progress is finished
    first: LangGraph leaves some behind if it is cancelled while it ends (its issue 6950)."""
    with suppress(ValueError):  # the connection is closed
        async with saver.lock:
            await saver.conn.rollback()


class _Guarded:
    """A saver whose writes are made by another, which `_held` provides while this runner holds the case."""

    _held: Callable[[], AbstractAsyncContextManager[Any]]

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        async with _as_outages():
            return await super().aget_tuple(config)  # type: ignore[misc, no-any-return]

    async def aput(self, *args: Any, **named: Any) -> Any:
        async with _as_outages(), self._held() as held:
            return await held.aput(*args, **named)

    async def aput_writes(self, *args: Any, **named: Any) -> None:
        async with _as_outages(), self._held() as held:
            await held.aput_writes(*args, **named)

    async def adelete_thread(self, thread_id: str) -> None:
        async with _as_outages(), self._held() as held:
            await held.adelete_thread(thread_id)


def _superseded(hold: CaseHold) -> Superseded:
    return Superseded(f"Another process has taken over case {hold.case_id}; this one no longer saves its steps.")


_GUARD = """
CREATE TEMP TRIGGER IF NOT EXISTS held_{table}_{act} BEFORE {act} ON main.{table}
WHEN (SELECT epoch FROM main.cases WHERE id = {case}) IS NOT {epoch}
BEGIN SELECT RAISE(ROLLBACK, 'superseded'); END
"""
"""Triggers of one connection that check the hold within the transaction of each write."""


async def _sqlite_saver(connection: Any, hold: CaseHold, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    from sqlite3 import IntegrityError

    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    class Saver(_Guarded, AsyncSqliteSaver):
        @asynccontextmanager
        async def _held(self) -> AsyncIterator[Any]:
            try:
                yield super(_Guarded, self)
            except IntegrityError as error:
                if "superseded" not in str(error):
                    raise
                raise _superseded(hold) from error

    saver = Saver(connection)
    stack.push_async_callback(undo_half_write, saver)  # no write comes between it and the close
    await saver.setup()
    case = "'" + hold.case_id.replace("'", "''") + "'"
    for table in ("checkpoints", "writes"):
        for act in ("INSERT", "DELETE"):
            await connection.execute(_GUARD.format(table=table, act=act, case=case, epoch=hold.epoch))
    return saver


async def postgres_saver(pool: Pool, hold: CaseHold) -> BaseCheckpointSaver[str]:
    """The saver of one case on the connections of the process. Raises Outage, StorageError, ImportError."""
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    one_write = asyncio.Lock()
    """Limits the writes of a case to one connection."""

    class Saver(_Guarded, AsyncPostgresSaver):
        @asynccontextmanager
        async def _held(self) -> AsyncIterator[Any]:
            """The library's own saver in a transaction that prevents other runners from taking the case."""
            query = "SELECT epoch FROM cases WHERE id = %s FOR SHARE"
            async with one_write, shared.connection() as connection, connection.transaction():
                row = await (await connection.execute(query, (hold.case_id,))).fetchone()
                if row is None or row["epoch"] != hold.epoch:
                    raise _superseded(hold)
                yield AsyncPostgresSaver(connection, serde=self.serde)

    async with _as_outages():
        shared: Any = await pool.opened(_make_tables)
        return Saver(shared)


@asynccontextmanager
async def _as_outages() -> AsyncIterator[None]:
    """Turn errors of the database's driver into StorageError."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("sqlite3", "psycopg", "psycopg_pool"):
            raise
        words = str(error).strip().splitlines()
        raise StorageError(
            f"The checkpoints cannot be saved or read ({words[0] if words else type(error).__name__}).",
            advice="Check that the database is reachable and its disk has space; the case continues from its last "
            "checkpoint.",
        ) from error


_TRIES, _BETWEEN_TRIES = 600, 0.05
"""Attempts to lock the creation of tables, and the seconds between them: half a minute in all."""


async def _make_tables(connections: Connections) -> None:
    """Create the library's tables if needed, under a lock, because two processes at once would fail. The lock is
    polled: the library creates its indexes concurrently, which waits for all running statements, including one that
    waits for the lock."""
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    async with connections.connection() as connection:
        for _ in range(_TRIES):
            got = await connection.execute("SELECT pg_try_advisory_lock(hashtext('inquest checkpoints')) AS got")
            row = await got.fetchone()
            if row is not None and row["got"]:
                break
            await asyncio.sleep(_BETWEEN_TRIES)
        else:
            raise Outage("Another process is taking too long to create the checkpoint tables. Try again later.")
        try:
            await AsyncPostgresSaver(connection).setup()
        finally:
            await connection.execute("SELECT pg_advisory_unlock(hashtext('inquest checkpoints'))")
