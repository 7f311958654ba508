"""Figures of the database: the verification desk's metrics and alerts, and counts of cases of every kind."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections import Counter
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from inquest.desks.verification.investigation_metrics import alerts, counts, metrics
from inquest.domain.errors import InputError, StorageError
from inquest.domain.investigation import InvestigationStatus
from inquest.store import case_figures
from inquest.store.topics import Investigations, Reviews

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

log = logging.getLogger("inquest.service")
MOST_DAYS = 36_500
_EVERY = 60.0
"""Seconds between updates of the counts."""


async def statistics(app: Resources, *, days: int | None = None) -> dict[str, Any]:
    """The JSON of `inquest stats`: `investigations` (metrics), `alerts` (with thresholds and their cases), `cases` (by
    kind). `days`: only those started within the last `days` days. Raises InputError, StorageError."""
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise InputError(f"Invalid days {days}: expected a number from 1 to {MOST_DAYS:,}.")
    database, now = await app.database(), app.clock.now()
    since = now - timedelta(days=days) if days is not None else None
    kept = await Investigations(database).since(since)
    # A running investigation counts with its time so far.
    running = [
        each.model_copy(update={"seconds": (now - each.investigation_date).total_seconds()})
        if each.status is InvestigationStatus.STARTED
        else each
        for each in kept
    ]
    decisions = await Reviews(database).since(since)
    await case_figures.keep_figures(database, since)
    found = await case_figures.counted(database, since)
    kinds = counts(found.kinds)
    return {
        "days": days,
        "since": since.isoformat() if since else None,
        "until": now.isoformat(),
        "investigations": metrics(kept, decisions),
        "alerts": [asdict(each) for each in alerts(running, decisions, found.at_limit)],
        "cases": {"total": sum(each["cases"] for each in kinds.values()), "by_kind": kinds},
    }


async def keep_counting(app: Resources) -> None:
    """Update the counts of cases until cancelled, so that no request has to."""
    while True:
        try:
            await case_figures.keep_figures(await app.database())
        except StorageError as error:
            log.warning("the counts of cases are not up to date: %s", error)
        await asyncio.sleep(_EVERY)


Family = tuple[str, dict[str, float]]
"""A description, and the values by kind."""


async def figures(app: Resources) -> dict[str, Family]:
    """Families of metrics by name. Raises StorageError."""
    counted = await case_figures.service_figures(await app.database())
    figures = await statistics(app, days=1)
    desk = {name: float(each) for name, each in figures["investigations"].items() if isinstance(each, int | float)}
    alerts = Counter(each["name"] for each in figures["alerts"])
    return {
        "cases": ("Cases by status.", counted["cases"]),
        "callbacks": ("Callbacks by outcome.", counted["callbacks"]),
        "jobs": ("Unfinished cases, queued and running.", counted["jobs"]),
        "longest_wait_seconds": ("The longest wait of a queued case.", counted["longest_wait_seconds"]),
        "investigations": ("The verification desk's metrics of the last day; times in seconds.", desk),
        "alerts": ("Alerts of the verification desk, by name.", {name: float(each) for name, each in alerts.items()}),
    }


LEAST_FREE = 16 * 2**20
"""Bytes written by a case in its first minute, with room for the database's log."""


async def check_ready(app: Resources) -> None:
    """Raise StorageError if the database does not answer or the data folder's disk is full, SettingError."""
    home = app.settings.home.absolute()
    there = next(each for each in (home, *home.parents) if each.exists())  # the folder need not exist yet
    free = (await asyncio.to_thread(shutil.disk_usage, there)).free
    if free < LEAST_FREE:
        raise StorageError(
            f"The disk of the data folder is full: {free / 2**20:.1f} MB are free, {LEAST_FREE >> 20} MB are needed.",
            advice="Free some space; waiting cases then continue.",
        )
    await (await app.database()).read(lambda connection: connection.execute(text("SELECT 1")).close())
