"""A service's data about its cases: lists and search, owners, submissions, and decisions on plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    tuple_,
)
from sqlalchemy.exc import IntegrityError

from inquest.domain.editorial import Assignment
from inquest.domain.errors import Conflict
from inquest.domain.plan import Approval
from inquest.store import tables
from inquest.store.database import Kept
from inquest.store.holds import database_time, interrupted
from inquest.store.schema import columns, made, storable

ANY_REVISION = 0


@dataclass(frozen=True)
class Hit:
    """A claim, source or quote that contains the search terms."""

    part: str
    """claims, sources or findings."""
    id: str
    text: str


@dataclass(frozen=True)
class CaseLine:
    """A case as shown in a list."""

    case_id: str
    kind: str
    status: str
    title: str
    created_at: datetime
    updated_at: datetime
    kept_until: datetime | None
    team_id: int | None
    by: str | None
    interrupted: bool = False
    """True if it has not ended and its process has died."""
    hits: tuple[Hit, ...] = ()
    """Matches other than in the title."""
    assignment: Assignment | None = None
    """None if the service has no users, or no person has acted on the case."""


@dataclass(frozen=True)
class Listing:
    """Filters of a list of cases, newest first."""

    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None
    """Only these cases; None: all."""
    words: str = ""
    """Each word must occur in the title, a claim, a source or a quote of the case, ignoring case."""
    teams: tuple[int, ...] | None = None
    """Cases of these teams, and those of `by` without a team; None: all cases, with or without an owner."""
    by: str = ""
    before: tuple[datetime, str] | None = None
    """Time and id of the last case on the previous page."""
    limit: int = 50


_SEARCHED = {
    tables.claims: (tables.claims.c.text,),
    tables.findings: (tables.findings.c.quote,),
    tables.sources: (tables.sources.c.title, tables.sources.c.url),
}
"""The searched columns of each table of parts; the first one is shown."""
_HITS = 3
"""Matches shown per case."""


def _has(part: Table, word: str) -> ColumnElement[bool]:
    return or_(*(column.icontains(storable(word), autoescape=True) for column in _SEARCHED[part]))


def _hits(connection: Connection, case_id: str, words: Sequence[str]) -> tuple[Hit, ...]:
    """Return the first parts of the case that contain all words, or if there are none, any of them."""
    for joined in (and_, or_):
        found = [
            Hit(part.name, row.id, row[1])
            for part, searched in _SEARCHED.items()
            for row in connection.execute(
                select(part.c.id, searched[0])
                .where(part.c.case_id == case_id, joined(*(_has(part, word) for word in words)))
                .order_by(part.c.place)
                .limit(_HITS)
            )
        ]
        if found:
            return tuple(found[:_HITS])
    return ()


class CaseRecords(Kept):
    """Owners, submissions and decisions."""

    async def lines(self, wanted: Listing) -> list[CaseLine]:
        """Return the matching cases, newest first, without their documents."""
        table, owner = tables.cases, tables.case_owners
        shown = (
            table.c.id.label("case_id"),
            *(table.c[name] for name in ("kind", "status", "title", "created_at", "updated_at")),
            table.c.forget_at.label("kept_until"),
            owner.c.team_id,
            owner.c.by,
        )
        query = select(*shown).select_from(table.outerjoin(owner, owner.c.case_id == table.c.id))
        for column, values in ((table.c.kind, wanted.kinds), (table.c.status, wanted.statuses)):
            if values:
                query = query.where(column.in_(values))
        if wanted.ids is not None:
            # Literals, because there may be more ids than a database accepts as parameters.
            known: BindParameter[tuple[str, ...]] = bindparam("ids", wanted.ids, expanding=True, literal_execute=True)
            query = query.where(table.c.id.in_(known))
        words = wanted.words.split()
        for word in words:
            in_parts = (table.c.id.in_(select(part.c.case_id).where(_has(part, word))) for part in _SEARCHED)
            query = query.where(or_(table.c.title.icontains(storable(word), autoescape=True), *in_parts))
        if wanted.teams is not None:
            query = query.where(
                or_(owner.c.team_id.in_(wanted.teams), owner.c.team_id.is_(None) & (owner.c.by == wanted.by))
            )
        if wanted.before is not None:
            at, case_id = wanted.before
            query = query.where(
                or_(table.c.created_at < at, (table.c.created_at == at) & (table.c.id < storable(case_id)))
            )
        query = query.order_by(table.c.created_at.desc(), table.c.id.desc()).limit(wanted.limit)

        def look(connection: Connection) -> list[CaseLine]:
            rows = connection.execute(query.add_columns(interrupted(connection).label("interrupted")))
            found = [CaseLine(**row._mapping) for row in rows]
            return [replace(line, hits=_hits(connection, line.case_id, words)) for line in found] if words else found

        return await self._database.read(look)

    async def own(self, case_id: str, team_id: int | None, by: str) -> None:
        """Set the owner of a case unless it has one."""
        row = {"case_id": case_id, "team_id": team_id, "by": storable(by)}
        await self._run(self._database.upsert(tables.case_owners).values(row).on_conflict_do_nothing())

    async def owner(self, case_id: str) -> tuple[int | None, str] | None:
        """Return the team and person that own the case, or None if it was created elsewhere."""
        table = tables.case_owners
        row = await self._first(select(table.c.team_id, table.c.by).where(table.c.case_id == case_id))
        return None if row is None else (row.team_id, row.by)

    async def version(self, case_id: str) -> int | None:
        """Return a number that grows with every change of the case, or None if absent."""
        query = select(tables.cases.c.version).where(tables.cases.c.id == case_id)
        found: int | None = await self._database.read(lambda connection: connection.execute(query).scalar())
        return found

    async def submitted(self, case_id: str) -> None:
        """Record a case to be run, with the database's time because clocks of machines differ."""

        def work(connection: Connection) -> None:
            row = {"case_id": case_id, "at": database_time(connection)}
            connection.execute(self._database.upsert(tables.submissions).values(row).on_conflict_do_nothing())

        await self._database.write(work)

    async def done(self, case_id: str) -> None:
        """Remove a case that has ended or waits for a decision."""
        await self._run(delete(tables.submissions).where(tables.submissions.c.case_id == case_id))

    async def submissions(self) -> int:
        """Return the number of cases waiting or in progress."""
        query = select(func.count()).select_from(tables.submissions)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def unfinished(self, *, orphaned: bool = False) -> Sequence[str]:
        """Return the ids of submitted cases, oldest first; `orphaned`: only those that no live process holds."""
        table, cases = tables.submissions, tables.cases

        def work(connection: Connection) -> list[str]:
            free = cases.c.runner.is_(None) | (cases.c.lease_until <= database_time(connection))
            query = select(table.c.case_id).order_by(table.c.at, table.c.case_id)
            if orphaned:
                query = query.join(cases, cases.c.id == table.c.case_id).where(free)
            return list(connection.execute(query).scalars())

        return await self._database.read(work)

    async def decide(self, case_id: str, approval: Approval) -> None:
        """Store a decision; one for revision 0 answers every plan. Raises Conflict if that revision already has one."""
        row = columns(approval, exclude=("about",)) | {"case_id": case_id}

        def work(connection: Connection) -> None:
            try:
                connection.execute(insert(tables.decisions), row)
            except IntegrityError as error:
                raise Conflict(
                    f"Plan {approval.revision} of case {case_id} has already been answered.",
                    advice="The events of the case show who decided what.",
                ) from error

        await self._database.write(work)

    async def plan_reopened(self, case_id: str, revision: int) -> None:
        """Delete decisions made in advance or on plans after this revision; the case itself keeps all decisions."""
        table = tables.decisions
        later = (table.c.revision > revision) | (table.c.revision == ANY_REVISION)
        await self._run(delete(table).where(table.c.case_id == case_id, later))

    async def decision(self, case_id: str, revision: int) -> Approval | None:
        """Return the decision on this revision of the plan or on all, or None if absent."""
        table = tables.decisions
        wanted = [(case_id, revision), (case_id, ANY_REVISION)]
        query = select(table).where(tuple_(table.c.case_id, table.c.revision).in_(wanted))
        row = await self._first(query.order_by(table.c.revision.desc()).limit(1))
        if row is None:
            return None
        fields = dict(row._mapping) | {"revision": revision}
        del fields["case_id"]
        return made(Approval, fields, lists=(), what=f"a decision on case {case_id}")
