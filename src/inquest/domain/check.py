"""The check of a company's claims: the request, the desks assigned to each claim, the questions between desks, and the
history of each verdict.

The desks of a check are the specialists of the specifications (000, 002): a routing plan assigns claims to them, they
may ask one another for what they cannot find out themselves, and the judge has them search again if the evidence is
thin or one-sided.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from inquest.domain.claim import Claim
from inquest.domain.finding import Verdict
from inquest.domain.reasons import OptionalReason, Reason, Reasons, in_words
from inquest.domain.search import Query
from inquest.domain.value import JsonObject, Value

GIVEN_CLAIMS = "claims://given/"
"""Address prefix of claims the user entered directly: archived like a report, but not a report."""


class Subject(Value):
    """The company whose claims are checked."""

    company: str
    industry: str = ""
    country: str = ""
    """The ISO 3166 code of its country, if known."""
    now: datetime
    """The 'now' of the case."""
    own_domains: tuple[str, ...] = ()
    report_source: str = ""
    """Id of the source that is the report itself."""
    report_year: int | None = None
    """The year the report is about, if known."""


class CheckRequest(Value):
    """A request to check a report's claims, or the user's own."""

    company: str
    industry: str = ""
    country: str = ""
    """As given; '': as its report names it."""
    report: str = ""
    """URL of the report (file://... for a file); '': only the given claims."""
    report_snapshot: str = ""
    """Archived bytes of a file, which may be gone when the case is replayed."""
    claims: tuple[Claim, ...] = ()
    """The user's own claims, which precede those of the report."""
    claims_snapshot: str = ""
    """The archived text of those claims, one per line."""
    desks: tuple[str, ...] = ()
    """Names of the desks to use; empty: all installed."""
    max_claims: int = Field(default=20, ge=1)
    """The maximum number of report claims checked, most worth checking first; the user's own are always checked."""
    rounds: int = Field(default=1, ge=0)
    """The maximum number of further investigations the judge may request."""


class Taken(Value):
    """A desk's acceptance of a claim, with urgency and reason."""

    priority: float = Field(default=0.5, ge=0, le=1)
    reason: str
    group: str = ""
    """The desk's own grouping: methodology, certification, targets, benchmark, research, ..."""


class Assignment(Value):
    """One line of the routing plan: the desks for a claim, and why (spec 000 and 002: RoutingAssignment)."""

    claim_id: str
    desks: tuple[str, ...]
    """Installed desks that will look at it."""
    missing: tuple[str, ...] = ()
    """Desks that would be needed and are not installed: geography, legal, data."""
    priority: float = Field(default=0.5, ge=0, le=1)
    reasons: tuple[str, ...] = ()
    """One per desk, in words."""
    reason_codes: tuple[Reason, ...] = ()


class DeskQuery(Value):
    """A desk's query for one or several claims."""

    desk: str
    angle: str
    """The kind of query, as the desk defines it: company, industry, controversy; papers, benchmark, ..."""
    query: Query
    claim_ids: tuple[str, ...]
    iteration: int = 1
    """1: the first investigation; from 2: a further search requested by the judge."""
    request_id: str = ""
    """The InfoRequest it serves; '': the desk's own claims."""
    engines: tuple[str, ...] | None = None
    """Names of the engines chosen by the search plan; None: not planned yet."""


class RequestStatus(StrEnum):
    """The state of a question from one desk to another."""

    PENDING = "pending"
    ROUTED = "routed"
    ANSWERED = "answered"
    UNAVAILABLE = "unavailable"
    """No installed desk can answer it."""


class InfoRequest(Value):
    """A question from one desk to another (spec 000 §7, 002 §11)."""

    id: str = ""
    """Assigned when posted: R1, R2, ..."""
    asked_by: str
    to: str
    """The desk asked: news, academic, geography, legal, data."""
    claim_id: str
    description: str
    description_code: OptionalReason = None
    context: JsonObject = {}
    status: RequestStatus = RequestStatus.PENDING

    @classmethod
    def of(cls, question: Reason, by: str, to: str, claim_id: str, context: JsonObject | None = None) -> InfoRequest:
        """A question that is not posted yet."""
        said = {"description": in_words(question), "description_code": question}
        return cls(asked_by=by, to=to, claim_id=claim_id, context=context or {}, **said)


class InfoResponse(Value):
    """The answer to an InfoRequest."""

    request_id: str
    answered_by: str
    asked_by: str
    summary: str
    summary_codes: Reasons = ()
    finding_ids: tuple[str, ...] = ()
    details: JsonObject = {}
    status: RequestStatus = RequestStatus.ANSWERED


class Gap(StrEnum):
    """The gap in the evidence that weakens a verdict (spec 000 §8.2)."""

    NOTHING_FOUND = "nothing_found"
    RECENCY = "recency"
    """Sources are older than the period of the claim."""
    QUALITY = "quality"
    """No source of tier 1 or 2."""
    OTHER_SIDE = "other_side"
    """Only the company, or only one side, is quoted."""
    INDEPENDENCE = "independence"
    """All evidence comes from a single witness."""
    TECHNICAL = "technical"
    """No literature or standard was found for a technical claim."""


class Reinvestigation(Value):
    """The judge's order to search again for a claim (specs: ReinvestigationRequest)."""

    claim_id: str
    desks: tuple[str, ...]
    gap: Gap
    evidence_gap: str
    evidence_gap_code: OptionalReason = None
    refined_queries: tuple[str, ...]
    required_evidence: str = ""
    required_evidence_code: OptionalReason = None
    iteration: int
    """The number of the requested round: 2, 3, ..."""
    language: str | None = None
    """ISO 639-1 code of a language other than English that sources are in or that is spoken at the place of the claim;
    None: unknown."""


class Progress(StrEnum):
    """The progress of a desk (spec: AgentStatus)."""

    IDLE = "idle"
    WORKING = "working"
    COMPLETED = "completed"
    ERROR = "error"


class DeskStatus(Value):
    """One desk's state in a case."""

    desk: str
    status: Progress = Progress.IDLE
    claims_assigned: int = 0
    claims_completed: int = 0
    searches: int = 0
    findings: int = 0
    contradictions: int = 0
    error: str = ""


class VerdictChange(Value):
    """A verdict after a round; kept for the first round and whenever it changes."""

    claim_id: str
    iteration: int
    verdict: Verdict
    confidence: float
    why: str
    why_code: OptionalReason = None


class RiskLevel(StrEnum):
    """The risk of greenwashing in a topic. 'unknown': too little evidence."""

    LOW = "low"
    MODERATE = "moderate"
    HIGH = "high"
    UNKNOWN = "unknown"


class TopicRisk(Value):
    """One topic of the greenwashing overview."""

    topic: str
    """In words: 'Climate targets', 'Renewable energy', ..."""
    level: RiskLevel
    score: float | None = Field(default=None, ge=0, le=10)
    """0 (none) to 10; None if the level is unknown."""
    claim_ids: tuple[str, ...]
    finding_ids: tuple[str, ...] = ()
    """Supporting findings, weightiest first."""
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()


class CheckRecord(Value):
    """The data particular to a check of claims."""

    routing: tuple[Assignment, ...] = ()
    desks: tuple[DeskStatus, ...] = ()
    requests: tuple[InfoRequest, ...] = ()
    responses: tuple[InfoResponse, ...] = ()
    reinvestigations: tuple[Reinvestigation, ...] = ()
    changes: tuple[VerdictChange, ...] = ()
    risks: tuple[TopicRisk, ...] = ()
    found_claims: int = 0
    """The number of checkable claims in the report; those checked are `Case.claims`."""
    dropped: tuple[Claim, ...] = ()
    """Claims the user removed before the desks ran."""
    notes: tuple[str, ...] = ()
    """Problems in reading the report: a foreign language, pages without text."""
    note_codes: Reasons = ()
    stopped: str = ""
    """The reason why no further round was run, in one sentence."""
    stopped_code: OptionalReason = None
