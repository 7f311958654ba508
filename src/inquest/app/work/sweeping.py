"""What every worker looks for every few seconds: jobs of workers that fell silent, and cases that no job is left of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

if TYPE_CHECKING:
    from inquest.store.database import Database

STALLED_SECONDS = 6
"""A worker that has given no sign of life for so long is taken for gone; workers give one every second."""
_SETTLED_SECONDS = 5
"""A case that was submitted so long ago has its job in the queue, or has lost it."""
CUT_OFF = 30
"""The priority of a case whose worker fell silent: above that of every kind (`queue.priority_of`)."""
_STUCK_SECONDS = 60
"""A case that says it is running, and of which nobody has shown a sign of life for so long, is said to be stuck."""
_LOCK = 0x1A9E59

_STALLED = text("""
    SELECT job.id, job.lock AS case_id FROM procrastinate_jobs job
    LEFT JOIN procrastinate_workers worker ON worker.id = job.worker_id
    WHERE job.status = 'doing'
      AND (worker.id IS NULL
           OR greatest(worker.last_heartbeat, pg_postmaster_start_time()) < now() - make_interval(secs => :stalled))
    FOR UPDATE OF job SKIP LOCKED
""")
"""While the server was away nobody could give a sign of life: silence is counted from its start."""
_WAITS = text("SELECT 1 FROM procrastinate_jobs WHERE queueing_lock = :case_id AND status = 'todo'")
_AGAIN = text("SELECT procrastinate_retry_job_v2(:id, now(), :priority, NULL, NULL)")
_CUT_OFF = text("""
    SELECT 1 FROM procrastinate_jobs
    WHERE status = 'todo' AND priority = :priority AND coalesce(scheduled_at, now()) <= now() LIMIT 1
""")
_TELL = text("""
    SELECT pg_notify('procrastinate_any_queue_v1', json_build_object('type', 'job_inserted', 'job_id', :id)::text)
""")
"""In the queue's own words, which it says of new jobs alone: workers need not come to look."""
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
       WHERE last_heartbeat > now() - make_interval(secs => :stalled)) AS workers,
      (SELECT coalesce(extract(epoch FROM now() - min(submissions.at)), 0) FROM submissions
       JOIN procrastinate_jobs job ON job.lock = submissions.case_id AND job.status = 'todo') AS longest_wait
""")
_STUCK = text("""
    SELECT cases.id FROM cases
    WHERE cases.status = 'running'
      AND coalesce(cases.lease_until, cases.updated_at) < now() - make_interval(secs => :stuck)
    ORDER BY cases.created_at, cases.id LIMIT 100
""")


@dataclass(frozen=True)
class QueueFigures:
    """The queue as an operator sees it."""

    waiting: int
    working: int
    workers: int
    """Those that gave a sign of life lately."""
    longest_wait: float
    """Seconds that the case that waits longest has waited."""
    stuck: tuple[str, ...]
    """Ids of cases that say they are running and that nobody has given a sign of life of for a minute."""


def take_back(connection: Connection) -> list[str]:
    """Put the jobs of silent workers back into the queue, before all that wait there; the ids of their cases. Of many
    workers that look at once one does. It is for a thread of its own: a loop that is late would keep the lock, and
    nobody else could look."""
    if not connection.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": _LOCK}).scalar_one():
        return []
    taken_back = []
    for row in connection.execute(_STALLED, {"stalled": STALLED_SECONDS}).all():
        waits = connection.execute(_WAITS, {"case_id": row.case_id}).first()
        connection.execute(_OVER if waits else _AGAIN, {"id": row.id, "priority": CUT_OFF})
        connection.execute(_TELL, {"id": row.id})
        taken_back.append(row.case_id)
    return taken_back


async def any_cut_off(database: Database) -> bool:
    """True where a case waits whose worker fell silent. Raises StorageError."""
    row = await database.read(lambda connection: connection.execute(_CUT_OFF, {"priority": CUT_OFF}).first())
    return row is not None


async def lost(database: Database) -> list[tuple[str, str]]:
    """Ids and kinds of the cases that are to be worked on and have no job. Raises StorageError."""
    rows = await database.read(lambda connection: connection.execute(_LOST, {"settled": _SETTLED_SECONDS}).all())
    return [(row.id, row.kind) for row in rows]


async def figures(database: Database) -> QueueFigures:
    """The queue now. Raises StorageError."""

    def look(connection: Connection) -> QueueFigures:
        row = connection.execute(_FIGURES, {"stalled": STALLED_SECONDS}).one()
        stuck = tuple(connection.execute(_STUCK, {"stuck": _STUCK_SECONDS}).scalars())
        return QueueFigures(row.waiting, row.working, row.workers, float(row.longest_wait), stuck)

    return await database.read(look)


async def queue_metrics(database: Database) -> dict[str, tuple[str, dict[str, float]]]:
    """The queue for `/metrics`: by name, what it is and its values by kind; nothing where there is no queue."""
    there = text("SELECT to_regclass('procrastinate_jobs') IS NOT NULL")
    if database.is_sqlite or not await database.read(lambda connection: connection.execute(there).scalar_one()):
        return {}
    found = await figures(database)
    return {
        "workers": ("Workers that gave a sign of life lately.", {"": found.workers}),
        "stuck_cases": ("Cases that say they run, and that nobody works on.", {"": len(found.stuck)}),
    }
