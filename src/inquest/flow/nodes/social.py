"""Social: what people posted about a topic. Posts are leads and never evidence; what they show is judged by rule."""

from __future__ import annotations

from functools import partial

from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.flow.reading import search
from inquest.flow.services import Services
from inquest.flow.state import CaseState, Delta
from inquest.flow.time_limits import post_limits
from inquest.retrieval.search_plan import plan_searches, questions_on
from inquest.text.phrases import count
from inquest.text.urls import comparison_key

__all__ = ["social"]

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
    work = [(name, each.query) for each, names in zip(questions, plan.engines, strict=True) for name in names]
    answers = await services.side_by_side(
        [
            (f"posts of {engine}: {number}", partial(_asked, engine, query, state, services))
            for number, (engine, query) in enumerate(work)
        ]
    )
    posts: dict[str, Hit] = {}
    outages: list[OutageNote] = []
    for answer in answers:
        if answer is None:
            continue
        for hit in answer[0]:
            if hit.post is not None:
                posts.setdefault(comparison_key(hit.url), hit)
        outages += [answer[1]] if answer[1] else []
    if work:
        await services.events.emit(
            EventType.STAGE_FINISHED,
            f"{count(len(posts), 'post')} found on {count(len(networks), 'network')}.",
            stage=Stage.SOURCES,
            marker="PROGRESS",
            posts=len(posts),
        )
    return {"posts": tuple(posts.values()), "outages": tuple({(n.what, n.where, n.why): n for n in outages}.values())}


async def _asked(
    engine: str, query: Query, state: CaseState, services: Services
) -> tuple[list[Hit], OutageNote | None]:
    until = state.brief.as_of or query.until
    return await search(engine, query.model_copy(update={"until": until}), services, Stage.SOURCES)
