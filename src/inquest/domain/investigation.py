"""Investigations of a topic, their reviews and watches, and the differences between two runs. Scores are 0 to 100;
every stated fact keeps the words it was read from."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import Field

from inquest.domain.audit import AuditChange, Outcome
from inquest.domain.claim import Mention
from inquest.domain.document import Precision, Published
from inquest.domain.reasons import Reasons
from inquest.domain.report import OutageNote
from inquest.domain.search import Recorded, SocialEvidence, SocialSource
from inquest.domain.topic import Priority, ReviewFlag, Success, Upgrade, VerificationLevel
from inquest.domain.value import Value

TITLE_CLAIM = "C0"
"""Id of a topic's title as a claim."""


class FoundSource(Recorded):
    """A source of the case, as stored in the topic's source plan."""

    id: str
    """Id of the source in the case: S1, S2, ..."""
    url: str
    name: str
    credibility_tier: int
    found_by: str = "investigatory_journalist"
    confirms: bool | None = None
    """True if it confirms the topic's main claim, False if it contradicts it, None if neither."""
    counted: bool = False
    """True if it is the source counted for its story."""
    story: str | None = None


class OriginHop(Recorded):
    """One step of a citation chain: the crediting source, the credited one, and the words."""

    source_id: str
    credits: str
    """The id of the credited source, or a publisher's name if its report is not among the sources."""
    how: str = "words"
    """words, byline or link (in the line of sources)."""
    quote: str = ""
    snapshot: str = ""
    start: int = 0
    end: int = 0
    """0 and 0 for a by-line or a link, which are not in the text."""
    reason: str = ""


class CredibilityReport(Recorded):
    """The credibility of a source as an origin."""

    source_id: str
    score: int
    tier: int
    category: str
    credible: bool
    domain_registered: str | None = None
    leaning: str | None = None
    specialised: bool | None = None
    """True if it specialises in such topics: a regulator, a court, a trade paper, the local press. None: unknown."""
    first_hand: bool = False
    reasons: tuple[str, ...] = ()
    reason_codes: Reasons = ()


class SoughtReport(Recorded):
    """A report that sources credit and that was searched for, because it was not among them."""

    name: str
    """Its publisher, as named by the source."""
    url: str = ""
    """'': it was searched for by name."""
    source_id: str | None = None
    """The source that it became; None: it could not be read."""
    why: str = ""
    """The reason why it was not read."""
    published: Published | None = None
    """Its date of publication according to an engine, if it was not read."""


class OriginTrace(Recorded):
    """The origin of the topic's story, as far as it can be determined."""

    source_id: str | None = None
    candidates: tuple[str, ...] = ()
    """If the origin is undetermined: ids of possible origins, likeliest first, and names of unread publishers."""
    name: str = ""
    """The origin's name, even if its report could not be read."""
    readable: bool = True
    chain: tuple[OriginHop, ...] = ()
    """From the topic's own article, or the latest copy, back to the origin."""
    earliest_source_id: str | None = None
    """The earliest dated source that reports the topic, which need not be the origin."""
    misdated: tuple[str, ...] = ()
    """Ids of the sources on the story without a credible date."""
    confidence: float = Field(default=0.0, ge=0, le=1)
    credibility: CredibilityReport | None = None
    sought: tuple[SoughtReport, ...] = ()
    reasons: tuple[str, ...] = ()
    reason_codes: Reasons = ()


class Detail(StrEnum):
    """The kind of detail that a row of the consistency table compares."""

    NUMBER = "number"
    DATE = "date"
    PLACE = "place"


class MatchOfDetail(StrEnum):
    """The result of comparing a source's detail with the claim's."""

    AGREES = "agrees"
    DEVIATES = "deviates"
    NOT_GIVEN = "not given"
    NOT_COMPARABLE = "not comparable"
    """A detail of the same kind, but of something else or at another stage."""


class ConsistencyCell(Recorded):
    """One source's value of one detail."""

    source_id: str
    witness: str
    """Sources with the same witness count once."""
    match: MatchOfDetail
    value: str = ""
    """As the source writes it."""
    mention: Mention | None = None
    """The sentence that states it."""


class ConsistencyRow(Recorded):
    """One detail of one claim, compared across all sources."""

    claim_id: str
    detail: Detail
    claimed: str
    cells: tuple[ConsistencyCell, ...]
    agreeing: int
    deviating: int
    """Independent witnesses."""


class ClaimSupport(Recorded):
    """The independent sources on one claim, an id for each witness."""

    claim_id: str
    text: str
    confirming: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()
    both: tuple[str, ...] = ()
    party: tuple[str, ...] = ()
    """Statements of a party, which are not counted."""


class ConsistencyTable(Recorded):
    """Details side by side, and the degree to which the sources agree."""

    rows: tuple[ConsistencyRow, ...] = ()
    claims: tuple[ClaimSupport, ...] = ()
    score: float | None = Field(default=None, ge=0, le=100)
    """None: nothing could be compared."""

    @property
    def deviations(self) -> tuple[ConsistencyRow, ...]:
        """The details on which sources differ."""
        return tuple(row for row in self.rows if row.deviating)


class RelatedEvent(Recorded):
    """An earlier event with the same actors or at the same place."""

    date: str
    """ISO 8601, at the known precision."""
    precision: Precision
    text: str
    actors: tuple[str, ...]
    mentions: tuple[Mention, ...]


class StatementMade(Recorded):
    """A statement of an actor."""

    mention: Mention
    said: str
    """The sentence's date, else that of the page, as ISO 8601; '': unknown."""
    earlier: bool
    """True if it was made before the event."""


class ActorProfile(Recorded):
    """An actor as sources describe it."""

    name: str
    kind: str
    """organisation, person, acronym or name: by its form."""
    described_as: tuple[Mention, ...] = ()
    statements: tuple[StatementMade, ...] = ()


class LocalSource(Recorded):
    """A source that is local to the place, with the reason."""

    source_id: str
    reason: str


class LocalContext(Recorded):
    """The place: its press, and passages on it."""

    place: str = ""
    sources: tuple[LocalSource, ...] = ()
    passages: tuple[Mention, ...] = ()


class TopicContext(Recorded):
    """The context of the topic."""

    events: tuple[RelatedEvent, ...] = ()
    actors: tuple[ActorProfile, ...] = ()
    local: LocalContext = LocalContext()
    details: int = 0
    """Details with a quote; five make a context (success criteria of the specification)."""
    richness: float = Field(default=0.0, ge=0, le=100)


class InvestigationResult(Recorded):
    """The result of an investigation of a topic; its field names are those of the desk's specification."""

    topic_id: int | None
    investigation_date: datetime

    additional_sources: tuple[FoundSource, ...] = ()
    """All sources that count as evidence; the topic's own article is not among them."""
    social_media_evidence: tuple[SocialSource, ...] = ()
    original_source: FoundSource | None = None

    credibility_assessment: float = Field(ge=0, le=100)
    consistency_score: float = Field(ge=0, le=100)
    """0 also if nothing could be compared; `consistency.score` is then None."""
    context_richness: float = Field(ge=0, le=100)

    verified_claims: tuple[str, ...] = ()
    disputed_claims: tuple[str, ...] = ()
    additional_context: str = ""

    recommended_verification_level: VerificationLevel
    confidence_level: float = Field(ge=0, le=100)
    investigation_notes: str
    """For readers; source ids in brackets."""

    requires_human_review: bool
    review_reason: str | None = None
    review_codes: Reasons = ()

    upgrade: Upgrade
    success: tuple[Success, ...] = ()
    review_flags: tuple[ReviewFlag, ...] = ()
    social: SocialEvidence = SocialEvidence()
    origin: OriginTrace | None = None
    consistency: ConsistencyTable = ConsistencyTable()
    context: TopicContext = TopicContext()
    confidence_reasons: tuple[str, ...] = ()
    confidence_codes: Reasons = ()

    @property
    def verification_upgraded(self) -> bool:
        """True if the level rises."""
        return self.upgrade.upgraded


INVESTIGATOR = "investigatory_journalist_agent"
"""The name of the investigating agent in stored and delivered results (spec 004)."""


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
    """One run of the verification desk on one topic: every field of the specification's table, and some of ours.

    Scores are 0 to 100; None until there is a result.
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
    """Seconds of work, without the time spent waiting for a person's approval."""

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
    """The reason why it is partial, failed or cancelled, in one sentence."""

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
    """0: not yet stored."""
    case_id: str
    investigation_id: int
    topic_id: int
    by: str
    at: datetime
    decision: ReviewDecision
    level_found: VerificationLevel
    """The level that the investigation recommended."""
    level_decided: VerificationLevel
    """The level decided; the recommended one if it was accepted."""
    why: str = ""

    @property
    def lowers(self) -> bool:
        """True if the person chose a lower level than the investigation."""
        levels = list(VerificationLevel)
        return levels.index(self.level_decided) < levels.index(self.level_found)


class Watch(Value):
    """A topic that is investigated repeatedly, or a case whose request is run repeatedly."""

    topic_id: int | None = None
    watched_case: str | None = None
    every: timedelta
    added_at: datetime
    added_by: str = ""
    """The approver of its runs' plans."""
    next_at: datetime
    last_at: datetime | None = None
    last_case: str | None = None
    """The last run with a result, with which the next is compared."""
    changes: tuple[str, ...] = ()
    failures: int = Field(default=0, ge=0)
    """Runs without a result since the last that had one."""
    why: str = ""
    """The reason why the last run had no result."""

    @property
    def subject(self) -> int | str:
        """The id of the topic or case."""
        return self.topic_id or self.watched_case or ""


class PageChange(Value):
    """A page that only one run had, or that was changed."""

    url: str
    title: str
    tier: int


class Change(Value):
    """The values of both runs; None: that run had none."""

    text: str = ""
    """The claim, if the value is a verdict."""
    before: str | None
    after: str | None


class Contradiction(Value):
    """A page that contradicts a claim and did not in the earlier run."""

    text: str
    """The claim."""
    url: str
    quote: str


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
    """Not found because the page, or an engine that led to it, was not available."""
    changed_pages: tuple[PageChange, ...] = ()
    """Pages read both times, with different text."""
    verdicts: tuple[Change, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    citations: tuple[AuditChange, ...] = ()
    origin: Change | None = None
    new_flags: tuple[ReviewFlag, ...] = ()
    outages: tuple[str, ...] = ()
    """Services available then and not now, or no longer to be queried."""
    still_out: tuple[str, ...] = ()
    """Services available neither then nor now."""

    @property
    def complete(self) -> bool:
        """True if every service and page was available this time; only then is 'nothing changed' certain."""
        return not self.outages and not self.still_out

    @property
    def anything(self) -> bool:
        """True if the results differ; a new outage alone is not a change."""
        pages = self.new_sources or self.gone_sources or self.changed_pages
        claims = self.verdicts or self.contradictions
        read = any(each.after is not Outcome.COULD_NOT_BE_READ for each in self.citations)
        return bool(self.level or self.origin or pages or claims or read or self.new_flags)
