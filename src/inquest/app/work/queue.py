"""The queue: procrastinate's tables in the database of the cases, and a job manager that outlives a database restart.

A job is one case's id. Its lock lets no two workers have one case; its queueing lock lets it wait once only. Whether a
case is still to be worked on stands in `submissions`, which no crash of a worker touches: a job that got lost is made
again from there (`sweeping.py`).
"""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.domain.errors import SettingError, StorageError

if TYPE_CHECKING:
    import procrastinate

    from inquest.app.work.jobs import Jobs

TASK = "work_on_case"
_LOCK = 0x1A9E58
"""The key of the advisory lock under which the queue's tables are made."""
_PRIORITIES = {"market": 20, "inquiry": 10}
"""By the kind of case: whoever asks the market desk waits for the answer; greater is sooner."""


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
    """Make the queue's tables, or bring them up to the installed version; nothing happens where they are."""
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
    from inquest.app.work.jobs import Jobs

    queue.job_manager = Jobs(connector)
    return queue


def jobs_of(queue: procrastinate.App) -> Jobs:
    """What the queue's worker asks of its tables."""
    from inquest.app.work.jobs import Jobs

    jobs = queue.job_manager
    assert isinstance(jobs, Jobs)
    return jobs


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
