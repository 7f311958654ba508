"""Answer: what the pages say, put together in the form of the market desk, and the summary that reports cite from."""

from __future__ import annotations

from inquest.desks.market.answer import SearchOutcome, answer
from inquest.desks.market.summary import market_summary
from inquest.domain.event import EventType, Stage
from inquest.domain.search import EngineKind
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta


async def answer_market(state: CaseState, services: Services) -> Delta:
    """The answer, by rule. No model is asked for its words: each sentence of it is a source's own, and is not waited
    for."""
    assert state.market is not None and state.brief.market is not None
    market = state.market
    gathered = SearchOutcome(
        engines=market.engines,
        own={each.name for each in services.engines if EngineKind.OWN in each.kinds},
        hits=market.figures,
        noise=market.noise,
        outages=market.missing,
        unread=market.unread,
        cut=services.cut.why.sentence if services.cut.why else "",
        saved=state.brief.market.saved,
    )
    made = answer(market.question, state.findings, state.sources, gathered)
    summary = market_summary(made)
    await services.events.emit(
        EventType.ANSWER_READY, made.title, stage=Stage.SUMMARY, marker="PROGRESS", state=made.state.value
    )
    return {"answer": made, "summary": summary}
