"""What is said to be so."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from inquest.domain.value import Value

__all__ = ["Claim", "ClaimType", "Mention"]


class ClaimType(StrEnum):
    """What kind of statement a claim is; a claim of a company's report is one of the first five (P1)."""

    QUANTITATIVE = "quantitative"
    STRATEGIC = "strategic"
    ENVIRONMENTAL = "environmental"
    GEOGRAPHIC = "geographic"
    LEGAL_GOVERNANCE = "legal_governance"
    EVENT = "event"
    """Something happened, at a time."""
    STATEMENT = "statement"
    """Anything else that can be checked."""


class Mention(Value):
    """Where a source says it: a verbatim quote and its place in the snapshot's text."""

    source_id: str
    snapshot: str
    quote: str
    start: int
    end: int


class Claim(Value):
    """One checkable statement."""

    id: str
    """C1, C2, ... by importance."""
    text: str
    type: ClaimType = ClaimType.STATEMENT
    importance: float = Field(default=0.5, ge=0, le=1)
    mentions: tuple[Mention, ...] = ()
    page: int | None = None
    queries: tuple[str, ...] = ()
    """What to search for to check it."""

    @property
    def source_ids(self) -> tuple[str, ...]:
        """The sources that make the claim, each once, in order."""
        return tuple(dict.fromkeys(mention.source_id for mention in self.mentions))
