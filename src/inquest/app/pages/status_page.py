"""How the server does: what runs, what was cut off, what waits, and how much there is."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquest.app.service.working import case_work
from inquest.app.work.sweeping import queue_metrics
from inquest.store.service.figures import service_figures

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
    cases: Mapping[str, int]
    """How many there are by status."""
    waiting: int
    """Cases handed in that nobody works on yet."""
    oldest_seconds: float
    """Since when the one that waits longest does."""
    workers: int | None
    """Of a server with workers, those that gave a sign of life lately; None: it works by itself."""


async def status_page(app: Resources) -> StatusPage:
    """All of it. Raises StorageError."""
    store, database = await app.store(), await app.database()
    counted = await service_figures(database)
    workers = (await queue_metrics(database)).get("workers")
    return StatusPage(
        at_work=tuple(await (await case_work(app)).unfinished()),
        stuck=tuple(await store.abandoned()),
        database=database.where,
        free_megabytes=shutil.disk_usage(app.settings.home).free // 2**20,
        cases={name: int(many) for name, many in counted["cases"].items()},
        waiting=int(counted["jobs"]["waiting"]),
        oldest_seconds=counted["longest_wait_seconds"][""],
        workers=int(sum(workers[1].values())) if workers else None,
    )
