"""Run the desks of a check, join their results, and exchange their requests to one another.

A request goes to the desk for its subject, which may search for it; its findings are evidence on the claim like any
other. If that desk is not installed the answer is 'unavailable', and the report mentions it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from inquest.domain.check import DeskQuery, DeskStatus, InfoRequest, InfoResponse, RequestStatus
from inquest.domain.claim import Claim
from inquest.domain.errors import Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import WITNESSES, Finding, Reading
from inquest.domain.reasons import Catalogue, in_words
from inquest.domain.report import OutageNote
from inquest.domain.source import Source
from inquest.domain.value import grouped
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.investigating import DeskWork, investigate
from inquest.flow.planned import planned_again
from inquest.flow.services import Services, by_subject, subject_for
from inquest.flow.state import CaseState, CheckState, Delta, DeskResult, added_up, coverage_with, departed, new_outages
from inquest.sources.source_names import named_sources, with_names
from inquest.text.phrases import listed
from inquest.verdicts.reviews import earlier_checks


@dataclass
class Joined:
    """The sources and findings of a case; results are numbered in the order in which they are joined."""

    sources: list[Source]
    findings: list[Finding]
    new: list[Finding] = field(default_factory=list)
    """The findings added by results."""
    aside: dict[str, Source] = field(default_factory=dict)
    """Pages that were judged and that no finding rests on, by snapshot."""

    def join(self, result: DeskResult, *, kinds: Iterable[str] = ()) -> list[Finding]:
        """Add a result, with the findings of the given evidence types or all, and return the new findings. A source is
        added if a finding rests on it or names it, or if it is about a namesake, which the report mentions."""
        known = {source.snapshot: source.id for source in self.sources}
        wanted = frozenset(kinds)
        findings = [each for each in result.findings if not wanted or each.evidence_type in wanted]
        meant = {each.source_id for each in findings}.union(*map(named_sources, findings))
        for source in result.sources:
            if source.id not in known and (source.other_bearer or source.id in meant):
                known[source.id] = f"S{len(self.sources) + 1}"
                self.sources.append(source.model_copy(update={"id": known[source.id]}))
            elif source.id not in known:
                self.aside.setdefault(source.id, source)
        known_findings = {_same(each) for each in self.findings}
        new = []
        for finding in findings:
            owner = known.get(finding.source_id, finding.source_id)
            numbered = with_names(finding, known).model_copy(
                update={"id": f"F{len(self.findings) + 1}", "source_id": owner}
            )
            if _same(numbered) in known_findings:
                continue  # another desk or an earlier round found the same
            self.findings.append(numbered)
            new.append(numbered)
        self.new += new
        return new

    @property
    def set_aside(self) -> tuple[Source, ...]:
        """The pages that no finding rests on; their ids are snapshots."""
        known = {source.snapshot for source in self.sources}
        return tuple(each for each in self.aside.values() if each.snapshot not in known and not each.excluded)


def _same(finding: Finding) -> tuple[object, ...]:
    """Return the key by which findings are duplicates: claim, quote and stance; for findings that quote the claim
    itself also their type and summary."""
    words = (finding.claim_id, finding.snapshot, finding.start, finding.end, finding.stance)
    return words if finding.evidence_type in WITNESSES else (*words, finding.evidence_type, finding.summary)


_says = Catalogue("routing")


async def orchestrate(state: CaseState, services: Services) -> Delta:
    """Report the routing of the claims; in later rounds, plan the queries for the gaps that the judge found."""
    check = state.checking
    if check.iteration == 1:
        for each in check.routing:
            await services.events.emit(
                EventType.CLAIMS_ROUTED,
                f"Claim {each.claim_id} goes to {listed(list(each.desks)) or 'nobody'}: {' '.join(each.reasons)}",
                stage=Stage.DESKS,
                claim_id=each.claim_id,
                assigned_agents=[_agent(name, services) for name in each.desks],
                missing=list(each.missing),
            )
        return {}
    wanted = [each for each in check.reinvestigations if each.iteration == check.iteration]
    by_id = {claim.id: claim for claim in state.claims}
    queries: list[DeskQuery] = []
    failed: list[DeskStatus] = []
    outages: list[OutageNote] = []
    for name, desk in services.desks.items():
        again = {each.claim_id: each for each in wanted if name in each.desks}
        claims = [by_id[claim_id] for claim_id in again]
        guarded = GuardedDesk(desk)
        for subject, own in by_subject(claims, check.subject):
            made = guarded.queries(own, subject, drafted={}, again=again)
            queries += [query.model_copy(update={"iteration": check.iteration}) for query in made]
        failed += guarded.statuses()
        outages += await guarded.outages(services, Stage.DESKS)
    queries = list(planned_again(queries, "further", state, services))
    departure = _says("looked_again", round=check.iteration, claims=[each.claim_id for each in wanted])
    await services.events.emit(EventType.DEPARTURE, in_words(departure), stage=Stage.DESKS)
    update = {"queries": (*check.queries, *queries), "desks": added_up(check.desks, failed)}
    return {
        "check": check.model_copy(update=update),
        **departed((departure,)),
        "outages": new_outages(outages, state.outages),
    }


async def desks(state: CaseState, services: Services) -> Delta:
    """Do the work of the desks in a round. One without claims reports so in the first round, if it may be asked."""
    round_ = state.checking.iteration
    allowed = state.brief.check.desks if state.brief.check else ()
    works = [(desk, _work(name, state, services)) for name, desk in services.desks.items()]
    begun = [
        (desk, work)
        for desk, work in works
        if work.claims or (round_ == 1 and not (allowed and desk.spec.name not in allowed))
    ]
    return {"desk_results": {f"{each.desk} {round_}": each for each in await investigate(begun, services)}}


def _work(name: str, state: CaseState, services: Services) -> DeskWork:
    """Return the work of the desk in this round."""
    check, round_ = state.checking, state.checking.iteration
    queries = tuple(query for query in check.queries if query.desk == name and query.iteration == round_)
    if round_ == 1:
        wanted = {each.claim_id for each in check.routing if name in each.desks}
    else:
        wanted = {claim_id for query in queries for claim_id in query.claim_ids}
    return replace(
        _work_on(tuple(claim for claim in state.claims if claim.id in wanted), queries, state),
        read={claim_id: frozenset(pages) for claim_id, pages in check.read.get(name, {}).items()},
        responses=_answers(name, check),
        judged=judged_in(range(1, round_), name, state, services),
    )


def _work_on(claims: tuple[Claim, ...], queries: tuple[DeskQuery, ...], state: CaseState) -> DeskWork:
    return DeskWork(
        claims=claims,
        subject=state.checking.subject,
        queries=queries,
        engines=state.planned.engines,
        iteration=state.checking.iteration,
        until=state.brief.as_of,
        meant=state.planned.meant,
    )


def judged_in(rounds: range, name: str, state: CaseState, services: Services) -> dict[str, dict[str, Reading]]:
    """Return the readings that the desk's judge made in these rounds for any desk, by claim id and place."""
    judge = services.analyst.judge_of(name)
    readings: dict[str, dict[str, Reading]] = {}
    for round_ in rounds:
        for desk in services.desks:
            result = state.desk_results.get(f"{desk} {round_}")
            if result is not None and services.analyst.judge_of(desk) == judge:
                for claim_id, by_place in result.judged.items():
                    readings.setdefault(claim_id, {}).update(by_place)
    return readings


def _answers(desk: str, check: CheckState) -> dict[str, tuple[InfoResponse, ...]]:
    """Return the answers with findings to the desk's requests, by claim id."""
    asked = {request.id: request.claim_id for request in check.requests if request.asked_by == desk}
    answers = grouped(
        (asked[each.request_id], each)
        for each in check.responses
        if each.request_id in asked and each.status is RequestStatus.ANSWERED and each.finding_ids
    )
    return {claim_id: tuple(responses) for claim_id, responses in answers.items()}


async def exchange(state: CaseState, services: Services) -> Delta:
    """Join the results of a round, and answer the desks' requests to one another."""
    check = state.checking
    results = [
        state.desk_results[key] for name in services.desks if (key := f"{name} {check.iteration}") in state.desk_results
    ]
    joined = Joined(list(state.sources), list(state.findings), aside={each.snapshot: each for each in check.aside})
    for result in results:
        joined.join(result)
    posted = [request for result in results for request in result.requests]
    once = {(each.asked_by, each.to, each.claim_id, each.description): each for each in posted}
    by_id = {claim.id: claim for claim in state.claims}
    asked = [
        request.model_copy(update={"id": f"R{number}"})
        for number, request in enumerate(once.values(), len(check.requests) + 1)
        if request.claim_id in by_id
    ]
    answered = await services.side_by_side(
        [(f"answer {each.id}", partial(_answered, each, by_id[each.claim_id], state, services)) for each in asked]
    )
    requests: list[InfoRequest] = []
    responses: list[InfoResponse] = []
    outages: list[OutageNote] = [note for result in results for note in result.outages]
    reviews = [review for result in results for review in result.reviews]
    for request, answer in zip(asked, answered, strict=True):
        if answer is None:  # the budget was met before
            requests.append(request)
            continue
        found = joined.join(answer.result, kinds=WITNESSES) if answer.result else []
        outages += answer.result.outages if answer.result else ()
        response, defects = answer.response, answer.outages
        if response is None:
            claim, desk = by_id[request.claim_id], GuardedDesk(services.desks[request.to])
            known = [each for each in joined.findings if each.claim_id == claim.id and each.agent == request.to]
            response = desk.respond(request, claim, subject_for(claim, check.subject), known or found)
            defects = await desk.outages(services, Stage.EXCHANGE)
            response = response or _response(request, "failed" if desk.failed else "nothing_bears")
        requests.append(request.model_copy(update={"status": response.status}))
        responses.append(response)
        outages += defects
        answering = _agent(response.answered_by, services)
        await services.events.emit(
            EventType.INFO_RESPONSE_POSTED,
            f"{response.answered_by} to {response.asked_by}: {response.summary}",
            stage=Stage.EXCHANGE,
            agent_name=answering,
            responding_agent=answering,
            requesting_agent=_agent(response.asked_by, services),
            summary=response.summary,
            status=response.status.value,
        )
    read = {}
    for result in results:
        before = check.read.get(result.desk, {})
        added = {claim_id: (*before.get(claim_id, ()), *pages) for claim_id, pages in result.read.items()}
        read[result.desk] = before | added
    if any(each.status.claims_completed < each.status.claims_assigned for each in results):
        outages += await services.model_unasked((*state.outages, *outages), Stage.DESKS)
    update = {
        "requests": (*check.requests, *requests),
        "responses": (*check.responses, *responses),
        "desks": added_up(check.desks, [result.status for result in results]),
        "read": check.read | read,
        "new_findings": len([each for each in joined.new if each.evidence_type in WITNESSES]),
        "aside": joined.set_aside,
    }
    results += [answer.result for answer in answered if answer and answer.result]
    return {
        "sources": tuple(joined.sources),
        "findings": tuple(joined.findings),
        "reviews": earlier_checks((*state.reviews, *reviews), state.claims, topic=state.planned.topic),
        "coverage": coverage_with(state.coverage, (item for each in results for item in each.coverage.items())),
        "check": check.model_copy(update=update),
        "outages": new_outages(outages, state.outages),
    }


class _Answer(NamedTuple):
    """The answer to a request, or the result that it will be made of."""

    response: InfoResponse | None = None
    result: DeskResult | None = None
    outages: tuple[OutageNote, ...] = ()


async def _answered(request: InfoRequest, claim: Claim, state: CaseState, services: Services) -> _Answer:
    asking = _agent(request.asked_by, services)
    await services.events.emit(
        EventType.INFO_REQUEST_POSTED,
        f"{request.asked_by} asks {request.to}: {request.description}",
        stage=Stage.EXCHANGE,
        agent_name=asking,
        requesting_agent=asking,
        description=request.description,
        claim_id=claim.id,
    )
    desk = services.desks.get(request.to)
    allowed = state.brief.check.desks if state.brief.check else ()
    if desk is None or (allowed and request.to not in allowed):
        why = "not_installed" if desk is None else "not_to_be_asked"
        question = request.description_code or request.description
        error = Outage(_says(f"out_{why}", desk=request.to, question=question))
        note = await services.outage("desk", request.to, error, Stage.EXCHANGE)
        return _Answer(response=_response(request, why), outages=(note,))
    await services.events.emit(
        EventType.INFO_REQUEST_ROUTED,
        f"The question of {request.asked_by} goes to {request.to}.",
        stage=Stage.EXCHANGE,
        agent_name="orchestrator",
        request_id=request.id,
        target_agents=[_agent(request.to, services)],
    )
    guarded = GuardedDesk(desk)
    queries = tuple(
        query.model_copy(update={"request_id": request.id, "iteration": state.checking.iteration})
        for query in guarded.queries_for(request, claim, subject_for(claim, state.checking.subject))
    )
    if guarded.failed:
        outages = await guarded.outages(services, Stage.EXCHANGE)
        return _Answer(response=_response(request, "failed"), outages=outages)
    if not queries:
        return _Answer()
    queries = planned_again(queries, "request", state, services)
    before = state.desk_results.get(f"{request.to} {state.checking.iteration}")
    work = replace(
        _work_on((claim,), queries, state),
        judged=judged_in(range(1, state.checking.iteration + 1), request.to, state, services),
        read={claim.id: frozenset(before.read.get(claim.id, ()))} if before else {},
    )
    (result,) = await investigate([(desk, work)], services)
    return _Answer(result=result)


def _response(request: InfoRequest, name: str) -> InfoResponse:
    """Build the answer that nothing relevant was found, or the reason why the desk does not answer."""
    code = _says(name, desk=request.to)
    return InfoResponse(
        request_id=request.id,
        answered_by=request.to,
        asked_by=request.asked_by,
        summary=in_words(code),
        summary_codes=(code,),
        status=RequestStatus.ANSWERED if name == "nothing_bears" else RequestStatus.UNAVAILABLE,
    )


def _agent(desk: str, services: Services) -> str:
    """Return the name of a desk in events; for one that is not installed the name of the desk itself."""
    return services.desks[desk].spec.agent if desk in services.desks else desk
