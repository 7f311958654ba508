"""The check of a company's claims: what is asked, who looks at which claim, what desks ask one another, and how a
verdict came to be what it is.

The desks of a check are the specialists of the specifications (000, 002): they are given claims by a routing plan, may
ask one another for what they cannot know, and are sent out again by the judge where evidence is thin or one-sided.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from inquest.domain.assessment import Verdict
from inquest.domain.claim import Claim
from inquest.domain.reasons import Reason
from inquest.domain.search import Query
from inquest.domain.value import JsonObject, Value

GIVEN_CLAIMS = "claims://given/"
"""How the address of claims begins that the user gave in words: they are kept like a report, and are none."""


class Subject(Value):
    """Whose claims are checked."""

    company: str
    industry: str = ""
    now: datetime
    """The 'now' of the case."""
    own_domains: tuple[str, ...] = ()
    """Registrable domains where the company speaks for itself."""
    report_source: str = ""
    """Id of the source that is the report itself."""
    report_year: int | None = None
    """The year the report is about, where it is known."""


class CheckRequest(Value):
    """What a user wants checked: a report's claims, or claims of their own."""

    company: str
    industry: str = ""
    report: str = ""
    """URL of the report (a file's as file://...); '': only the claims given."""
    report_snapshot: str = ""
    """Its archived bytes, where it is a file, which may be gone when the case is replayed."""
    claims: tuple[Claim, ...] = ()
    """The user's own, before those of the report."""
    claims_snapshot: str = ""
    """The archived text of those claims, one a line: what appears in no report is there."""
    desks: tuple[str, ...] = ()
    """Names of the desks that may look; empty: every one that is installed."""
    max_claims: int = Field(default=20, ge=1)
    """The report's claims that are checked, most worth checking first; the user's own are always checked."""
    rounds: int = Field(default=1, ge=0)
    """How often the judge may send desks out again."""


class Assignment(Value):
    """Who looks at a claim, and why: one line of the routing plan (spec 000 and 002: RoutingAssignment)."""

    claim_id: str
    desks: tuple[str, ...]
    """Installed desks that will look at it."""
    missing: tuple[str, ...] = ()
    """Desks that should and are not installed: geography, legal, data."""
    priority: float = Field(default=0.5, ge=0, le=1)
    reasons: tuple[str, ...] = ()
    """One for each desk, readable by a person."""
    reason_codes: tuple[Reason, ...] = ()
    """The same as codes and data; () where they were kept before there were codes, or where a model gave them."""


class DeskQuery(Value):
    """One question of a desk, for one claim or for several that share it."""

    desk: str
    angle: str
    """Which of the desk's kinds of query it is: company, industry, controversy; papers, benchmark, ..."""
    query: Query
    claim_ids: tuple[str, ...]
    iteration: int = 1
    """1: the first investigation; 2 and up: the judge sent the desk out again."""
    request_id: str = ""
    """The InfoRequest that it is to answer; '': it is for the desk's own claims."""
    engines: tuple[str, ...] | None = None
    """Names of the engines that the search plan puts it to; None: it has not been planned yet."""


class RequestStatus(StrEnum):
    """Where a question of one desk to another appears."""

    PENDING = "pending"
    ROUTED = "routed"
    ANSWERED = "answered"
    UNAVAILABLE = "unavailable"
    """Nobody installed can answer it."""


class InfoRequest(Value):
    """What a desk would have another find out (spec 000 §7, 002 §11)."""

    id: str = ""
    """Given when it is posted: R1, R2, ..."""
    asked_by: str
    to: str
    """The desk that should know: news, academic, geography, legal, data."""
    claim_id: str
    description: str
    """The question, as a person would ask it."""
    context: JsonObject = {}
    status: RequestStatus = RequestStatus.PENDING


class InfoResponse(Value):
    """The answer to an InfoRequest."""

    request_id: str
    answered_by: str
    asked_by: str
    summary: str
    finding_ids: tuple[str, ...] = ()
    """The findings that it rests on."""
    details: JsonObject = {}
    status: RequestStatus = RequestStatus.ANSWERED


class Gap(StrEnum):
    """What is missing for a verdict that holds (spec 000 §8.2)."""

    NOTHING_FOUND = "nothing_found"
    RECENCY = "recency"
    """Sources are older than what the claim is about."""
    QUALITY = "quality"
    """No source of tier 1 or 2."""
    OTHER_SIDE = "other_side"
    """Only the company, or only one side, is quoted."""
    INDEPENDENCE = "independence"
    """One witness alone carries it."""
    TECHNICAL = "technical"
    """No literature or standard was found for a technical claim."""


class Reinvestigation(Value):
    """The judge sends desks out again for a claim, with what to look for (specs: ReinvestigationRequest)."""

    claim_id: str
    desks: tuple[str, ...]
    gap: Gap
    evidence_gap: str
    """The gap in words."""
    refined_queries: tuple[str, ...]
    required_evidence: str = ""
    iteration: int
    """The round that it asks for: 2, 3, ..."""
    language: str | None = None
    """ISO 639-1 of a language beside English that what was found so far is in, or that is read where the claim's matter
    is; None: nothing tells of one."""


class Progress(StrEnum):
    """How a desk is doing (spec: AgentStatus)."""

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
    """A verdict as it stood after one round; the first and every one that differs from the one before are kept."""

    claim_id: str
    iteration: int
    verdict: Verdict
    confidence: float
    why: str
    """What brought it about, in one sentence."""


class RiskLevel(StrEnum):
    """How much speaks for greenwashing in a topic. 'unknown': too little was found to say."""

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
    """0 (none) to 10; None where the level is unknown."""
    claim_ids: tuple[str, ...]
    finding_ids: tuple[str, ...] = ()
    """What it rests on, weightiest first."""
    reasons: tuple[str, ...]
    reason_codes: tuple[Reason, ...] = ()
    """The same as codes and data; () where they were kept before there were codes, or where a model gave them."""


class CheckRecord(Value):
    """Everything that is particular to a check of claims, beside what every case has."""

    routing: tuple[Assignment, ...] = ()
    desks: tuple[DeskStatus, ...] = ()
    requests: tuple[InfoRequest, ...] = ()
    responses: tuple[InfoResponse, ...] = ()
    reinvestigations: tuple[Reinvestigation, ...] = ()
    changes: tuple[VerdictChange, ...] = ()
    risks: tuple[TopicRisk, ...] = ()
    found_claims: int = 0
    """How many checkable claims the report has; those that were checked are `Case.claims`."""
    dropped: tuple[Claim, ...] = ()
    """Claims that the user took out before the desks ran."""
    notes: tuple[str, ...] = ()
    """What reading the report met with: a foreign language, pages without text."""
    stopped: str = ""
    """Why no further round was run, in one sentence."""
