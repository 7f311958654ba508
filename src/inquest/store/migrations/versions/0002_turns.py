"""Turns: when an engine is free for the next call, and until when it asked to be left alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "turns",
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("free_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("rests_until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("engine", "account", name=op.f("pk_turns")),
    )
