"""Stored cases with their parts (kit.ports.CaseStore): saved after each step, loaded, listed and deleted."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Protocol, TypeVar

from pydantic import ValidationError
from sqlalchemy import (
    Connection,
    Row,
    Table,
    delete,
    exists,
    func,
    insert,
    inspect,
    not_,
    or_,
    select,
    text,
    union,
    update,
)
from sqlalchemy.exc import IntegrityError

from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.errors import InputError, NotFound, StorageError
from inquest.domain.finding import Finding
from inquest.domain.source import Source
from inquest.domain.value import Value
from inquest.kit.ports import Clock
from inquest.store import tables
from inquest.store.database import Database
from inquest.store.holds import CaseHold, interrupted, no_case
from inquest.store.schema import storable, unreadable

V = TypeVar("V", bound=Value)


def _put_parts(connection: Connection, case: Case) -> None:
    """Insert the sources, claims and findings of a case that has none stored."""
    parts: tuple[tuple[Table, Sequence[Any], Callable[[Any], dict[str, Any]]], ...] = (
        (tables.sources, case.sources, _source_row),
        (tables.claims, case.claims, lambda claim: {"type": claim.type.value, "text": storable(claim.text)}),
        (tables.findings, case.findings, _finding_row),
    )
    for table, values, columns in parts:
        rows = [
            columns(value) | {"case_id": case.id, "id": value.id, "place": place, "document": value.model_dump_json()}
            for place, value in enumerate(values)
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


_MOST_KNOWN = 32
"""Number of cached cases: a newsroom has more than a few open at once. One of 30 claims takes 1.6 MB."""

KnownCases = dict[str, tuple[int, Case]]
"""Ended cases read before, because people look at several parts of a case in a row, with the version they are of."""

_PARTS = {"sources", "claims", "findings"}
_TITLE = 200
_SHOWN = 5


class Cases:
    """Cases by id. Sources, claims and findings have separate rows because they are also queried separately."""

    def __init__(self, database: Database, clock: Clock, hold: CaseHold | None = None) -> None:
        """`hold`: the hold of the saving runner; None: a person saves a case that is not running."""
        self._database = database
        self._clock = clock
        self._hold = hold

    async def create(self, case: Case) -> None:
        """Store a new case. Raises InputError if its id exists."""

        def work(connection: Connection) -> None:
            row = _case_row(case) | {"updated_at": self._clock.now(), "version": 1}
            try:
                connection.execute(insert(tables.cases), row | {"id": case.id, "created_at": case.created_at})
            except IntegrityError as error:
                raise InputError(f"Case {case.id} already exists.") from error
            _put_parts(connection, case)

        await self._database.write(work)

    async def load(self, case_id: str, known: KnownCases | None = None) -> Case:
        """Load a case by id or unambiguous prefix. `known`: a cache to read from and add to. Raises NotFound."""
        version_of = select(tables.cases.c.version).where(tables.cases.c.id == case_id)

        def look(connection: Connection) -> tuple[int, Case]:
            kept = known.get(case_id) if known else None
            if kept is not None and kept[0] == connection.execute(version_of).scalar_one_or_none():
                return kept
            row = _find(connection, case_id)
            (case,) = _whole(connection, [row])
            return row.version, case

        version, case = await self._database.read(look)
        if known is not None and case.status.ended:
            if len(known) >= _MOST_KNOWN:
                known.clear()
            known[case.id] = version, case
        return case

    async def save(self, case: Case) -> None:
        """Replace the stored case in one transaction. Raises NotFound, Superseded."""
        table = tables.cases

        def work(connection: Connection) -> None:
            if self._hold is not None:
                self._hold.check(connection, lock="update")
            row = _case_row(case) | {"updated_at": self._clock.now(), "version": table.c.version + 1}
            if not connection.execute(update(table).where(table.c.id == case.id).values(row)).rowcount:
                raise no_case(case.id)
            for part in (tables.sources, tables.claims, tables.findings):
                connection.execute(delete(part).where(part.c.case_id == case.id))
            _put_parts(connection, case)

        await self._database.write(work)

    async def list(self, *, limit: int = 50) -> Sequence[Case]:
        """Return the newest cases first."""
        table = tables.cases
        query = select(table).order_by(table.c.created_at.desc(), table.c.id.desc()).limit(limit)
        return await self._database.read(lambda connection: _whole(connection, connection.execute(query).all()))

    async def interrupted(self) -> builtins.list[str]:
        """Return the ids of the cases whose process has died (`holds.interrupted`), oldest first."""
        table = tables.cases
        query = select(table.c.id).order_by(table.c.created_at, table.c.id)
        return await self._database.read(
            lambda connection: list(connection.execute(query.where(interrupted(connection))).scalars())
        )


def _case_row(case: Case) -> dict[str, Any]:
    title = case.plan.topic if case.plan else case.brief.text
    return {
        "kind": case.kind.value,
        "status": case.status.value,
        "title": storable(" ".join(title.split())[:_TITLE]),
        "document": case.model_dump_json(exclude=_PARTS),
        "forget_at": case.kept_until,
    }


def _find(connection: Connection, case_id: str) -> Row[Any]:
    table = tables.cases
    exact = connection.execute(select(table).where(table.c.id == case_id)).first()
    if exact is not None:
        return exact
    if not case_id:
        raise no_case(case_id)
    # Not LIKE: SQLite's ignores case, and the prefix may contain wildcards.
    begins = func.substr(table.c.id, 1, len(case_id)) == case_id
    rows = connection.execute(select(table).where(begins).order_by(table.c.id).limit(_SHOWN + 1)).all()
    if not rows:
        raise no_case(case_id)
    if len(rows) > 1:
        names = ", ".join(row.id for row in rows[:_SHOWN]) + (", ..." if len(rows) > _SHOWN else "")
        raise NotFound(f"{case_id!r} matches several cases: {names}.", advice="Give more of the id.")
    return rows[0]


def _whole(connection: Connection, rows: Iterable[Row[Any]]) -> builtins.list[Case]:
    """Return the cases of these rows with their parts, in the same order."""
    rows = list(rows)
    ids = [row.id for row in rows]
    sources = _parts(connection, tables.sources, Source, ids)
    claims = _parts(connection, tables.claims, Claim, ids)
    findings = _parts(connection, tables.findings, Finding, ids)
    return [
        _value(Case, row.document, row.id).model_copy(
            update={"sources": sources[row.id], "claims": claims[row.id], "findings": findings[row.id]}
        )
        for row in rows
    ]


def _parts(connection: Connection, table: Table, kind: type[V], ids: Sequence[str]) -> dict[str, tuple[V, ...]]:
    query = select(table.c.case_id, table.c.document).where(table.c.case_id.in_(ids)).order_by(table.c.place)
    found: dict[str, builtins.list[V]] = {case_id: [] for case_id in ids}
    for row in connection.execute(query):
        found[row.case_id].append(_value(kind, row.document, row.case_id))
    return {case_id: tuple(values) for case_id, values in found.items()}


def _value(kind: type[V], document: str, case_id: str) -> V:
    try:
        return kind.model_validate_json(document)
    except ValidationError as error:
        raise unreadable(f"case {case_id}", f" (malformed {kind.__name__.lower()})") from error


_CHECKPOINTS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "writes")
"""LangGraph's tables in SQLite and PostgreSQL; its thread ids are case ids."""


class Removes(Protocol):
    """The part of an archive that deletes snapshots."""

    async def remove(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> None: ...


async def forget_what_is_due(database: Database, archive: Removes, now: datetime) -> None:
    """Delete the expired cases that are not running. Those that cannot be deleted now (a file in use, a read-only
    folder) are tried again at the next start."""
    table = tables.cases
    idle = or_(table.c.lease_until.is_(None), table.c.lease_until <= now)
    query = select(table.c.id).where(table.c.forget_at <= now, idle).order_by(table.c.forget_at)
    for case_id in await database.read(lambda connection: list(connection.execute(query).scalars())):
        with suppress(StorageError):
            await forget_case(database, archive, case_id, now)


async def forget_case(database: Database, archive: Removes, case_id: str, now: datetime) -> None:
    """Delete the case with its parts, events, recorded replies and checkpoints, and the snapshots only it uses."""

    def work(connection: Connection) -> None:
        there = set(inspect(connection).get_table_names())
        for name in _CHECKPOINTS:
            if name in there:
                connection.execute(text(f"DELETE FROM {name} WHERE thread_id = :case"), {"case": case_id})
        for table in (tables.replies, tables.events, tables.sources, tables.claims, tables.findings):
            connection.execute(delete(table).where(table.c.case_id == case_id))
        connection.execute(delete(tables.cases).where(tables.cases.c.id == case_id))

    # Files first: without the rows, files that remain could no longer be found and deleted.
    alone = await database.read(lambda connection: _used_by_it_alone(connection, case_id))
    await archive.remove(alone, untouched_since=now)
    await database.write(work)


def _used_by_it_alone(connection: Connection, case_id: str) -> list[str]:
    """Return the hashes of snapshots used by this case only."""
    columns = (tables.replies.c.body, tables.sources.c.snapshot, tables.findings.c.snapshot)
    uses = (select(each).where(each.table.c.case_id == case_id, each.is_not(None)) for each in columns)
    (name,) = union(*uses).subquery().c
    # Findings use only snapshots of sources of the same case.
    elsewhere = (exists().where(each == name, each.table.c.case_id != case_id) for each in columns[:2])
    return list(connection.execute(select(name).where(not_(or_(*elsewhere))).order_by(name)).scalars())
