"""Plan the investigation of a topic: read its own page, and draft queries by each strategy of the verification desk."""

from __future__ import annotations

from inquest.claims.meant import meant_in, times_in
from inquest.desks.verification.topic_queries import topic_queries
from inquest.domain.reasons import Reason, sentences
from inquest.domain.search import EngineKind
from inquest.flow.nodes.plan import kinds_of, named_pages, plan_notes
from inquest.flow.planned import made_plan
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.retrieval.search_plan import queries_in

_SETTLED = "The queries on a topic are set by rules: approve the plan, or change the topic."


async def plan_topic(state: CaseState, services: Services) -> Delta:
    """Plan by rule; a revision is noted and changes nothing."""
    topic, before = state.brief.topic, state.plan
    assert topic is not None
    pages, outages = await named_pages(state, services) if before is None else (before.user_sources, [])
    ready = services.ready
    now = services.now(state.brief.as_of)
    asked = topic_queries(topic, now, kinds=kinds_of(ready))
    wanted = {kind for each in asked for kind in each.query.kinds}
    always = {EngineKind.OWN, EngineKind.FACT_CHECK, EngineKind.ARCHIVE}
    chosen = [e for e in ready if e.asked_for or (wanted | always) & set(e.kinds)]
    queries = tuple(each.query for each in asked)
    if languages := state.brief.languages:  # in place of the language of the topic
        anyhow = (each.model_copy(update={"language": None}) for each in queries)
        queries = tuple(dict.fromkeys(queries_in(languages, anyhow)))
    strategies = dict.fromkeys(each.strategy for each in asked)
    codes = ("ask_confirmed", "ask_first", "ask_agree", "ask_known")
    questions = tuple(Reason(code=f"summary.{code}", data={"title": topic.title}) for code in codes)
    plan = made_plan(
        state,
        chosen,
        services,
        topic=topic.title,
        questions=sentences(questions),
        question_codes=questions,
        meant=meant_in(topic.title),
        times=times_in(topic.title),
        queries=queries,
        source_kinds=tuple(strategy.value for strategy in strategies),
        user_sources=pages,
        notes=(*((_SETTLED,) if before else ()), *plan_notes(chosen, state, services)),
    )
    return {"plan": plan, "outages": tuple(outages)}
