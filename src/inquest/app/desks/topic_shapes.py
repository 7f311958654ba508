"""The answers of the verification desk's three endpoints (spec 001), as types for the service that serves them."""

from __future__ import annotations

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12


class InvestigationBegun(TypedDict):
    """POST /investigations."""

    investigation_id: int
    status: str
    estimated_completion: str | None
    """A moment in UTC, by which it will have ended as a rule."""


class Candidate(TypedDict):
    """A topic as the list of candidates shows it."""

    topic_id: int | None
    title: str
    current_verification: str
    source_count: int
    newsworthiness_score: float
    priority: str


class CandidateAgain(Candidate):
    """A topic that was investigated and is due once more."""

    reason: str


class CandidateLeftOut(Candidate):
    """A topic that calls for no investigation."""

    reasons: list[str]
    """Each trigger rule that it misses, in a sentence."""
    next_at: str | None
    """When it will be due again at the latest; None: it will not by time alone."""


class CandidatesFound(TypedDict):
    """GET /candidates: the specification's `topics`, and what stands beside them."""

    topics: list[Candidate]
    total: int
    due_again: list[CandidateAgain]
    left_out: list[CandidateLeftOut]
