"""Checkpoints of a case, in the same database as everything else, written only under the hold of its runner.

The savers are LangGraph's. Each write is in one transaction with a check that this runner still holds the case, so that
a superseded runner leaves no step among its successor's.
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
    """Open checkpoints in the database, closed with the stack. Raises SettingError, Outage, StorageError."""
    if database.pool is None:
        import aiosqlite

        connection = await stack.enter_async_context(aiosqlite.connect(database.where, timeout=30))
        saver: Any = _sqlite_saver(connection, hold)
        stack.push_async_callback(undo_half_write, saver)
        try:
            await saver.guard()
        except OSError as error:
            raise Outage(f"The checkpoints cannot be saved ({error}).") from error
        return saver  # type: ignore[no-any-return]
    try:
        from inquest.app.cases.postgres_checkpoints import postgres_saver

        return await postgres_saver(database.pool, hold)
    except ImportError as error:
        raise SettingError(
            "PostgreSQL needs the extra packages of `inquest[postgres]`.", advice="Install them."
        ) from error


async def forget_steps(saver: BaseCheckpointSaver[str], case_id: str, *, is_sqlite: bool) -> None:
    """Delete the checkpoints of a finished case: its results are in the store, and checkpoints take up nine tenths of
    its space. They stay if the database cannot delete them now."""
    with suppress(StorageError):
        try:
            await saver.adelete_thread(case_id)
            if is_sqlite:
                connection: Any = saver
                await connection.conn.executescript("PRAGMA incremental_vacuum")  # only a script is run to completion
        except Exception as error:
            if type(error).__module__.partition(".")[0] not in ("sqlite3", "psycopg", "psycopg_pool"):
                raise


async def last_checkpoint(saver: BaseCheckpointSaver[str], case_id: str) -> datetime | None:
    """The time of the last checkpoint; work after it is repeated."""
    last = await saver.aget_tuple({"configurable": {"thread_id": case_id}})
    return datetime.fromisoformat(last.checkpoint["ts"]) if last else None


async def undo_half_write(saver: Any) -> None:
    """Roll back a write of an SQLite saver that was interrupted before its commit. A connection closed in a transaction
    keeps its lock on the database as long as any of its cursors is referenced."""
    with suppress(ValueError):  # the connection is closed
        await saver.conn.rollback()


_GUARD = """
CREATE TEMP TRIGGER IF NOT EXISTS held_{table}_{act} BEFORE {act} ON main.{table}
WHEN (SELECT epoch FROM main.cases WHERE id = {case}) IS NOT {epoch}
BEGIN SELECT RAISE(ROLLBACK, 'superseded'); END
"""
"""Triggers of one connection that check the hold within the transaction of each write."""


def _sqlite_saver(connection: Any, hold: CaseHold) -> BaseCheckpointSaver[str]:
    from sqlite3 import IntegrityError

    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    class Saver(AsyncSqliteSaver):
        """Writes under the hold, checked by triggers of its connection."""

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
                why = f"Another process has taken over case {hold.case_id}; this one no longer saves its steps."
                raise Superseded(why) from error

    return Saver(connection)
