"""The desks of a check: send them out, join what they have found, and let them ask one another.

A request goes to the desk that should know. It may search for it; what it finds counts as evidence on the claim like
any other. Where nobody installed can answer, the answer is 'unavailable', and the report says so.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from inquest.domain.check import DeskQuery, DeskStatus, InfoRequest, InfoResponse, RequestStatus
from inquest.domain.claim import Claim
from inquest.domain.errors import Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.finding import WITNESSES, Finding
from inquest.domain.reading import Reading
from inquest.domain.report import Coverage, OutageNote
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.graphs import Node
from inquest.flow.investigating import DeskWork, investigate
from inquest.flow.joining import DeskResult, Joined, added_up, new_outages
from inquest.flow.planned import planned_again
from inquest.flow.services import Services, by_subject, subject_for
from inquest.flow.state import CaseState, CheckState, Delta
from inquest.text.phrases import count, listed
from inquest.verdicts.reviews import earlier_checks


async def orchestrate(state: CaseState, services: Services) -> Delta:
    """Tell which desk looks at which claim; from the second round on, send them out to what the judge wants looked into
    again."""
    assert state.check is not None
    check = state.check
    if check.iteration == 1:
        for each in check.routing:
            await services.events.emit(
                EventType.CLAIMS_ROUTED,
                f"Claim {each.claim_id} goes to {listed(list(each.desks)) or 'nobody'}: {' '.join(each.reasons)}",
                stage=Stage.DESKS,
                claim_id=each.claim_id,
                assigned_agents=[services.desks[name].spec.agent for name in each.desks],
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
    which = listed([each.claim_id for each in wanted])
    verb = "is" if len(wanted) == 1 else "are"
    said = f"Round {check.iteration}: {count(len(wanted), 'claim')} {verb} looked into again: {which}."
    await services.events.emit(EventType.DEPARTURE, said, stage=Stage.DESKS)
    update = {"queries": (*check.queries, *queries), "statuses": added_up(check.statuses, failed)}
    return {
        "check": check.model_copy(update=update),
        "departures": (said,),
        "outages": new_outages(outages, state.outages),
    }


def desk_node(name: str) -> Node:
    """The node of the desk of this name: it does what the round has for it, and may have nothing."""

    async def run(state: CaseState, services: Services) -> Delta:
        assert state.check is not None
        work, round_ = _work(name, state, services), state.check.iteration
        allowed = state.brief.check.desks if state.brief.check else ()
        if not work.claims and (round_ > 1 or (allowed and name not in allowed)):
            return {}
        # What the others have to do follows from the state, so that no node need notify another.
        beside = [(desk, _work(other, state, services)) for other, desk in services.desks.items()]
        return {"desk_results": {f"{name} {round_}": await investigate(services.desks[name], work, services, beside)}}

    return run


def _work(name: str, state: CaseState, services: Services) -> DeskWork:
    """What the round has for the desk."""
    assert state.check is not None and state.plan is not None
    check, round_ = state.check, state.check.iteration
    queries = tuple(query for query in check.queries if query.desk == name and query.iteration == round_)
    if round_ == 1:
        wanted = {each.claim_id for each in check.routing if name in each.desks}
    else:
        wanted = {claim_id for query in queries for claim_id in query.claim_ids}
    return DeskWork(
        claims=tuple(claim for claim in state.claims if claim.id in wanted),
        subject=check.subject,
        queries=queries,
        engines=state.plan.engines,
        iteration=round_,
        until=state.brief.as_of,
        meant=state.plan.meant,
        read={claim_id: frozenset(pages) for claim_id, pages in check.read.get(name, {}).items()},
        responses=_answers(name, check),
        judged=judged_in(range(1, round_), name, state, services),
    )


def judged_in(rounds: range, name: str, state: CaseState, services: Services) -> dict[str, dict[str, Reading]]:
    """By claim id and place, what the desk's judge has said in these rounds, to whatever desk."""
    judge = services.analyst.judge_of(name)
    found: dict[str, dict[str, Reading]] = {}
    for round_ in rounds:
        for desk in services.desks:
            result = state.desk_results.get(f"{desk} {round_}")
            if result is None or services.analyst.judge_of(desk) != judge:
                continue
            for claim_id, by_place in result.judged.items():
                found.setdefault(claim_id, {}).update(by_place)
    return found


def _answers(desk: str, check: CheckState) -> dict[str, tuple[InfoResponse, ...]]:
    """What others have answered the desk, by the claim it asked about; that nothing was found is no answer."""
    asked = {request.id: request.claim_id for request in check.requests if request.asked_by == desk}
    found: dict[str, tuple[InfoResponse, ...]] = {}
    for response in check.responses:
        claim_id = asked.get(response.request_id)
        if claim_id and response.status is RequestStatus.ANSWERED and response.finding_ids:
            found[claim_id] = (*found.get(claim_id, ()), response)
    return found


async def exchange(state: CaseState, services: Services) -> Delta:
    """The case with the round's findings, and with what the desks asked one another."""
    assert state.check is not None and state.plan is not None
    check = state.check
    results = [
        state.desk_results[key] for name in services.desks if (key := f"{name} {check.iteration}") in state.desk_results
    ]
    joined = Joined(list(state.sources), list(state.findings))
    for result in results:
        joined.join(result)
    posted = tuple(
        request.model_copy(update={"id": f"R{number}"})
        for number, request in enumerate(
            _each_once([request for result in results for request in result.requests]), len(check.requests) + 1
        )
    )
    by_id = {claim.id: claim for claim in state.claims}
    asked = [request for request in posted if request.claim_id in by_id]
    answered = await services.side_by_side(
        [
            (f"answer {request.id}", partial(_answered, request, by_id[request.claim_id], state, services))
            for request in asked
        ]
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
            response, defects = await _respond(request, by_id[request.claim_id], found, state, joined, services)
        requests.append(request.model_copy(update={"status": response.status}))
        responses.append(response)
        outages += defects
        await _say_response(response, services)
    read = {result.desk: check.read.get(result.desk, {}) | _read(check, result) for result in results}
    if any(each.status.claims_completed < each.status.claims_assigned for each in results):
        outages += await services.model_unasked((*state.outages, *outages), Stage.DESKS)
    update = {
        "requests": (*check.requests, *requests),
        "responses": (*check.responses, *responses),
        "statuses": added_up(check.statuses, [result.status for result in results]),
        "read": check.read | read,
        "new_findings": len([each for each in joined.new if each.evidence_type in WITNESSES]),
    }
    return {
        "sources": tuple(joined.sources),
        "findings": tuple(joined.findings),
        "reviews": earlier_checks((*state.reviews, *reviews), state.claims, topic=state.plan.topic),
        "coverage": _coverage(state, [*results, *(answer.result for answer in answered if answer and answer.result)]),
        "check": check.model_copy(update=update),
        "outages": new_outages(outages, state.outages),
    }


def _coverage(state: CaseState, results: list[DeskResult]) -> dict[str, Coverage]:
    """How far those could be asked who should have been, over all rounds and desks."""
    found = dict(state.coverage)
    for result in results:
        for claim_id, coverage in result.coverage.items():
            found[claim_id] = found.get(claim_id, Coverage()) + coverage
    return found


class _Answer(NamedTuple):
    """The result of one request: an answer, or what its answer is to be made of."""

    response: InfoResponse | None = None
    result: DeskResult | None = None
    outages: tuple[OutageNote, ...] = ()


def _each_once(requests: list[InfoRequest]) -> list[InfoRequest]:
    return list({(each.asked_by, each.to, each.claim_id, each.description): each for each in requests}.values())


def _read(check: CheckState, result: DeskResult) -> dict[str, tuple[str, ...]]:
    before = check.read.get(result.desk, {})
    return {claim_id: (*before.get(claim_id, ()), *pages) for claim_id, pages in result.read.items()}


async def _answered(request: InfoRequest, claim: Claim, state: CaseState, services: Services) -> _Answer:
    await services.events.emit(
        EventType.INFO_REQUEST_POSTED,
        f"{request.asked_by} asks {request.to}: {request.description}",
        stage=Stage.EXCHANGE,
        agent_name=_agent(request.asked_by, services),
        requesting_agent=_agent(request.asked_by, services),
        description=request.description,
        claim_id=claim.id,
    )
    assert state.check is not None and state.plan is not None
    desk = services.desks.get(request.to)
    allowed = state.brief.check.desks if state.brief.check else ()
    if desk is None or (allowed and request.to not in allowed):
        why = "is not installed" if desk is None else "was not to be asked"
        error = Outage(f"The desk for {request.to} {why}; it was asked: {request.description}")
        note = await services.outage("desk", request.to, error, Stage.EXCHANGE)
        return _Answer(response=_unavailable(request, why), outages=(note,))
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
        query.model_copy(update={"request_id": request.id, "iteration": state.check.iteration})
        for query in guarded.queries_for(request, claim, subject_for(claim, state.check.subject))
    )
    if guarded.failed:
        outages = await guarded.outages(services, Stage.EXCHANGE)
        return _Answer(response=_unavailable(request, "failed"), outages=outages)
    if not queries:
        return _Answer()
    queries = planned_again(queries, "request", state, services)
    before = state.desk_results.get(f"{request.to} {state.check.iteration}")
    work = DeskWork(
        claims=(claim,),
        subject=state.check.subject,
        queries=queries,
        engines=state.plan.engines,
        iteration=state.check.iteration,
        until=state.brief.as_of,
        meant=state.plan.meant,
        judged=judged_in(range(1, state.check.iteration + 1), request.to, state, services),
        read={claim.id: frozenset(before.read.get(claim.id, ()))} if before else {},
    )
    return _Answer(result=await investigate(desk, work, services))


async def _respond(
    request: InfoRequest, claim: Claim, found: list[Finding], state: CaseState, joined: Joined, services: Services
) -> tuple[InfoResponse, tuple[OutageNote, ...]]:
    """The desk's answer; where its own code fails, that it is unavailable, with the outage."""
    assert state.check is not None
    known = [each for each in joined.findings if each.claim_id == claim.id and each.agent == request.to]
    desk = GuardedDesk(services.desks[request.to])
    made = desk.respond(request, claim, subject_for(claim, state.check.subject), known or found)
    if desk.failed:
        return _unavailable(request, "failed"), await desk.outages(services, Stage.EXCHANGE)
    return made or _response(request, "Nothing was found that bears on it."), ()


def _unavailable(request: InfoRequest, why: str) -> InfoResponse:
    summary = f"Unavailable: the desk for {request.to} {why}."
    return _response(request, summary, RequestStatus.UNAVAILABLE)


def _response(request: InfoRequest, summary: str, status: RequestStatus = RequestStatus.ANSWERED) -> InfoResponse:
    return InfoResponse(
        request_id=request.id, answered_by=request.to, asked_by=request.asked_by, summary=summary, status=status
    )


async def _say_response(response: InfoResponse, services: Services) -> None:
    await services.events.emit(
        EventType.INFO_RESPONSE_POSTED,
        f"{response.answered_by} to {response.asked_by}: {response.summary}",
        stage=Stage.EXCHANGE,
        agent_name=_agent(response.answered_by, services),
        responding_agent=_agent(response.answered_by, services),
        requesting_agent=_agent(response.asked_by, services),
        summary=response.summary,
        status=response.status.value,
    )


def _agent(desk: str, services: Services) -> str:
    """A desk's name in events, which is the specifications' (000 §9.2); of one that is not installed its own."""
    return services.desks[desk].spec.agent if desk in services.desks else desk
