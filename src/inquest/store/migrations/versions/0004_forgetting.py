"""Cases that are forgotten after a while, and by which replies the bytes of a page are still needed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("cases", sa.Column("forget_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(op.f("ix_cases_forget_at"), "cases", ["forget_at"])
    op.create_index(op.f("ix_replies_body"), "replies", ["body"])
