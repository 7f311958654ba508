"""Readiness of a server: the database answers, and what is found can be kept."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.domain.errors import StorageError

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

LEAST_FREE = 16 * 2**20
"""Bytes: what a case writes in its first minute, with room for the database's own log."""


async def check_ready(app: Resources) -> None:
    """Raises StorageError where the database does not answer or the data folder's disk is full, SettingError."""
    from sqlalchemy import text

    free = await asyncio.to_thread(_free, app.settings.home)
    if free < LEAST_FREE:
        raise StorageError(
            f"The disk of the data folder is full: {free / 2**20:.1f} MB are free, and {LEAST_FREE >> 20} are needed.",
            advice="Make room; cases that wait go on by themselves.",
        )
    await (await app.database()).read(lambda connection: connection.execute(text("SELECT 1")).close())


def _free(folder: Path) -> int:
    """Bytes that are free on the folder's disk, which it is to lie on where it is not there yet."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    return shutil.disk_usage(there).free
