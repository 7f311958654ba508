"""The queue: procrastinate's tables in the database of the cases, and a job manager that outlives a database restart.

A job is one case's id. Its lock lets no two workers have one case; its queueing lock lets it wait once only. Whether a
case is still to be worked on stands in `submissions`, which no crash of a worker touches: a job that got lost is made
again from there (`sweeping.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from inquest.domain.errors import SettingError, StorageError

if TYPE_CHECKING:
    import procrastinate
    from procrastinate.manager import JobManager

log = logging.getLogger("inquest.work")
T = TypeVar("T")

TASK = "work_on_case"
_LOCK = 0x1A9E58
"""The key of the advisory lock under which the queue's tables are made."""
_PRIORITIES = {"market": 20, "inquiry": 10}
"""By the kind of case: whoever asks the market desk waits for the answer; greater is sooner."""
_PAUSE, _LONGEST = 1.0, 120
"""Seconds between two tries while the database is away, and how many tries."""


def check_installed() -> None:
    """Raise SettingError where the packages for work on many machines are not there."""
    if find_spec("procrastinate") is None:
        raise SettingError(
            "Work on several machines needs packages that are not installed.",
            advice="Install them with: pip install 'inquest[server,postgres]'.",
        )


def priority_of(kind: str) -> int:
    """Of a case of this kind; 0 is the usual one."""
    return _PRIORITIES.get(kind, 0)


async def prepare(url: str) -> None:
    """Make the queue's tables, or bring them up to the installed version; nothing happens where they are. Raises
    StorageError."""
    import psycopg
    from procrastinate.schema import SchemaManager, migrations_path

    installed = version("procrastinate")
    try:
        async with await psycopg.AsyncConnection.connect(url, connect_timeout=10) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            found = await connection.execute(
                "SELECT to_regclass('procrastinate_jobs') IS NOT NULL,"
                " obj_description(to_regclass('procrastinate_jobs'), 'pg_class')"
            )
            there, note = await found.fetchone() or (False, None)
            if note == installed:
                return
            if not there:
                await connection.execute(SchemaManager.get_schema())
            elif note is not None:
                for path in _missing(migrations_path, note):
                    await connection.execute(path.read_bytes())
            await connection.execute(f"COMMENT ON TABLE procrastinate_jobs IS '{installed}'".encode())
    except psycopg.Error as error:
        raise StorageError(
            f"The tables of the queue could not be made ({str(error).splitlines()[0]}).",
            advice="Check that the database can be reached and that its user may make tables.",
        ) from error


def _missing(folder: Path, since: str) -> list[Path]:
    """The library's migrations after that version, in their order; its files are named by version (03.04.00_01_...)."""
    had = tuple(int(part) for part in since.split(".")[:3])
    files = sorted(folder.glob("*.sql"))
    return [path for path in files if tuple(int(part) for part in path.name.split("_")[0].split(".")) > had]


def made_queue(url: str) -> procrastinate.App:
    """The queue at this database; to be opened by whoever uses it (`async with queue.open_async()`)."""
    import procrastinate

    connector = procrastinate.PsycopgConnector(
        conninfo=url, min_size=1, max_size=4, timeout=5, kwargs={"connect_timeout": 10}
    )
    queue = procrastinate.App(connector=connector)
    queue.job_manager = _patient_manager(connector)
    return queue


async def defer(queue: procrastinate.App, case_id: str, kind: str) -> None:
    """Put the case into the queue, unless it waits there already. Raises StorageError."""
    from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

    job = queue.configure_task(TASK, lock=case_id, queueing_lock=case_id, priority=priority_of(kind))
    try:
        await job.defer_async(case_id=case_id)
    except AlreadyEnqueued:
        return
    except ConnectorException as error:
        raise StorageError(
            f"Case {case_id} could not be put into the queue.", advice="It will be, once the database can be reached."
        ) from error


def _patient_manager(connector: Any) -> JobManager:
    from procrastinate import jobs
    from procrastinate.exceptions import ConnectorException, UniqueViolation
    from procrastinate.manager import JobManager

    async def patiently(act: Callable[[], Awaitable[T]]) -> T:
        for attempt in range(_LONGEST):
            try:
                return await act()
            except UniqueViolation:
                raise
            except ConnectorException as error:
                if attempt == _LONGEST - 1 or not _is_away(error):
                    raise
                log.warning("the queue's database is away (%s)", error.__cause__ or error)
                await asyncio.sleep(_PAUSE)
        raise AssertionError("unreachable")  # pragma: no cover

    class Patient(JobManager):
        """Waits for a database that is restarted, which would otherwise end the worker and all it works on."""

        async def fetch_job(self, queues: Any, worker_id: int) -> jobs.Job | None:
            return await patiently(lambda: JobManager.fetch_job(self, queues, worker_id))

        async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:
            await patiently(lambda: JobManager.finish_job(self, job, status, delete_job))

        async def retry_job(
            self,
            job: jobs.Job,
            retry_at: datetime | None = None,
            priority: int | None = None,
            queue: str | None = None,
            lock: str | None = None,
        ) -> None:
            await patiently(lambda: JobManager.retry_job(self, job, retry_at, priority, queue, lock))

        async def register_worker(self) -> int:
            return await patiently(lambda: JobManager.register_worker(self))

        async def update_heartbeat(self, worker_id: int) -> None:
            await patiently(lambda: JobManager.update_heartbeat(self, worker_id))

        async def listen_for_jobs(self, **how: Any) -> None:
            await patiently(lambda: JobManager.listen_for_jobs(self, **how))

    return Patient(connector)


def _is_away(error: BaseException) -> bool:
    """True where the server could not be reached, and False where it refused what it was asked."""
    from psycopg import OperationalError

    return isinstance(error.__cause__, OperationalError | TimeoutError | OSError)
