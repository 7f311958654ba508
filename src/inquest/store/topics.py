"""Topics, kept. Each stands once, whatever spelling its address comes in."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select, update

from inquest.domain.errors import InputError, NotFound
from inquest.domain.topic import Topic, VerificationLevel
from inquest.kit.ports import Clock
from inquest.store import tables
from inquest.store.database import Database
from inquest.store.rows import columns, kept, made
from inquest.stories.topic_after import topic_key

_OBJECTS = ("source_plan", "verified_facts")


class Topics:
    """Topics by number. In each `space` (a team's, or '') a story is one topic, and in two spaces two."""

    def __init__(self, database: Database, clock: Clock, space: str = "") -> None:
        self._database = database
        self._clock = clock
        self._space = space

    async def add(self, topic: Topic) -> tuple[Topic, bool]:
        """The topic as it is kept, and whether it is new; a known one stays as it is. Raises StorageError."""
        row = columns(topic, exclude=("id",)) | {"key": self._key(topic), "created_at": self._clock.now()}

        def work(connection: Connection) -> tuple[Topic, bool]:
            table = tables.topics
            # Looked for first, so that what is there already uses up no number; the constraint settles a race.
            query = select(table).where(table.c.key == row["key"])
            if (known := connection.execute(query).first()) is not None:
                return _topic(known), False
            adding = self._database.upsert(table).values(row).on_conflict_do_nothing().returning(table.c.id)
            number = connection.execute(adding).scalar_one_or_none()
            there = connection.execute(query).one()
            return _topic(there), number is not None

        return await self._database.write(work)

    async def get(self, topic_id: int) -> Topic:
        """Raises NotFound, StorageError."""
        return await self._database.read(lambda connection: load_topic(connection, topic_id))

    async def find(self, topic: Topic) -> Topic | None:
        """The kept topic with the same address, or the same title and day. Raises StorageError."""
        table = tables.topics
        query = select(table).where(table.c.key == self._key(topic))
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else _topic(row)

    def _key(self, topic: Topic) -> str:
        key = topic_key(topic)
        return str(kept(f"{self._space}\n{key}" if self._space else key))

    async def save(self, topic: Topic) -> None:
        """Replace what is kept of the topic. Raises InputError where it was never kept, NotFound, StorageError."""
        await self._database.write(lambda connection: save_topic(connection, topic))

    async def list(
        self, *, level: VerificationLevel | None = None, investigated: bool | None = None
    ) -> builtins.list[Topic]:
        """In the order in which they came. Raises StorageError."""
        table = tables.topics
        query = select(table).order_by(table.c.id)
        if level is not None:
            query = query.where(table.c.verification_status == level.value)
        if investigated is not None:
            query = query.where(table.c.investigated == investigated)
        return await self._database.read(lambda connection: [_topic(row) for row in connection.execute(query)])

    async def new_pages(self, topic: Topic, known: Sequence[str]) -> builtins.list[str]:
        """Addresses, not among `known`, of evidence in cases begun since the topic was investigated that have its
        article among their sources too. Raises StorageError."""
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
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        seen = set(known)
        return [row.url for row in rows if row.url not in seen and '"excluded":null' in row.document]


def load_topic(connection: Connection, topic_id: int, *, lock: bool = False) -> Topic:
    """The topic, inside a transaction; `lock`: nobody else may change it before the end. Raises NotFound."""
    table = tables.topics
    query = select(table).where(table.c.id == topic_id)
    row = connection.execute(query.with_for_update() if lock else query).first()
    if row is None:
        raise _no_topic(topic_id)
    return _topic(row)


def save_topic(connection: Connection, topic: Topic) -> None:
    """Replace what is kept of it, inside a transaction. Raises InputError, NotFound."""
    if topic.id is None:
        raise InputError(f"The topic “{topic.title}” is not kept here.", advice="Add it with `inquest topics add`.")
    table = tables.topics
    done = connection.execute(update(table).where(table.c.id == topic.id).values(columns(topic, exclude=("id",))))
    if not done.rowcount:
        raise _no_topic(topic.id)


def change_level(connection: Connection, topic_id: int, level: VerificationLevel) -> None:
    """Set the level by a person's decision, inside a transaction."""
    table = tables.topics
    connection.execute(update(table).where(table.c.id == topic_id).values(verification_status=level.value))


def _no_topic(topic_id: int) -> NotFound:
    return NotFound(f"There is no topic {topic_id} here.", advice="`inquest topics list` lists those there are.")


def _topic(row: Row[Any]) -> Topic:
    fields = {name: value for name, value in row._mapping.items() if name not in ("key", "created_at")}
    return made(Topic, fields, lists=_OBJECTS, what=f"topic {row.id}")
