"""Plan a market answer: read the question, step back from it, imagine an article, and say what is asked of whom."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.errors import Outage
from inquest.domain.event import EventType, Stage
from inquest.domain.market import MarketQuestion
from inquest.domain.market_request import MarketRequest
from inquest.domain.plan import NO_QUESTION, Plan
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Query
from inquest.flow.joining import new_outages
from inquest.flow.services import EngineChoice, Services
from inquest.flow.state import CaseState, Delta, MarketState
from inquest.logic.market import Listing
from inquest.logic.market_hyde import article_terms, article_wanted, expansion_terms
from inquest.logic.market_names import named_by_leads
from inquest.logic.market_questions import read_question
from inquest.logic.market_step_back import market_queries, step_back
from inquest.logic.market_whom import FILINGS_ENGINES, LISTS, goes_to
from inquest.logic.phrases import count

__all__ = ["plan_market"]

_SETTLED = "What is asked is settled by the question: approve the plan, or ask another question."
_KINDS = frozenset((EngineKind.MARKET, EngineKind.NEWS, EngineKind.WEB, EngineKind.OWN))


async def plan_market(state: CaseState, services: Services) -> Delta:
    """The plan for a question. Raises InputError where it is none, or a given ticker is not written as one."""
    request = state.brief.market
    assert request is not None and state.brief.as_of is not None
    before = state.plan
    if before is not None and state.market is not None:
        return {"plan": before.model_copy(update={"revision": before.revision + 1, "notes": (_SETTLED, *before.notes)})}
    question, article, outages = await _read(state, request, services)
    ready = [engine for engine in services.engines if engine.lacks is None]
    expansion = article_terms(article, question) if article else ()
    queries = market_queries(question, expansion or expansion_terms(question))
    chosen = [engine for engine in ready if engine.asked_for or _is_asked(engine, queries, question)]
    left_out = [f"{each.name}: {each.lacks}" for each in services.engines if each.lacks]
    left_out += [f"{each.name}: {NO_QUESTION}" for each in ready if each not in chosen]
    plan = Plan(
        topic=f"{question.about}: {question.kind.value.replace('_', ' ')}",
        questions=(question.text, step_back(question)),
        queries=queries,
        engines=tuple(engine.name for engine in chosen),
        left_out=tuple(left_out),
        source_kinds=("news", "companies' releases", "filings", "analysts' actions"),
        mode=state.brief.mode,
        analyst=services.mind.name,
        local_model=services.local.local_model,
        notes=(*question.notes, *question.timeframe.notes),
    )
    await services.events.emit(
        EventType.PLAN_READY,
        f"The plan is ready: {count(len(plan.queries), 'query', 'queries')} to {count(len(chosen), 'engine')}.",
        stage=Stage.PLAN,
        marker="PLAN_APPROVAL_REQUIRED",
        plan=plan.model_dump(mode="json"),
    )
    return {
        "plan": plan,
        "market": MarketState(question=question, article=article),
        "outages": new_outages(outages, state.outages),
    }


async def _read(
    state: CaseState, request: MarketRequest, services: Services
) -> tuple[MarketQuestion, str, list[OutageNote]]:
    """The question, read with the listings where they can be had; a model's imagined article; and what failed."""
    plain = _question(state, request, ())
    outages: list[OutageNote] = []

    known: list[Listing] = []
    article = ""

    async def listed() -> None:
        if services.listings is None or not (plain.tickers or plain.company):
            return
        try:
            known.extend(await services.listings())
        except Outage as error:
            outages.append(await services.outage("engine", LISTS, error, Stage.PLAN))

    async def imagined() -> None:
        nonlocal article
        wanted = article_wanted(plain)
        article, failed = await services.answered(lambda analyst: analyst.imagine(wanted), Stage.PLAN)
        outages.extend(failed)

    await services.side_by_side([("listings", listed), ("imagine", imagined)])
    return named_by_leads(_question(state, request, known), ()), article, outages


def _question(state: CaseState, request: MarketRequest, listings: Sequence[Listing]) -> MarketQuestion:
    assert state.brief.as_of is not None
    return read_question(
        state.brief.text,
        state.brief.as_of,
        tickers=request.tickers,
        company=request.company,
        sector=request.sector,
        listings=listings,
        upstream=request.upstream,
    )


def _is_asked(engine: EngineChoice, queries: Sequence[Query], question: MarketQuestion) -> bool:
    if EngineKind.OWN in engine.kinds:
        return True
    fitting = [query for query in queries if set(query.kinds) & set(engine.kinds)]
    named = bool(question.tickers or question.company) or engine.name not in FILINGS_ENGINES
    return named and bool(_KINDS & set(engine.kinds)) and any(goes_to(engine.name, each, question) for each in fitting)
