"""Create all tables."""

from __future__ import annotations

from alembic import op

from inquest.store.tables import metadata

revision = "0018"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind(), checkfirst=False)
