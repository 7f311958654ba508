"""Market answers that nobody saved are forgotten after a day: at the next command that opens the database."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.domain.errors import StorageError

if TYPE_CHECKING:
    from inquest.store.database import Database

__all__ = ["forget_what_is_due"]


async def forget_what_is_due(database: Database, archive_folder: Path, now: datetime) -> int:
    """Forget every case whose time is over, with the snapshots that only it used: how many. What cannot be deleted now
    (a file that is in use, a folder that may not be written) is tried again at the next start."""
    from inquest.store.forgetting import Forgetting

    forgetting = Forgetting(database)
    due = await forgetting.due(now)
    if not due:
        return 0
    from inquest.archive.files import FileArchive

    archive, done = FileArchive(archive_folder), 0
    for case_id in due:
        try:
            # The files first: were the rows gone and the files not, nobody would know that they are to go.
            await archive.remove(await forgetting.only_of(case_id), untouched_since=now)
            await forgetting.forget(case_id)
        except StorageError:
            continue
        done += 1
    return done
