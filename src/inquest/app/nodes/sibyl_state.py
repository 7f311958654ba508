"""The shared state of the specifications' pipeline (000 and 002), for graphs built by others around our desks.

Shapes and names are the specifications'; internally, `domain.check` is used. Unknown fields are ignored, because the
state belongs to the author of the graph. Lists and dictionaries that several nodes write have a reducer, so desks may
run in parallel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from inquest.domain.value import JsonObject

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
