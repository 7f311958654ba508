"""Which team each topic belongs to."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, or_, select

from inquest.store.database import Database
from inquest.store.tables import topic_owners
from inquest.store.text import storable


class TopicOwners:
    """Team and person by the topic's number."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
