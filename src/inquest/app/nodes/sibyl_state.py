"""The shared state of the specifications' pipeline (000 and 002), for graphs built by others around our desks; and its
conversion to and from the shapes of a check (`domain.check`).

Shapes and names are the specifications'. Unknown fields are ignored, because the state belongs to the author of the
graph. Lists and dictionaries that several nodes write have a reducer, so desks may run in parallel.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from inquest.app.cases.progress import MemorySink
from inquest.claims.report.given import given_claims
from inquest.domain.check import Gap, Reinvestigation, RequestStatus
from inquest.domain.check import InfoRequest as DeskRequest
from inquest.domain.check import InfoResponse as DeskResponse
from inquest.domain.claim import Claim as DeskClaim
from inquest.domain.claim import ClaimType, Disclosure
from inquest.domain.event import Event, EventType
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.domain.value import JsonObject
from inquest.kit.ports import Clock
from inquest.text.regex import regex

Id = Annotated[str, BeforeValidator(lambda value: "" if value is None else str(value))]
"""Accepts integers and UUIDs."""
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
Names = Annotated[
    list[str], BeforeValidator(lambda value: [] if value is None else [value] if isinstance(value, str) else value)
]


class _Shape(BaseModel):
    """A shape of the specifications, readable from any object with the same attributes."""

    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)


class Claim(_Shape):
    """A claim of a report."""

    claim_id: Id
    claim_text: str
    claim_type: Text = ""
    """quantitative, strategic, environmental, geographic, legal_governance; '': derived from its wording."""
    source_page: int | None = None
    ifrs_paragraphs: Names = []
    """S2.29(a), IFRS S1 27, ..."""
    priority: str | float | None = None
    """high, medium, low, or 0 to 1; None: derived from its wording."""
    source_context: Text = ""
    """The text around it in the report."""


class RoutingAssignment(_Shape):
    """The agents that investigate a claim."""

    claim_id: Id
    assigned_agents: Names = []
    reasoning: Text = ""


class AgentStatus(_Shape):
    """The status of an agent."""

    agent_name: Text = ""
    status: Literal["idle", "working", "completed", "error"] = "idle"
    claims_assigned: int = 0
    claims_completed: int = 0
    error_message: str | None = None


class AgentFinding(_Shape):
    """A finding of an agent on a claim (000 §6.2, 002 §10)."""

    finding_id: Id = ""
    agent_name: str
    claim_id: Id
    evidence_type: str
    summary: str = ""
    details: JsonObject = {}
    supports_claim: bool | None = None
    """False: contradicts; None: neither, or not enough evidence."""
    confidence: float | None = None
    iteration: int = 1
    references: list[JsonObject] = []


class InfoRequest(_Shape):
    """A question of one agent to others."""

    request_id: Id = ""
    requesting_agent: str
    target_agents: Names = []
    """Empty: not routed by an orchestrator yet."""
    description: str
    context: JsonObject = {}
    status: str = "pending"


class InfoResponse(_Shape):
    """The answer to an InfoRequest."""

    request_id: Id = ""
    requesting_agent: str
    responding_agent: str
    summary: str = ""
    details: JsonObject = {}
    status: str = "completed"


class ReinvestigationRequest(_Shape):
    """A judge's request for more evidence on a claim."""

    claim_id: Id
    target_agents: Names = []
    evidence_gap: Text = ""
    refined_queries: Names = []
    """May hold {company_name} and {industry}."""
    required_evidence: Text = ""


class StreamEvent(_Shape):
    """An event of the stream (000 §9.2)."""

    event_type: str
    agent_name: str | None = None
    data: JsonObject = {}
    timestamp: str = ""
    """ISO 8601, UTC."""


SHAPES: tuple[type[BaseModel], ...] = (
    AgentFinding, AgentStatus, Claim, InfoRequest, InfoResponse, ReinvestigationRequest, RoutingAssignment, StreamEvent,
)  # fmt: skip
"""The shapes of a state, for checkpointers that restore them."""
S = TypeVar("S", bound=_Shape)


def _joined(shape: type[S], key: Callable[[S], str]) -> Callable[[Iterable[Any], Iterable[Any]], list[S]]:
    """Return a reducer that appends, replacing entries with the same key; '' is not a key."""

    def join(before: Iterable[Any], added: Iterable[Any]) -> list[S]:
        kept: dict[object, S] = {}
        for number, each in enumerate((*before, *added)):
            value = each if isinstance(each, shape) else shape.model_validate(each)
            kept[key(value) or number] = value
        return list(kept.values())

    return join


def _statuses(before: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, AgentStatus]:
    """Reduce to the last status of each agent."""
    return {name: AgentStatus.model_validate(each) for name, each in {**before, **added}.items()}


class SibylState(BaseModel):
    """The state that the nodes of such a graph share. Subclass it to add fields of your own."""

    model_config = ConfigDict(extra="ignore", from_attributes=True)

    report_id: Id = ""
    company_name: Text = ""
    industry: Text = ""
    claims: list[Claim] = []
    routing_plan: list[RoutingAssignment] = []
    findings: Annotated[list[AgentFinding], _joined(AgentFinding, lambda each: each.finding_id)] = []
    agent_status: Annotated[dict[str, AgentStatus], _statuses] = {}
    info_requests: Annotated[list[InfoRequest], _joined(InfoRequest, lambda each: each.request_id)] = []
    info_responses: Annotated[
        list[InfoResponse],
        _joined(InfoResponse, lambda each: each.request_id and f"{each.request_id} {each.responding_agent}"),
    ] = []
    reinvestigation_requests: list[ReinvestigationRequest] = []
    iteration_count: int = Field(default=0, ge=0)
    """Finished rounds."""
    max_iterations: int = Field(default=3, ge=0)
    events: Annotated[list[StreamEvent], _joined(StreamEvent, lambda each: "")] = []


_AGENTS = {"news": "news_media", "data": "data_metrics"}
"""Agent names of the specifications that differ from desk names."""
_PRIORITIES = {"critical": 1.0, "high": 0.9, "medium": 0.5, "low": 0.2}
_PARAGRAPH = regex(r"(?:IFRS\s*)?\b(S[12])[\s.:§]*(?:para(?:graph)?\.?\s*)?(\d+(?:\s*\([a-z]+\))*)", re.IGNORECASE)
_GAPS = (
    (Gap.RECENCY, regex(r"\b(?:recent|newer|latest|outdated|current\w*|up[- ]to[- ]date|old(?:er)?)\b", re.I)),
    (Gap.QUALITY, regex(r"\btiers? ?[12]\b|\b(?:credib|reliab|authoritativ|regulat)\w+", re.I)),
    (Gap.OTHER_SIDE, regex(r"\b(?:contradict|controvers|critic|oppos|one-sided)\w*|\bother side\b", re.I)),
    (Gap.INDEPENDENCE, regex(r"\b(?:independen|corroborat|second source)\w*", re.I)),
    (Gap.TECHNICAL, regex(r"\b(?:peer-?review|academic|scientific|literature|stud(?:y|ies)|standards?|"
                               r"methodolog|benchmark)\w*", re.I)),
)  # fmt: skip
"""Patterns of the judge's descriptions of a gap (spec 000 §8.2); the first match counts."""
_SHOWN = frozenset(
    (
        EventType.AGENT_THINKING, EventType.CLAIM_INVESTIGATING, EventType.SEARCH_EXECUTED, EventType.SOURCE_EVALUATED,
        EventType.CONTRADICTION_DETECTED, EventType.EVIDENCE_FOUND, EventType.INFO_REQUEST_POSTED,
        EventType.INFO_REQUEST_ROUTED, EventType.INFO_RESPONSE_POSTED, EventType.AGENT_STARTED,
        EventType.AGENT_COMPLETED, EventType.ERROR,
    )
)  # fmt: skip
"""The events of spec 000 §9.2. Others are reported as `agent_thinking`."""
_SILENT = frozenset((EventType.OUTAGE, EventType.CLAIM_CHECKED, EventType.WORKING))
"""Events that repeat an `error` or the evidence, or only report progress."""


def agent_of(desk: str) -> str:
    """Return the specifications' name of a desk."""
    return _AGENTS.get(desk, desk)


def desk_of(agent: str) -> str:
    """Return the desk of an agent name."""
    name = agent.strip().lower().removesuffix("_agent")
    return next((desk for desk, agent_name in _AGENTS.items() if agent_name == name), name)


def claim_from(claim: Claim, company: str) -> DeskClaim:
    """Convert a claim for the desks, with figures, dates and features of its wording. Raises InputError."""
    kind = claim.claim_type.strip().lower()
    row: JsonObject = {"id": claim.claim_id, "text": claim.claim_text, "company": company}
    if kind in set(ClaimType):
        row["type"] = kind
    if claim.source_page is not None and claim.source_page > 0:
        row["page"] = claim.source_page
    (made,) = given_claims([json.dumps(row)], f"the state (claim {claim.claim_id})")
    given = [
        Disclosure(
            standard=f"IFRS {standard.upper()}",
            paragraph="".join(paragraph.split()),
            subject="",
            reason=f"the claim was passed on with ‘{text.strip()}’",
        )
        for text in claim.ifrs_paragraphs
        for standard, paragraph in _PARAGRAPH.findall(text)
    ]
    known = {(each.standard, each.paragraph) for each in given}
    found = (each for each in made.disclosures if (each.standard, each.paragraph) not in known)
    update: dict[str, object] = {"disclosures": (*given, *found)}
    priority = claim.priority
    importance = _PRIORITIES.get(priority.strip().lower()) if isinstance(priority, str) else priority
    if importance is not None and 0 <= importance <= 1:
        update["importance"] = importance
    return made.model_copy(update=update)


def reinvestigations_from(
    requests: Iterable[ReinvestigationRequest], desk: str, state: SibylState
) -> dict[str, Reinvestigation]:
    """Return this desk's reinvestigations by claim, several requests on one claim merged."""
    found: dict[str, Reinvestigation] = {}
    for each in requests:
        if desk not in {desk_of(agent) for agent in each.target_agents}:
            continue
        queries = tuple(
            query.replace("{company_name}", state.company_name).replace("{industry}", state.industry).strip()
            for query in each.refined_queries
        )
        before = found.get(each.claim_id)
        words = f"{before.evidence_gap if before else ''} {each.evidence_gap}".strip()
        wanted = f"{before.required_evidence if before else ''} {each.required_evidence}".strip()
        found[each.claim_id] = Reinvestigation(
            claim_id=each.claim_id,
            desks=(desk,),
            gap=next((gap for gap, pattern in _GAPS if pattern.search(f"{words} {wanted}")), Gap.NOTHING_FOUND),
            evidence_gap=words,
            refined_queries=tuple(dict.fromkeys((*(before.refined_queries if before else ()), *filter(None, queries)))),
            required_evidence=wanted,
            iteration=max(2, state.iteration_count + 1),
        )
    return found


def finding_as(finding: Finding, agent: str, finding_id: str, source: Source | None) -> AgentFinding:
    """Convert a finding with its quote and place; `source`: None for a quote from the claim itself."""
    details: JsonObject = dict(finding.details)
    if source is not None:
        about: JsonObject = {
            "source_url": source.url,
            "source_title": source.title,
            "source_domain": source.domain,
            "source_tier": source.rating.tier,
            "published_date": source.published.iso if source.published else None,
        }
        details = about | details
    details |= finding.model_dump(mode="json", include={"stance", "quote", "snapshot", "start", "end", "reasons"})
    side = finding.stance.supports_claim
    flag = finding.details.get("supports_claim", side)
    return AgentFinding(
        finding_id=finding_id,
        agent_name=agent,
        claim_id=finding.claim_id or "",
        evidence_type=finding.evidence_type,
        summary=finding.summary,
        details=details,
        supports_claim=flag if isinstance(flag, bool) else side,
        confidence=None if finding.stance is Stance.UNASSESSED else finding.confidence,
        iteration=finding.iteration,
        references=list(finding.references),
    )


def request_as(request: DeskRequest, request_id: str) -> InfoRequest:
    """Convert a desk's question for routing."""
    return InfoRequest(
        request_id=request_id,
        requesting_agent=agent_of(request.asked_by),
        target_agents=[agent_of(request.to)],
        description=request.description,
        context={**request.context, "claim_id": request.claim_id},
        status=request.status.value,
    )


def request_from(request: InfoRequest, desk: str) -> DeskRequest:
    """Convert a question to the desk."""
    return DeskRequest(
        id=request.request_id,
        asked_by=desk_of(request.requesting_agent),
        to=desk,
        claim_id=str(request.context.get("claim_id") or ""),
        description=request.description,
        context=request.context,
        status=RequestStatus.ROUTED,
    )


def response_as(response: DeskResponse, findings: Sequence[AgentFinding]) -> InfoResponse:
    """Convert a desk's answer, with its findings."""
    return InfoResponse(
        request_id=response.request_id,
        requesting_agent=agent_of(response.asked_by),
        responding_agent=agent_of(response.answered_by),
        summary=response.summary,
        details={
            "sources": [each.details for each in findings],
            **response.details,
            "finding_ids": [each.finding_id for each in findings],
        },
        status="completed" if response.status is RequestStatus.ANSWERED else response.status.value,
    )


def response_from(response: InfoResponse) -> DeskResponse:
    """Convert an answer to a desk."""
    return DeskResponse(
        request_id=response.request_id,
        answered_by=desk_of(response.responding_agent),
        asked_by=desk_of(response.requesting_agent),
        summary=response.summary,
        details=response.details,
        status=RequestStatus.UNAVAILABLE if response.status == "unavailable" else RequestStatus.ANSWERED,
    )


def stream_event(event: Event, agent: str) -> StreamEvent | None:
    """Convert an event to a name of spec 000 §9.2; None for silent events."""
    if event.type in _SILENT:
        return None
    shown = event.type if event.type in _SHOWN else EventType.AGENT_THINKING
    data: Mapping[str, object] = {name: each for name, each in event.data.items() if name != "agent_name"}
    if shown is EventType.AGENT_THINKING:
        data = {"message": event.text}
    return StreamEvent.model_validate(
        {"event_type": shown.value, "agent_name": agent, "data": data, "timestamp": event.at.isoformat()}
    )


class KeptEvents(MemorySink):
    """A sink that keeps the events for the state. The node itself emits begin and end, because a desk that also answers
    a question would emit them twice."""

    def __init__(self, case_id: str, clock: Clock, agent: str) -> None:
        super().__init__(case_id, clock, self._keep_shown)
        self._agent = agent
        self.events: list[StreamEvent] = []

    async def emit(self, type: EventType, text: str, **details: Any) -> Event:
        event = self.add(type, text, **details)
        if type in (EventType.AGENT_STARTED, EventType.AGENT_COMPLETED):
            self.events.pop()
        return event

    def _keep_shown(self, event: Event) -> None:
        streamed = stream_event(event, self._agent)
        if streamed is not None:
            self.events.append(streamed)
