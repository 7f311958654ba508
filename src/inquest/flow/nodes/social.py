"""Social: what people posted about a topic. Posts are leads and never evidence; what they show is judged by rule."""

from __future__ import annotations

from inquest.domain.event import EventType, Stage
from inquest.domain.search import EngineKind, Hit
from inquest.flow.joining import new_outages
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.flow.time_limits import post_limits
from inquest.retrieval.answers import Search
from inquest.retrieval.retriever import Retriever, Way
from inquest.retrieval.search_plan import plan_searches, questions_on
from inquest.text.phrases import capitalised, count, listed
from inquest.text.urls import comparison_key

_POSTS = "posts"
"""What the questions to networks are about: all of them about one thing."""


async def social(state: CaseState, services: Services) -> Delta:
    """Posts from every network that is ready, each once."""
    assert state.plan is not None
    networks = [name for name in services.asks(EngineKind.SOCIAL) if name in state.plan.engines]
    queries = [query for query in state.plan.queries if EngineKind.SOCIAL in query.kinds]
    engines = [engine for engine in services.engines if engine.name in networks]
    questions = questions_on([(query, _POSTS) for query in queries], lambda query: networks)
    plan = plan_searches(questions, engines, post_limits(state.brief))
    work = [
        Search(name, each.query.model_copy(update={"until": state.brief.as_of or each.query.until}))
        for each, names in zip(questions, plan.engines, strict=True)
        for name in names
    ]
    # A network knows its own posts only: none is asked in the place of another.
    retriever = Retriever(work, Way(Stage.SOURCES, verb="posts of", suited=lambda query: ()), services)
    try:
        asked = await retriever.ask_all()
    finally:
        await retriever.close()
    posts: dict[str, Hit] = {}
    for hit in (hit for each in asked.attempts for hit in each.hits):
        if hit.post is not None:
            posts.setdefault(comparison_key(hit.url), hit)
    if work:
        out = list(dict.fromkeys(each.engine for each in asked.attempts if not each.answered))
        heard = len({each.engine for each in work} - set(out))
        found = f"{capitalised(count(len(posts), 'post'))} found on {count(heard, 'network')}" if heard else ""
        silent = f"{listed(out)} could not be asked" if out else ""
        await services.events.emit(
            EventType.STAGE_FINISHED,
            f"{'; '.join(filter(None, (found, silent)))}.",
            stage=Stage.SOURCES,
            marker="PROGRESS",
            posts=len(posts),
        )
    return {"posts": tuple(posts.values()), "outages": new_outages(asked.outages, ())}
