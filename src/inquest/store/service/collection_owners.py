"""Which team each collection belongs to."""

from __future__ import annotations

from sqlalchemy import delete, select

from inquest.store.database import Database
from inquest.store.tables import collection_owners
from inquest.store.text import storable


class CollectionOwners:
    """Team and person by the collection's name. One without a row was made in the terminal."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
