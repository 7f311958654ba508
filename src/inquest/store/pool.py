"""Connections of a process to PostgreSQL for another library's tables (checkpoints), shared by all of its cases."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psycopg import AsyncConnection
    from psycopg_pool import AsyncConnectionPool

    Connections = AsyncConnectionPool[AsyncConnection[dict[str, Any]]]

_MOST = 4
"""Connections. A step of a case is kept in milliseconds, and a case takes minutes: few serve many."""
_SECONDS = 20.0
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
                    max_size=_MOST,
                    timeout=_SECONDS,
                    # Or, after a long absence of the database, it would be minutes until it looks again.
                    reconnect_timeout=_SECONDS,
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
