"""The queue of cases: procrastinate's tables in the database of the cases, and the sweep that repairs it.

A job is one case id. Its lock keeps two workers from the same case, its queueing lock keeps it from being queued twice.
Unfinished cases are in `submissions`, which no crash of a worker touches: lost jobs are recreated from there (`lost`).
"""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection, text

from inquest.app.settings import Settings, load_settings
from inquest.domain.errors import SettingError, StorageError

if TYPE_CHECKING:
    import procrastinate

    from inquest.store.database import Database

TASK = "work_on_case"
_LOCK = 0x1A9E58
"""The key of the advisory lock for creating the queue's tables."""
_PRIORITIES = {"market": 20, "inquiry": 10}
"""Priorities by kind of case, higher first: for market questions, a person is waiting for the answer."""


def check_installed() -> None:
    """Raise SettingError if the packages for work on several machines are not installed."""
    if find_spec("procrastinate") is None:
        raise SettingError(
            "Work on several machines needs packages that are not installed.",
            advice="Install them with: pip install 'inquest[server,postgres]'.",
        )


async def prepare(url: str) -> None:
    """Create the queue's tables or migrate them to the installed version of procrastinate."""
    import psycopg
    from procrastinate.schema import SchemaManager, migrations_path

    installed = version("procrastinate")
    try:
        async with await psycopg.AsyncConnection.connect(url, connect_timeout=10) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            row = await connection.execute(
                "SELECT to_regclass('procrastinate_jobs') IS NOT NULL,"
                " obj_description(to_regclass('procrastinate_jobs'), 'pg_class')"
            )
            there, note = await row.fetchone() or (False, None)
            if note == installed:
                return
            if not there:
                await connection.execute(SchemaManager.get_schema())
            elif note is not None:
                # The migrations after that version; their files are named by version (03.04.00_01_...).
                had = [int(part) for part in note.split(".")[:3]]
                for path in sorted(migrations_path.glob("*.sql")):
                    if [int(part) for part in path.name.split("_")[0].split(".")] > had:
                        await connection.execute(path.read_bytes())
            await connection.execute(f"COMMENT ON TABLE procrastinate_jobs IS '{installed}'".encode())
    except psycopg.Error as error:
        raise StorageError(
            f"The tables of the queue could not be created ({str(error).splitlines()[0]}).",
            advice="Check that the database can be reached and that its user may create tables.",
        ) from error


def made_queue(url: str) -> procrastinate.App:
    """Return the queue of this database; the caller opens it (`async with queue.open_async()`)."""
    import procrastinate

    from inquest.app.work.jobs import Jobs

    connector = procrastinate.PsycopgConnector(
        conninfo=url, min_size=1, max_size=4, timeout=5, kwargs={"connect_timeout": 10}
    )
    queue = procrastinate.App(connector=connector)
    queue.job_manager = Jobs(connector)
    return queue


async def defer(queue: procrastinate.App, case_id: str, kind: str) -> None:
    """Put the case into the queue unless it is queued already. Raises StorageError."""
    from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

    job = queue.configure_task(TASK, lock=case_id, queueing_lock=case_id, priority=_PRIORITIES.get(kind, 0))
    try:
        await job.defer_async(case_id=case_id)
    except AlreadyEnqueued:
        return
    except ConnectorException as error:
        raise StorageError(
            f"Case {case_id} could not be queued.", advice="It will be queued once the database can be reached."
        ) from error


async def database_status(settings: Settings | None = None) -> dict[str, str | bool | None]:
    """The JSON of `inquest db status`: the revision of the tables. Raises SettingError, StorageError."""
    from inquest.store.database import Database
    from inquest.store.schema import revision_of
    from inquest.store.tables import SCHEMA

    url = (settings or load_settings()).resolved_database_url
    database = await Database.open(url, migrate=False)
    try:
        revision = await database.read(revision_of)
        up_to_date = revision == SCHEMA
        return {"where": database.where, "revision": revision, "wanted": SCHEMA, "up_to_date": up_to_date}
    finally:
        await database.close()


async def upgrade_database(settings: Settings | None = None) -> str:
    """Migrate all tables, including the queue's; returns the database's location. Raises SettingError, StorageError."""
    from inquest.store.database import Database

    url = (settings or load_settings()).resolved_database_url
    database = await Database.open(url)
    await database.close()
    if not database.is_sqlite:
        check_installed()
        await prepare(url)
    return database.where


STALLED_SECONDS = 6
"""Seconds without a heartbeat after which a worker counts as dead; workers send one every second."""
_SETTLED_SECONDS = 5
"""Seconds after which a submitted case without a job has lost it."""
CUT_OFF = 30
"""The priority of a case whose worker died: above those of all kinds."""
_STUCK_SECONDS = 60
"""Seconds without a heartbeat after which a running case is reported as stuck."""
_SWEEP_LOCK = 0x1A9E59

_STALLED = text("""
    SELECT job.id, job.lock AS case_id FROM procrastinate_jobs job
    LEFT JOIN procrastinate_workers worker ON worker.id = job.worker_id
    WHERE job.status = 'doing'
      AND (worker.id IS NULL
           OR greatest(worker.last_heartbeat, pg_postmaster_start_time()) < now() - make_interval(secs => :stalled))
    FOR UPDATE OF job SKIP LOCKED
""")
"""Silence counts from the server's start, because no heartbeat could reach it before."""
WAITS = text("SELECT id FROM procrastinate_jobs WHERE queueing_lock = :case_id AND status = 'todo'")
_AGAIN = text("SELECT procrastinate_retry_job_v2(:id, now(), :priority, NULL, NULL)")
_CUT_OFF = text("""
    SELECT 1 FROM procrastinate_jobs
    WHERE status = 'todo' AND priority = :priority AND coalesce(scheduled_at, now()) <= now() LIMIT 1
""")
_NOTIFY = text("""
    SELECT pg_notify('procrastinate_any_queue_v1', json_build_object('type', 'job_inserted', 'job_id', :id)::text)
""")
"""Procrastinate's own notification, which it sends for new jobs only; it saves polling."""
_OVER = text("SELECT procrastinate_finish_job_v1(:id, 'failed', false)")
_LOST = text("""
    SELECT cases.id, cases.kind FROM submissions JOIN cases ON cases.id = submissions.case_id
    WHERE submissions.at < now() - make_interval(secs => :settled)
      AND NOT EXISTS (
        SELECT 1 FROM procrastinate_jobs job WHERE job.lock = cases.id AND job.status IN ('todo', 'doing')
      )
    ORDER BY submissions.at
""")
_FIGURES = text("""
    SELECT
      (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo') AS waiting,
      (SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing') AS working,
      (SELECT count(*) FROM procrastinate_workers
       WHERE last_heartbeat > now() - make_interval(secs => :stalled)) AS workers
""")
_STUCK = text("""
    SELECT cases.id FROM cases
    WHERE cases.status = 'running'
      AND coalesce(cases.lease_until, cases.updated_at) < now() - make_interval(secs => :stuck)
    ORDER BY cases.created_at, cases.id LIMIT 100
""")


class QueueFigures(NamedTuple):
    """Figures of the queue: jobs, live workers, and the ids of running cases without a heartbeat for a minute."""

    waiting: int
    working: int
    workers: int
    stuck: tuple[str, ...]


def take_back(connection: Connection) -> list[str]:
    """Put the jobs of dead workers back at the head of the queue; returns the ids of their cases. One worker
    at a time does so. Call it from a thread: a busy event loop would keep the lock from the others."""
    if not connection.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": _SWEEP_LOCK}).scalar_one():
        return []
    taken_back = []
    for row in connection.execute(_STALLED, {"stalled": STALLED_SECONDS}).all():
        waits = connection.execute(WAITS, {"case_id": row.case_id}).first()
        connection.execute(_OVER if waits else _AGAIN, {"id": row.id, "priority": CUT_OFF})
        connection.execute(_NOTIFY, {"id": row.id})
        taken_back.append(row.case_id)
    return taken_back


async def any_cut_off(database: Database) -> bool:
    """Return True if a case of a dead worker is queued. Raises StorageError."""
    row = await database.read(lambda connection: connection.execute(_CUT_OFF, {"priority": CUT_OFF}).first())
    return row is not None


async def lost(database: Database) -> list[tuple[str, str]]:
    """Return ids and kinds of submitted cases without a job. Raises StorageError."""
    rows = await database.read(lambda connection: connection.execute(_LOST, {"settled": _SETTLED_SECONDS}).all())
    return [(row.id, row.kind) for row in rows]


async def figures(database: Database) -> QueueFigures:
    """Return the current figures. Raises StorageError."""

    def look(connection: Connection) -> QueueFigures:
        row = connection.execute(_FIGURES, {"stalled": STALLED_SECONDS}).one()
        stuck = tuple(connection.execute(_STUCK, {"stuck": _STUCK_SECONDS}).scalars())
        return QueueFigures(row.waiting, row.working, row.workers, stuck)

    return await database.read(look)


async def queue_metrics(database: Database) -> dict[str, tuple[str, dict[str, float]]]:
    """Return the queue's figures for `/metrics`: by name, description and values by kind; {} without a queue."""
    there = text("SELECT to_regclass('procrastinate_jobs') IS NOT NULL")
    if database.is_sqlite or not await database.read(lambda connection: connection.execute(there).scalar_one()):
        return {}
    now = await figures(database)
    return {
        "workers": ("Live workers.", {"": now.workers}),
        "stuck_cases": ("Cases with the status running that no process works on.", {"": len(now.stuck)}),
    }
