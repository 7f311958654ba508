"""A desk as a node of another graph: takes the specifications' state and returns the partial update.

Failures become findings of type `error` and events, and the graph continues (spec 000 §10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inquest.app.clock import SystemClock
from inquest.app.nodes.sibyl_state import (
    AgentFinding,
    AgentStatus,
    InfoRequest,
    KeptEvents,
    SibylState,
    agent_of,
    claim_from,
    desk_of,
    finding_as,
    reinvestigations_from,
    request_as,
    request_from,
    response_as,
    response_from,
)
from inquest.app.wiring.case_services import CaseWork, case_services
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.check import CheckRequest, InfoResponse, Reinvestigation, RequestStatus
from inquest.domain.claim import Claim
from inquest.domain.errors import InputError, InquestError
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import WITNESSES, Finding, Stance
from inquest.domain.plan import Brief
from inquest.domain.search import EngineKind
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.investigating import DeskWork, investigate
from inquest.flow.services import with_places
from inquest.kit.desk import Subject
from inquest.retrieval.budget import CaseBudget
from inquest.sources.owners import own_domains
from inquest.sources.source_names import with_names
from inquest.text.phrases import count
from inquest.text.urls import comparison_key

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.flow.services import Services
    from inquest.flow.state import DeskResult
    from inquest.kit.desk import Desk

_OPEN = frozenset(("pending", "routed", "open", ""))


async def investigate_state(app: Resources, name: str, state: SibylState) -> dict[str, Any]:
    """Return the state update of this desk: findings, agent_status, info_requests, info_responses, events.
    Raises InquestError only if the desk cannot begin at all."""
    desk = app.desks.get(name)
    if desk is None:
        raise InputError(f"The desk '{name}' is not installed.", advice=f"Installed: {', '.join(sorted(app.desks))}.")
    now = app.clock.now()
    request = CheckRequest(company=state.company_name, industry=state.industry)
    engines = tuple(dict.fromkeys(each.lower() for each in app.settings.engines))
    brief = Brief(text=f"Claims of {state.company_name}", engines=engines, check=request)
    case = Case(
        id=state.report_id or "graph", kind=CaseKind.CLAIMS, status=CaseStatus.RUNNING,
        brief=brief, as_of=now, created_at=now,
    )  # fmt: skip
    app.engines_for(brief)
    budget = CaseBudget(usd=app.settings.budget_usd, seconds=app.settings.deadline_seconds)
    kept_events = KeptEvents(case.id, app.clock, desk.spec.agent)
    async with AsyncExitStack() as stack:
        stack.callback(budget.close)
        budget.start()
        door = (await app.door()).for_case(None, budget)
        services = await case_services(app, CaseWork(case, door, budget, kept_events, app.clock))
        return await _Node(desk, state, services, kept_events).run()


def failed(state: SibylState, name: str, error: InquestError) -> dict[str, Any]:
    """Return the update of a desk that could not begin: an error on each of its claims."""
    agent = agent_of(name)
    wanted = _wanted(state, name)
    claims = [claim.claim_id for claim in state.claims if claim.claim_id in wanted]
    kept_events = KeptEvents(state.report_id, SystemClock(), agent)
    kept_events.add(EventType.AGENT_STARTED, "")
    kept_events.add(EventType.ERROR, error.sentence, message=error.sentence)
    errors = [_error(agent, each, state.iteration_count + 1, 1, error.sentence) for each in claims]
    status = AgentStatus(agent_name=agent, status="error", claims_assigned=len(claims), error_message=error.sentence)
    return _update(errors, status, kept_events)


def _update(
    findings: list[AgentFinding],
    status: AgentStatus,
    kept_events: KeptEvents,
    requests: Sequence[InfoRequest] = (),
    responses: Sequence[Any] = (),
) -> dict[str, Any]:
    return {
        "findings": findings,
        "agent_status": {status.agent_name: status},
        "info_requests": [*requests],
        "info_responses": [*responses],
        "events": kept_events.events,
    }


def _wanted(state: SibylState, name: str) -> set[str]:
    """The claims of this round: those to reinvestigate, and routed ones without earlier findings of the desk."""
    again = reinvestigations_from(state.reinvestigation_requests, name, state)
    done: set[str] = set()
    if again or state.iteration_count:
        done = {
            each.claim_id
            for each in state.findings
            if desk_of(each.agent_name) == name and each.evidence_type != "error"
        }
    own = {each.claim_id for each in state.routing_plan if name in map(desk_of, each.assigned_agents)}
    return set(again) | (own - done)


def _error(agent: str, claim_id: str, iteration: int, number: int, message: str) -> AgentFinding:
    return AgentFinding(
        finding_id=f"{agent}:{claim_id}:{iteration}:error{number}",
        agent_name=agent,
        claim_id=claim_id,
        evidence_type="error",
        summary=message,
        details={"message": message},
        iteration=iteration,
    )


@dataclass
class _Node:
    """One run of one desk."""

    desk: Desk
    state: SibylState
    services: Services
    kept_events: KeptEvents

    def __post_init__(self) -> None:
        self.name, self.agent = self.desk.spec.name, self.desk.spec.agent
        self.iteration = self.state.iteration_count + 1
        self.findings: list[AgentFinding] = []
        self.requests: list[InfoRequest] = []
        self._found: list[Finding] = []
        self._numbers: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()

    async def run(self) -> dict[str, Any]:
        again = reinvestigations_from(self.state.reinvestigation_requests, self.name, self.state)
        self.kept_events.add(EventType.AGENT_STARTED, "")
        claims = await self._claims()
        wanted = _wanted(self.state, self.name)
        todo = [claim for claim in claims if claim.id in wanted]
        for claim in todo:
            if claim.id in again:
                gap = again[claim.id].evidence_gap or "more evidence is needed"
                self.kept_events.add(EventType.AGENT_THINKING, f"Claim {claim.id} again: {gap}")
        kinds = {*self.desk.spec.kinds, EngineKind.OWN, EngineKind.FACT_CHECK}
        ready = [each for each in self.services.engines if each.lacks is None]
        engines = tuple(each.name for each in ready if each.asked_for or kinds & set(each.kinds))
        done = await self._looked_into(todo, again, engines) if todo else set()
        if not engines:
            self._report_no_engine(todo)
        responses = await self._answers({claim.id: claim for claim in claims}, engines)
        # As the desk itself counts: by the stance of each finding.
        against = sum(each.details.get("stance") == Stance.CONTRADICTS for each in self.findings)
        self.kept_events.add(
            EventType.AGENT_COMPLETED,
            "",
            claims_processed=len(done),
            findings_count=len(self.findings),
            contradictions_count=against,
        )
        assigned = len(wanted & {claim.claim_id for claim in self.state.claims})
        failed = bool(todo) and not done
        status = AgentStatus(
            agent_name=self.agent,
            status="error" if failed else "completed",
            claims_assigned=assigned,
            claims_completed=len(done),
            error_message=f"None of {count(len(todo), 'claim')} could be looked into." if failed else None,
        )
        return _update(self.findings, status, self.kept_events, self.requests, responses)

    async def _claims(self) -> list[Claim]:
        """Return all claims of the state with archived text. An unusable one becomes an error."""
        made: list[Claim] = []
        for each in self.state.claims:
            try:
                made.append(claim_from(each, self.state.company_name))
            except InputError as error:
                if each.claim_id in _wanted(self.state, self.name):
                    self._add_error(each.claim_id, error.sentence)
        return (await with_places(made, "given", self.services))[0] if made else []

    def _subject(self) -> Subject:
        return Subject(
            company=self.state.company_name,
            industry=self.state.industry,
            now=self.services.clock.now(),
            own_domains=tuple(sorted(own_domains(self.state.company_name))),
        )

    def _report_no_engine(self, claims: Sequence[Claim]) -> None:
        """Add an error to each claim without one: no engine is ready."""
        reported = {each.claim_id for each in self.findings if each.evidence_type == "error"}
        lacks = "; ".join(f"{each.name} {each.lacks}" for each in self.services.engines if each.lacks)
        for claim in claims:
            if claim.id not in reported:
                self._add_error(claim.id, f"Web search unavailable: no engine is ready ({lacks or 'none fits'}).")

    async def _looked_into(
        self, todo: list[Claim], again: dict[str, Reinvestigation], engines: tuple[str, ...]
    ) -> set[str]:
        """Investigate the claims; returns the ids of those that were investigated."""
        subject = self._subject()
        fresh = [claim for claim in todo if claim.id not in again]
        drafted: Any = {}
        if fresh:
            drafted, _ = await self.services.answered(
                lambda analyst: analyst.desk_queries(
                    self.name, self.desk.spec.angles, fresh, subject.company, subject.industry
                ),
                Stage.DESKS,
            )
        guarded = GuardedDesk(self.desk)
        queries = guarded.queries(todo, subject, drafted=drafted, again=again)
        for claim in todo if guarded.failed else ():
            self._add_error(claim.id, guarded.failed)
        work = DeskWork(
            claims=tuple(todo),
            subject=subject,
            queries=tuple(query.model_copy(update={"iteration": self.iteration}) for query in queries),
            engines=engines,
            iteration=self.iteration,
            read={claim.id: self._read_before(claim.id) for claim in todo},
            responses=self._responses(),
        )
        (result,) = await investigate([(self.desk, work)], self.services)
        self._take(result)
        known = {(each.requesting_agent, each.description) for each in self.state.info_requests}
        for number, each in enumerate(result.requests, 1):
            request = request_as(each, f"{self.agent}:{self.iteration}:R{number}")
            if (request.requesting_agent, request.description) in known:
                continue
            known.add((request.requesting_agent, request.description))
            self.requests.append(request)
            self.kept_events.add(
                EventType.INFO_REQUEST_POSTED, "", requesting_agent=self.agent, description=request.description
            )
        for claim in todo:
            if claim.id not in result.read:
                met = self.services.budget.why
                self._add_error(claim.id, f"It was not looked into: {met or 'the desk was stopped.'}")
        return set(result.read)

    def _responses(self) -> dict[str, tuple[InfoResponse, ...]]:
        """Return the answers to this desk's questions, by claim."""
        about = {each.request_id: each.context.get("claim_id") for each in self.state.info_requests if each.request_id}
        found: dict[str, tuple[InfoResponse, ...]] = {}
        for each in self.state.info_responses:
            claim_id = about.get(each.request_id) or each.details.get("claim_id")
            if claim_id and desk_of(each.requesting_agent) == self.name:
                found[str(claim_id)] = (*found.get(str(claim_id), ()), response_from(each))
        return found

    def _read_before(self, claim_id: str) -> frozenset[str]:
        """Return the pages of this desk's earlier findings on the claim."""
        urls = (
            each.details.get("source_url")
            for each in self.state.findings
            if each.claim_id == claim_id and desk_of(each.agent_name) == self.name
        )
        return frozenset(comparison_key(url) for url in urls if isinstance(url, str))

    def _take(self, result: DeskResult, *, witnesses: bool = False) -> list[AgentFinding]:
        """Add the findings in the state's form. `witnesses`: only quotes from pages, not summaries of the desk."""
        sources = {source.id: source for source in result.sources}
        addresses = {source.snapshot: source.url for source in result.sources}
        taken = []
        for finding in result.findings:
            source = sources.get(finding.source_id)
            if witnesses and finding.evidence_type not in WITNESSES:
                continue
            self._found.append(finding)
            self._numbers[finding.claim_id or ""] += 1
            number = self._numbers[finding.claim_id or ""]
            name = f"{self.agent}:{finding.claim_id}:{self.iteration}:{number}"
            taken.append(finding_as(with_names(finding, addresses), self.agent, name, source))
        self.findings += taken
        return taken

    async def _answers(self, claims: dict[str, Claim], engines: tuple[str, ...]) -> list[Any]:
        """Answer each open question to this desk."""
        answered = {
            each.request_id for each in self.state.info_responses if desk_of(each.responding_agent) == self.name
        }
        return [
            await self._answer(each, claims, engines)
            for each in self.state.info_requests
            if self.name in map(desk_of, each.target_agents)
            and each.status.lower() in _OPEN
            and not (each.request_id and each.request_id in answered)
        ]

    async def _answer(self, posted: InfoRequest, claims: dict[str, Claim], engines: tuple[str, ...]) -> Any:
        request, subject = request_from(posted, self.name), self._subject()
        claim = claims.get(request.claim_id)
        if claim is None:  # a question without a claim is investigated itself
            words = Claim(id=request.claim_id or f"request {posted.request_id}".strip(), text=request.description)
            (claim,), _, _ = await with_places([words], "given", self.services)
        guarded = GuardedDesk(self.desk)
        queries = tuple(
            query.model_copy(update={"request_id": request.id or "asked", "iteration": self.iteration})
            for query in guarded.queries_for(request, claim, subject)
        )
        new: list[AgentFinding] = []
        if queries:
            work = DeskWork((claim,), subject, queries, engines, iteration=self.iteration)
            (result,) = await investigate([(self.desk, work)], self.services)
            new = self._take(result, witnesses=True)
        found = [each for each in self._found if each.claim_id == claim.id]
        response = guarded.respond(request, claim, subject, found)
        unable = guarded.failed or ("" if engines else "no search engine is ready.")
        response = response or InfoResponse(
            request_id=request.id,
            answered_by=self.name,
            asked_by=request.asked_by,
            summary=f"Unavailable: {unable}" if unable else "Nothing relevant was found.",
            status=RequestStatus.UNAVAILABLE if unable else RequestStatus.ANSWERED,
        )
        answer = response_as(response, new)
        self.kept_events.add(
            EventType.INFO_RESPONSE_POSTED,
            "",
            responding_agent=answer.responding_agent,
            requesting_agent=answer.requesting_agent,
            summary=answer.summary,
        )
        return answer

    def _add_error(self, claim_id: str, message: str) -> None:
        self._errors[claim_id] += 1
        self.findings.append(_error(self.agent, claim_id, self.iteration, self._errors[claim_id], message))
        self.kept_events.add(EventType.ERROR, message, message=message, claim_id=claim_id)
