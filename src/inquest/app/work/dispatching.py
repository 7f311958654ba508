"""The dispatcher that passes cases to workers through the queue (see app.service.dispatching.Dispatcher)."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from sqlalchemy import select, text

from inquest.app.service.dispatching import Dispatcher, InProcess, case_work, fail
from inquest.app.work.queue import check_installed, defer, made_queue, prepare
from inquest.domain.case import CaseStatus
from inquest.domain.errors import StorageError

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_WAITING = text("SELECT id FROM procrastinate_jobs WHERE queueing_lock = :case_id AND status = 'todo'")


def dispatcher_of(app: Resources) -> Dispatcher:
    """Return a dispatcher to the queue of `inquest worker` if the database is PostgreSQL, else one that runs cases in
    this process. Raises SettingError if the packages for a queue are not installed."""
    if app.settings.resolved_database_url.startswith("sqlite"):
        return InProcess(app)
    check_installed()
    return ByQueue(app)


class ByQueue:
    """Puts cases into the queue of the workers."""

    def __init__(self, app: Resources) -> None:
        self._app = app
        self._queue = made_queue(app.settings.resolved_database_url)
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """Open the queue; the workers resume interrupted cases."""
        from procrastinate.exceptions import ConnectorException

        await self._app.database()
        await prepare(self._app.settings.resolved_database_url)
        try:
            await self._stack.enter_async_context(self._queue.open_async())
        except ConnectorException as error:
            raise StorageError(
                "The queue's database cannot be reached.",
                advice="Check INQUEST_DATABASE_URL and that the database is running.",
            ) from error

    async def submit(self, case_id: str) -> None:
        await (await case_work(self._app)).submitted(case_id)
        from inquest.store.tables import cases

        query = select(cases.c.kind).where(cases.c.id == case_id)
        database = await self._app.database()
        kind: str | None = await database.read(lambda connection: connection.execute(query).scalar_one_or_none())
        await defer(self._queue, case_id, kind or "")

    async def cancel(self, case_id: str, *, report: bool) -> bool:
        """As `Dispatcher.cancel`: a worker notices within two seconds; a queued case ends at once."""
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
        """Close the queue; the workers continue."""
        await self._stack.aclose()
