"""Cases that go for good: market answers that nobody saved, after a day, and what somebody takes out."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import Conflict, StorageError

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.archive.files import FileArchive
    from inquest.archive.shared import SharedArchive
    from inquest.store.database import Database


async def remove_case(app: Resources, case: Case) -> None:
    """Forget the case, with the pages in the archive that no other case uses. Raises Conflict where it is at work,
    StorageError."""
    if case.status is CaseStatus.RUNNING:
        raise Conflict(f"The case {case.id} is at work.", advice="Stop it first.")
    await _forget(await app.database(), app.archive, case.id, app.clock.now())


async def forget_what_is_due(database: Database, archive: FileArchive | SharedArchive, now: datetime) -> None:
    """Forget the cases whose time is over, with the snapshots that only they used. What cannot be deleted now (a file
    that is in use, a folder that may not be written) is tried again at the next start. Raises StorageError."""
    from inquest.store.forgetting import Forgetting

    for case_id in await Forgetting(database).due(now):
        with suppress(StorageError):
            await _forget(database, archive, case_id, now)


async def _forget(database: Database, archive: FileArchive | SharedArchive, case_id: str, now: datetime) -> None:
    from inquest.store.forgetting import Forgetting

    forgetting = Forgetting(database)
    # The files first: were the rows gone and the files not, nobody would know that they are to go.
    await archive.remove(await forgetting.only_of(case_id), untouched_since=now)
    await forgetting.forget(case_id)
