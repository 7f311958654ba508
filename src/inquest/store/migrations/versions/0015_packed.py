"""Nothing of the tables changes: from here on rows may be packed (`store.tables.packed`), which an earlier Inquest
cannot read and must not try to. Rows that are there stay as they are."""

from __future__ import annotations

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Only the revision."""
