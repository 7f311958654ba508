"""Topics, their investigations, what people decided of them, and watches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def _row_number() -> sa.Column[int]:
    kind = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("id", kind, autoincrement=True, nullable=False)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "topics",
        _row_number(),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("verification_status", sa.Text(), nullable=False),
        sa.Column("source_count", sa.Integer(), nullable=True),
        sa.Column("newsworthiness_score", sa.Float(), nullable=False),
        _moment("discovery_date", nullable=True),
        _moment("event_date", nullable=True),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("priority", sa.Text(), nullable=False),
        sa.Column("investigated", sa.Boolean(), nullable=False),
        _moment("investigation_date", nullable=True),
        sa.Column("investigation_confidence", sa.Float(), nullable=True),
        sa.Column("investigation_notes", sa.Text(), nullable=False),
        sa.Column("source_plan", sa.Text(), nullable=False),
        sa.Column("verified_facts", sa.Text(), nullable=False),
        _moment("created_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_topics")),
        sa.UniqueConstraint("key", name=op.f("uq_topics_key")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_topics_verification_status"), "topics", ["verification_status"])
    op.create_table(
        "investigations",
        _row_number(),
        sa.Column("topic_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("case_id", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("priority", sa.Text(), nullable=False),
        sa.Column("investigator", sa.Text(), nullable=False),
        _moment("investigation_date"),
        _moment("estimated_completion", nullable=True),
        _moment("finished_at", nullable=True),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("sources_found", sa.Integer(), nullable=False),
        sa.Column("social_sources_found", sa.Integer(), nullable=False),
        sa.Column("original_source_url", sa.Text(), nullable=True),
        sa.Column("credibility_score", sa.Float(), nullable=True),
        sa.Column("consistency_score", sa.Float(), nullable=True),
        sa.Column("confidence_level", sa.Float(), nullable=True),
        sa.Column("verification_level_before", sa.Text(), nullable=False),
        sa.Column("verification_level_after", sa.Text(), nullable=False),
        sa.Column("sources_json", sa.Text(), nullable=False),
        sa.Column("verified_claims", sa.Text(), nullable=False),
        sa.Column("disputed_claims", sa.Text(), nullable=False),
        sa.Column("context_notes", sa.Text(), nullable=False),
        sa.Column("independent_credible", sa.Integer(), nullable=False),
        sa.Column("single_source", sa.Boolean(), nullable=False),
        sa.Column("success", sa.Text(), nullable=False),
        sa.Column("review_flags", sa.Text(), nullable=False),
        sa.Column("requires_human_review", sa.Boolean(), nullable=False),
        sa.Column("review_reason", sa.Text(), nullable=True),
        sa.Column("reviewed_by", sa.Text(), nullable=True),
        _moment("reviewed_at", nullable=True),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        sa.Column("outages", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["topic_id"], ["topics.id"], name=op.f("fk_investigations_topic_id_topics")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_investigations")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_investigations_topic_id"), "investigations", ["topic_id"])
    op.create_index(op.f("ix_investigations_case_id"), "investigations", ["case_id"])
    op.create_index(op.f("ix_investigations_investigation_date"), "investigations", ["investigation_date"])
    op.create_table(
        "reviews",
        _row_number(),
        sa.Column("case_id", sa.Text(), nullable=False),
        sa.Column("investigation_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("topic_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        _moment("at"),
        sa.Column("decision", sa.Text(), nullable=False),
        sa.Column("level_found", sa.Text(), nullable=False),
        sa.Column("level_decided", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["investigation_id"], ["investigations.id"], name=op.f("fk_reviews_investigation_id_investigations")
        ),
        sa.ForeignKeyConstraint(["topic_id"], ["topics.id"], name=op.f("fk_reviews_topic_id_topics")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviews")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_reviews_case_id"), "reviews", ["case_id"])
    op.create_index(op.f("ix_reviews_investigation_id"), "reviews", ["investigation_id"])
    op.create_table(
        "watches",
        sa.Column("topic_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("every_seconds", sa.Integer(), nullable=False),
        _moment("added_at"),
        sa.Column("added_by", sa.Text(), nullable=False),
        _moment("next_at"),
        _moment("last_at", nullable=True),
        sa.Column("last_case", sa.Text(), nullable=True),
        sa.Column("changes", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("runner", sa.Text(), nullable=True),
        _moment("lease_until", nullable=True),
        sa.ForeignKeyConstraint(["topic_id"], ["topics.id"], name=op.f("fk_watches_topic_id_topics")),
        sa.PrimaryKeyConstraint("topic_id", name=op.f("pk_watches")),
    )
    op.create_index(op.f("ix_watches_next_at"), "watches", ["next_at"])
