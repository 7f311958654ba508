"""What a case knows as it goes from node to node.

Nodes are given a `CaseState` and return a `Delta`: only what they add or change. Between nodes the state is plain
JSON, so that a checkpoint written today can be read by tomorrow's version and by another program.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from pydantic import TypeAdapter

from inquest.domain.assessment import Assessment
from inquest.domain.audit import Audit, AuditItem, CitedText, Outcome
from inquest.domain.brief import Brief
from inquest.domain.case import Case, CaseStatus
from inquest.domain.check import (
    Assignment,
    CheckRecord,
    DeskQuery,
    DeskStatus,
    InfoRequest,
    InfoResponse,
    Reinvestigation,
    TopicRisk,
    VerdictChange,
)
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, NearestPassage
from inquest.domain.investigation import InvestigationResult, SoughtReport
from inquest.domain.market import EngineNote, MarketAnswer, MarketQuestion, NoiseCount
from inquest.domain.outages import distinct
from inquest.domain.plan import Approval, Plan
from inquest.domain.published import Published
from inquest.domain.report import Bias, Coverage, EarlierCheck, OutageNote, Summary, TimelineEvent
from inquest.domain.search import Hit
from inquest.domain.source import DomainAge, Source
from inquest.domain.value import Value
from inquest.flow.joining import DeskResult
from inquest.kit.analyst import SourceReading
from inquest.kit.desk import Subject
from inquest.text.urls import comparison_key


class Vetted(Value):
    """What registries and archives say of one source, asked while its claims are checked."""

    age: DomainAge | None = None
    captured: Published | None = None
    """An archive's first capture of the page."""
    archive: str = ""
    """Which archive that is, for a person."""


class CheckState(Value):
    """What a check of claims knows beside the rest. Changed by one node at a time, and so replaced as a whole."""

    subject: Subject
    routing: tuple[Assignment, ...] = ()
    queries: tuple[DeskQuery, ...] = ()
    """Of all rounds so far."""
    iteration: int = 1
    requests: tuple[InfoRequest, ...] = ()
    responses: tuple[InfoResponse, ...] = ()
    reinvestigations: tuple[Reinvestigation, ...] = ()
    """Of all rounds so far."""
    read: dict[str, dict[str, tuple[str, ...]]] = {}
    """By desk and claim id, the pages that were read."""
    statuses: tuple[DeskStatus, ...] = ()
    changes: tuple[VerdictChange, ...] = ()
    risks: tuple[TopicRisk, ...] = ()
    found_claims: int = 0
    dropped: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    stopped: str = ""
    """Why no further round is run; '': one is."""
    new_findings: int = 0
    """Of the round that was last."""


class MarketState(Value):
    """What an answer of the market desk is made from, beside sources and findings."""

    question: MarketQuestion
    article: str = ""
    """The imagined one that leads are compared with: shown to nobody."""
    engines: tuple[EngineNote, ...] = ()
    figures: tuple[Hit, ...] = ()
    """Leads with figures of an engine's own tables, and filings."""
    noise: NoiseCount = NoiseCount()
    missing: int = 0
    """Pages and models that should have been asked and could not be."""
    unread: int = 0
    """Pages that were chosen and could not be read."""


class CitedRead(Value):
    """A source of an audited text as it was read, or the outcome that is in place of reading."""

    url: str = ""
    snapshot: str = ""
    outcome: Outcome | None = None
    reason: str = ""
    note: str = ""
    """Why its text may be none of the page that was meant."""
    copy_of: str = ""
    """Of a copy that was read in place of the page."""


class AuditState(Value):
    """What an audit knows beside the rest. Changed by one node at a time, and so replaced as a whole."""

    asked: CitedText
    """The statements and sources, as far as they are to be judged."""
    left_out: int = 0
    read: dict[str, CitedRead] = {}
    """By source."""
    judged: int = 0
    """How many statements are judged."""
    items: tuple[AuditItem, ...] = ()


class CaseState(Value):
    """The typed state."""

    brief: Brief
    plan: Plan | None = None
    approvals: tuple[Approval, ...] = ()
    sources: tuple[Source, ...] = ()
    readings: dict[str, SourceReading] = {}
    """By source id."""
    reviews: tuple[EarlierCheck, ...] = ()
    vetted: dict[str, Vetted] = {}
    """By source id."""
    claims: tuple[Claim, ...] = ()
    findings: tuple[Finding, ...] = ()
    coverage: dict[str, Coverage] = {}
    """By claim id, how far those could be asked who should have been."""
    assessments: tuple[Assessment, ...] = ()
    nearest: tuple[NearestPassage, ...] = ()
    """What comes nearest to the claims that could not be verified."""
    bias: Bias | None = None
    event_findings: tuple[Finding, ...] = ()
    """What the timeline rests on."""
    timeline: tuple[TimelineEvent, ...] = ()
    summary: Summary | None = None
    posts: tuple[Hit, ...] = ()
    """What social networks gave on a topic: leads with the post, its author and its numbers."""
    sought: tuple[SoughtReport, ...] = ()
    """Reports that sources of a topic name as theirs and that no engine brought."""
    investigation: InvestigationResult | None = None
    check: CheckState | None = None
    market: MarketState | None = None
    answer: MarketAnswer | None = None
    auditing: AuditState | None = None
    audit: Audit | None = None
    desk_results: dict[str, DeskResult] = {}
    """By desk and round ('news 1'), until they are joined."""
    outages: tuple[OutageNote, ...] = ()
    departures: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    timings: dict[str, float] = {}

    @property
    def read_unaided(self) -> bool:
        """Whether there was something to read, and no language model to read it."""
        read = any(not source.excluded for source in self.sources)
        return read and self.plan is not None and self.plan.unaided

    @property
    def missing(self) -> tuple[OutageNote, ...]:
        """What could not be had, each trouble once. A page that one way could not read and another did, from a
        collection of the user's say, is not missing."""
        read = {comparison_key(source.url) for source in self.sources}
        notes: dict[tuple[str, str, str], OutageNote] = {}
        for note in distinct(self.outages):
            if note.what != "page":
                notes.setdefault(note.trouble, note)
            elif (key := comparison_key(note.where)) not in read:
                # What was tried again at another stage failed a second time, and is one page all the same.
                notes.setdefault((note.what, key, ""), note)
        return tuple(notes.values())


Delta = dict[str, Any]
"""Field of CaseState -> its new value (for outages, departures, markers and timings: what is added)."""


_ADDED: dict[str, Any] = {
    "desk_results": Annotated[dict[str, Any], operator.or_],
    "outages": Annotated[list[Any], operator.add],
    "departures": Annotated[list[str], operator.add],
    "markers": Annotated[list[str], operator.add],
    "timings": Annotated[dict[str, float], operator.or_],
}
"""Fields that several nodes add to at once, with the rule for it."""

if TYPE_CHECKING:
    Channels = dict[str, Any]
else:
    Channels = TypedDict("Channels", {name: _ADDED.get(name, Any) for name in CaseState.model_fields}, total=False)
"""The state as LangGraph keeps it: plain JSON."""


_ADAPTERS: dict[str, TypeAdapter[Any]] = {}


def _adapter(field: str) -> TypeAdapter[Any]:
    if field not in _ADAPTERS:
        annotation: Any = CaseState.model_fields[field].annotation
        _ADAPTERS[field] = TypeAdapter(annotation)
    return _ADAPTERS[field]


def load(channels: Mapping[str, Any]) -> CaseState:
    """The typed state of what LangGraph holds."""
    return CaseState.model_validate({k: v for k, v in channels.items() if k in CaseState.model_fields})


def dump(delta: Delta) -> dict[str, Any]:
    """The delta as plain JSON values."""
    return {field: _adapter(field).dump_python(value, mode="json") for field, value in delta.items()}


def added(state: CaseState, delta: Delta) -> CaseState:
    """The state with a delta in it, by the same rules."""
    update = dict(delta)
    for field in ("outages", "departures", "markers"):
        if field in delta:
            update[field] = (*getattr(state, field), *delta[field])
    for field in ("desk_results", "timings"):
        if field in delta:
            update[field] = getattr(state, field) | delta[field]
    return state.model_copy(update=update)


def state_of(case: Case) -> CaseState:
    """The state in which a case begins."""
    return CaseState(brief=case.brief, plan=case.plan, approvals=case.approvals)


def case_of(case: Case, state: CaseState, *, status: CaseStatus, **more: Any) -> Case:
    """The case with all that the state knows."""
    return case.model_copy(
        update={
            "status": status,
            "plan": state.plan,
            "approvals": state.approvals,
            "sources": state.sources,
            "claims": state.claims,
            "findings": (*state.findings, *state.event_findings),
            "assessments": state.assessments,
            "nearest": state.nearest,
            "reviews": state.reviews,
            "bias": state.bias,
            "timeline": state.timeline,
            "summary": state.summary,
            "investigation": state.investigation,
            "answer": state.answer,
            "audit": state.audit,
            "check": _record(state.check) if state.check else None,
            "outages": state.missing,
            "departures": state.departures,
            "markers": state.markers,
            "timings": state.timings,
            **more,
        }
    )


def _record(check: CheckState) -> CheckRecord:
    return CheckRecord(
        routing=check.routing,
        desks=check.statuses,
        requests=check.requests,
        responses=check.responses,
        reinvestigations=check.reinvestigations,
        changes=check.changes,
        risks=check.risks,
        found_claims=check.found_claims,
        dropped=check.dropped,
        notes=check.notes,
        stopped=check.stopped,
    )
