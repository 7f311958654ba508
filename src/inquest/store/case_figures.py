"""Figures of cases: one row per case, updated when the case changes, and sums of these rows.

A row is computed from a case's document and events, so that sums over thousands of cases read no documents.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, delete, exists, func, insert, not_, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from inquest.domain.case import CaseStatus, Counted, KindFigures, OutageCount, working_seconds
from inquest.domain.event import ClaimDecision, DecisionKind, EventType, by_claim, standing_decision
from inquest.domain.finding import Verdict
from inquest.domain.report import Cost, OutageNote
from inquest.domain.value import grouped
from inquest.store import tables
from inquest.store.database import Database
from inquest.store.holds import database_time
from inquest.store.schema import unreadable

_AT_ONCE = 100
"""Cases whose rows are written in one transaction."""
_SETTLED = timedelta(minutes=1)
_ENDED = tuple(status.value for status in CaseStatus if status.ended)
_CALLS = ("search_calls", "page_reads", "model_calls")
_VERDICTS = tuple(verdict.value for verdict in Verdict)


async def keep_figures(database: Database, since: datetime | None = None) -> int:
    """Update the rows of changed cases begun since then (None: all) and return their number. Cases that have just ended
    are included, because events may follow without a change of the case."""
    last, made = "", 0
    while True:
        after = last
        names = await database.write(lambda connection, after=after: _keep_some(connection, since, after))  # type: ignore[misc]
        made += len(names)
        if len(names) < _AT_ONCE:
            return made
        last = names[-1]


async def counted(database: Database, since: datetime | None = None) -> Counted:
    """Return the sums over cases begun since then (None: all)."""
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
            kind = kinds.setdefault(each.kind, KindFigures())
            kind.by_status[each.status] += each.cases
            counts = {name: getattr(each, name) for name in (*_VERDICTS, "not_checked")}
            kind.verdicts.update({name: many for name, many in counts.items() if many})
            kind.usd += each.usd
            for name in _CALLS:
                setattr(kind, name, getattr(kind, name) + getattr(each, name))
        for name, seconds in connection.execute(ended):
            kinds[name].seconds.append(seconds)
        for name, *values in connection.execute(outages.group_by(row.c.kind, outage.c.what, where)):
            kinds[name].outages.append(OutageCount(*values))
        at_limit = connection.execute(limits.order_by(row.c.created_at, row.c.case_id, outage.c.place))
        return Counted(kinds, [(case_id, place) for case_id, place in at_limit])

    return await database.read(look)


def _keep_some(connection: Connection, since: datetime | None, after: str) -> list[str]:
    table, row = tables.cases, tables.case_figures
    is_old = or_(row.c.case_id.is_(None), row.c.version != table.c.version, row.c.settled == 0)
    query = select(table.c.id).outerjoin(row, row.c.case_id == table.c.id).where(table.c.id > after, is_old)
    if since is not None:
        query = query.where(table.c.created_at >= since)
    # The lock prevents a case from being deleted meanwhile, but does not block other writes.
    locked = query.order_by(table.c.id).limit(_AT_ONCE).with_for_update(read=True, key_share=True, of=table)
    names = list(connection.execute(locked).scalars())
    if names:
        settled = database_time(connection) - _SETTLED
        read = _read(connection, names, settled)
        statement = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(row)
        changes = {column.name: statement.excluded[column.name] for column in row.c if not column.primary_key}
        made = statement.on_conflict_do_update(index_elements=["case_id"], set_=changes)
        connection.execute(made, [figures for figures, _ in read])
        connection.execute(delete(tables.case_outages).where(tables.case_outages.c.case_id.in_(names)))
        if outages := [outage for _, each in read for outage in each]:
            connection.execute(insert(tables.case_outages), outages)
    return names


def _read(
    connection: Connection, names: Sequence[str], settled: datetime
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Return the rows of these cases' figures, each with the rows of its outages. `settled`: ended cases last changed
    before then stay as they are."""
    table, event = tables.cases, tables.events
    events = select(event.c.case_id, event.c.type, event.c.at).where(event.c.case_id.in_(names))
    rows = connection.execute(events.order_by(event.c.case_id, event.c.id)).all()
    # An event type of a newer version cannot mark a wait, but its time still counts.
    known = {each.value: each for each in EventType}
    seconds = {
        case_id: working_seconds((known.get(each.type, EventType.STAGE_FINISHED), each.at) for each in group)
        for case_id, group in groupby(rows, key=lambda row: row.case_id)
    }
    found = connection.execute(select(table).where(table.c.id.in_(names)))
    return [_figures(row, seconds.get(row.id), settled) for row in found]


def _figures(row: Any, seconds: float | None, settled: datetime) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    try:
        document = json.loads(row.document)
        assessments, timings = document.get("assessments", []), document.get("timings") or {}
        cost = Cost.model_validate(document.get("cost", {}))
        notes = [OutageNote.model_validate(each) for each in document.get("outages", ())]
        verdicts = Counter(Verdict(each["verdict"]) for each in assessments if each.get("checked", True))
        worked = seconds if seconds is not None else sum(timings.values()) if timings else None
        unchecked = sum(not each.get("checked", True) for each in assessments)
    except (ValueError, KeyError, TypeError, AttributeError) as error:  # of pydantic too
        raise unreadable(f"case {row.id}") from error
    figures = {
        "case_id": row.id,
        "version": row.version,
        "settled": int(row.status not in _ENDED or row.updated_at < settled),
        "kind": row.kind,
        "status": row.status,
        "created_at": row.created_at,
        "seconds": worked,
        "usd": cost.usd,
        "not_checked": unchecked,
        **{verdict.value: verdicts[verdict] for verdict in Verdict},
        **{name: getattr(cost, name) for name in _CALLS},
    }
    times = Counter(
        (note.what, "" if note.what == "page" and not note.at_limit else note.where, note.at_limit) for note in notes
    )
    return figures, [
        {"case_id": row.id, "what": what, "place": place, "at_limit": int(at_limit), "times": count}
        for (what, place, at_limit), count in times.items()
    ]


@dataclass(frozen=True)
class Outline:
    """Counts of one case. `verdicts` are those of the checked claims by id, as people decided."""

    verdicts: Mapping[str, str] = field(default_factory=dict)
    unchecked: int = 0
    outages: int = 0
    usd: float = 0.0
    waits: bool = False
    """True if its plan awaits a decision."""
    review: bool = False
    """True if the level found awaits review by a person."""
    level: str = ""
    """The level found by an investigation; '' for other cases and unfinished ones."""


_MOST_KNOWN = 5000

KnownOutlines = dict[tuple[str, int], tuple[Outline, int | None]]
"""By case and version: what its document says, and the revision of its plan."""


async def outlines(
    database: Database, case_ids: Sequence[str], known: KnownOutlines, decided: Mapping[str, Sequence[ClaimDecision]]
) -> dict[str, Outline]:
    """Return the outlines of these cases by id, empty for unreadable documents. `known`: a cache to read from and add
    to; `decided`: decisions on claims by case."""
    table, decisions, claims = tables.cases, tables.decisions, tables.claims
    words = select(claims.c.case_id, claims.c.id, claims.c.text).where(claims.c.case_id.in_(decided))
    versions = select(table.c.id, table.c.version, table.c.status).where(table.c.id.in_(case_ids))
    answers = select(decisions.c.case_id, decisions.c.revision).where(decisions.c.case_id.in_(case_ids))
    reviews = select(tables.reviews.c.case_id).where(tables.reviews.c.case_id.in_(case_ids))

    def work(connection: Connection) -> dict[str, Outline]:
        rows = connection.execute(versions).all()
        answered = {(row.case_id, row.revision) for row in connection.execute(answers)}
        reviewed = set(connection.execute(reviews).scalars())
        new = [row.id for row in rows if (row.id, row.version) not in known]
        documents = select(table.c.id, table.c.version, table.c.document).where(table.c.id.in_(new))
        read = {(row.id, row.version): _outline(row.document) for row in connection.execute(documents)} if new else {}
        if len(known) > _MOST_KNOWN:
            known.clear()
        known.update(read)
        found, named = {}, grouped((row.case_id, row) for row in (connection.execute(words) if decided else ()))
        for row in rows:
            outline, revision = read.get((row.id, row.version)) or known.get((row.id, row.version), (Outline(), None))
            on_claims = by_claim(named.get(row.id, ()), decided.get(row.id, ()))  # type: ignore[arg-type]
            overruled = {
                claim_id: last.decided.value
                for claim_id in outline.verdicts
                if (last := standing_decision(on_claims.get(claim_id, ()))) and last.kind is DecisionKind.OVERRULE
            }
            waits = row.status == "planned" and revision is not None
            found[row.id] = replace(
                outline,
                verdicts={**outline.verdicts, **overruled},
                waits=waits and not {(row.id, revision), (row.id, 0)} & answered,
                review=outline.review and row.id not in reviewed,
            )
        return found

    return await database.read(work)


def _outline(document: str) -> tuple[Outline, int | None]:
    try:
        case = json.loads(document)
    except ValueError:
        return Outline(), None
    assessments = [each for each in _list(case, "assessments") if isinstance(each, dict)]
    checked = [each for each in assessments if each.get("checked", True)]
    cost, found = case.get("cost") or {}, case.get("investigation") or {}
    outline = Outline(
        verdicts={str(each.get("claim_id")): str(each.get("verdict")) for each in checked},
        unchecked=len(assessments) - len(checked),
        outages=len(_list(case, "outages")),
        usd=float(cost.get("usd") or 0.0),
        review=bool(found.get("requires_human_review")),
        level=str((found.get("upgrade") or {}).get("new_level") or ""),
    )
    return outline, (case.get("plan") or {}).get("revision")


def _list(case: Mapping[str, Any], name: str) -> list[Any]:
    value = case.get(name)
    return value if isinstance(value, list) else []


async def service_figures(database: Database) -> dict[str, dict[str, float]]:
    """Return `cases` and `callbacks` by status, `jobs` waiting and working, and `longest_wait_seconds`, the time since
    the oldest waiting case was submitted."""
    cases, sent, submitted = tables.cases, tables.callbacks, tables.submissions

    def look(connection: Connection) -> dict[str, dict[str, float]]:
        now = database_time(connection)
        # Joined from the few submissions to their cases by key, so that finished cases do not slow it down.
        held = and_(cases.c.id == submitted.c.case_id, cases.c.runner.is_not(None), cases.c.lease_until > now)
        waits = select(func.count(), func.min(submitted.c.at)).where(not_(exists().where(held)))
        many, oldest = connection.execute(waits).one()
        every = connection.execute(select(func.count()).select_from(submitted)).scalar_one()
        return {
            "cases": _by(connection, cases.c.status),
            "callbacks": _by(connection, sent.c.state),
            "jobs": {"waiting": float(many), "working": float(every - many)},
            "longest_wait_seconds": {"": max((now - oldest).total_seconds(), 0.0) if oldest is not None else 0.0},
        }

    return await database.read(look)


def _by(connection: Connection, column: object) -> dict[str, float]:
    query = select(column, func.count()).group_by(column)  # type: ignore[call-overload]
    return {str(name): float(many) for name, many in connection.execute(query)}
