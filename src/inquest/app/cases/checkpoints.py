"""Checkpoints of a case, in the same database as everything else, written only under the hold of its runner.

The savers are LangGraph's own. Each of their writes is put into one transaction with the look whether the case is still
this runner's, so that a runner whose case was taken leaves no step behind beside its successor's.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from inquest.domain.errors import Outage, SettingError, StorageError, Superseded

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver, ChannelVersions, Checkpoint, CheckpointMetadata

    from inquest.store.holds import CaseHold

_TRIES, _BETWEEN_TRIES = 600, 0.05
"""How often, and after how many seconds, the lock on the making of tables is tried for: half a minute in all."""


async def open_saver(url: str, hold: CaseHold, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    """Checkpoints in the database at `url`; closed with the stack. Raises SettingError, Outage, StorageError."""
    if url.startswith("sqlite"):
        import aiosqlite

        connection = await stack.enter_async_context(aiosqlite.connect(url.removeprefix("sqlite:///"), timeout=30))
        saver: Any = _sqlite_saver(connection, hold)
        stack.push_async_callback(undo_half_write, saver)
        await _set_up(saver)
        await saver.guard()
        return saver  # type: ignore[no-any-return]
    try:
        saver = await _postgres_saver(url, hold, stack)
    except ImportError as error:
        raise SettingError(
            "PostgreSQL needs the extra packages of `inquest[postgres]`.", advice="Install them."
        ) from error
    async with _as_outages():
        await _one_at_a_time(saver.conn)
        await _set_up(saver)
        await saver.conn.execute("SELECT pg_advisory_unlock(hashtext('inquest checkpoints'))")
    return saver  # type: ignore[no-any-return]


async def forget_steps(saver: BaseCheckpointSaver[str], case_id: str, *, is_sqlite: bool) -> None:
    """Forget the checkpoints of a case that nobody goes on with: what it found is in the store, and they were nine
    tenths of its size. Where the database does not let them go now they stay, and nothing is lost."""
    with suppress(StorageError):
        try:
            await saver.adelete_thread(case_id)
            if is_sqlite:
                connection: Any = saver
                await connection.conn.executescript("PRAGMA incremental_vacuum")  # a script is carried on to its end
        except Exception as error:
            if type(error).__module__.partition(".")[0] not in ("sqlite3", "psycopg", "psycopg_pool"):
                raise


async def last_checkpoint(saver: BaseCheckpointSaver[str], case_id: str) -> datetime | None:
    """When the case last got on for good; what it did after that is done again."""
    last = await saver.aget_tuple({"configurable": {"thread_id": case_id}})
    return datetime.fromisoformat(last.checkpoint["ts"]) if last else None


async def undo_half_write(saver: Any) -> None:
    """Undo what an SQLite saver was cut off in between a write and its commit. A connection that is closed with an open
    transaction is kept, with its lock on the whole database, for as long as any cursor of it is referred to."""
    with suppress(ValueError):  # it is closed
        await saver.conn.rollback()


_GUARD = """
CREATE TEMP TRIGGER IF NOT EXISTS held_{table}_{act} BEFORE {act} ON main.{table}
WHEN (SELECT epoch FROM main.cases WHERE id = {case}) IS NOT {epoch}
BEGIN SELECT RAISE(ROLLBACK, 'superseded'); END
"""
"""Of one connection: SQLite then looks at each write whose the case is, within the transaction of the write."""


def _sqlite_saver(connection: Any, hold: CaseHold) -> BaseCheckpointSaver[str]:
    from sqlite3 import IntegrityError

    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    class Saver(AsyncSqliteSaver):
        """Writes under the hold, which triggers of its connection look after."""

        async def guard(self) -> None:
            await self.setup()
            case = "'" + hold.case_id.replace("'", "''") + "'"
            for table in ("checkpoints", "writes"):
                for act in ("INSERT", "DELETE"):
                    await self.conn.execute(_GUARD.format(table=table, act=act, case=case, epoch=hold.epoch))

        async def aput(
            self,
            config: RunnableConfig,
            checkpoint: Checkpoint,
            metadata: CheckpointMetadata,
            new_versions: ChannelVersions,
        ) -> RunnableConfig:
            with self._held():
                return await super().aput(config, checkpoint, metadata, new_versions)

        async def aput_writes(
            self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
        ) -> None:
            with self._held():
                await super().aput_writes(config, writes, task_id, task_path)

        async def adelete_thread(self, thread_id: str) -> None:
            with self._held():
                await super().adelete_thread(thread_id)

        @contextmanager
        def _held(self) -> Iterator[None]:
            try:
                yield
            except IntegrityError as error:
                if "superseded" not in str(error):
                    raise
                raise _superseded(hold) from error

    return Saver(connection)


async def _postgres_saver(url: str, hold: CaseHold, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg import AsyncConnection
    from psycopg.rows import dict_row

    from inquest.store.database import POSTGRES_OPTIONS

    class Saver(AsyncPostgresSaver):
        """Writes under the hold, each in a transaction that keeps others from taking the case until it has ended."""

        def __init__(self, connection: Any) -> None:
            super().__init__(connection)
            self._one_write = asyncio.Lock()

        async def aput(
            self,
            config: RunnableConfig,
            checkpoint: Checkpoint,
            metadata: CheckpointMetadata,
            new_versions: ChannelVersions,
        ) -> RunnableConfig:
            async with self._held():
                return await super().aput(config, checkpoint, metadata, new_versions)

        async def aput_writes(
            self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
        ) -> None:
            async with self._held():
                await super().aput_writes(config, writes, task_id, task_path)

        async def adelete_thread(self, thread_id: str) -> None:
            async with self._held():
                await super().adelete_thread(thread_id)

        @asynccontextmanager
        async def _held(self) -> AsyncIterator[None]:
            connection: Any = self.conn
            async with self._one_write, _as_outages(), connection.transaction():
                async with self.lock:
                    found = await connection.execute("SELECT epoch FROM cases WHERE id = %s FOR SHARE", (hold.case_id,))
                    row = await found.fetchone()
                if row is None or row["epoch"] != hold.epoch:
                    raise _superseded(hold)
                yield

    async with _as_outages():
        connection = await stack.enter_async_context(
            await AsyncConnection.connect(
                url, autocommit=True, prepare_threshold=0, row_factory=dict_row, **POSTGRES_OPTIONS
            )
        )
    return Saver(connection)


def _superseded(hold: CaseHold) -> Superseded:
    return Superseded(f"Another process has taken case {hold.case_id} over; this one keeps no more steps of it.")


@asynccontextmanager
async def _as_outages() -> AsyncIterator[None]:
    """What PostgreSQL's driver says, as a StorageError."""
    from psycopg import Error

    try:
        yield
    except Error as error:
        words = str(error).strip().splitlines()
        raise StorageError(
            f"The checkpoints cannot be kept or read ({words[0] if words else type(error).__name__}).",
            advice="Check that the database runs and can be reached; the case goes on from its last checkpoint.",
        ) from error


async def _set_up(saver: Any) -> None:
    try:
        await saver.setup()
    except OSError as error:
        raise Outage(f"The checkpoints cannot be kept ({error}).") from error


async def _one_at_a_time(connection: Any) -> None:
    """Wait until nobody else makes the tables of checkpoints in a fresh PostgreSQL database: two at once break each
    other's. The lock is the connection's and ends with it.

    It is tried for again and again: its indexes are made concurrently, which waits for every statement that is under
    way, and so for ever for one that waits for the lock."""
    for _ in range(_TRIES):
        got = await connection.execute("SELECT pg_try_advisory_lock(hashtext('inquest checkpoints')) AS got")
        if (await got.fetchone())["got"]:
            return
        await asyncio.sleep(_BETWEEN_TRIES)
    raise Outage("Another process has been making the tables of checkpoints for too long. Try again later.")
