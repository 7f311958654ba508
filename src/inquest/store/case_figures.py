"""What is counted of cases, read without their sources, claims and findings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection, case, func, select

from inquest.domain.case_times import working_seconds
from inquest.domain.errors import StorageError
from inquest.domain.event import EventType
from inquest.domain.figures import CaseFigures
from inquest.domain.topic_history import InvestigationStatus
from inquest.store import tables
from inquest.store.database import Database
from inquest.store.holds import database_time

_AT_ONCE = 500
"""Cases whose documents are read by one query."""
_MOST_KNOWN = 50_000
_SETTLED = timedelta(minutes=1)


Known = dict[str, tuple[datetime, CaseFigures]]
"""Figures that were read before, with the time of the last change of their case."""


async def figures_stamp(database: Database, since: datetime | None) -> tuple[Any, ...] | None:
    """What changes whenever figures of cases, investigations or reviews begun since then do; None: an investigation is
    under way, whose figures change with the time. Raises StorageError."""
    cases, begun, reviews = tables.cases, tables.investigations, tables.reviews
    of_cases = select(func.count(), func.sum(cases.c.version), func.max(cases.c.updated_at))
    of_begun = select(
        func.count(),
        func.max(begun.c.finished_at),
        func.coalesce(func.sum(case((begun.c.status == InvestigationStatus.STARTED.value, 1), else_=0)), 0),
    )
    of_reviews = select(func.count()).select_from(reviews)
    if since is not None:
        of_cases = of_cases.where(cases.c.created_at >= since)
        of_begun = of_begun.where(begun.c.investigation_date >= since)

    def look(connection: Connection) -> tuple[Any, ...] | None:
        stamp = [*connection.execute(of_cases).one(), *connection.execute(of_begun).one()]
        if stamp[-1]:
            return None
        return (*stamp, connection.execute(of_reviews).scalar_one())

    return await database.read(look)


async def case_figures(database: Database, since: datetime | None, known: Known | None = None) -> list[CaseFigures]:
    """Of the cases begun since then (None: all), oldest first. `known`: those read before, which is added to, so that
    of thousands of cases only what has changed is read. Raises StorageError."""
    table, known = tables.cases, {} if known is None else known
    order = select(table.c.id, table.c.updated_at).order_by(table.c.created_at, table.c.id)
    if since is not None:
        order = order.where(table.c.created_at >= since)

    def look(connection: Connection) -> list[CaseFigures]:
        stamps = [(row.id, row.updated_at) for row in connection.execute(order)]
        missing = [name for name, at in stamps if name not in known or known[name][0] != at]
        read = {
            each.case_id: each
            for first in range(0, len(missing), _AT_ONCE)
            for each in _read(connection, missing[first : first + _AT_ONCE])
        }
        found = [read[name] if name in read else known[name][1] for name, _ in stamps]
        if len(known) > _MOST_KNOWN:
            known.clear()
        # Of one that has not ended, or has just now, events may yet come, which no change of the case announces.
        settled = database_time(connection) - _SETTLED
        for (name, at), each in zip(stamps, found, strict=True):
            if each.status.ended and at < settled:
                known[name] = (at, each)
        return found

    return await database.read(look)


def _read(connection: Connection, names: Sequence[str]) -> list[CaseFigures]:
    table, event = tables.cases, tables.events
    cases = select(table.c.id, table.c.kind, table.c.status, table.c.created_at, table.c.document)
    events = select(event.c.case_id, event.c.type, event.c.at).where(event.c.case_id.in_(names))
    rows = connection.execute(events.order_by(event.c.case_id, event.c.id)).all()
    seconds = {case_id: _seconds(group) for case_id, group in groupby(rows, key=lambda row: row.case_id)}
    return [_figures(row, seconds.get(row.id)) for row in connection.execute(cases.where(table.c.id.in_(names)))]


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
