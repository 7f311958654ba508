"""The shared state of the specifications' pipeline (000 and 002), for graphs that others build around our desks.

These shapes are the specifications', with their names; inside, the vocabulary of `domain.check` is used. Unknown fields
are passed over, because the state belongs to whoever built the graph. Lists and dictionaries that several nodes write
carry a reducer, so that desks may run side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from inquest.domain.value import JsonObject

Id = Annotated[str, BeforeValidator(lambda value: "" if value is None else str(value))]
"""Others number with integers or UUIDs."""
Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
Names = Annotated[
    list[str], BeforeValidator(lambda value: [] if value is None else [value] if isinstance(value, str) else value)
]


class _Shape(BaseModel):
    """A shape of the specifications. It can be read from anybody's object that has the same attributes."""

    model_config = ConfigDict(frozen=True, extra="ignore", from_attributes=True)


class Claim(_Shape):
    """A claim of a report."""

    claim_id: Id
    claim_text: str
    claim_type: Text = ""
    """quantitative, strategic, environmental, geographic, legal_governance; '': by its wording."""
    source_page: int | None = None
    ifrs_paragraphs: Names = []
    """S2.29(a), IFRS S1 27, ..."""
    priority: str | float | None = None
    """high, medium, low, or 0 to 1; None: by its wording."""
    source_context: Text = ""
    """What is around it in the report."""


class RoutingAssignment(_Shape):
    """Which agents look at a claim."""

    claim_id: Id
    assigned_agents: Names = []
    reasoning: Text = ""


class AgentStatus(_Shape):
    """How an agent is doing."""

    agent_name: Text = ""
    status: Literal["idle", "working", "completed", "error"] = "idle"
    claims_assigned: int = 0
    claims_completed: int = 0
    error_message: str | None = None


class AgentFinding(_Shape):
    """What an agent found on a claim (000 §6.2, 002 §10)."""

    finding_id: Id = ""
    agent_name: str
    claim_id: Id
    evidence_type: str
    summary: str = ""
    details: JsonObject = {}
    supports_claim: bool | None = None
    """False: contradicts; None: neither, or not enough to say."""
    confidence: float | None = None
    iteration: int = 1
    references: list[JsonObject] = []


class InfoRequest(_Shape):
    """A question of one agent to others."""

    request_id: Id = ""
    requesting_agent: str
    target_agents: Names = []
    """Empty: an orchestrator has still to route it."""
    description: str
    context: JsonObject = {}
    """`claim_id`: what it is about."""
    status: str = "pending"


class InfoResponse(_Shape):
    """The answer to one."""

    request_id: Id = ""
    requesting_agent: str
    responding_agent: str
    summary: str = ""
    details: JsonObject = {}
    status: str = "completed"


class ReinvestigationRequest(_Shape):
    """A judge wants more evidence on a claim."""

    claim_id: Id
    target_agents: Names = []
    evidence_gap: Text = ""
    refined_queries: Names = []
    """May hold {company_name} and {industry}."""
    required_evidence: Text = ""


class StreamEvent(_Shape):
    """One line of what happened (000 §9.2)."""

    event_type: str
    agent_name: str | None = None
    data: JsonObject = {}
    timestamp: str = ""
    """ISO 8601, UTC."""


SHAPES: tuple[type[BaseModel], ...] = (
    AgentFinding, AgentStatus, Claim, InfoRequest, InfoResponse, ReinvestigationRequest, RoutingAssignment, StreamEvent,
)  # fmt: skip
"""What a state is made of; a checkpointer may read them back."""

S = TypeVar("S", bound=_Shape)


def _joined(shape: type[S], key: Callable[[S], str]) -> Callable[[Iterable[Any], Iterable[Any]], list[S]]:
    """A reducer: what comes is added, and takes the place of what has the same key. '' is no key."""

    def join(before: Iterable[Any], added: Iterable[Any]) -> list[S]:
        kept: dict[object, S] = {}
        for number, each in enumerate((*before, *added)):
            value = each if isinstance(each, shape) else shape.model_validate(each)
            kept[key(value) or number] = value
        return list(kept.values())

    return join


def _statuses(before: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, AgentStatus]:
    """A reducer: each agent's last status."""
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
    """Rounds that are over."""
    max_iterations: int = Field(default=3, ge=0)
    events: Annotated[list[StreamEvent], _joined(StreamEvent, lambda each: "")] = []
