"""The tables. A change here is a migration in `store/migrations/versions`, and `SCHEMA` names the newest one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
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
)

__all__ = [
    "SCHEMA",
    "Moment",
    "cases",
    "claims",
    "events",
    "findings",
    "metadata",
    "quotas",
    "replies",
    "sources",
    "turns",
]

SCHEMA = "0002"
"""The revision these tables stand for."""


class Moment(TypeDecorator[datetime]):
    """An aware moment in UTC. SQLite keeps no time zone, so it is taken off on the way in and put back after."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be kept")
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

# Row numbers: SQLite hands out ever-growing ones only for INTEGER PRIMARY KEY AUTOINCREMENT.
_RowNumber = BigInteger().with_variant(Integer(), "sqlite")

# `document` is the case as JSON without its sources, claims and findings, which have tables of their own. It is text
# and not a JSON type because PostgreSQL's jsonb refuses the escape of a NUL, which pages do contain.
cases = Table(
    "cases",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("status", Text, nullable=False, index=True),
    Column("title", Text, nullable=False),
    Column("created_at", Moment, nullable=False, index=True),
    Column("updated_at", Moment, nullable=False),
    Column("version", Integer, nullable=False),
    Column("document", Text, nullable=False),
    Column("runner", Text),
    Column("leased_at", Moment),
    Column("lease_until", Moment),
)


def _part(name: str, *columns: Column[Any], indexes: tuple[str, ...]) -> Table:
    return Table(
        name,
        metadata,
        Column("case_id", Text, ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
        Column("id", Text, primary_key=True),
        Column("place", Integer, nullable=False),
        *columns,
        Column("document", Text, nullable=False),
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
    Column("id", _RowNumber, primary_key=True, autoincrement=True),
    Column("case_id", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("type", Text, nullable=False),
    Column("stage", Text),
    Column("marker", Text),
    Column("text", Text, nullable=False),
    Column("data", Text, nullable=False),
    Index(None, "case_id", "id"),
    sqlite_autoincrement=True,
)

# `body` is the hash of the bytes, which lie in the archive; `error` is set where there was no reply. An empty `case_id`
# is a reply kept for no case: a unique constraint does not hold for NULL.
replies = Table(
    "replies",
    metadata,
    Column("id", _RowNumber, primary_key=True, autoincrement=True),
    Column("case_id", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("request", Text, nullable=False),
    Column("url", Text),
    Column("status", Integer),
    Column("headers", Text),
    Column("body", Text),
    Column("error", Text),
    UniqueConstraint("case_id", "fingerprint"),
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
    Column("free_at", Moment, nullable=False),
    Column("rests_until", Moment, nullable=False),
)
