"""What is counted of cases: a row of figures for each, kept up to date, and sums of these rows.

A row is made of a case's document and events when the case has changed; sums over thousands read no document.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import ColumnElement, Connection, case, delete, func, insert, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from inquest.domain.assessment import Verdict
from inquest.domain.case import CaseStatus
from inquest.domain.case_figures import CaseFigures, Counted, KindFigures, OutageCount, working_seconds
from inquest.domain.errors import StorageError
from inquest.domain.event import EventType
from inquest.domain.topic_history import InvestigationStatus
from inquest.store import tables
from inquest.store.database import Database
from inquest.store.holds import database_time

_AT_ONCE = 100
"""Cases whose rows are made by one transaction."""
_SETTLED = timedelta(minutes=1)
_ENDED = tuple(status.value for status in CaseStatus if status.ended)
_CALLS = ("search_calls", "page_reads", "model_calls")
_VERDICTS = tuple(verdict.value for verdict in Verdict)


class _Change(NamedTuple):
    """The last change of a case."""

    version: int
    at: datetime


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


async def keep_figures(database: Database, since: datetime | None = None) -> int:
    """Make the rows of the cases begun since then (None: all) that have changed, and of those that have just ended, of
    which events may yet come that no change of the case announces; how many. Raises StorageError."""
    last, made = "", 0
    while True:
        after = last
        names = await database.write(lambda connection, after=after: _keep_some(connection, since, after))  # type: ignore[misc]
        made += len(names)
        if len(names) < _AT_ONCE:
            return made
        last = names[-1]


async def counted(database: Database, since: datetime | None = None) -> Counted:
    """The sums of the rows of cases begun since then (None: all). Raises StorageError."""
    row, outage = tables.case_figures, tables.case_outages
    within: list[ColumnElement[bool]] = [] if since is None else [row.c.created_at >= since]
    numbers = [*_VERDICTS, "not_checked", "usd", *_CALLS]
    sums = select(
        row.c.kind, row.c.status, func.count().label("cases"), *(func.sum(row.c[each]).label(each) for each in numbers)
    )
    ended = select(row.c.kind, row.c.seconds).where(row.c.status.in_(_ENDED), row.c.seconds.is_not(None), *within)
    joined = outage.join(row, row.c.case_id == outage.c.case_id)
    where = case((outage.c.what == "page", ""), else_=outage.c.place).label("place")
    times = func.sum(outage.c.times).label("times")
    many = func.count(outage.c.case_id.distinct()).label("cases")
    outages = select(row.c.kind, outage.c.what, where, times, many).select_from(joined).where(*within)
    limits = select(outage.c.case_id, outage.c.place).select_from(joined).where(outage.c.at_limit == 1, *within)

    def look(connection: Connection) -> Counted:
        kinds: dict[str, KindFigures] = {}
        for each in connection.execute(sums.where(*within).group_by(row.c.kind, row.c.status)):
            _add(kinds.setdefault(each.kind, KindFigures()), each)
        for kind, seconds in connection.execute(ended):
            kinds[kind].seconds.append(seconds)
        for kind, *values in connection.execute(outages.group_by(row.c.kind, outage.c.what, where)):
            kinds[kind].outages.append(OutageCount(*values))
        at_limit = connection.execute(limits.order_by(row.c.created_at, row.c.case_id, outage.c.place))
        return Counted(kinds, [(case_id, place) for case_id, place in at_limit])

    return await database.read(look)


def _add(kind: KindFigures, row: Any) -> None:
    kind.by_status[row.status] += row.cases
    kind.verdicts.update({name: getattr(row, name) for name in (*_VERDICTS, "not_checked") if getattr(row, name)})
    kind.usd += row.usd
    for name in _CALLS:
        setattr(kind, name, getattr(kind, name) + getattr(row, name))


def _keep_some(connection: Connection, since: datetime | None, after: str) -> list[str]:
    table, row = tables.cases, tables.case_figures
    is_old = or_(row.c.case_id.is_(None), row.c.version != table.c.version, row.c.settled == 0)
    query = select(table.c.id).outerjoin(row, row.c.case_id == table.c.id).where(table.c.id > after, is_old)
    if since is not None:
        query = query.where(table.c.created_at >= since)
    # The lock keeps a case from being deleted meanwhile, and keeps nobody from writing of it.
    locked = query.order_by(table.c.id).limit(_AT_ONCE).with_for_update(read=True, key_share=True, of=table)
    names = list(connection.execute(locked).scalars())
    if names:
        settled = database_time(connection) - _SETTLED
        read = _read(connection, names)
        _put(
            connection,
            [_row(each, changed, is_settled=not each.status.ended or changed.at < settled) for changed, each in read],
        )
        connection.execute(delete(tables.case_outages).where(tables.case_outages.c.case_id.in_(names)))
        if outages := [outage for _, each in read for outage in _outages(each)]:
            connection.execute(insert(tables.case_outages), outages)
    return names


def _put(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(tables.case_figures)
    changed = {
        column.name: statement.excluded[column.name] for column in tables.case_figures.c if not column.primary_key
    }
    connection.execute(statement.on_conflict_do_update(index_elements=["case_id"], set_=changed), rows)


def _row(each: CaseFigures, changed: _Change, *, is_settled: bool) -> dict[str, Any]:
    verdicts = Counter(verdict.value for verdict in each.verdicts)
    return {
        "case_id": each.case_id,
        "version": changed.version,
        "settled": int(is_settled),
        "kind": each.kind.value,
        "status": each.status.value,
        "created_at": each.created_at,
        "seconds": each.seconds,
        "usd": each.cost.usd,
        "not_checked": each.unchecked,
        **{name: verdicts[name] for name in _VERDICTS},
        **{name: getattr(each.cost, name) for name in _CALLS},
    }


def _outages(each: CaseFigures) -> list[dict[str, Any]]:
    times = Counter(
        (note.what, "" if note.what == "page" and not note.at_limit else note.where, note.at_limit)
        for note in each.outages
    )
    return [
        {"case_id": each.case_id, "what": what, "place": place, "at_limit": int(at_limit), "times": count}
        for (what, place, at_limit), count in times.items()
    ]


def _read(connection: Connection, names: Sequence[str]) -> list[tuple[_Change, CaseFigures]]:
    """With the last change of each."""
    table, event = tables.cases, tables.events
    cases = select(table.c.id, table.c.kind, table.c.status, table.c.created_at, table.c.document)
    cases = cases.add_columns(table.c.updated_at, table.c.version)
    events = select(event.c.case_id, event.c.type, event.c.at).where(event.c.case_id.in_(names))
    rows = connection.execute(events.order_by(event.c.case_id, event.c.id)).all()
    seconds = {case_id: _seconds(group) for case_id, group in groupby(rows, key=lambda row: row.case_id)}
    found = connection.execute(cases.where(table.c.id.in_(names)))
    return [(_Change(row.version, row.updated_at), _figures(row, seconds.get(row.id))) for row in found]


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
