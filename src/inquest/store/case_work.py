"""A service's data about its cases: lists and search, owners, submissions, decisions on plans, and callbacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

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
    update,
)
from sqlalchemy.engine import Row
from sqlalchemy.exc import IntegrityError

from inquest.domain.errors import Conflict
from inquest.domain.event import Assignment, Delivery, DeliveryState, Standing, Target
from inquest.domain.plan import Approval
from inquest.store import tables
from inquest.store.accounts import Owners
from inquest.store.database import Database, Kept
from inquest.store.holds import database_time, interrupted, no_case
from inquest.store.schema import columns, made, storable
from inquest.store.tables import callback_targets as targets
from inquest.store.tables import callbacks

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


class CaseRecords(Owners):
    """Owners, submissions and decisions."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, tables.case_owners)

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

    async def version(self, case_id: str) -> int | None:
        """Return a number that grows with every change of the case, or None if absent."""
        query = select(tables.cases.c.version).where(tables.cases.c.id == case_id)
        found: int | None = await self._database.read(lambda connection: connection.execute(query).scalar())
        return found

    async def submitted(self, case_id: str) -> None:
        """Record a case to be run, with the database's time because clocks of machines differ. Raises NotFound."""

        def work(connection: Connection) -> None:
            row = {"case_id": case_id, "at": database_time(connection)}
            try:
                connection.execute(self._database.upsert(tables.submissions, row))
            except IntegrityError:
                raise no_case(case_id) from None

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


_FARTHEST = timedelta(hours=2)
"""Longest postponement; a later time was written while a clock was wrong and counts as due."""


class Outbox(Kept):
    """One target per case, and its callbacks in order."""

    async def add_target(self, case_id: str, url: str, *, at: datetime) -> None:
        """Notify this URL of the case, beginning with its first event."""
        row = {"case_id": case_id, "url": storable(url), "last_event": 0, "next_at": at}
        await self._run(self._database.upsert(targets, row))

    async def target(self, case_id: str) -> Target | None:
        """Return the target of the case, or None."""
        row = await self._first(select(targets).where(targets.c.case_id == case_id))
        return _target(row) if row is not None else None

    async def take(self, *, at: datetime, lease: timedelta, case_id: str = "") -> Target | None:
        """Lease the target of a due case (or this one) to this process; None if no case is due."""
        leased = targets.c.lease_until
        free = or_(leased.is_(None), leased <= at, leased > at + lease + _FARTHEST)
        turn = or_(targets.c.next_at <= at, targets.c.next_at > at + _FARTHEST)
        if case_id:
            turn = (targets.c.case_id == case_id) & targets.c.next_at.is_not(None)
        due = select(targets).where(turn, free).order_by(targets.c.next_at).limit(1)
        if await self._database.read(lambda connection: connection.execute(due).first()) is None:
            return None

        def work(connection: Connection) -> Target | None:
            row = connection.execute(due.with_for_update(skip_locked=True)).first()
            if row is None:
                return None
            mine = update(targets).where(targets.c.case_id == row.case_id)
            connection.execute(mine.values(lease_until=at + lease))
            return _target(row)

        return await self._database.write(work)

    async def wake(self, case_id: str, *, at: datetime) -> None:
        """Make a settled target due again because the case continues."""
        query = update(targets).where(targets.c.case_id == case_id, targets.c.next_at.is_(None)).values(next_at=at)
        await self._run(query)

    async def settle(self, case_id: str, *, last_event: int, next_at: datetime | None) -> None:
        """Release the target with the last event sent and the time of the next attempt; None: nothing left to send."""
        query = update(targets).where(targets.c.case_id == case_id)
        values = {"last_event": last_event, "next_at": next_at, "lease_until": None}
        await self._run(query.values(values))

    async def keep(self, delivery: Delivery) -> None:
        """Store the current state of a callback."""
        row = columns(delivery, exclude=("id",))
        changed = {name: row[name] for name in ("state", "attempts", "at", "status", "error", "theirs")}
        await self._run(self._database.upsert(callbacks, row, changed, key=["case_id", "key"]))

    async def deliveries(self, case_id: str) -> list[Delivery]:
        """Return all callbacks of the case in sending order."""
        rows = await self._rows(select(callbacks).where(callbacks.c.case_id == case_id).order_by(callbacks.c.id))
        return [Delivery(**row._mapping) for row in rows]

    async def standings(self, *, limit: int) -> list[Standing]:
        """Return the latest cases with a receiver and their callbacks counted by state."""
        latest = select(targets.c.case_id, targets.c.url).order_by(targets.c.case_id.desc()).limit(limit)

        def look(connection: Connection) -> list[Standing]:
            rows = connection.execute(latest).all()
            mine = callbacks.c.case_id.in_([row.case_id for row in rows])
            counts: dict[str, Counter[str]] = {}
            errors: dict[str, str] = {}
            query = select(callbacks.c.case_id, callbacks.c.state, callbacks.c.error).where(mine)
            for case_id, state, error in connection.execute(query.order_by(callbacks.c.id)):
                counts.setdefault(case_id, Counter())[state] += 1
                if error and state != DeliveryState.DELIVERED.value:
                    errors[case_id] = error
            return [
                Standing(
                    case_id=row.case_id,
                    url=row.url,
                    **{each.value: counts.get(row.case_id, Counter())[each.value] for each in DeliveryState},
                    error=errors.get(row.case_id, ""),
                )
                for row in rows
            ]

        return await self._database.read(look)

    async def replay(self, case_id: str, keys: Sequence[str] | None, *, at: datetime) -> int:
        """Resend failed callbacks, or those with these keys; return their number."""

        def work(connection: Connection) -> int:
            wanted = callbacks.c.case_id == case_id
            which = callbacks.c.state == DeliveryState.FAILED.value if keys is None else callbacks.c.key.in_(keys)
            again = {"state": DeliveryState.WAITING.value, "attempts": 0}
            many = connection.execute(update(callbacks).where(wanted, which).values(again)).rowcount
            if many:
                mine = update(targets).where(targets.c.case_id == case_id)
                connection.execute(mine.values(last_event=0, next_at=at))
            return many

        return await self._database.write(work)


def _target(row: Row[tuple[object, ...]]) -> Target:
    return Target(case_id=row.case_id, url=row.url, last_event=row.last_event, next_at=row.next_at)
