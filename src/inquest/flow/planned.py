"""Parts common to the plans of all kinds of case: engines, notes, costs, and the event that a plan is ready."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inquest.domain.check import DeskQuery
from inquest.domain.claim import Claim
from inquest.domain.event import EventType, Stage
from inquest.domain.plan import NO_QUESTION, Brief, Plan, UnaskedEngine
from inquest.flow.services import Services
from inquest.flow.state import CaseState
from inquest.flow.time_limits import search_limits, search_usd
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import SearchPlan, Share, desk_queries_in, estimated, plan_desk_searches
from inquest.text.phrases import count

AT_ONCE = (
    "What you can do now: add your own documents (inquest collection add NAME PATH) and name the collection, or "
    "run the example (inquest demo). Searches need a network connection, and some engines a key: see inquest doctor."
)


def made_plan(state: CaseState, chosen: Sequence[EngineChoice], services: Services, **fields: Any) -> Plan:
    """Make a plan that asks the `chosen` engines. The others are listed with the reason: first those that are not
    ready, then those without a query. `fields`: those of this kind of case."""
    lacking = [UnaskedEngine(engine=engine.name, lacks=engine.lacks) for engine in services.engines if engine.lacks]
    idle = [engine for engine in services.engines if engine.lacks is None and engine not in chosen]
    unasked = (*lacking, *(UnaskedEngine(engine=engine.name) for engine in idle))
    notes = (*(fields.pop("notes", ())), *services.hints)
    if not chosen:
        notes = (no_engine_note(unasked), *notes)
    return Plan(
        engines=tuple(engine.name for engine in chosen),
        left_out=tuple(f"{each.engine}: {each.lacks or NO_QUESTION}" for each in unasked),
        unasked=unasked,
        paid=tuple(engine.name for engine in chosen if engine.usd),
        mode=state.brief.mode,
        analyst=services.analyst.name,
        local_model=services.local.local_model,
        revision=state.plan.revision + 1 if state.plan else 1,
        notes=notes,
        **fields,
    )


def no_engine_note(unasked: Sequence[UnaskedEngine]) -> str:
    """State that no engine can be asked, the reasons and the remedy."""
    why = sorted({(each.lacks or NO_QUESTION).split(":")[0] for each in unasked})
    return f"No engine is ready ({'; '.join(why) or 'none is set up'}). {AT_ONCE}"


def planned_again(
    queries: Sequence[DeskQuery], share: Share, state: CaseState, services: Services
) -> tuple[DeskQuery, ...]:
    """Return the queries of a later round, or of a request between desks, with their engines."""
    assert state.plan is not None
    names = set(state.plan.engines)
    return plan_desk_searches(
        desk_queries_in(state.brief.languages, queries),
        {name: frozenset(desk.spec.kinds) for name, desk in services.desks.items()},
        [engine for engine in services.engines if engine.name in names],
        search_limits(state.brief, share, len(state.claims)),
    )[0]


def registry_notes(asked: int, engines: Sequence[EngineChoice], services: Services) -> list[str]:
    """Note that registries are asked about up to so many publishers; [] if they are not."""
    if not asked or not engines or services.domain_ages is None:
        return []
    return [f"Registries are queried for the age of the domains of up to {asked} publishers that no rule covers."]


def last_notes(
    brief: Brief, claims: int, sources: int, engines: Sequence[EngineChoice], services: Services
) -> list[str]:
    """Note the likely and the highest cost of the case, and the date after which nothing counts, if there is one."""
    searches = search_usd(brief, claims, sources) if any(engine.usd for engine in engines) else 0.0
    cost = estimated(claims, sources, searches, services.analyst.price).in_words(brief.budget_usd)
    if brief.as_of is None:
        return [cost]
    return [cost, f"Nothing published after {brief.as_of:%Y-%m-%d} will count as evidence."]


def search_notes(searches: SearchPlan) -> tuple[str, ...]:
    """Note what the search plan leaves out for lack of time."""
    return tuple(
        f"For lack of time, {name} is not sent {count(number, 'query', 'queries')} that would suit it: its limit of "
        "calls is low. Other engines are; with a longer time limit, it would be too."
        for name, number in searches.no_time.items()
    )


async def report_plan(plan: Plan, services: Services, claims: Sequence[Claim] = ()) -> None:
    """Emit the event that the plan waits for a decision; for a check with the claims that can still be removed."""
    queries, engines = count(len(plan.queries), "query", "queries"), count(len(plan.engines), "engine")
    what = f"{count(len(claims), 'claim')}, " if claims else ""
    more = [{"id": each.id, "text": each.text, "type": each.type.value, "page": each.page} for each in claims]
    await services.events.emit(
        EventType.PLAN_READY,
        f"The plan is ready: {what}{queries} to {engines}." if plan.engines or plan.queries else plan.questions[0],
        stage=Stage.PLAN,
        marker="PLAN_APPROVAL_REQUIRED",
        plan=plan.model_dump(mode="json"),
        **({"claims": more} if claims else {}),  # type: ignore[arg-type]
    )
