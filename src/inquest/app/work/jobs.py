"""A job manager that survives a restart of the database and only ends jobs of its own worker."""

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
"""Seconds between attempts while the database is unreachable, and the number of attempts."""
_OWN = "FROM procrastinate_jobs WHERE id = %(job_id)s AND worker_id = %(worker_id)s AND status = 'doing'"
"""Excludes jobs that were taken back from this worker: they are not its own to finish or retry."""
_FINISH = f"SELECT procrastinate_finish_job_v1(id, %(status)s, %(delete_job)s) {_OWN}"
_AGAIN = f"SELECT procrastinate_retry_job_v2(id, %(retry_at)s, NULL, NULL, NULL) {_OWN}"


async def _always() -> bool:
    return True


class Jobs(JobManager):
    """Wait for a database that is being restarted, which would otherwise end the worker and its cases."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self.worker_id: int | None = None
        """The row of the registered worker."""
        self.room: Callable[[], Awaitable[bool]] = _always
        """Returns True if the worker has room for one more job."""

    async def fetch_job(self, queues: Any, worker_id: int) -> jobs.Job | None:
        if not await self.room():
            return None
        return await _retried(lambda: JobManager.fetch_job(self, queues, worker_id))

    async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:
        values = {"status": status.value, "delete_job": delete_job}
        await _retried(lambda: self._of_own(_FINISH, job, **values))

    async def retry_job(self, job: jobs.Job, retry_at: datetime | None = None, *rest: Any, **named: Any) -> None:
        """Put the job back with its priority, queue and lock unchanged."""
        await _retried(lambda: self._of_own(_AGAIN, job, retry_at=retry_at))

    async def register_worker(self) -> int:
        self.worker_id = await _retried(lambda: JobManager.register_worker(self))
        return self.worker_id

    async def update_heartbeat(self, worker_id: int) -> None:
        """Do nothing: the process's heartbeat (`Pulse`) includes it, however busy the loop is."""

    async def listen_for_jobs(self, **how: Any) -> None:
        await _retried(lambda: JobManager.listen_for_jobs(self, **how))

    async def _of_own(self, query: str, job: jobs.Job, **values: Any) -> None:
        await self.connector.execute_query_all_async(query, job_id=job.id, worker_id=job.worker_id, **values)


async def _retried(act: Callable[[], Awaitable[T]]) -> T:
    for attempt in range(_TRIES):
        try:
            return await act()
        except UniqueViolation:
            raise
        except ConnectorException as error:
            if attempt == _TRIES - 1 or not isinstance(error.__cause__, OperationalError | TimeoutError | OSError):
                raise
            log.warning("the queue's database is unreachable (%s)", error.__cause__ or error)
            await asyncio.sleep(_PAUSE)
    raise AssertionError("unreachable")  # pragma: no cover
