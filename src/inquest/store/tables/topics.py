"""Topics, their investigations, reviews and watches: what outlives a case."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, Table, Text, UniqueConstraint

from inquest.store.tables.columns import MomentColumn, RowNumber, metadata

# `key` is what two records of one topic share (stories.topic_after). Lists and objects are JSON as text (see `cases`).
topics = Table(
    "topics",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("key", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("url", Text),
    Column("text", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("verification_status", Text, nullable=False, index=True),
    Column("source_count", Integer),
    Column("newsworthiness_score", Float, nullable=False),
    Column("discovery_date", MomentColumn),
    Column("event_date", MomentColumn),
    Column("place", Text, nullable=False),
    Column("priority", Text, nullable=False),
    Column("investigated", Boolean, nullable=False),
    Column("investigation_date", MomentColumn),
    Column("investigation_confidence", Float),
    Column("investigation_notes", Text, nullable=False),
    Column("source_plan", Text, nullable=False),
    Column("verified_facts", Text, nullable=False),
    Column("created_at", MomentColumn, nullable=False),
    UniqueConstraint("key"),
    sqlite_autoincrement=True,
)

# Reviews and investigations hold no row of `cases`: they outlive a case that is deleted.
investigations = Table(
    "investigations",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("topic_id", RowNumber, ForeignKey("topics.id"), nullable=False, index=True),
    Column("case_id", Text, index=True),
    Column("status", Text, nullable=False),
    Column("priority", Text, nullable=False),
    Column("investigator", Text, nullable=False),
    Column("investigation_date", MomentColumn, nullable=False, index=True),
    Column("estimated_completion", MomentColumn),
    Column("finished_at", MomentColumn),
    Column("seconds", Float),
    Column("sources_found", Integer, nullable=False),
    Column("social_sources_found", Integer, nullable=False),
    Column("original_source_url", Text),
    Column("credibility_score", Float),
    Column("consistency_score", Float),
    Column("confidence_level", Float),
    Column("verification_level_before", Text, nullable=False),
    Column("verification_level_after", Text, nullable=False),
    Column("sources_json", Text, nullable=False),
    Column("verified_claims", Text, nullable=False),
    Column("disputed_claims", Text, nullable=False),
    Column("context_notes", Text, nullable=False),
    Column("independent_credible", Integer, nullable=False),
    Column("single_source", Boolean, nullable=False),
    Column("success", Text, nullable=False),
    Column("review_flags", Text, nullable=False),
    Column("requires_human_review", Boolean, nullable=False),
    Column("review_reason", Text),
    Column("reviewed_by", Text),
    Column("reviewed_at", MomentColumn),
    Column("cost_usd", Float, nullable=False),
    Column("outages", Text, nullable=False),
    Column("why", Text, nullable=False),
    sqlite_autoincrement=True,
)

reviews = Table(
    "reviews",
    metadata,
    Column("id", RowNumber, primary_key=True, autoincrement=True),
    Column("case_id", Text, nullable=False),
    Column("investigation_id", RowNumber, ForeignKey("investigations.id"), nullable=False),
    Column("topic_id", RowNumber, ForeignKey("topics.id"), nullable=False),
    Column("by", Text, nullable=False),
    Column("at", MomentColumn, nullable=False),
    Column("decision", Text, nullable=False),
    Column("level_found", Text, nullable=False),
    Column("level_decided", Text, nullable=False),
    Column("why", Text, nullable=False),
    Index(None, "case_id"),
    Index(None, "investigation_id"),
    sqlite_autoincrement=True,
)

# `runner`, `lease_until`: which process runs it now, so that two schedules never run one watch twice.
watches = Table(
    "watches",
    metadata,
    Column("topic_id", RowNumber, ForeignKey("topics.id"), primary_key=True, autoincrement=False),
    Column("every_seconds", Integer, nullable=False),
    Column("added_at", MomentColumn, nullable=False),
    Column("added_by", Text, nullable=False),
    Column("next_at", MomentColumn, nullable=False, index=True),
    Column("last_at", MomentColumn),
    Column("last_case", Text),
    Column("changes", Text, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("why", Text, nullable=False),
    Column("runner", Text),
    Column("lease_until", MomentColumn),
)
