"""Checkpoints of a case, in the same database as everything else, written only under the hold of its runner.

The savers are LangGraph's own. Each of their writes is put into one transaction with the look whether the case is still
this runner's, so that a runner whose case was taken leaves no step behind beside its successor's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from inquest.domain.errors import Outage, SettingError, StorageError, Superseded

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver, ChannelVersions, Checkpoint, CheckpointMetadata

    from inquest.store.database import Database
    from inquest.store.holds import CaseHold


async def open_saver(database: Database, hold: CaseHold, stack: AsyncExitStack) -> BaseCheckpointSaver[str]:
    """Checkpoints in the database; closed with the stack. Raises SettingError, Outage, StorageError."""
    if database.pool is None:
        import aiosqlite

        connection = await stack.enter_async_context(aiosqlite.connect(database.where, timeout=30))
        saver: Any = _sqlite_saver(connection, hold)
        stack.push_async_callback(undo_half_write, saver)
        await _set_up(saver)
        await saver.guard()
        return saver  # type: ignore[no-any-return]
    try:
        from inquest.app.cases.postgres_checkpoints import postgres_saver

        return await postgres_saver(database.pool, hold)
    except ImportError as error:
        raise SettingError(
            "PostgreSQL needs the extra packages of `inquest[postgres]`.", advice="Install them."
        ) from error


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
                taken = f"Another process has taken case {hold.case_id} over; this one keeps no more steps of it."
                raise Superseded(taken) from error

    return Saver(connection)


async def _set_up(saver: Any) -> None:
    try:
        await saver.setup()
    except OSError as error:
        raise Outage(f"The checkpoints cannot be kept ({error}).") from error
