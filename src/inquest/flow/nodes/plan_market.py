"""Plan a market answer: read the question, and choose queries and engines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from inquest.desks.market.queries import (
    FILINGS_ENGINES,
    LISTS,
    article_terms,
    expansion_terms,
    goes_to,
    market_queries,
    step_back,
)
from inquest.desks.market.questions import read_question
from inquest.desks.market.subjects import named_by_leads
from inquest.domain.errors import EngineUnavailable, ModelUnavailable, Outage
from inquest.domain.event import Stage
from inquest.domain.market import MarketQuestion, MarketReading, MarketRequest
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Query
from inquest.flow.joining import new_outages
from inquest.flow.planned import made_plan
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta, MarketState
from inquest.kit.analyst import Analyst
from inquest.retrieval.case_ports import in_time
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.securities import Listing

_SETTLED = "The question determines the queries: approve the plan, or ask another question."
LISTINGS_SECONDS, MODEL_SECONDS = 6.0, 8.0
"""Timeouts of the list of companies and of the model; the question can be answered without them."""
_KINDS = frozenset((EngineKind.MARKET, EngineKind.NEWS, EngineKind.WEB, EngineKind.OWN))


async def plan_market(state: CaseState, services: Services) -> Delta:
    """Plan the answer to a question. Raises InputError if it is not a question or a ticker is invalid."""
    request = state.brief.market
    assert request is not None and state.brief.as_of is not None
    before = state.plan
    if before is not None and state.market is not None:
        return {"plan": before.model_copy(update={"revision": before.revision + 1, "notes": (_SETTLED, *before.notes)})}
    question, reading, outages = await _read(state, request, services)
    question = question.model_copy(update={"step_back": step_back(question)})
    ready = services.ready
    expansion = article_terms(reading.article, question) if reading.article else ()
    queries = market_queries(question, expansion or expansion_terms(question))
    chosen = [engine for engine in ready if engine.asked_for or _is_asked(engine, queries, question)]
    plan = made_plan(
        state,
        chosen,
        services,
        topic=f"{question.about}: {question.kind.value.replace('_', ' ')}",
        questions=(question.text, question.step_back),
        queries=queries,
        source_kinds=("news", "companies' releases", "filings", "analysts' actions"),
        notes=question.notes,
    )
    return {
        "plan": plan,
        "market": MarketState(question=question, article=reading.article),
        "outages": new_outages(outages, state.outages),
    }


async def _read(
    state: CaseState, request: MarketRequest, services: Services
) -> tuple[MarketQuestion, MarketReading, list[OutageNote]]:
    """Read the question by rule, with the listed companies and the model's reading; return both and the outages."""
    assert state.brief.as_of is not None
    read_as = partial(read_question, state.brief.text, state.brief.as_of, request)
    plain = read_as(listings=(), reading=MarketReading())
    outages: list[OutageNote] = []
    known: list[Listing] = []
    reading = MarketReading()

    async def listed() -> None:
        if services.listings is None or not (plain.tickers or plain.company):
            return
        try:
            known.extend(await in_time("listings", services.listings, LISTINGS_SECONDS, services))
        except TimeoutError:
            late = EngineUnavailable(LISTS, f"{LISTS} had not returned its list of companies in time.")
            outages.append(await services.outage("engine", LISTS, late, Stage.PLAN))
        except Outage as error:
            outages.append(await services.outage("engine", LISTS, error, Stage.PLAN))

    async def modelled() -> None:
        nonlocal reading

        async def asked(analyst: Analyst) -> MarketReading:
            read = partial(analyst.read_market_question, plain.text)
            if analyst is services.local:
                return await read()
            try:
                return await in_time("read the question", read, MODEL_SECONDS, services)
            except TimeoutError:
                late = f"{analyst.name} had not answered in time and was not waited for."
                raise ModelUnavailable(analyst.name, late) from None

        reading, failed = await services.answered(asked, Stage.PLAN)
        outages.extend(failed)

    await services.side_by_side([("listings", listed), ("read the question", modelled)])
    return named_by_leads(read_as(listings=known, reading=reading), ()), reading, outages


def _is_asked(engine: EngineChoice, queries: Sequence[Query], question: MarketQuestion) -> bool:
    if EngineKind.OWN in engine.kinds:
        return True
    fitting = [query for query in queries if set(query.kinds) & set(engine.kinds)]
    named = bool(question.tickers or question.company) or engine.name not in FILINGS_ENGINES
    return named and bool(_KINDS & set(engine.kinds)) and any(goes_to(engine.name, each, question) for each in fitting)
