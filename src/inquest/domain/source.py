"""Who published a document, and what that is worth."""

from __future__ import annotations

from datetime import datetime

from inquest.domain.document import Published
from inquest.domain.value import Value

__all__ = ["Rating", "Source"]


class Rating(Value):
    """What a publisher is worth, 0 to 100; tier and stars are derived from the score in one place (logic.tiers)."""

    domain: str
    """Registrable domain."""
    score: int
    tier: int
    """1 (best) to 4."""
    stars: int
    """5 (best) to 1."""
    known: bool
    """False where no rule about this source spoke."""
    category: str = "unknown"
    press_release: bool = False
    owner: str | None = None
    reasons: tuple[str, ...]


class Source(Value):
    """A document as a witness in a case: where it is from, what it says in short, and whom it copies."""

    id: str
    """S1, S2, ... in the order of the report."""
    url: str
    title: str
    domain: str
    publisher: str | None = None
    """The outlet's name as its pages give it; shown, never judged by."""
    author: str | None = None
    published: Published | None = None
    rating: Rating
    snapshot: str
    retrieved_at: datetime
    language: str | None = None
    summary: str = ""
    """At most 500 characters."""
    key_claims: tuple[str, ...] = ()
    """1 to 3, as the source says them."""
    relevance: float = 0.0
    """0 to 1, to the brief."""
    user_provided: bool = False
    engines: tuple[str, ...] = ()
    """Which engines led here."""
    queries: tuple[str, ...] = ()
    story: str | None = None
    """Sources with the same story id are copies or rewrites of one another."""
    origin_of_story: str | None = None
    """The id of the source that the others of the story go back to, as far as can be told."""
    excluded: str | None = None
    """Why it is not counted as evidence (published after the as-of date, ...); None: it counts."""
    notes: tuple[str, ...] = ()
