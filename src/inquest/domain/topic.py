"""A topic, its verification level, and the evidence and outcome of an investigation."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from inquest.domain.reasons import Reason
from inquest.domain.value import JsonObject, Value


class VerificationLevel(StrEnum):
    """The degree of confirmation of a topic, from lowest to highest."""

    UNVERIFIED = "unverified"
    VERIFIED = "verified"
    CERTIFIED = "certified"


class Priority(StrEnum):
    """The urgency of investigating a topic."""

    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


class TopicStatus(StrEnum):
    """An editor's decision on a topic."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    PUBLISHED = "published"


class Topic(Value):
    """An article or event that a newsroom has added."""

    id: int | None = None
    """None: not yet stored."""
    title: str
    url: str | None = None
    text: str = ""
    status: TopicStatus = TopicStatus.APPROVED
    verification_status: VerificationLevel = VerificationLevel.UNVERIFIED
    source_count: int | None = Field(default=None, ge=0)
    """None: not counted, which is treated as 0."""
    newsworthiness_score: float = Field(default=50, ge=0, le=100)
    discovery_date: datetime | None = None
    event_date: datetime | None = None
    place: str = ""
    priority: Priority = Priority.NORMAL
    investigated: bool = False
    investigation_date: datetime | None = None
    investigation_confidence: float | None = Field(default=None, ge=0, le=100)
    investigation_notes: str = ""
    source_plan: JsonObject = {}
    """The newsroom's data on its sources; an investigation adds `investigatory_sources` (spec 001, step 3)."""
    verified_facts: JsonObject = {}
    """Likewise; an investigation adds `investigation_context` and `investigation_date`."""


class Evidence(Value):
    """The evidence on a topic, counted over independent sources: a story counts once, for its origin."""

    confirming: tuple[int, ...] = ()
    """The tier (1 to 4) of each independent source that confirms the topic's main claim."""
    contradicting: tuple[int, ...] = ()
    weak: int = Field(default=0, ge=0)
    """Sources of tier 3 or 4 if none of tier 1 or 2 is on the topic; satire, fabrications and imitations."""
    origin_tier: int | None = Field(default=None, ge=1, le=4)
    """None: the origin was not found or not read."""
    differing: int = Field(default=0, ge=0)
    """Details of the main claim on which independent sources differ."""
    before_event: int = Field(default=0, ge=0)
    """Sources that report the same thing and were published before the event."""
    context_details: int = Field(default=0, ge=0)
    social_accounts: int = Field(default=0, ge=0)
    """Independent accounts that report it in words of their own."""
    serious_allegation: bool = False
    """True if it accuses somebody of a crime or serious wrongdoing."""
    outages: int = Field(default=0, ge=0)
    """Engines and pages that were not available."""


class ReviewFlag(StrEnum):
    """A reason for review by a person."""

    CONTRADICTION = "contradiction"
    ONLY_LOW_CREDIBILITY = "only_low_credibility"
    NOT_CORROBORATED = "not_corroborated"
    SERIOUS_ALLEGATION = "serious_allegation"


class Success(StrEnum):
    """The success criteria."""

    CREDIBLE_SOURCES = "credible_sources"
    ORIGIN = "origin"
    CONTEXT = "context"
    SOCIAL_EVIDENCE = "social_evidence"


class Upgrade(Value):
    """The level after an investigation, and why."""

    before: VerificationLevel
    new_level: VerificationLevel
    upgraded: bool
    independent_credible: int
    """Independent confirming sources of tier 1 or 2."""
    single_source: bool = False
    """'verified' rests on one independent source."""
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()
    review_flags: tuple[ReviewFlag, ...] = ()

    @property
    def requires_human_review(self) -> bool:
        """True if there are any flags."""
        return bool(self.review_flags)
