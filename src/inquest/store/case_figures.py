"""What is counted of cases, read without their sources, claims and findings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, select

from inquest.domain.case_times import working_seconds
from inquest.domain.errors import StorageError
from inquest.domain.event import EventType
from inquest.domain.figures import CaseFigures
from inquest.store import tables
from inquest.store.database import Database

__all__ = ["case_figures"]


async def case_figures(database: Database, since: datetime | None) -> list[CaseFigures]:
    """Of the cases begun since then (None: all), oldest first. Raises StorageError."""
    case, event = tables.cases, tables.events
    cases = select(case.c.id, case.c.kind, case.c.status, case.c.created_at, case.c.document).order_by(
        case.c.created_at, case.c.id
    )
    events = (
        select(event.c.case_id, event.c.type, event.c.at)
        .join(case, case.c.id == event.c.case_id)
        .order_by(event.c.case_id, event.c.id)
    )
    if since is not None:
        cases, events = cases.where(case.c.created_at >= since), events.where(case.c.created_at >= since)

    def look(connection: Connection) -> list[CaseFigures]:
        rows = connection.execute(events).all()
        seconds = {case_id: _seconds(group) for case_id, group in groupby(rows, key=lambda row: row.case_id)}
        return [_figures(row, seconds.get(row.id)) for row in connection.execute(cases)]

    return await database.read(look)


def _seconds(rows: Iterable[Any]) -> float | None:
    # An event of a newer version says nothing of what waits, and its time counts all the same.
    known = {each.value: each for each in EventType}
    return working_seconds((known.get(row.type, EventType.STAGE_FINISHED), row.at) for row in rows)


def _figures(row: Any, seconds: float | None) -> CaseFigures:
    try:
        document = json.loads(row.document)
        assessments = document.get("assessments", [])
        timings = document.get("timings") or {}
        return CaseFigures(
            case_id=row.id,
            kind=row.kind,
            status=row.status,
            created_at=row.created_at,
            seconds=seconds if seconds is not None else sum(timings.values()) if timings else None,
            verdicts=tuple(each["verdict"] for each in assessments if each.get("checked", True)),
            unchecked=sum(not each.get("checked", True) for each in assessments),
            outages=document.get("outages", ()),
            cost=document.get("cost", {}),
        )
    except (ValueError, ValidationError, KeyError, TypeError, AttributeError) as error:
        raise StorageError(
            f"What is kept of case {row.id} cannot be read.",
            advice="It was written by another version of Inquest, or changed by hand.",
        ) from error
