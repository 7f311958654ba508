"""The tables that only a service with users fills: who may, whose, what was done, and what receivers are told."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from inquest.domain.assessment import Verdict
from inquest.store.tables.columns import MomentColumn, RowNumber, metadata

teams = Table(
    "teams",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("name", Text, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    UniqueConstraint("name"),
    sqlite_autoincrement=True,
)

# `key` is the name in small letters. `subject` is who the identity provider says it is: issuer, a space, its `sub`.
users = Table(
    "users",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("key", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("password", Text),
    Column("subject", Text),
    Column("active", Boolean, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    UniqueConstraint("key"),
    UniqueConstraint("subject"),
    sqlite_autoincrement=True,
)

memberships = Table(
    "memberships",
    metadata,
    Column("user_id", RowNumber, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("team_id", RowNumber, ForeignKey("teams.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
)

# Sessions and tokens. `digest` is the SHA-256 of 256 random bits, which are shown once; `scope` the highest role that a
# token lends.
credentials = Table(
    "credentials",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("user_id", RowNumber, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    Column("used_at", MomentColumn),
    Column("expires_at", MomentColumn),
    Column("revoked_at", MomentColumn),
    UniqueConstraint("digest"),
    sqlite_autoincrement=True,
)

audit = Table(
    "audit",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("at", MomentColumn, nullable=False, index=True),
    Column("by", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("address", Text, nullable=False),
    sqlite_autoincrement=True,
)

collection_owners = Table(
    "collection_owners",
    metadata,
    Column("name", Text, primary_key=True),
    Column("team_id", RowNumber, index=True),
    Column("by", Text, nullable=False),
)

# A topic without a row here was made in the terminal or by an admin without a team.
topic_owners = Table(
    "topic_owners",
    metadata,
    Column("topic_id", RowNumber, ForeignKey("topics.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("team_id", RowNumber, index=True),
    Column("by", Text, nullable=False),
)

# `status` is NULL while the first request with this key is under way.
idempotency = Table(
    "idempotency",
    metadata,
    Column("person", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("at", MomentColumn, nullable=False, index=True),
    Column("status", Integer),
    Column("headers", Text),
    Column("body", Text),
)

# `last_event`: all that events up to it give rise to is settled. `next_at`: NULL when there is nothing more to tell.
callback_targets = Table(
    "callback_targets",
    metadata,
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
    Column("url", Text, nullable=False),
    Column("last_event", RowNumber, nullable=False),
    Column("next_at", MomentColumn, index=True),
    Column("lease_until", MomentColumn),
)

callbacks = Table(
    "callbacks",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("case_id", Text, ForeignKey("callback_targets.case_id", ondelete="CASCADE"), nullable=False),
    Column("key", Text, nullable=False),
    Column("event_id", RowNumber, nullable=False),
    Column("type", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("status", Integer),
    Column("error", Text),
    Column("theirs", Text),
    UniqueConstraint("case_id", "key"),
    Index(None, "case_id", "id"),
    sqlite_autoincrement=True,
)

# Links for readers. `digest` is the SHA-256 of 256 random bits, which are shown once.
shares = Table(
    "shares",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("digest", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    Column("expires_at", MomentColumn, nullable=False),
    Column("revoked_at", MomentColumn),
    Column("used_at", MomentColumn),
    UniqueConstraint("digest"),
    sqlite_autoincrement=True,
)


# `version` is that of the case as it was read. `settled`: 0 while events may yet come that no change of
# the case announces. A column for each verdict has the number of claims with it.
case_figures = Table(
    "case_figures",
    metadata,
    Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("settled", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    Column("seconds", Float),
    Column("usd", Float, nullable=False),
    *(Column(verdict.value, Integer, nullable=False) for verdict in Verdict),
    *(Column(name, Integer, nullable=False) for name in ("not_checked", "search_calls", "page_reads", "model_calls")),
)

# `place` of a page is empty, unless it was at its limit: each stands once as a rule, and a list of them says nothing.
case_outages = Table(
    "case_outages",
    metadata,
    Column("case_id", Text, ForeignKey("case_figures.case_id", ondelete="CASCADE"), primary_key=True),
    Column("what", Text, primary_key=True),
    Column("place", Text, primary_key=True),
    Column("at_limit", Integer, primary_key=True),
    Column("times", Integer, nullable=False),
)


# `digest` is the hash of `document`: the same retrieval is kept once.
retrievals = Table(
    "retrievals",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("snapshot", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("document", Text, nullable=False),
    UniqueConstraint("snapshot", "digest"),
    sqlite_autoincrement=True,
)

# `text` is the hash of the text that was made of the snapshot first; offsets of findings count in it, for ever.
texts = Table(
    "texts",
    metadata,
    Column("snapshot", Text, primary_key=True),
    Column("text", Text, nullable=False),
)

# `files`: JSON, by path the hash of each file as published last. Of the writers' epochs only the last may publish.
shared_collections = Table(
    "shared_collections",
    metadata,
    Column("name", Text, primary_key=True),
    Column("files", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("writer", Text),
    Column("lease_until", MomentColumn),
)
