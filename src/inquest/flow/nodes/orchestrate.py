"""Orchestrate: send desks out. In the first round each to the claims that the plan gives it; after that to what the
judge wants looked into again."""

from __future__ import annotations

from inquest.domain.check import DeskQuery, DeskStatus
from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.flow.desk_guard import GuardedDesk
from inquest.flow.joining import added_up, new_outages
from inquest.flow.planned import planned_again
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.flow.subjects import by_subject
from inquest.text.phrases import count, listed


async def orchestrate(state: CaseState, services: Services) -> Delta:
    """Tell who looks at what; from the second round on, what is asked anew."""
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
