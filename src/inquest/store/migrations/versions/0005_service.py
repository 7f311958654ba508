"""What a service keeps beside its cases: which it works on, what people decided on their plans, and whose they are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _case_id(table: str) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    return (
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["case_id"], ["cases.id"], name=op.f(f"fk_{table}_case_id_cases"), ondelete="CASCADE"),
    )


def upgrade() -> None:
    op.create_table(
        "submissions",
        *_case_id("submissions"),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("case_id", name=op.f("pk_submissions")),
    )
    op.create_table(
        "decisions",
        *_case_id("decisions"),
        sa.Column("revision", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("case_id", "revision", name=op.f("pk_decisions")),
    )
    op.create_table(
        "case_owners",
        *_case_id("case_owners"),
        sa.Column("team_id", _ROW_NUMBER, nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("case_id", name=op.f("pk_case_owners")),
    )
    op.create_index(op.f("ix_case_owners_team_id"), "case_owners", ["team_id"])
