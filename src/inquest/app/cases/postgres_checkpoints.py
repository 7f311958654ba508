"""Checkpoints in PostgreSQL: each write is in one transaction with a check that this runner still holds the case."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import Error

from inquest.domain.errors import Outage, StorageError, Superseded

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple

    from inquest.store.database import Connections, Pool
    from inquest.store.holds import CaseHold

_TRIES, _BETWEEN_TRIES = 600, 0.05
"""Attempts to lock the creation of tables, and the seconds between them: half a minute in all."""


async def postgres_saver(pool: Pool, hold: CaseHold) -> AsyncPostgresSaver:
    """The saver of one case on the connections of the process. Raises Outage, StorageError."""
    async with _as_outages():
        return _Saver(await pool.opened(_make_tables), hold)


class _Saver(AsyncPostgresSaver):
    """Writes under the hold, each in a transaction that prevents other runners from taking the case."""

    def __init__(self, connections: Connections, hold: CaseHold) -> None:
        shared: Any = connections
        super().__init__(shared)
        self._connections, self._hold = connections, hold
        self._one_write = asyncio.Lock()
        """Limits the writes of a case to one connection."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        async with _as_outages():
            return await super().aget_tuple(config)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        async with self._held() as held:
            return await held.aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        async with self._held() as held:
            await held.aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        async with self._held() as held:
            await held.adelete_thread(thread_id)

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[AsyncPostgresSaver]:
        """The library's own saver within the transaction."""
        query = "SELECT epoch FROM cases WHERE id = %s FOR SHARE"
        async with (
            self._one_write,
            _as_outages(),
            self._connections.connection() as connection,
            connection.transaction(),
        ):
            row = await (await connection.execute(query, (self._hold.case_id,))).fetchone()
            if row is None or row["epoch"] != self._hold.epoch:
                case_id = self._hold.case_id
                raise Superseded(f"Another process has taken over case {case_id}; this one no longer saves its steps.")
            yield AsyncPostgresSaver(connection, serde=self.serde)


@asynccontextmanager
async def _as_outages() -> AsyncIterator[None]:
    """Turn errors of PostgreSQL's driver into StorageError."""
    try:
        yield
    except Error as error:
        words = str(error).strip().splitlines()
        raise StorageError(
            f"The checkpoints cannot be saved or read ({words[0] if words else type(error).__name__}).",
            advice="Check that the database is reachable; the case continues from its last checkpoint.",
        ) from error


async def _make_tables(connections: Connections) -> None:
    """Create the library's tables if needed, under a lock, because two processes at once would fail. The lock is
    polled: the library creates its indexes concurrently, which waits for all running statements, including one that
    waits for the lock."""
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
