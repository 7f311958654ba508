"""Cases know how often they were taken for running, and by that which runner may still write."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("cases", sa.Column("epoch", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("cases", sa.Column("stop_wish", sa.Text(), nullable=True))
