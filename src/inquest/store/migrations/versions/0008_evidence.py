"""Retrievals and texts of an archive that machines share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "retrievals",
        sa.Column("id", _ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_retrievals")),
        sa.UniqueConstraint("snapshot", "digest", name=op.f("uq_retrievals_snapshot_digest")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "texts",
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("snapshot", name=op.f("pk_texts")),
    )
