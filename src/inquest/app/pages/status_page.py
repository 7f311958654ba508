"""How the server does: what runs, what was cut off, what waits, and how much there is."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquest.app.service.working import case_work

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


@dataclass(frozen=True)
class StatusPage:
    """Figures of this moment."""

    at_work: tuple[str, ...]
    """Ids of the cases that are worked on or wait for their turn."""
    stuck: tuple[str, ...]
    """Ids of cases that say they run and that nobody holds."""
    database: str
    free_megabytes: int


async def status_page(app: Resources) -> StatusPage:
    """All of it. Raises StorageError."""
    store = await app.store()
    return StatusPage(
        at_work=tuple(await (await case_work(app)).unfinished()),
        stuck=tuple(await store.abandoned()),
        database=(await app.database()).where,
        free_megabytes=shutil.disk_usage(app.settings.home).free // 2**20,
    )
