"""What people decided of investigations: added to, never changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from inquest.domain.topic_history import Review
from inquest.store import tables
from inquest.store.database import Kept
from inquest.store.rows import kept, made
from inquest.store.topics import change_level


class Reviews(Kept):
    """Reviews in the order in which they were made. There is no way to change or remove one."""

    async def add(self, review: Review) -> tuple[Review, bool]:
        """Keep a decision, and let the topic have the level that was decided; returns it with its number, and whether
        the topic's level follows it: it does not where the topic has been investigated again since. Raises
        StorageError."""
        investigations = tables.investigations

        def work(connection: Connection) -> tuple[Review, bool]:
            row = review.model_dump(exclude={"id"}) | {
                "by": kept(review.by),
                "why": kept(review.why),
                "decision": review.decision.value,
                "level_found": review.level_found.value,
                "level_decided": review.level_decided.value,
            }
            number = connection.execute(insert(tables.reviews).values(row).returning(tables.reviews.c.id))
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
                change_level(connection, review.topic_id, review.level_decided)
            kept_as = {"id": number.scalar_one(), "by": row["by"], "why": row["why"]}
            return review.model_copy(update=kept_as), is_newest

        return await self._database.write(work)

    async def of_case(self, case_id: str) -> Sequence[Review]:
        """All decisions on a case, oldest first. Raises StorageError."""
        table = tables.reviews
        return await self._all(select(table).where(table.c.case_id == case_id).order_by(table.c.id))

    async def since(self, moment: datetime | None) -> Sequence[Review]:
        """All decisions on investigations that were begun since then (None: all), oldest first. Raises
        StorageError."""
        table, investigations = tables.reviews, tables.investigations
        query = select(table).order_by(table.c.id)
        if moment is not None:
            query = query.join(investigations, investigations.c.id == table.c.investigation_id)
            query = query.where(investigations.c.investigation_date >= moment)
        return await self._all(query)

    async def _all(self, query: Select[Any]) -> list[Review]:
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [made(Review, dict(row._mapping), lists=(), what=f"review {row.id}") for row in rows]
