"""The tables. A change here needs a migration in `store/migrations/versions`; `SCHEMA` names the newest one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

from inquest.domain.finding import Verdict
from inquest.store.tables.packed import PackedText

SCHEMA = "0018"
"""The revision of these tables."""


class MomentColumn(TypeDecorator[datetime]):
    """An aware datetime in UTC. SQLite stores no time zone, so it is removed on writing and added on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("invalid datetime: expected a time zone")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

RowNumber = BigInteger().with_variant(Integer(), "sqlite")


def _table(name: str, *columns: Any) -> Table:
    return Table(name, metadata, *columns)


def _owners(name: str, key: Column[Any]) -> Table:
    """Make a table of the team and the person that own each thing with this key."""
    return _table(name, key, Column("team_id", RowNumber, index=True), Column("by", Text, nullable=False))


def _of_case(**options: Any) -> Column[Any]:
    """Make a column of the case that a row belongs to and is deleted with."""
    return Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), **options)


def _numbered(name: str, *columns: Any) -> Table:
    """Make a table of numbered rows. SQLite never reuses numbers only for INTEGER PRIMARY KEY AUTOINCREMENT."""
    number = Column("id", RowNumber, primary_key=True, autoincrement=True)
    return Table(name, metadata, number, *columns, sqlite_autoincrement=True)


def _keys(kind: Any, *names: str) -> list[Column[Any]]:
    return [Column(name, kind, primary_key=True) for name in names]


def _required(kind: Any, *names: str) -> list[Column[Any]]:
    return [Column(name, kind, nullable=False) for name in names]


def _optional(kind: Any, *names: str) -> list[Column[Any]]:
    return [Column(name, kind) for name in names]


# Cases, their parts, events, recorded replies, and work in progress.

# `epoch` counts how often runners took the case; every write of a runner names its epoch (`holds.py`).
# `stop_wish`: 'stop' or 'report', as asked of the runner.
# `document` is the case as JSON without its sources, claims and findings, which have their own tables. It is text
# because PostgreSQL's jsonb refuses the escape of a NUL, which pages do contain; it is packed, so SQL cannot query it.
cases = _table(
    "cases",
    Column("id", Text, primary_key=True),
    *_required(Text, "kind", "status", "title"),
    *_required(MomentColumn, "created_at", "updated_at"),
    Column("version", Integer, nullable=False),
    Column("document", PackedText, nullable=False),
    *_optional(Text, "runner", "stop_wish"),
    *_optional(MomentColumn, "leased_at", "lease_until"),
    Column("forget_at", MomentColumn, index=True),
    Column("epoch", Integer, nullable=False, server_default="0"),
    Index(None, "status", "created_at", "id"),
    Index(None, "kind", "created_at", "id"),
    # Covers what a list shows of a case, so that the document, which SQLite stores in the same row, is not read.
    Index("ix_cases_listed", "created_at", "id", "title", "kind", "status", "updated_at", "version", "forget_at"),
)


def _part(name: str, *columns: Column[Any], indexes: tuple[str, ...]) -> Table:
    return _table(
        name,
        _of_case(primary_key=True),
        Column("id", Text, primary_key=True),
        Column("place", Integer, nullable=False),
        *columns,
        Column("document", PackedText, nullable=False),
        *(Index(None, column) for column in indexes),
    )


sources = _part(
    "sources",
    *_required(Text, "url", "domain", "snapshot"),
    Column("title", Text, nullable=False, server_default=""),
    Column("tier", Integer, nullable=False),
    Column("story", Text),
    indexes=("domain", "snapshot"),
)
claims = _part("claims", *_required(Text, "type", "text"), indexes=())
findings = _part(
    "findings",
    Column("claim_id", Text),
    *_required(Text, "source_id", "agent", "stance", "snapshot"),
    Column("confidence", Float, nullable=False),
    Column("quote", Text, nullable=False, server_default=""),
    indexes=("claim_id", "source_id", "stance"),
)

BY_PEOPLE = text("type IN ('person_decided', 'question_asked', 'case_assigned')")
"""`SAID_BY_PEOPLE` as in the partial index, which is only used by queries with exactly this text."""
events = _numbered(
    "events",
    *_required(Text, "case_id", "type", "text"),
    Column("at", MomentColumn, nullable=False),
    *_optional(Text, "stage", "marker"),
    Column("data", PackedText, nullable=False),
    Index(None, "case_id", "id"),
    Index("ix_events_by_people", "case_id", "id", sqlite_where=BY_PEOPLE, postgresql_where=BY_PEOPLE),
)

# `body` is the hash of the bytes, which are in the archive; `error` is set if there was no reply. `case_id` is empty
# for a reply that belongs to no case, because unique constraints ignore NULL.
replies = _numbered(
    "replies",
    *_required(Text, "case_id", "fingerprint"),
    Column("at", MomentColumn, nullable=False),
    Column("request", PackedText, nullable=False),
    *_optional(Text, "url", "headers", "body", "error"),
    Column("status", Integer),
    UniqueConstraint("case_id", "fingerprint"),
    Index(None, "body"),
    Index(None, "fingerprint", "at"),
)

quotas = _table("quotas", *_keys(Text, "engine", "account", "period"), Column("used", Integer, nullable=False))

# `free_at`: when the next call may begin; `rests_until`: the end of a pause that the engine asked for.
turns = _table("turns", *_keys(Text, "engine", "account"), *_required(MomentColumn, "free_at", "rests_until"))

# Cases that a service is working on; those found here at startup are resumed.
submissions = _table("submissions", _of_case(primary_key=True), Column("at", MomentColumn, nullable=False))

# Decisions on plans, read by the runner of the case. `revision` 0 answers every revision; the primary key makes the
# first of two decisions on one plan win.
decisions = _table(
    "decisions",
    _of_case(primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    *_required(Text, "decision", "text", "by", "how"),
    Column("at", MomentColumn, nullable=False),
)

# A case without a row here was created in the terminal or by the library; admins and this machine's user see it.
case_owners = _owners("case_owners", _of_case(primary_key=True))

# Topics, their investigations, reviews and watches, which outlive cases.

# `key` is the same for all records of a topic (`topic_key`). Lists and objects are JSON as text (see `cases`).
topics = _numbered(
    "topics",
    *_required(Text, "key", "title", "text", "status", "place", "priority", "investigation_notes", "source_plan"),
    *_required(Text, "verified_facts"),
    Column("url", Text),
    Column("verification_status", Text, nullable=False, index=True),
    Column("source_count", Integer),
    Column("newsworthiness_score", Float, nullable=False),
    *_optional(MomentColumn, "discovery_date", "event_date", "investigation_date"),
    Column("investigated", Boolean, nullable=False),
    Column("investigation_confidence", Float),
    Column("created_at", MomentColumn, nullable=False),
    UniqueConstraint("key"),
)

# Reviews and investigations have no foreign key to `cases` because they outlive deleted cases.
investigations = _numbered(
    "investigations",
    Column("topic_id", RowNumber, ForeignKey("topics.id"), nullable=False, index=True),
    Column("case_id", Text, index=True),
    *_required(Text, "status", "priority", "investigator", "verification_level_before", "verification_level_after"),
    *_required(Text, "sources_json", "verified_claims", "disputed_claims", "context_notes", "success", "review_flags"),
    *_required(Text, "outages", "why"),
    Column("investigation_date", MomentColumn, nullable=False, index=True),
    *_optional(MomentColumn, "estimated_completion", "finished_at", "reviewed_at"),
    *_optional(Float, "seconds", "credibility_score", "consistency_score", "confidence_level"),
    *_required(Integer, "sources_found", "social_sources_found", "independent_credible"),
    *_optional(Text, "original_source_url", "review_reason", "reviewed_by"),
    *_required(Boolean, "single_source", "requires_human_review"),
    Column("cost_usd", Float, nullable=False),
)

reviews = _numbered(
    "reviews",
    *_required(Text, "case_id", "by", "decision", "level_found", "level_decided", "why"),
    Column("investigation_id", RowNumber, ForeignKey("investigations.id"), nullable=False),
    Column("topic_id", RowNumber, ForeignKey("topics.id"), nullable=False),
    Column("at", MomentColumn, nullable=False),
    Index(None, "case_id"),
    Index(None, "investigation_id"),
)

# Of a topic or case. `runner`, `lease_until`: the process that runs it now, so that two schedulers never run it twice.
watches = _table(
    "watches",
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("topic_id", RowNumber, ForeignKey("topics.id"), unique=True),
    Column("watched_case", Text, ForeignKey("cases.id", ondelete="CASCADE"), unique=True),
    *_required(Integer, "every_seconds", "failures"),
    Column("added_at", MomentColumn, nullable=False),
    *_required(Text, "added_by", "changes", "why"),
    Column("next_at", MomentColumn, nullable=False, index=True),
    *_optional(MomentColumn, "last_at", "lease_until"),
    *_optional(Text, "last_case", "runner"),
)

# Filled only by a service with users: users, owners, audit log, callbacks, figures, and metadata of an object store.

teams = _numbered(
    "teams",
    Column("name", Text, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    UniqueConstraint("name"),
)

# `key` is the case-folded name. `subject` identifies the user at the identity provider: issuer, a space, its `sub`.
users = _numbered(
    "users",
    *_required(Text, "key", "name", "role"),
    *_optional(Text, "password", "subject"),
    Column("active", Boolean, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    UniqueConstraint("key"),
    UniqueConstraint("subject"),
)

memberships = _table(
    "memberships",
    Column("user_id", RowNumber, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("team_id", RowNumber, ForeignKey("teams.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
)

# Sessions and tokens. `digest` is the SHA-256 of 256 random bits, which are shown once; `scope` the highest role a
# token grants.
credentials = _numbered(
    "credentials",
    *_required(Text, "kind", "digest", "name", "scope"),
    Column("user_id", RowNumber, ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", MomentColumn, nullable=False),
    *_optional(MomentColumn, "used_at", "expires_at", "revoked_at"),
    UniqueConstraint("digest"),
)

audit = _numbered(
    "audit", Column("at", MomentColumn, nullable=False, index=True), *_required(Text, "by", "action", "what", "address")
)

collection_owners = _owners("collection_owners", Column("name", Text, primary_key=True))

# A topic without a row here was created in the terminal or by an admin without a team.
topic_owners = _owners(
    "topic_owners",
    Column("topic_id", RowNumber, ForeignKey("topics.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
)

# `status` is NULL while the first request with this key is in progress.
idempotency = _table(
    "idempotency",
    *_keys(Text, "person", "key"),
    Column("fingerprint", Text, nullable=False),
    Column("at", MomentColumn, nullable=False, index=True),
    Column("status", Integer),
    *_optional(Text, "headers", "body"),
)

# `last_event`: all callbacks for events up to it are settled. `next_at`: NULL when nothing is left to send.
callback_targets = _table(
    "callback_targets",
    _of_case(primary_key=True),
    Column("url", Text, nullable=False),
    Column("last_event", RowNumber, nullable=False),
    Column("next_at", MomentColumn, index=True),
    Column("lease_until", MomentColumn),
)

callbacks = _numbered(
    "callbacks",
    Column("case_id", Text, ForeignKey("callback_targets.case_id", ondelete="CASCADE"), nullable=False),
    *_required(Text, "key", "type", "state"),
    Column("event_id", RowNumber, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("status", Integer),
    *_optional(Text, "error", "theirs"),
    UniqueConstraint("case_id", "key"),
    Index(None, "case_id", "id"),
)

# Links for readers. `digest` is the SHA-256 of 256 random bits, which are shown once.
shares = _numbered(
    "shares",
    _of_case(nullable=False, index=True),
    *_required(Text, "digest", "name", "by"),
    *_required(MomentColumn, "created_at", "expires_at"),
    *_optional(MomentColumn, "revoked_at", "used_at"),
    UniqueConstraint("digest"),
)


# `version` is that of the case as it was read. `settled`: 0 while events may still arrive without a change of the
# case. One column per verdict holds the number of claims with it.
case_figures = _table(
    "case_figures",
    _of_case(primary_key=True),
    *_required(Integer, "version", "settled"),
    *_required(Text, "kind", "status"),
    Column("created_at", MomentColumn, nullable=False),
    Column("seconds", Float),
    Column("usd", Float, nullable=False),
    *(Column(verdict.value, Integer, nullable=False) for verdict in Verdict),
    *(Column(name, Integer, nullable=False) for name in ("not_checked", "search_calls", "page_reads", "model_calls")),
)

# `place` of a page is empty unless it was at its limit: most occur once, so a list of them would be useless.
case_outages = _table(
    "case_outages",
    Column("case_id", Text, ForeignKey("case_figures.case_id", ondelete="CASCADE"), primary_key=True),
    *_keys(Text, "what", "place"),
    Column("at_limit", Integer, primary_key=True),
    Column("times", Integer, nullable=False),
)


# `digest` is the hash of `document`, so that the same retrieval is stored once.
retrievals = _numbered(
    "retrievals",
    *_required(Text, "snapshot", "digest", "document"),
    Column("at", MomentColumn, nullable=False),
    UniqueConstraint("snapshot", "digest"),
)

# `text` is the hash of the text first extracted from the snapshot; offsets of findings always refer to it.
texts = _table("texts", Column("snapshot", Text, primary_key=True), Column("text", Text, nullable=False))

# `files`: JSON that maps paths to hashes of the files published last. Only the writer of the latest epoch may publish.
shared_collections = _table(
    "shared_collections",
    Column("name", Text, primary_key=True),
    Column("files", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("writer", Text),
    Column("lease_until", MomentColumn),
)
