"""Let a watch have a case instead of a topic."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from inquest.store.tables import watches

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    bind = op.get_bind()
    known = {column["name"] for column in sa.inspect(bind).get_columns("watches")}
    if "watched_case" in known:
        return
    rows = bind.execute(sa.select(*(column for column in watches.c if column.name in known))).mappings().all()
    op.drop_table("watches")  # SQLite cannot change a primary key
    watches.create(bind)
    if rows:
        bind.execute(watches.insert(), [dict(row) for row in rows])
