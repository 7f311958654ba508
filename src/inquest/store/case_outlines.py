"""What a list of cases shows of each, read without its sources, claims and findings."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, select

from inquest.store import tables
from inquest.store.database import Database


@dataclass(frozen=True)
class Outline:
    """The counts of one case. `verdicts` is by the verdict's value."""

    verdicts: Mapping[str, int] = field(default_factory=dict)
    unchecked: int = 0
    outages: int = 0
    usd: float = 0.0
    waits: bool = False
    """A plan of it waits for a decision."""
    review: bool = False
    """A person is to look at the level that was found, and nobody has yet."""
    level: str = ""
    """The level that an investigation found; '': it is of no topic, or has not come so far."""


async def outlines(database: Database, case_ids: Sequence[str]) -> dict[str, Outline]:
    """The outlines of these cases, by id; of one whose document cannot be read an empty one. Raises StorageError."""
    table = tables.cases
    query = select(table.c.id, table.c.status, table.c.document).where(table.c.id.in_(case_ids))
    decisions = tables.decisions
    answers = select(decisions.c.case_id, decisions.c.revision).where(decisions.c.case_id.in_(case_ids))

    reviews = select(tables.reviews.c.case_id).where(tables.reviews.c.case_id.in_(case_ids))

    def work(connection: Connection) -> tuple[list[Row[Any]], set[tuple[str, int]], set[str]]:
        found = connection.execute(answers).all()
        reviewed = set(connection.execute(reviews).scalars())
        return list(connection.execute(query)), {(row.case_id, row.revision) for row in found}, reviewed

    rows, answered, reviewed = await database.read(work)
    return {row.id: _outline(row, answered, reviewed) for row in rows}


def _outline(row: Row[Any], answered: set[tuple[str, int]], reviewed: set[str]) -> Outline:
    try:
        case = json.loads(row.document)
    except ValueError:
        return Outline()
    assessments = [each for each in _list(case, "assessments") if isinstance(each, dict)]
    checked = [each for each in assessments if each.get("checked", True)]
    revision = (case.get("plan") or {}).get("revision")
    is_answered = (row.id, revision) in answered or (row.id, 0) in answered
    cost, found = case.get("cost") or {}, case.get("investigation") or {}
    return Outline(
        verdicts=Counter(str(each.get("verdict")) for each in checked),
        unchecked=len(assessments) - len(checked),
        outages=len(_list(case, "outages")),
        usd=float(cost.get("usd") or 0.0),
        waits=row.status == "planned" and revision is not None and not is_answered,
        review=bool(found.get("requires_human_review")) and row.id not in reviewed,
        level=str((found.get("upgrade") or {}).get("new_level") or ""),
    )


def _list(case: Mapping[str, Any], name: str) -> list[Any]:
    value = case.get(name)
    return value if isinstance(value, list) else []
