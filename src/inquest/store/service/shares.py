"""Links for readers: by the digest of their secret, with the one case that each opens."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from inquest.domain.errors import NotFound
from inquest.domain.person import Share
from inquest.store.database import Kept
from inquest.store.rows import storable
from inquest.store.tables import shares

_USED_AGAIN = timedelta(minutes=1)
"""How old the time of the last use may be before it is written again."""


class Shares(Kept):
    """Rows of links. Who may make them is asked elsewhere."""

    async def add(self, share: Share, digest: str) -> Share:
        """Keep a link by its digest. Raises StorageError."""
        row = share.model_dump(exclude={"id"}) | {"name": storable(share.name), "digest": digest}
        query = insert(shares).values(row).returning(shares.c.id)
        number = await self._database.write(lambda connection: connection.execute(query).scalar_one())
        return share.model_copy(update={"id": number})

    async def of_case(self, case_id: str) -> list[Share]:
        """All links to a case, newest first; those that have ended too. Raises StorageError."""
        query = select(shares).where(shares.c.case_id == case_id).order_by(shares.c.id.desc())
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [_share(row) for row in rows]

    async def opened(self, digest: str, *, at: datetime) -> Share | None:
        """The link with this digest, where it still opens its case; None: there is none such. That it was used is
        written down at most once a minute. Raises StorageError."""
        query = select(shares).where(shares.c.digest == digest)
        row = await self._database.read(lambda connection: connection.execute(query).first())
        share = _share(row) if row is not None else None
        if share is None or share.ended(at):
            return None
        if share.used_at is None or at - share.used_at > _USED_AGAIN:
            used = update(shares).where(shares.c.id == share.id).values(used_at=at)
            await self._database.write(lambda connection: connection.execute(used).close())
        return share

    async def revoke(self, case_id: str, number: int, *, at: datetime) -> Share:
        """End a link to this case. Raises NotFound where it has none such or it was revoked before, StorageError."""
        mine = (shares.c.id == number) & (shares.c.case_id == case_id) & shares.c.revoked_at.is_(None)

        def work(connection: Connection) -> Row[Any] | None:
            return connection.execute(update(shares).where(mine).values(revoked_at=at).returning(shares)).first()

        row = await self._database.write(work)
        if row is None:
            raise NotFound(f"The case {case_id} has no link {number} that could be revoked.", advice="List them.")
        return _share(row)


def _share(row: Row[Any]) -> Share:
    return Share(**{name: value for name, value in row._mapping.items() if name in Share.model_fields})
