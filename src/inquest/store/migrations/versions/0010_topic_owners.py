"""Whose topics are whose."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "topic_owners",
        sa.Column("topic_id", _ROW_NUMBER, autoincrement=False, nullable=False),
        sa.Column("team_id", _ROW_NUMBER, nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["topic_id"], ["topics.id"], name=op.f("fk_topic_owners_topic_id_topics"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("topic_id", name=op.f("pk_topic_owners")),
    )
    op.create_index(op.f("ix_topic_owners_team_id"), "topic_owners", ["team_id"])
