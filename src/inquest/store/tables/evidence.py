"""The tables of an archive and of collections whose bytes lie in an object store."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table, Text, UniqueConstraint

from inquest.store.tables.columns import MomentColumn, RowNumber, metadata

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
