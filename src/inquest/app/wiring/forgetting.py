"""Cases that go for good: market answers that nobody saved after a day, at the next command that opens the database."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from inquest.domain.errors import StorageError

if TYPE_CHECKING:
    from inquest.archive.files import FileArchive
    from inquest.archive.shared import SharedArchive
    from inquest.store.database import Database


async def forget_what_is_due(database: Database, archive: FileArchive | SharedArchive, now: datetime) -> None:
    """Forget the cases whose time is over, with the snapshots that only they used. What cannot be deleted now (a file
    that is in use, a folder that may not be written) is tried again at the next start. Raises StorageError."""
    from inquest.store.forgetting import Forgetting

    for case_id in await Forgetting(database).due(now):
        with suppress(StorageError):
            await forget_case(database, archive, case_id, now)


async def forget_case(database: Database, archive: FileArchive | SharedArchive, case_id: str, now: datetime) -> None:
    """Forget the case, with the snapshots that only it used. Raises StorageError."""
    from inquest.store.forgetting import Forgetting

    forgetting = Forgetting(database)
    # The files first: were the rows gone and the files not, nobody would know that they are to go.
    await archive.remove(await forgetting.only_of(case_id), untouched_since=now)
    await forgetting.forget(case_id)
