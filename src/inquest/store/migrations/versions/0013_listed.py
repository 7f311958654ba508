"""One index that has all that a list shows of a case, in place of two that had parts of it."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"

_LISTED = ["created_at", "id", "title", "kind", "status", "updated_at", "version", "forget_at"]


def upgrade() -> None:
    for columns in ("created_at_id_title", "created_at_updated_at_version"):
        op.drop_index(op.f(f"ix_cases_{columns}"), "cases")
    op.create_index("ix_cases_listed", "cases", _LISTED)
