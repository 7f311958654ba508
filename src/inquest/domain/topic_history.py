"""Investigations of a topic, reviews, watches, and the differences between two runs."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import Field

from inquest.domain.investigation import FoundSource
from inquest.domain.report import OutageNote
from inquest.domain.topic import Priority, ReviewFlag, Success, VerificationLevel
from inquest.domain.value import Value

INVESTIGATOR = "investigatory_journalist_agent"
"""The specification's name for who investigates, in what is kept and handed on."""


class InvestigationStatus(StrEnum):
    """The state of an investigation."""

    STARTED = "started"
    COMPLETED = "completed"
    PARTIAL = "partial"
    """It has a result, with outages."""
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        return self is not InvestigationStatus.STARTED

    @property
    def has_result(self) -> bool:
        return self in (InvestigationStatus.COMPLETED, InvestigationStatus.PARTIAL)


class Investigation(Value):
    """One run of the verification desk on one topic: every field of the specification's table, and ours.

    Scores are 0 to 100; None as long as there is no result.
    """

    id: int
    topic_id: int
    case_id: str | None = None
    status: InvestigationStatus = InvestigationStatus.STARTED
    priority: Priority = Priority.NORMAL
    investigator: str = INVESTIGATOR
    investigation_date: datetime
    estimated_completion: datetime | None = None
    finished_at: datetime | None = None
    seconds: float | None = None
    """Without waiting for a person's approval."""

    sources_found: int = 0
    """Number of independent sources."""
    social_sources_found: int = 0
    original_source_url: str | None = None
    credibility_score: float | None = None
    consistency_score: float | None = None
    confidence_level: float | None = None
    verification_level_before: VerificationLevel
    verification_level_after: VerificationLevel
    sources: tuple[FoundSource, ...] = ()
    verified_claims: tuple[str, ...] = ()
    disputed_claims: tuple[str, ...] = ()
    context_notes: str = ""
    independent_credible: int = 0
    single_source: bool = False
    success: tuple[Success, ...] = ()

    review_flags: tuple[ReviewFlag, ...] = ()
    requires_human_review: bool = False
    review_reason: str | None = None
    reviewed_by: str | None = None
    reviewed_at: datetime | None = None

    cost_usd: float = 0.0
    outages: tuple[OutageNote, ...] = ()
    why: str = ""
    """Why it is partial, failed or cancelled, in one sentence."""

    @property
    def upgraded(self) -> bool:
        """True if the level rose."""
        levels = list(VerificationLevel)
        return levels.index(self.verification_level_after) > levels.index(self.verification_level_before)


class ReviewDecision(StrEnum):
    """A person's decision on an investigation's level."""

    ACCEPT = "accept"
    OVERRULE = "overrule"


class Review(Value):
    """A person's decision. A later decision is kept beside it."""

    id: int = 0
    """0: not yet kept."""
    case_id: str
    investigation_id: int
    topic_id: int
    by: str
    at: datetime
    decision: ReviewDecision
    level_found: VerificationLevel
    """What the investigation recommended."""
    level_decided: VerificationLevel
    """The same where it is accepted."""
    why: str = ""

    @property
    def lowers(self) -> bool:
        """True if the person chose a lower level than the investigation."""
        levels = list(VerificationLevel)
        return levels.index(self.level_decided) < levels.index(self.level_found)


class Watch(Value):
    """A topic that is investigated repeatedly."""

    topic_id: int
    every: timedelta
    added_at: datetime
    added_by: str = ""
    """The approver of its runs' plans."""
    next_at: datetime
    last_at: datetime | None = None
    last_case: str | None = None
    """The last run with a result, which the next is compared with."""
    changes: tuple[str, ...] = ()
    """What the last run changed, in words."""
    failures: int = Field(default=0, ge=0)
    """Runs without a result since the last that had one."""
    why: str = ""
    """Why the last run had no result."""


class PageChange(Value):
    """A page that one run had and the other not, or that was changed."""

    url: str
    title: str
    tier: int


class Change(Value):
    """A value of both runs; None: that run had none."""

    text: str = ""
    """The claim, where the value is a verdict."""
    before: str | None
    after: str | None


class CaseChanges(Value):
    """The differences between two runs."""

    before: str
    """Case ids."""
    after: str
    level: Change | None = None
    new_sources: tuple[PageChange, ...] = ()
    gone_sources: tuple[PageChange, ...] = ()
    """Not found this time, which does not mean that they were taken down."""
    unreached: tuple[PageChange, ...] = ()
    """Not found because the page, or an engine that led to it, could not be asked."""
    changed_pages: tuple[PageChange, ...] = ()
    """Read both times, with other words."""
    verdicts: tuple[Change, ...] = ()
    origin: Change | None = None
    new_flags: tuple[ReviewFlag, ...] = ()
    outages: tuple[str, ...] = ()
    """What could be asked then and could not now, or was not to be asked any more."""
    still_out: tuple[str, ...] = ()
    """What could be asked neither then nor now."""

    @property
    def complete(self) -> bool:
        """True if everything could be asked this time; only then does 'nothing changed' hold."""
        return not self.outages and not self.still_out

    @property
    def anything(self) -> bool:
        """True if the results differ; a new outage alone is not a change."""
        pages = self.new_sources or self.gone_sources or self.changed_pages
        return bool(self.level or self.origin or pages or self.verdicts or self.new_flags)
