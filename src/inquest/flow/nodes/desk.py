"""A desk as a node of the graph of a check."""

from __future__ import annotations

from inquest.domain.check import InfoResponse, RequestStatus
from inquest.domain.reading import Reading
from inquest.flow.graphs import Node
from inquest.flow.investigating import DeskWork, investigate
from inquest.flow.services import Services
from inquest.flow.state import CaseState, CheckState, Delta


def desk_node(name: str) -> Node:
    """The node of the desk of this name: it does what the round has for it, and may have nothing."""

    async def run(state: CaseState, services: Services) -> Delta:
        assert state.check is not None
        work, round_ = _work(name, state, services), state.check.iteration
        allowed = state.brief.check.desks if state.brief.check else ()
        if not work.claims and (round_ > 1 or (allowed and name not in allowed)):
            return {}
        # What the others have to do follows from the state, so that no node need be told by another.
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
    judge = services.mind.judge_of(name)
    found: dict[str, dict[str, Reading]] = {}
    for round_ in rounds:
        for desk in services.desks:
            result = state.desk_results.get(f"{desk} {round_}")
            if result is None or services.mind.judge_of(desk) != judge:
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
