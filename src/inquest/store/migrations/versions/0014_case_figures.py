"""What is counted of cases, in tables of its own: over thousands of cases no document is read for it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_COUNTS = (
    *("verified", "partially_true", "contradicted", "disputed", "unverified", "not_checked"),
    *("search_calls", "page_reads", "model_calls"),
)


def upgrade() -> None:
    op.create_table(
        "case_figures",
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("settled", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("usd", sa.Float(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in _COUNTS),
        sa.ForeignKeyConstraint(
            ["case_id"], ["cases.id"], name=op.f("fk_case_figures_case_id_cases"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", name=op.f("pk_case_figures")),
    )
    op.create_table(
        "case_outages",
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("at_limit", sa.Integer(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["case_id"], ["case_figures.case_id"], name=op.f("fk_case_outages_case_id_case_figures"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("case_id", "what", "place", "at_limit", name=op.f("pk_case_outages")),
    )
