"""The figures of the database: the verification desk's metrics and alerts, and counts for cases of every kind."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from inquest.desks.verification.investigation_metrics import alerts, counts, metrics
from inquest.domain.errors import InputError, StorageError
from inquest.domain.topic_history import InvestigationStatus

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

log = logging.getLogger("inquest.service")

MOST_DAYS = 36_500
_EVERY = 60.0
"""Seconds between two looks for cases that have changed."""


async def statistics(app: Resources, *, days: int | None = None) -> dict[str, Any]:
    """The JSON of `inquest stats`: `investigations` (metrics), `alerts` (each with its threshold and the cases that
    cause it), `cases` (by kind). `days`: only what was begun in the last so many; None: all. Raises InputError,
    StorageError."""
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise InputError(f"{days} is no number of days.", advice=f"Give one from 1 to {MOST_DAYS:,}.")
    from inquest.store.case_figures import figures_stamp

    database, now = await app.database(), app.clock.now()
    since = now - timedelta(days=days) if days is not None else None
    stamp = await figures_stamp(database, since)
    before, counted = app.statistics.get(days, (None, {}))
    if stamp is None or stamp != before:
        counted = await _counted(app, since)
        app.statistics[days] = (stamp, counted)
    return {"days": days, "since": since.isoformat() if since else None, "until": now.isoformat(), **counted}


async def _counted(app: Resources, since: datetime | None) -> dict[str, Any]:
    from inquest.store import case_figures
    from inquest.store.investigations import Investigations
    from inquest.store.reviews import Reviews

    database, now = await app.database(), app.clock.now()
    kept = await Investigations(database).since(since)
    # One that still runs has taken so long already.
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
        "investigations": metrics(kept, decisions),
        "alerts": [asdict(each) for each in alerts(running, decisions, found.at_limit)],
        "cases": {
            "total": sum(each["cases"] for each in kinds.values()),
            "by_kind": kinds,
        },
    }


async def keep_counting(app: Resources) -> None:
    """Keep what is counted of cases up to date until this is cancelled, so that no request has to make up for it."""
    from inquest.store.case_figures import keep_figures

    while True:
        try:
            await keep_figures(await app.database())
        except StorageError as error:
            log.warning("what is counted of cases is not up to date: %s", error)
        await asyncio.sleep(_EVERY)
