"""The parts of a case that have rows of their own, and which of those rows a save must write.

A case is saved after each step of its work, and most steps leave most of it as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Table, bindparam, delete, insert

from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding
from inquest.domain.source import Source
from inquest.store import tables
from inquest.store.rows import storable

P = TypeVar("P", Source, Claim, Finding)


class _Row(NamedTuple):
    """One part as its row holds it."""

    place: int
    document: str
    value: Source | Claim | Finding


Rows = Mapping[str, Mapping[str, _Row]]
"""Of one case: by the name of the table, the rows by the part's id."""


def part_rows(case: Case, before: Rows | None = None) -> Rows | None:
    """The case's parts as rows; None where two of a kind have one id, which no row can hold. `before`: those of an
    earlier state, so that a part that is still the same value is not written out again."""
    had = before or {}
    made = {
        table.name: {value.id: _row(place, value, had.get(table.name, {})) for place, value in enumerate(values)}
        for table, values, _ in _parts(case)
    }
    return made if all(len(made[table.name]) == len(values) for table, values, _ in _parts(case)) else None


def put_parts(connection: Connection, case: Case) -> None:
    """Write every part of a case that has no rows yet."""
    for table, values, columns in _parts(case):
        _insert(connection, table, case.id, [(place, value, "") for place, value in enumerate(values)], columns)


def replace_parts(connection: Connection, case: Case, before: Rows, after: Rows) -> None:
    """Bring the rows of a case from one state to the next: what is not there any more goes, what is new or another
    comes, and nothing else is touched."""
    for table, values, columns in _parts(case):
        old, new = before[table.name], after[table.name]
        other = {name for name, row in new.items() if name not in old or old[name][:2] != row[:2]}
        gone = [{"gone": name} for name in old if name not in new or name in other]
        if gone:
            query = delete(table).where(table.c.case_id == case.id, table.c.id == bindparam("gone"))
            connection.execute(query, gone)
        changed = [(place, value, new[value.id].document) for place, value in enumerate(values) if value.id in other]
        _insert(connection, table, case.id, changed, columns)


def _row(place: int, value: Source | Claim | Finding, before: Mapping[str, _Row]) -> _Row:
    had = before.get(value.id)
    # Values are frozen: what is the same object says the same. Equal ones need not (1 and 1.0 are equal).
    same = had is not None and had.value is value
    return _Row(place, had.document if had and same else value.model_dump_json(), value)


def _parts(case: Case) -> tuple[tuple[Table, Sequence[Any], Callable[[Any], dict[str, Any]]], ...]:
    return (
        (tables.sources, case.sources, _source_row),
        (tables.claims, case.claims, _claim_row),
        (tables.findings, case.findings, _finding_row),
    )


def _insert(
    connection: Connection,
    table: Table,
    case_id: str,
    values: Sequence[tuple[int, P, str]],
    columns: Callable[[P], dict[str, Any]],
) -> None:
    """`values`: place, value and, where it is made already, its document."""
    rows = [
        columns(value)
        | {"case_id": case_id, "id": value.id, "place": place, "document": document or value.model_dump_json()}
        for place, value, document in values
    ]
    if rows:
        connection.execute(insert(table), rows)


def _source_row(source: Source) -> dict[str, Any]:
    return {
        "url": storable(source.url),
        "title": storable(source.title),
        "domain": storable(source.domain),
        "tier": source.rating.tier,
        "story": source.story,
        "snapshot": source.snapshot,
    }


def _claim_row(claim: Claim) -> dict[str, Any]:
    return {"type": claim.type.value, "text": storable(claim.text)}


def _finding_row(finding: Finding) -> dict[str, Any]:
    return {
        "claim_id": finding.claim_id,
        "source_id": finding.source_id,
        "agent": finding.agent,
        "stance": finding.stance.value,
        "confidence": finding.confidence,
        "snapshot": finding.snapshot,
        "quote": storable(finding.quote),
    }
