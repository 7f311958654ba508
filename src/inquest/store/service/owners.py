"""Which team each collection and each topic belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, delete, or_, select

from inquest.store.database import Kept
from inquest.store.rows import storable
from inquest.store.tables import collection_owners, topic_owners


class CollectionOwners(Kept):
    """Team and person by the collection's name. One without a row was made in the terminal."""

    async def all(self) -> dict[str, tuple[int | None, str]]:
        """Every owner. Raises StorageError."""
        query = select(collection_owners)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.name: (row.team_id, row.by) for row in rows}

    async def put(self, name: str, team_id: int | None, by: str) -> None:
        """Keep whose it is. Raises StorageError."""
        values = {"team_id": team_id, "by": storable(by)}
        query = self._database.upsert(collection_owners).values(name=storable(name), **values)
        query = query.on_conflict_do_update(index_elements=[collection_owners.c.name], set_=values)
        await self._database.write(lambda connection: connection.execute(query).close())

    async def remove(self, name: str) -> None:
        """It is nobody's any more. Raises StorageError."""
        query = delete(collection_owners).where(collection_owners.c.name == storable(name))
        await self._database.write(lambda connection: connection.execute(query).close())


class TopicOwners(Kept):
    """Team and person by the topic's number."""

    async def put(self, topic_id: int, team_id: int | None, by: str) -> None:
        """Keep whose it is; nothing happens where that is known. Raises StorageError."""
        row = {"topic_id": topic_id, "team_id": team_id, "by": storable(by)}
        query = self._database.upsert(topic_owners).values(row).on_conflict_do_nothing()
        await self._database.write(lambda connection: connection.execute(query).close())

    async def owned(self, teams: Sequence[int], by: str) -> frozenset[int]:
        """Numbers of the topics of these teams, and of those that this person has without a team. Raises
        StorageError."""
        alone = and_(topic_owners.c.team_id.is_(None), topic_owners.c.by == storable(by))
        query = select(topic_owners.c.topic_id).where(or_(alone, topic_owners.c.team_id.in_(teams)))
        return frozenset(await self._database.read(lambda connection: list(connection.execute(query).scalars())))

    async def owner(self, topic_id: int) -> tuple[int | None, str] | None:
        """Team and person; None: a topic of the terminal. Raises StorageError."""
        query = select(topic_owners.c.team_id, topic_owners.c.by).where(topic_owners.c.topic_id == topic_id)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        return None if row is None else (row.team_id, row.by)
