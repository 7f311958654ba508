"""Cases, their parts, events and recorded replies, and the work on them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from inquest.store.tables.columns import MomentColumn, RowNumber, metadata
from inquest.store.tables.packed import PackedText

# `epoch` counts how often the case was taken for running; every write of a runner names the one it got (`holds.py`).
# `stop_wish`: 'stop' or 'report', what somebody asked of whoever runs it.
# `document` is the case as JSON without its sources, claims and findings, which have tables of their own. It is text
# and not a JSON type because PostgreSQL's jsonb refuses the escape of a NUL, which pages do contain; it is packed, and
# so no SQL looks into it.
cases = Table(
    "cases",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    Column("updated_at", MomentColumn, nullable=False),
    Column("version", Integer, nullable=False),
    Column("document", PackedText, nullable=False),
    Column("runner", Text),
    Column("leased_at", MomentColumn),
    Column("lease_until", MomentColumn),
    Column("forget_at", MomentColumn, index=True),
    Column("epoch", Integer, nullable=False, server_default="0"),
    Column("stop_wish", Text),
    Index(None, "status", "created_at", "id"),
    Index(None, "kind", "created_at", "id"),
    # All that a list shows of a case, so that its document, which SQLite keeps in the same row, is not read for it.
    Index("ix_cases_listed", "created_at", "id", "title", "kind", "status", "updated_at", "version", "forget_at"),
)


def _part(name: str, *columns: Column[Any], indexes: tuple[str, ...]) -> Table:
    return Table(
        name,
        metadata,
        Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
        Column("id", Text, primary_key=True),
        Column("place", Integer, nullable=False),
        *columns,
        Column("document", PackedText, nullable=False),
        *(Index(None, column) for column in indexes),
    )


sources = _part(
    "sources",
    Column("url", Text, nullable=False),
    Column("domain", Text, nullable=False),
    Column("tier", Integer, nullable=False),
    Column("story", Text),
    Column("snapshot", Text, nullable=False),
    indexes=("domain", "snapshot"),
)
claims = _part(
    "claims",
    Column("type", Text, nullable=False),
    Column("text", Text, nullable=False),
    indexes=(),
)
findings = _part(
    "findings",
    Column("claim_id", Text),
    Column("source_id", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("stance", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("snapshot", Text, nullable=False),
    indexes=("claim_id", "source_id", "stance"),
)

events = Table(
    "events",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("case_id", Text, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("type", Text, nullable=False),
    Column("stage", Text),
    Column("marker", Text),
    Column("text", Text, nullable=False),
    Column("data", PackedText, nullable=False),
    Index(None, "case_id", "id"),
    sqlite_autoincrement=True,
)

# `body` is the hash of the bytes, which lie in the archive; `error` is set where there was no reply. An empty `case_id`
# is a reply kept for no case: a unique constraint does not hold for NULL.
replies = Table(
    "replies",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("case_id", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("request", PackedText, nullable=False),
    Column("url", Text),
    Column("status", Integer),
    Column("headers", Text),
    Column("body", Text),
    Column("error", Text),
    UniqueConstraint("case_id", "fingerprint"),
    Index(None, "body"),
    Index(None, "fingerprint", "at"),
    sqlite_autoincrement=True,
)

quotas = Table(
    "quotas",
    metadata,
    Column("engine", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("period", Text, primary_key=True),
    Column("used", Integer, nullable=False),
)

# `free_at`: when the next call may begin; `rests_until`: when the engine itself said that it wants to be asked again.
turns = Table(
    "turns",
    metadata,
    Column("engine", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("free_at", MomentColumn, nullable=False),
    Column("rests_until", MomentColumn, nullable=False),
)

# Cases that a service works on in its own process: what is here when it starts goes on.
submissions = Table(
    "submissions",
    metadata,
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
    Column("at", MomentColumn, nullable=False),
)

# Decisions on plans, taken down by whoever makes them and read by whoever runs the case. `revision` 0 answers every
# revision; the key is what lets one of two decisions on one plan win.
decisions = Table(
    "decisions",
    metadata,
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("decision", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("how", Text, nullable=False),
)

# A case without a row here was made in the terminal or the library; admins and the user of this machine see it.
case_owners = Table(
    "case_owners",
    metadata,
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
    Column("team_id", RowNumber, index=True),
    Column("by", Text, nullable=False),
)
