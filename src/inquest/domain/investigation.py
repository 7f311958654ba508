"""What an investigation of a topic comes to (verification desk), and what it rests on.

Field names of `InvestigationResult` are those of the desk's specification. All scores are 0 to 100. Whatever states a
fact about the topic holds the words it was read from, as a `Mention` (source, snapshot, quote, span).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from inquest.domain.claim import Mention
from inquest.domain.document import Precision, Published
from inquest.domain.social import SocialEvidence, SocialSource
from inquest.domain.topic import ReviewFlag, Success, Upgrade, VerificationLevel
from inquest.domain.value import Value


class FoundSource(Value):
    """A source of the case as the topic's source plan keeps it."""

    id: str
    """Of the source in the case: S1, S2, ..."""
    url: str
    name: str
    credibility_tier: int
    found_by: str = "investigatory_journalist"
    confirms: bool | None = None
    """Whether it confirms the topic's main matter (True), contradicts it (False), or says nothing clear (None)."""
    counted: bool = False
    """Whether it is the one that is counted on its side: for its story, and for those who have it from one body."""
    story: str | None = None
    """Sources with the same story are copies or rewrites of one another, and count once."""


# Origin


class OriginHop(Value):
    """One step of a citation chain: who says that they have it from whom, in which words."""

    source_id: str
    credits: str
    """The id of the source that is credited, or a publisher's name where its report is not among the sources."""
    how: str = "words"
    """words, byline or link (in the line of sources)."""
    quote: str = ""
    snapshot: str = ""
    start: int = 0
    end: int = 0
    """Where the quote stands; 0 and 0 for a by-line or a link, which are not in the text."""
    reason: str = ""


class CredibilityReport(Value):
    """Whether a source is credible as an origin."""

    source_id: str
    score: int
    tier: int
    category: str
    credible: bool
    domain_registered: str | None = None
    """ISO date; None: not known."""
    leaning: str | None = None
    specialised: bool | None = None
    """Whether it is a source for such matters: a regulator, a court, a trade paper, the local press of the place. None:
    cannot be told."""
    first_hand: bool = False
    reasons: tuple[str, ...] = ()


class SoughtReport(Value):
    """A report that sources name as theirs and that was not among them: what was done to read it."""

    name: str
    """Its publisher, as it is named."""
    url: str = ""
    """What is linked to; '': it was searched for by name."""
    source_id: str | None = None
    """The source that it became; None: it could not be read."""
    why: str = ""
    """Where it was not read: what was asked, and what came of it."""
    published: Published | None = None
    """Where it was not read: when it was published, as an engine says."""


class OriginTrace(Value):
    """Where the topic's story comes from, as far as can be told."""

    source_id: str | None = None
    """None: it cannot be told, or is not among the sources."""
    candidates: tuple[str, ...] = ()
    """Where it cannot be told which of several was the first: ids of these sources, likeliest first, and the names of
    publishers whose report could not be read."""
    name: str = ""
    """Who is named as the origin, also where the report could not be read."""
    readable: bool = True
    chain: tuple[OriginHop, ...] = ()
    """From the topic's own article, or the latest copy, back to the origin."""
    earliest_source_id: str | None = None
    """The earliest dated source on the matter, which need not be the origin."""
    confidence: float = Field(default=0.0, ge=0, le=1)
    credibility: CredibilityReport | None = None
    sought: tuple[SoughtReport, ...] = ()
    """Reports that sources name as theirs and that were looked for."""
    reasons: tuple[str, ...] = ()


# Cross-reference


class Detail(StrEnum):
    """What kind of detail a row of the consistency table compares."""

    NUMBER = "number"
    DATE = "date"
    PLACE = "place"


class MatchOfDetail(StrEnum):
    """How a source's detail stands to the claim's."""

    AGREES = "agrees"
    DEVIATES = "deviates"
    NOT_GIVEN = "not given"
    NOT_COMPARABLE = "not comparable"
    """It gives one of that kind, of something else or at another stage."""


class ConsistencyCell(Value):
    """What one source gives for one detail."""

    source_id: str
    witness: str
    """Whose word it counts as; sources with the same witness count once."""
    match: MatchOfDetail
    value: str = ""
    """As the source writes it."""
    mention: Mention | None = None
    """The sentence it stands in; None where the detail is not given."""
    reason: str = ""


class ConsistencyRow(Value):
    """One detail of one claim, side by side in all the sources."""

    claim_id: str
    detail: Detail
    claimed: str
    """As the claim writes it."""
    cells: tuple[ConsistencyCell, ...]
    agreeing: int
    deviating: int
    """Independent witnesses."""


class ClaimSupport(Value):
    """How many independent sources confirm one claim, and who disputes it."""

    claim_id: str
    text: str
    confirming: tuple[str, ...] = ()
    """A source id for each independent witness."""
    contradicting: tuple[str, ...] = ()
    both: tuple[str, ...] = ()
    """Witnesses who say both."""
    party: tuple[str, ...] = ()
    """Where a party speaks in its own cause; these are counted nowhere."""


class ConsistencyTable(Value):
    """Details side by side, and how far the sources agree."""

    rows: tuple[ConsistencyRow, ...] = ()
    claims: tuple[ClaimSupport, ...] = ()
    compared: int = 0
    """Words of witnesses that were held against a claim or a detail."""
    score: float | None = Field(default=None, ge=0, le=100)
    """None: nothing could be compared."""
    reasons: tuple[str, ...] = ()

    @property
    def deviations(self) -> tuple[ConsistencyRow, ...]:
        """The details on which sources differ."""
        return tuple(row for row in self.rows if row.deviating)


# Context


class RelatedEvent(Value):
    """Something earlier that the same actors had a part in."""

    date: str
    """ISO 8601, as long as the precision allows."""
    precision: Precision
    text: str
    actors: tuple[str, ...]
    mentions: tuple[Mention, ...]


class StatementMade(Value):
    """What an actor has said."""

    mention: Mention
    said: str
    """The sentence's date, else that of the page, as ISO 8601; '' where neither is known."""
    manner: str
    """says, admits, denies, alleges, ..."""
    earlier: bool
    """It was said before the event."""


class ActorProfile(Value):
    """Who somebody involved is, as sources say."""

    name: str
    kind: str
    """organisation, person, acronym or name: by its form."""
    described_as: tuple[Mention, ...] = ()
    statements: tuple[StatementMade, ...] = ()
    earlier_events: int = 0
    sources: tuple[str, ...] = ()
    """Ids of the sources that name it."""


class LocalSource(Value):
    """A source that is local to the place, and why it is taken for one."""

    source_id: str
    reason: str


class LocalContext(Value):
    """The place as its own press and others tell of it."""

    place: str = ""
    sources: tuple[LocalSource, ...] = ()
    passages: tuple[Mention, ...] = ()


class TopicContext(Value):
    """What is known around the topic."""

    events: tuple[RelatedEvent, ...] = ()
    actors: tuple[ActorProfile, ...] = ()
    local: LocalContext = LocalContext()
    details: int = 0
    """Details that carry a quote; five make a context (spec 001, success criteria)."""
    richness: float = Field(default=0.0, ge=0, le=100)
    reasons: tuple[str, ...] = ()


# The whole


class InvestigationResult(Value):
    """What an investigation of a topic came to."""

    topic_id: int | None
    """None: the topic is not stored."""
    investigation_date: datetime

    additional_sources: tuple[FoundSource, ...] = ()
    """All that count as evidence; the topic's own article is not among them."""
    social_media_evidence: tuple[SocialSource, ...] = ()
    original_source: FoundSource | None = None

    credibility_assessment: float = Field(ge=0, le=100)
    consistency_score: float = Field(ge=0, le=100)
    """0 also where nothing could be compared; `consistency.compared` tells the two apart."""
    context_richness: float = Field(ge=0, le=100)

    verified_claims: tuple[str, ...] = ()
    disputed_claims: tuple[str, ...] = ()
    additional_context: str = ""

    recommended_verification_level: VerificationLevel
    confidence_level: float = Field(ge=0, le=100)
    investigation_notes: str
    """For a person; source ids in brackets."""

    requires_human_review: bool
    review_reason: str | None = None

    upgrade: Upgrade
    success: tuple[Success, ...] = ()
    review_flags: tuple[ReviewFlag, ...] = ()
    social: SocialEvidence = SocialEvidence()
    origin: OriginTrace | None = None
    consistency: ConsistencyTable = ConsistencyTable()
    context: TopicContext = TopicContext()
    confidence_reasons: tuple[str, ...] = ()

    @property
    def verification_upgraded(self) -> bool:
        """Whether the level rises."""
        return self.upgrade.upgraded
