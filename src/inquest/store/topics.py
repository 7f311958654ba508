"""Stored topics, their investigations, reviews by people, and watches."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, or_, select, update

from inquest.domain.errors import Busy, InputError, NotFound
from inquest.domain.investigation import Investigation, InvestigationResult, InvestigationStatus, Review, Watch
from inquest.domain.topic import Priority, Topic
from inquest.kit.ports import Clock
from inquest.store import tables
from inquest.store.database import Database, Kept
from inquest.store.schema import columns, made, storable
from inquest.store.tables import investigations, reviews, topics, watches
from inquest.verdicts.levels import after_investigation, topic_key

_OBJECTS = ("source_plan", "verified_facts")


class Topics(Kept):
    """Topics by number. A story is one topic within a `space` (a team's, or ''), but separate topics in two spaces."""

    def __init__(self, database: Database, clock: Clock, space: str = "") -> None:
        super().__init__(database)
        self._clock = clock
        self._space = space

    async def add(self, topic: Topic) -> tuple[Topic, bool]:
        """Return the stored topic and whether it is new; a known one is not changed."""
        row = columns(topic, exclude=("id",)) | {"key": self._key(topic), "created_at": self._clock.now()}

        def work(connection: Connection) -> tuple[Topic, bool]:
            # Looked up first so that known topics use up no number; the constraint settles races.
            query = select(topics).where(topics.c.key == row["key"])
            if (known := connection.execute(query).first()) is not None:
                return _topic(known), False
            adding = self._database.upsert(topics, row).returning(topics.c.id)
            number = connection.execute(adding).scalar_one_or_none()
            there = connection.execute(query).one()
            return _topic(there), number is not None

        return await self._database.write(work)

    async def get(self, topic_id: int) -> Topic:
        """Return a topic by number. Raises NotFound."""
        return await self._database.read(lambda connection: load_topic(connection, topic_id))

    async def find(self, topic: Topic) -> Topic | None:
        """Return the stored topic with the same URL, or the same title and day; else None."""
        row = await self._first(select(topics).where(topics.c.key == self._key(topic)))
        return None if row is None else _topic(row)

    def _key(self, topic: Topic) -> str:
        key = topic_key(topic)
        return storable(f"{self._space}\n{key}" if self._space else key)

    async def save(self, topic: Topic) -> None:
        """Replace the stored topic. Raises InputError if it has no number, NotFound."""
        await self._database.write(lambda connection: save_topic(connection, topic))

    async def list(self) -> builtins.list[Topic]:
        """Return topics in the order in which they were added."""
        return [_topic(row) for row in await self._rows(select(topics).order_by(topics.c.id))]

    async def new_pages(self, topic: Topic, known: Sequence[str]) -> builtins.list[str]:
        """Return URLs of new evidence, not among `known`, from cases begun since the topic's investigation that share
        its article as a source."""
        if not topic.url or topic.investigation_date is None:
            return []
        case, article, other = tables.cases, tables.sources.alias(), tables.sources.alias()
        query = (
            select(other.c.url, other.c.document)
            .join(article, article.c.case_id == other.c.case_id)
            .join(case, case.c.id == other.c.case_id)
            .where(article.c.url == topic.url, other.c.url != topic.url)
            .where(case.c.created_at > topic.investigation_date)
            .order_by(case.c.created_at, other.c.place)
        )
        rows = await self._rows(query)
        seen = set(known)
        return [row.url for row in rows if row.url not in seen and '"excluded":null' in row.document]


def load_topic(connection: Connection, topic_id: int, *, lock: bool = False) -> Topic:
    """Load a topic inside a transaction; `lock` keeps others from changing it until the end. Raises NotFound."""
    query = select(topics).where(topics.c.id == topic_id)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise _no_topic(topic_id)
    return _topic(row)


def save_topic(connection: Connection, topic: Topic) -> None:
    """Replace the stored topic inside a transaction. Raises InputError, NotFound."""
    if topic.id is None:
        raise InputError(f"The topic “{topic.title}” is not stored.", advice="Add it with `inquest topics add`.")
    done = connection.execute(update(topics).where(topics.c.id == topic.id).values(columns(topic, exclude=("id",))))
    if not done.rowcount:
        raise _no_topic(topic.id)


def _no_topic(topic_id: int) -> NotFound:
    return NotFound(f"There is no topic {topic_id} here.", advice="`inquest topics list` lists all topics.")


def _topic(row: Row[Any]) -> Topic:
    fields = {name: value for name, value in row._mapping.items() if name not in ("key", "created_at")}
    return made(Topic, fields, lists=_OBJECTS, what=f"topic {row.id}")


GIVEN_UP_AFTER = timedelta(hours=1)
"""An unfinished investigation older than this is considered interrupted and does not block a new one."""

_CUT_OFF = "It was interrupted and started again."
"""The reason stored with an interrupted investigation."""

_LISTS = ("sources", "verified_claims", "disputed_claims", "success", "review_flags", "outages")


class Investigations(Kept):
    """Investigations by number, case and topic."""

    async def start(
        self, topic_id: int, *, at: datetime, priority: Priority, estimated: datetime | None = None
    ) -> Investigation:
        """Start an investigation. Raises NotFound, Busy if one is in progress."""
        mine = (investigations.c.topic_id == topic_id) & (investigations.c.status == InvestigationStatus.STARTED.value)

        def work(connection: Connection) -> Investigation:
            # The topic is locked so that of two concurrent starts the second finds the first.
            topic = load_topic(connection, topic_id, lock=True)
            running = select(investigations.c.id, investigations.c.investigation_date).where(
                mine, investigations.c.investigation_date > at - GIVEN_UP_AFTER
            )
            if (other := connection.execute(running).first()) is not None:
                raise Busy(
                    f"Topic {topic_id} has been under investigation since "
                    f"{other.investigation_date:%Y-%m-%d %H:%M} UTC (investigation {other.id}).",
                    advice="Wait for it to end.",
                )
            # The processes of the others no longer exist and will never mark them as ended.
            ended = {"status": InvestigationStatus.FAILED.value, "finished_at": at, "why": _CUT_OFF}
            connection.execute(update(investigations).where(mine).values(ended))
            return _begun(connection, topic, priority=priority, investigation_date=at, estimated_completion=estimated)

        return await self._database.write(work)

    async def for_case(self, topic_id: int, case_id: str, *, at: datetime, priority: Priority) -> Investigation:
        """Return the investigation of a case of the topic begun `at`: its own, else one without a case, else a new one.
        Two cases that end at the same time get separate ones. Raises NotFound."""
        started = investigations.c.topic_id == topic_id, investigations.c.status == InvestigationStatus.STARTED.value

        def work(connection: Connection) -> Investigation:
            topic = load_topic(connection, topic_id, lock=True)
            own = connection.execute(select(investigations).where(investigations.c.case_id == case_id)).first()
            if own is not None:
                return _investigation(own)
            waiting = select(investigations).where(
                *started, investigations.c.case_id.is_(None), investigations.c.investigation_date <= at
            )
            row = connection.execute(waiting.order_by(investigations.c.id.desc()).limit(1)).first()
            if row is None:
                return _begun(connection, topic, case_id=case_id, priority=priority, investigation_date=at)
            connection.execute(update(investigations).where(investigations.c.id == row.id).values(case_id=case_id))
            return _investigation(row).model_copy(update={"case_id": case_id})

        return await self._database.write(work)

    async def finish(self, investigation: Investigation, result: InvestigationResult | None) -> Investigation:
        """Store the end of an investigation and apply the `result` to its topic. Reviews made meanwhile are preserved,
        as is a result already stored for the same case. Raises NotFound, InputError if it ended before."""
        if not investigation.status.ended:
            raise InputError(f"Investigation {investigation.id} has not ended.")
        mine = investigations.c.id == investigation.id

        def work(connection: Connection) -> Investigation:
            row = connection.execute(select(investigations).where(mine).with_for_update()).first()
            if row is None:
                raise _none(investigation.id)
            before = _investigation(row)
            if before.status.has_result and before.case_id == investigation.case_id is not None:
                return before
            if before.status.has_result:
                raise InputError(f"Investigation {investigation.id} has already ended ({row.status}).")
            connection.execute(update(investigations).where(mine).values(_row(investigation)))
            if result is not None:
                topic = load_topic(connection, investigation.topic_id, lock=True)
                save_topic(connection, after_investigation(topic, result))
            return investigation

        return await self._database.write(work)

    async def get(self, investigation_id: int) -> Investigation:
        """Return an investigation by number. Raises NotFound."""
        found = await self._all(select(investigations).where(investigations.c.id == investigation_id))
        if not found:
            raise _none(investigation_id)
        return found[0]

    async def of_case(self, case_id: str) -> Investigation | None:
        """Return the newest investigation of this case, or None."""
        found = await self._newest(investigations.c.case_id == case_id, 1)
        return found[0] if found else None

    async def of_topic(self, topic_id: int) -> Sequence[Investigation]:
        """Return the investigations of a topic, newest first."""
        return await self._newest(investigations.c.topic_id == topic_id)

    async def since(self, moment: datetime | None) -> Sequence[Investigation]:
        """Return the investigations begun since then (None: all), oldest first."""
        query = select(investigations).order_by(investigations.c.id)
        return await self._all(query if moment is None else query.where(investigations.c.investigation_date >= moment))

    async def _newest(self, where: ColumnElement[bool], limit: int | None = None) -> Sequence[Investigation]:
        return await self._all(select(investigations).where(where).order_by(investigations.c.id.desc()).limit(limit))

    async def _all(self, query: Select[Any]) -> list[Investigation]:
        return [_investigation(row) for row in await self._rows(query)]


def _begun(connection: Connection, topic: Topic, **known: Any) -> Investigation:
    """Insert a new investigation of a stored topic, with the topic's level."""
    level = topic.verification_status
    levels = {"verification_level_before": level, "verification_level_after": level}
    begun = Investigation(id=0, topic_id=topic.id, **levels, **known)
    number = connection.execute(insert(investigations).values(_row(begun)).returning(investigations.c.id))
    return begun.model_copy(update={"id": number.scalar_one()})


def _none(investigation_id: int) -> NotFound:
    return NotFound(f"There is no investigation {investigation_id} here.", advice="`inquest topics list` shows them.")


def _row(each: Investigation) -> dict[str, Any]:
    """Return all columns except the number and the reviewer, which only a review sets."""
    row = columns(each, exclude=("id", "reviewed_by", "reviewed_at"))
    return row | {"sources_json": row.pop("sources")}


def _investigation(row: Row[Any]) -> Investigation:
    fields = dict(row._mapping)
    fields["sources"] = fields.pop("sources_json")
    return made(Investigation, fields, lists=_LISTS, what=f"investigation {row.id}")


class Reviews(Kept):
    """Reviews in the order in which they were made; they cannot be changed or removed."""

    async def add(self, review: Review) -> tuple[Review, bool]:
        """Store a review and return it with its number, and whether the topic was given the level decided: not if the
        topic has been investigated again since."""

        def work(connection: Connection) -> tuple[Review, bool]:
            row = columns(review, exclude=("id",))
            number = connection.execute(insert(reviews).values(row).returning(reviews.c.id))
            connection.execute(
                update(investigations)
                .where(investigations.c.id == review.investigation_id)
                .values(reviewed_by=row["by"], reviewed_at=review.at)
            )
            newest = select(func.max(investigations.c.id)).where(
                investigations.c.topic_id == review.topic_id, investigations.c.confidence_level.is_not(None)
            )
            is_newest = connection.execute(newest).scalar_one() == review.investigation_id
            if is_newest:
                topic = update(topics).where(topics.c.id == review.topic_id)
                connection.execute(topic.values(verification_status=review.level_decided.value))
            kept_as = {"id": number.scalar_one(), "by": row["by"], "why": row["why"]}
            return review.model_copy(update=kept_as), is_newest

        return await self._database.write(work)

    async def of_case(self, case_id: str) -> Sequence[Review]:
        """Return all reviews of a case, oldest first."""
        return await self._all(select(reviews).where(reviews.c.case_id == case_id).order_by(reviews.c.id))

    async def since(self, moment: datetime | None) -> Sequence[Review]:
        """Return all reviews of investigations begun since then (None: all), oldest first."""
        query = select(reviews).order_by(reviews.c.id)
        if moment is not None:
            query = query.join(investigations, investigations.c.id == reviews.c.investigation_id)
            query = query.where(investigations.c.investigation_date >= moment)
        return await self._all(query)

    async def _all(self, query: Select[Any]) -> list[Review]:
        return [made(Review, dict(row._mapping), lists=(), what=f"review {row.id}") for row in await self._rows(query)]


class Watches(Kept):
    """At most one watch per topic or case, which is its subject."""

    async def put(self, watch: Watch) -> bool:
        """Add a watch, or change only interval and next run of an existing one. Return True if it is new."""

        def work(connection: Connection) -> bool:
            every = int(watch.every.total_seconds())
            again = update(watches).where(_of(watch.subject))
            changed = connection.execute(again.values(every_seconds=every, next_at=watch.next_at))
            if changed.rowcount:
                return False
            row = columns(watch, exclude=("every",)) | {"every_seconds": every}
            return bool(connection.execute(self._database.upsert(watches, row)).rowcount)

        return await self._database.write(work)

    async def remove(self, subject: int | str) -> bool:
        """Remove a watch; return True if there was one."""
        query = delete(watches).where(_of(subject))
        return await self._database.write(lambda connection: bool(connection.execute(query).rowcount))

    async def get(self, subject: int | str) -> Watch | None:
        """Return the watch of a topic or case, or None."""
        row = await self._first(select(watches).where(_of(subject)))
        return None if row is None else _watch(row)

    async def list(self) -> Sequence[Watch]:
        """Return all watches, sorted by next run."""
        query = select(watches).order_by(watches.c.next_at, watches.c.id)
        return [_watch(row) for row in await self._rows(query)]

    async def take_due(self, runner: str, now: datetime, *, lease: timedelta) -> Watch | None:
        """Lease the watch that has been due longest and is free to this runner; None if nothing is due. Concurrent
        schedulers each get a different watch."""

        def work(connection: Connection) -> Watch | None:
            waiting = (
                select(watches)
                .where(watches.c.next_at <= now)
                .where(or_(watches.c.lease_until.is_(None), watches.c.lease_until <= now))
                .order_by(watches.c.next_at, watches.c.id)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            row = connection.execute(waiting).first()
            if row is None:
                return None
            taken = update(watches).where(watches.c.id == row.id)
            connection.execute(taken.values(runner=runner, lease_until=now + lease))
            return _watch(row)

        return await self._database.write(work)

    async def release(self, subject: int | str, runner: str) -> None:
        """Release a watch that this runner took but does not finish."""
        query = update(watches).where(_of(subject), watches.c.runner == runner).values(runner=None, lease_until=None)
        await self._run(query)

    async def ran(self, watch: Watch) -> None:
        """Store the outcome of a run and the time of the next; the interval is left alone because it may have been
        changed meanwhile. Does nothing if the watch was removed."""
        fields = columns(watch, exclude=("topic_id", "watched_case", "every", "added_at", "added_by"))
        ended = {"runner": None, "lease_until": None}
        await self._run(update(watches).where(_of(watch.subject)).values(fields | ended))


def _of(subject: int | str) -> ColumnElement[bool]:
    return watches.c.topic_id == subject if isinstance(subject, int) else watches.c.watched_case == subject


def _watch(row: Row[Any]) -> Watch:
    fields = dict(row._mapping)
    for name in ("id", "runner", "lease_until"):
        del fields[name]
    fields["every"] = timedelta(seconds=fields.pop("every_seconds"))
    return made(Watch, fields, lists=("changes",), what=f"watch {row.id}")
