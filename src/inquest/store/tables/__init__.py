"""The tables. A change here is a migration in `store/migrations/versions`, and `SCHEMA` names the newest one."""

from __future__ import annotations

from inquest.store.tables.cases import (
    case_owners,
    cases,
    claims,
    decisions,
    events,
    findings,
    quotas,
    replies,
    sources,
    submissions,
    turns,
)
from inquest.store.tables.columns import MomentColumn, RowNumber, metadata
from inquest.store.tables.service import (
    audit,
    callback_targets,
    callbacks,
    case_figures,
    case_outages,
    collection_owners,
    credentials,
    idempotency,
    memberships,
    retrievals,
    shared_collections,
    shares,
    teams,
    texts,
    topic_owners,
    users,
)
from inquest.store.tables.topics import investigations, reviews, topics, watches

__all__ = [
    "SCHEMA",
    "MomentColumn",
    "RowNumber",
    "audit",
    "callback_targets",
    "callbacks",
    "case_figures",
    "case_outages",
    "case_owners",
    "cases",
    "claims",
    "collection_owners",
    "credentials",
    "decisions",
    "events",
    "findings",
    "idempotency",
    "investigations",
    "memberships",
    "metadata",
    "quotas",
    "replies",
    "retrievals",
    "reviews",
    "shared_collections",
    "shares",
    "sources",
    "submissions",
    "teams",
    "texts",
    "topic_owners",
    "topics",
    "turns",
    "users",
    "watches",
]

SCHEMA = "0015"
"""The revision these tables stand for."""
