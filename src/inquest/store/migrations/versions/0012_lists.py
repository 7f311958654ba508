"""Indexes for lists of cases by status, kind and words of their titles, and for what changed of them."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.drop_index(op.f("ix_cases_status"), "cases")
    op.drop_index(op.f("ix_cases_created_at"), "cases")
    for columns in (
        ("status", "created_at", "id"),
        ("kind", "created_at", "id"),
        ("created_at", "id", "title"),
        ("created_at", "updated_at", "version"),
    ):
        op.create_index(op.f(f"ix_cases_{'_'.join(columns)}"), "cases", list(columns))
