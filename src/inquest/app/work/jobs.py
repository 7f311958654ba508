"""What a worker asks of the queue's tables, so that it outlives a restart of the database and keeps to its own jobs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any, TypeVar

from procrastinate import jobs
from procrastinate.connector import BaseConnector
from procrastinate.exceptions import ConnectorException, UniqueViolation
from procrastinate.manager import JobManager
from psycopg import OperationalError

log = logging.getLogger("inquest.work")
T = TypeVar("T")

_PAUSE, _TRIES = 1.0, 120
"""Seconds between two tries while the database is away, and how many tries."""
_OWN = "FROM procrastinate_jobs WHERE id = %(job_id)s AND worker_id = %(worker_id)s AND status = 'doing'"
"""A job that was taken back from this worker is another's: neither ended nor put back by this one."""
_FINISH = f"SELECT procrastinate_finish_job_v1(id, %(status)s, %(delete_job)s) {_OWN}"
_AGAIN = f"SELECT procrastinate_retry_job_v2(id, %(retry_at)s, NULL, NULL, NULL) {_OWN}"


async def _always() -> bool:
    return True


class Jobs(JobManager):
    """Waits for a database that is restarted, which would otherwise end the worker and all it works on."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self.worker_id: int | None = None
        """The row of the worker that registered here; None: none has."""
        self.room: Callable[[], Awaitable[bool]] = _always
        """Says whether the worker has room for one more job now."""

    async def fetch_job(self, queues: Any, worker_id: int) -> jobs.Job | None:
        if not await self.room():
            return None
        return await _patiently(lambda: JobManager.fetch_job(self, queues, worker_id))

    async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:
        values = {"status": status.value, "delete_job": delete_job}
        await _patiently(lambda: self._of_own(_FINISH, job, **values))

    async def retry_job(
        self,
        job: jobs.Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Put it back; its priority, queue and lock stay as they are."""
        await _patiently(lambda: self._of_own(_AGAIN, job, retry_at=retry_at))

    async def register_worker(self) -> int:
        self.worker_id = await _patiently(lambda: JobManager.register_worker(self))
        return self.worker_id

    async def update_heartbeat(self, worker_id: int) -> None:
        """Nothing: the process's signs of life have it (store.pulse), however busy the loop is."""

    async def listen_for_jobs(self, **how: Any) -> None:
        await _patiently(lambda: JobManager.listen_for_jobs(self, **how))

    async def _of_own(self, query: str, job: jobs.Job, **values: Any) -> None:
        await self.connector.execute_query_all_async(query, job_id=job.id, worker_id=job.worker_id, **values)


async def _patiently(act: Callable[[], Awaitable[T]]) -> T:
    for attempt in range(_TRIES):
        try:
            return await act()
        except UniqueViolation:
            raise
        except ConnectorException as error:
            if attempt == _TRIES - 1 or not _is_away(error):
                raise
            log.warning("the queue's database is away (%s)", error.__cause__ or error)
            await asyncio.sleep(_PAUSE)
    raise AssertionError("unreachable")  # pragma: no cover


def _is_away(error: BaseException) -> bool:
    """True where the server could not be reached, and False where it refused what it was asked."""
    return isinstance(error.__cause__, OperationalError | TimeoutError | OSError)
