"""What was done with a topic: investigations, what people decided of them, watches; what differs between two runs."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import Field

from inquest.domain.assessment import Verdict
from inquest.domain.investigation import FoundSource
from inquest.domain.report import OutageNote
from inquest.domain.topic import Priority, ReviewFlag, Success, VerificationLevel
from inquest.domain.value import Value

INVESTIGATOR = "investigatory_journalist_agent"
"""The specification's name for who investigates, in what is kept and handed on."""


class InvestigationStatus(StrEnum):
    """Where an investigation stands."""

    STARTED = "started"
    COMPLETED = "completed"
    PARTIAL = "partial"
    """There is a result, and something that should have been asked could not be."""
    FAILED = "failed"
    """There is no result."""
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
    """None: it has not come to a case."""
    status: InvestigationStatus = InvestigationStatus.STARTED
    priority: Priority = Priority.NORMAL
    investigator: str = INVESTIGATOR
    investigation_date: datetime
    """When it was begun."""
    estimated_completion: datetime | None = None
    finished_at: datetime | None = None
    seconds: float | None = None
    """What it took, without waiting for a person's approval; None: it has not ended."""

    sources_found: int = 0
    """Independent sources: what goes back to one story counts once."""
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
    """Who reviewed it last; every review is kept as a `Review`."""
    reviewed_at: datetime | None = None

    cost_usd: float = 0.0
    outages: tuple[OutageNote, ...] = ()
    why: str = ""
    """Why it is partial, failed or cancelled, in one sentence."""

    @property
    def upgraded(self) -> bool:
        """Whether the level rose."""
        levels = list(VerificationLevel)
        return levels.index(self.verification_level_after) > levels.index(self.verification_level_before)


class ReviewDecision(StrEnum):
    """What a person decides of an investigation's level."""

    ACCEPT = "accept"
    OVERRULE = "overrule"


class Review(Value):
    """A person's decision. Kept for ever: a later decision stands beside it and never in its place."""

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
        """Whether the person decided on less than the investigation had."""
        levels = list(VerificationLevel)
        return levels.index(self.level_decided) < levels.index(self.level_found)


class Watch(Value):
    """A topic that is investigated again and again."""

    topic_id: int
    every: timedelta
    added_at: datetime
    added_by: str = ""
    """Whose word approves the plans of its runs."""
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


class LevelChange(Value):
    """The level of a topic, then and now; None: that run had no result."""

    before: VerificationLevel | None
    after: VerificationLevel | None


class PageChange(Value):
    """A page that one run had and the other not, or whose words have changed."""

    source_id: str
    """In the later run, else in the earlier."""
    url: str
    title: str
    tier: int


class ChangedVerdict(Value):
    """A claim of both runs on which the verdict is another one, or a claim of one run alone (the other is None)."""

    text: str
    before: Verdict | None
    after: Verdict | None


class OriginChange(Value):
    """Who the story goes back to, by name and address; '' where that run could not tell."""

    before: str
    after: str


class CaseChanges(Value):
    """All that differs. Empty and None: the same."""

    before: str
    """Case ids."""
    after: str
    level: LevelChange | None = None
    new_sources: tuple[PageChange, ...] = ()
    gone_sources: tuple[PageChange, ...] = ()
    """Not found this time, which does not mean that they were taken down."""
    unreached: tuple[PageChange, ...] = ()
    """Not there this time because the page, or an engine that led to it, could not be asked: no news of the matter."""
    changed_pages: tuple[PageChange, ...] = ()
    """Read both times, with other words."""
    verdicts: tuple[ChangedVerdict, ...] = ()
    origin: OriginChange | None = None
    new_flags: tuple[ReviewFlag, ...] = ()
    newly_disputed: tuple[str, ...] = ()
    outages: tuple[str, ...] = ()
    """What could not be asked this time and could then, or was not to be asked any more: something may be missing for
    that reason alone."""
    still_out: tuple[str, ...] = ()
    """What could be asked neither then nor now: that nothing differs does not speak for it."""

    @property
    def complete(self) -> bool:
        """Whether everybody could be asked this time: only then does 'nothing changed' say that nothing did."""
        return not self.outages and not self.still_out

    @property
    def anything(self) -> bool:
        """Whether anything differs in what was found. A new outage alone is no news of the matter."""
        return any(
            (
                self.level,
                self.new_sources,
                self.gone_sources,
                self.changed_pages,
                self.verdicts,
                self.origin,
                self.new_flags,
                self.newly_disputed,
            )
        )
