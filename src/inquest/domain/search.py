"""Queries to search engines, and the leads they return."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from inquest.domain.leads import ClaimReview, Figure, Filing, Post, Work
from inquest.domain.value import JsonObject, Published, Value


class EngineKind(StrEnum):
    """The kind of material that an engine searches."""

    NEWS = "news"
    WEB = "web"
    SCHOLARLY = "scholarly"
    SOCIAL = "social"
    MARKET = "market"
    ARCHIVE = "archive"
    FACT_CHECK = "fact_check"
    OWN = "own"
    """The user's own documents."""
    REGISTRY = "registry"
    """A register, row by row."""
    TABLE = "table"
    """A register's table in the data folder."""


ON_THIS_MACHINE = frozenset((EngineKind.OWN, EngineKind.TABLE))
"""Kinds of engine that answer from this machine: free, without the network, and nothing replaces them."""


class Query(Value):
    """A query in no engine's syntax; each engine translates it."""

    text: str
    """Words to look for; for an archive engine, the URL whose captures are wanted."""
    kinds: tuple[EngineKind, ...] = ()
    """The kinds of engine that should be queried; empty: any."""
    purpose: str = ""
    """The question or claim this query serves, in words."""
    exact: bool = False
    """The text is one exact phrase."""
    since: datetime | None = None
    until: datetime | None = None
    language: str | None = None
    """ISO 639-1."""
    domains: tuple[str, ...] = ()
    """Restrict to these registrable domains, if any."""
    exclude_domains: tuple[str, ...] = ()
    tickers: tuple[str, ...] = ()
    """The companies it is about, for engines of markets and filings: 'NVDA', 'BRK.B', 'VOD.L', 'NYSE:BRK.B'."""
    near: datetime | None = None
    """For an archive engine: return the capture closest to this moment, before or after."""
    limit: int = 10


class Hit(Value):
    """A lead that an engine returned. Never evidence: evidence is a quote from an archived page."""

    url: str
    title: str = ""
    snippet: str = ""
    engine: str = ""
    rank: int = 0
    """1 is the engine's best. `Engine.hits` sets it and the engine's name."""
    published: Published | None = None
    author: str | None = None
    publisher: str | None = None
    """The name of the outlet as the engine gives it."""
    language: str | None = None
    score: float | None = None
    """The engine's own score, comparable within one reply only."""
    identifiers: dict[str, str] = {}
    """doi, arxiv, pmid, openalex, ..., each without its URL prefix."""
    snapshot: str | None = None
    """The archived bytes, if the engine serves from our archive (the user's own documents)."""
    details: JsonObject = {}
    """Further data from the engine that a desk may use."""
    post: Post | None = None
    work: Work | None = None
    review: ClaimReview | None = None
    """The fact check that this page contains."""
    filing: Filing | None = None
    figures: tuple[Figure, ...] = ()
