"""Cases and their parts, kept (kit.ports.CaseStore)."""

from __future__ import annotations

import builtins
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy import Connection, Row, Table, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.errors import InputError, NotFound, StorageError
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.domain.value import Value
from inquest.kit.ports import Clock
from inquest.store import tables
from inquest.store.case_parts import Rows, part_rows, put_parts, replace_parts
from inquest.store.database import Database
from inquest.store.holds import CaseHold, database_time, no_case
from inquest.store.rows import storable

_MOST = 8
"""Cases; a large one takes some megabytes."""


class KnownCases:
    """Cases that were read lately and have ended, by id: whoever looks at a case looks at several of its
    parts. Each with the version of the row that it was read from: another version is another case."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[int, Case]] = OrderedDict()
        self._lock = Lock()
        """Readers are threads."""

    def find(self, case_id: str, version: int) -> Case | None:
        """The case as of this version; None: it is to be read."""
        with self._lock:
            kept = self._known.get(case_id)
            if kept is None or kept[0] != version:
                return None
            self._known.move_to_end(case_id)
            return kept[1]

    def keep(self, case: Case, version: int) -> None:
        """Remember it, if it has ended: one that is at work changes with every step."""
        if case.status.ended:
            with self._lock:
                self._known[case.id] = version, case
                self._known.move_to_end(case.id)
                while len(self._known) > _MOST:
                    self._known.popitem(last=False)


V = TypeVar("V", bound=Value)

_PARTS = {"sources", "claims", "findings"}
_TITLE = 200
_SHOWN = 5


class Cases:
    """Cases by id. The parts that are asked about on their own (sources, claims, findings) have rows of their own."""

    def __init__(self, database: Database, clock: Clock, hold: CaseHold | None = None) -> None:
        """`hold`: that of the runner whose saves these are; None: a person's, of a case that nobody runs."""
        self._database = database
        self._clock = clock
        self._hold = hold
        self._written: dict[str, tuple[int, Rows]] = {}
        """Of cases that are being run, what stands in the database: the version, and the rows of the parts."""

    async def create(self, case: Case) -> None:
        """Keep a new case. Raises InputError where there is one of that id, StorageError."""

        def work(connection: Connection) -> None:
            row = _case_row(case) | {"updated_at": self._clock.now(), "version": 1}
            try:
                connection.execute(insert(tables.cases), row | {"id": case.id, "created_at": case.created_at})
            except IntegrityError as error:
                raise InputError(f"There is a case {case.id} already.") from error
            put_parts(connection, case)

        await self._database.write(work)

    async def load(self, case_id: str, known: KnownCases | None = None) -> Case:
        """By id or by its unambiguous beginning. `known`: those that were read before, to which it is added. Raises
        NotFound, StorageError."""
        version_of = select(tables.cases.c.version).where(tables.cases.c.id == case_id)

        def look(connection: Connection) -> tuple[Case, int]:
            version = connection.execute(version_of).scalar_one_or_none() if known is not None else None
            if known is not None and version is not None and (kept := known.find(case_id, version)) is not None:
                return kept, version
            row = _find(connection, case_id)
            (case,) = _whole(connection, [row])
            return case, row.version

        case, version = await self._database.read(look)
        if known is not None:
            known.keep(case, version)
        return case

    async def save(self, case: Case) -> None:
        """Replace what is kept of the case, in one transaction. Raises NotFound, Superseded, StorageError.

        Of a case that this object saved before, and nobody else since, only what has changed is written.
        """
        table = tables.cases
        known = self._written.pop(case.id, None)
        rows = part_rows(case, known[1] if known else None)
        case_row = _case_row(case)
        changed = update(table).where(table.c.id == case.id).returning(table.c.version)

        def work(connection: Connection) -> int:
            if self._hold is not None:
                self._hold.check(connection, lock="update")
            query = changed.values(case_row | {"updated_at": self._clock.now(), "version": table.c.version + 1})
            if known and rows is not None:
                version = connection.execute(query.where(table.c.version == known[0])).scalar_one_or_none()
                if version is not None:
                    replace_parts(connection, case, known[1], rows)
                    return int(version)
            version = connection.execute(query).scalar_one_or_none()
            if version is None:
                raise no_case(case.id)
            for part in (tables.sources, tables.claims, tables.findings):
                connection.execute(delete(part).where(part.c.case_id == case.id))
            put_parts(connection, case)
            return int(version)

        version = await self._database.write(work)
        # Not for one whose saving has failed or was cut off: what stands there is then unknown.
        if rows is not None and not case.status.ended:
            self._written[case.id] = version, rows

    async def list(self, *, limit: int = 50) -> Sequence[Case]:
        """Newest first. Raises StorageError."""
        table = tables.cases
        query = select(table).order_by(table.c.created_at.desc(), table.c.id.desc()).limit(limit)
        return await self._database.read(lambda connection: _whole(connection, connection.execute(query).all()))

    async def findings(
        self,
        *,
        case_id: str | None = None,
        claim_id: str | None = None,
        source_id: str | None = None,
        stance: Stance | None = None,
        domain: str | None = None,
    ) -> builtins.list[tuple[str, Finding]]:
        """Findings of all cases, or those asked for (N16), each with its case's id, in the order of their cases.

        Claim and source ids (C1, S1) are a case's own; `domain` is the registrable domain of the source.
        """
        table = tables.findings
        query = select(table.c.case_id, table.c.document).order_by(table.c.case_id, table.c.place)
        for column, wanted in (
            (table.c.case_id, case_id),
            (table.c.claim_id, claim_id),
            (table.c.source_id, source_id),
            (table.c.stance, stance.value if stance else None),
        ):
            if wanted is not None:
                query = query.where(column == wanted)
        if domain is not None:
            source = tables.sources
            query = query.join(source, (source.c.case_id == table.c.case_id) & (source.c.id == table.c.source_id))
            query = query.where(source.c.domain == domain)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [(row.case_id, _value(Finding, row.document, row.case_id)) for row in rows]

    async def abandoned(self) -> builtins.list[str]:
        """Ids of cases that say they are running and that no process holds: to be resumed. Oldest first."""
        table = tables.cases
        query = select(table.c.id).where(table.c.status == "running").order_by(table.c.created_at, table.c.id)

        def look(connection: Connection) -> builtins.list[str]:
            free = or_(table.c.runner.is_(None), table.c.lease_until <= database_time(connection))
            return [row.id for row in connection.execute(query.where(free))]

        return await self._database.read(look)


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
    # Not LIKE: SQLite's ignores case, and a beginning may hold its wildcards.
    begins = func.substr(table.c.id, 1, len(case_id)) == case_id
    rows = connection.execute(select(table).where(begins).order_by(table.c.id).limit(_SHOWN + 1)).all()
    if not rows:
        raise no_case(case_id)
    if len(rows) > 1:
        names = ", ".join(row.id for row in rows[:_SHOWN]) + (", ..." if len(rows) > _SHOWN else "")
        raise NotFound(f"{case_id!r} is the beginning of several cases: {names}.", advice="Write more of the id.")
    return rows[0]


def _whole(connection: Connection, rows: Iterable[Row[Any]]) -> builtins.list[Case]:
    """The cases of these rows, with their parts, in the order of the rows."""
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
        raise StorageError(
            f"What is kept of case {case_id} cannot be read (a {kind.__name__.lower()} of it is malformed).",
            advice="It was written by another version of Inquest, or changed by hand.",
        ) from error
