"""Handing cases to workers through the queue (app.service.dispatching.Dispatcher)."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from sqlalchemy import select, text

from inquest.app.service.dispatching import Dispatcher, InProcess, case_work, fail
from inquest.app.work.queue import check_installed, defer, made_queue, prepare
from inquest.domain.case import CaseStatus
from inquest.domain.errors import SettingError, StorageError

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_WAITING = text("SELECT id FROM procrastinate_jobs WHERE queueing_lock = :case_id AND status = 'todo'")


def dispatcher_of(app: Resources) -> Dispatcher:
    """The queue where the database is PostgreSQL, for `inquest worker` to take from; else this process does the work.
    Raises SettingError where the packages for it are not installed."""
    if app.settings.resolved_database_url.startswith("sqlite"):
        return InProcess(app)
    check_installed()
    return ByQueue(app)


class ByQueue:
    """Keeps cases in the queue; others do the work."""

    def __init__(self, app: Resources) -> None:
        self._app = app
        self._queue = made_queue(app.settings.resolved_database_url)
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """As `Dispatcher.start`: what was cut off is looked after by the workers."""
        from procrastinate.exceptions import ConnectorException

        await self._app.database()
        await prepare(self._app.settings.resolved_database_url)
        try:
            await self._stack.enter_async_context(self._queue.open_async())
        except ConnectorException as error:
            raise StorageError(
                "The queue's database cannot be reached.", advice="Check INQUEST_DATABASE_URL and that it runs."
            ) from error

    async def submit(self, case_id: str) -> None:
        await (await case_work(self._app)).submitted(case_id)
        await defer(self._queue, case_id, await self._kind(case_id))

    async def cancel(self, case_id: str, *, report: bool) -> bool:
        """As `Dispatcher.cancel`: who works on it notices within two seconds; a case that waits ends at once."""
        from inquest.store.holds import ask_to_stop

        database = await self._app.database()
        if await ask_to_stop(database, case_id, "report" if report else "stop"):
            return True
        job_id = await database.read(
            lambda connection: connection.execute(_WAITING, {"case_id": case_id}).scalar_one_or_none()
        )
        if job_id is None or not await self._queue.job_manager.cancel_job_by_id_async(job_id):
            return False
        await (await case_work(self._app)).done(case_id)
        await fail(self._app, case_id, "It was stopped before it began.", CaseStatus.CANCELLED)
        return True

    async def aclose(self) -> None:
        """As `Dispatcher.aclose`: the work goes on elsewhere."""
        await self._stack.aclose()

    async def _kind(self, case_id: str) -> str:
        from inquest.store.tables import cases

        query = select(cases.c.kind).where(cases.c.id == case_id)
        database = await self._app.database()
        kind: str | None = await database.read(lambda connection: connection.execute(query).scalar_one_or_none())
        return kind or ""


def check_postgres(url: str) -> None:
    """Raise SettingError where the database is a file, which only one machine has."""
    if url.startswith("sqlite"):
        raise SettingError(
            "Workers share a database server, and the database is a file.",
            advice="Set INQUEST_DATABASE_URL to postgresql://USER@HOST/NAME; on SQLite `inquest serve` does the work.",
        )
