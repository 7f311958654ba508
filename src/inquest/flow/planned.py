"""Parts common to the plans of all kinds of case: time limits, engines, notes, costs, the event that a plan is ready,
and the queries of further rounds. A plan, and the searches or pages of one approved in advance, can be begun before
LangGraph is loaded: every call is made and paid for once and recorded, so it does not matter that it is made early.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from typing import Any

from inquest.domain.case import CaseKind
from inquest.domain.check import DeskQuery
from inquest.domain.claim import Claim
from inquest.domain.drafts import PlanDraft
from inquest.domain.event import EventType, Stage
from inquest.domain.plan import NO_QUESTION, Approval, Brief, Mode, Plan, UnaskedEngine
from inquest.domain.search import Query
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta, added
from inquest.kit.exchange import Purpose
from inquest.retrieval.engine_choice import EngineChoice
from inquest.retrieval.search_plan import (
    SearchLimits,
    SearchPlan,
    Share,
    desk_queries_in,
    estimated,
    limits_for,
    plan_desk_searches,
)
from inquest.text.phrases import count
from inquest.text.sentences import content_words

_SECONDS = {Mode.QUICK: 240.0, Mode.DETAILED: 600.0}
"""For an inquiry or a topic."""
_PER_CLAIM, _FLOOR = 15.0, 120.0
"""For a check: per claim, and at least: a model answers four times in turn, for up to 25 seconds each."""
_MARKET = 60.0
_AUDIT = 600.0
"""For an audit, at least; each citation adds the time of a claim beyond that."""
_MARGIN = 0.9
"""The share of a default time that is used: the rest is for writing the report."""
_EXCHANGES = {Purpose.ENGINE: (0.1, 30.0), Purpose.PAGE: (0.1, 20.0), Purpose.MODEL: (0.5, 300.0)}
"""The share of one exchange in the time of a case, and its maximum in seconds. A model writes 1,000 tokens on the
passages of a claim, which takes 10 to 25 seconds."""
OWN_MODEL = 4
"""How many times the default time a case has with a model on the user's own server, which may write five tokens a
second."""
_LEAST_EXCHANGE = 5.0
CLAIMS_DETAILED = 12
"""Claims of a detailed inquiry, to estimate its cost."""


def seconds_of(brief: Brief, claims: int) -> float:
    """Return the seconds that the case may take, by the user or by default. `claims`: those of a check that are known;
    0: not yet."""
    if brief.check is not None and not claims:
        claims = len(brief.check.claims) + (brief.check.max_claims if brief.check.report else 0)
    if brief.deadline_seconds is not None:
        return brief.deadline_seconds
    if brief.market is not None:
        seconds = _MARKET
    elif brief.audit is not None:
        seconds = max(_AUDIT, _PER_CLAIM * brief.audit.citations)
    elif brief.check is not None:
        seconds = max(_FLOOR, _PER_CLAIM * claims)
    else:
        seconds = _SECONDS[brief.mode]
    return _MARGIN * seconds


def exchange_limits(seconds: float) -> dict[Purpose, float]:
    """Return the timeouts in seconds of an exchange with an engine, a page and a model, in a case of that many seconds:
    so that none can use up the time of the others."""
    return {purpose: min(most, max(_LEAST_EXCHANGE, share * seconds)) for purpose, (share, most) in _EXCHANGES.items()}


def search_limits(brief: Brief, share: Share, claims: int) -> SearchLimits:
    """Return the limits of the searches of a round with this many claims."""
    seconds = seconds_of(brief, claims)
    return limits_for(share, mode=brief.mode, seconds=seconds, claims=claims, usd=brief.budget_usd)


def search_usd(brief: Brief, claims: int, sources: int) -> float:
    """Return the dollars that all searches of a case may cost. `sources`: 0 for a check."""
    shares: tuple[Share, ...] = ("gather", "check") if sources else ("first", "further")
    return sum(search_limits(brief, share, claims).usd or 0.0 for share in shares)


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
    names = set(state.planned.engines)
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
    cost = estimated({"claim": claims, "source": sources, "case": 1}, searches, services.analyst.price)
    words = [cost.in_words(brief.budget_usd)]
    if brief.as_of is None:
        return words
    return [*words, f"Nothing published after {brief.as_of:%Y-%m-%d} will count as evidence."]


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


MORE_SOURCES = 5
"""Sources that a further round may add."""
_MOST_WORDS = 14
"""Engines drop further words of a query, or find nothing."""


def more_asked(state: CaseState) -> tuple[Approval, ...]:
    """Return the requests for further rounds, oldest first."""
    return tuple(each for each in state.approvals if each.about)


def queries_for(asked: Approval, topic: str) -> tuple[Query, ...]:
    """Return the queries of a further round: the request with the words of the claim, and with the topic."""
    queries: dict[str, Query] = {}
    for about in (asked.about, topic):
        words = dict.fromkeys((*content_words(asked.text), *content_words(about)))
        text = " ".join(list(words)[:_MOST_WORDS]) or asked.text
        queries.setdefault(text, Query(text=text, purpose=f"{asked.text} ({asked.about})"))
    return tuple(queries.values())


def further_draft(before: Plan, asked: Approval) -> PlanDraft:
    """Return the earlier plan with the question and queries of a further round added."""
    return PlanDraft(
        topic=before.topic,
        questions=(*before.questions, asked.text),
        queries=(*before.queries, *queries_for(asked, before.topic)),
        source_kinds=before.source_kinds,
    )


def begin_plan(kind: CaseKind, brief: Brief, services: Services) -> asyncio.Task[Delta]:
    """Begin to make the plan of a new case. The graph takes the result from `Services.begun`."""
    if kind is CaseKind.CLAIMS:
        from inquest.flow.nodes.plan_check import plan_check as planner
    elif kind is CaseKind.TOPIC:
        from inquest.flow.nodes.plan import plan_topic as planner
    elif kind is CaseKind.MARKET:
        from inquest.flow.nodes.market import plan_market as planner
    elif kind is CaseKind.AUDIT:
        from inquest.flow.nodes.audit import plan_audit as planner
    else:
        from inquest.flow.nodes.plan import plan as planner
    task = asyncio.ensure_future(planner(CaseState(brief=brief), services))
    services.begun["plan"] = task
    return task


async def search_ahead(
    kind: CaseKind, state: CaseState, planning: asyncio.Future[Delta], kept: asyncio.Event, services: Services
) -> None:
    """Once the case is `kept`, run the searches of the plan, or read the pages. The nodes will meet any error again."""
    await asyncio.wait([planning])
    await kept.wait()
    if planning.cancelled() or planning.exception() is not None:
        return
    planned = added(state, planning.result())
    await asyncio.gather(*_begun(kind, planned, services), return_exceptions=True)


def _begun(kind: CaseKind, state: CaseState, services: Services) -> Iterator[Awaitable[object]]:
    if kind is CaseKind.AUDIT:
        from inquest.flow.nodes.audit import pages_ahead

        yield from pages_ahead(state, services)
    elif kind is CaseKind.CLAIMS and state.check is not None:
        from inquest.flow.gathering import query_for_engines

        for each in state.check.queries:
            query = query_for_engines(each, services.desks[each.desk], state.brief.as_of)
            yield from (services.searcher.search(engine, query) for engine in each.engines or ())
    elif kind is CaseKind.INQUIRY:
        from inquest.flow.nodes.gather import searches

        yield from (services.searcher.search(each.engine, each.query) for each in searches(state, services))
