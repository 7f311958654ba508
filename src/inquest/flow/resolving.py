"""Hits that lead to an aggregator and not to the article: the article is looked for by its title at its publisher.

Google News gives links of its own that can only be followed inside a browser. What it does give is the title and the
publisher's domain, and with these another engine of the plan finds the article.
"""

from __future__ import annotations

from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.flow.reading import search
from inquest.flow.services import Services
from inquest.flow.state import CaseState
from inquest.text.sentences import content_words, shorten
from inquest.text.urls import registrable_domain

PER_ANSWER = 3
"""Hits of one answer that are looked for; each costs a search."""
_SAME_TITLE = 0.7
"""Share of the title's words that the found title must have."""


def is_unresolved(hit: Hit) -> bool:
    """Whether the hit's address is an aggregator's and the article's own is not known."""
    return bool(hit.details.get("unresolved"))


async def resolved(
    hits: list[Hit], state: CaseState, services: Services
) -> tuple[list[Hit], list[OutageNote], list[str]]:
    """The hits with their articles' own addresses, the outages on the way, and the added queries in words.

    A hit whose article is not found is left out: what stands at its address is not the article.
    """
    waiting = [hit for hit in hits if is_unresolved(hit)]
    if not waiting:
        return hits, [], []
    engine = _web_engine(state, services)
    found: dict[str, Hit] = {}
    outages: list[OutageNote] = []
    added: list[str] = []
    for hit in waiting[:PER_ANSWER] if engine else []:
        assert engine is not None
        domain = str(hit.details.get("publisher_domain") or "")
        query = Query(text=hit.title, domains=(domain,) if domain else (), limit=5, purpose="find the article of a hit")
        answer, outage = await search(engine, query, services, Stage.SOURCES)
        added.append(f"Asked {engine} for “{shorten(hit.title, 80)}” to find the article behind a {hit.engine} link.")
        outages += [outage] if outage else []
        article = next((other for other in answer if _is_same(hit, other, domain)), None)
        if article:
            found[hit.url] = article.model_copy(
                update={"rank": hit.rank, "published": hit.published or article.published, "engine": hit.engine}
            )
    for words in added:
        await services.events.emit(EventType.DEPARTURE, words, stage=Stage.SOURCES)
    return [found.get(hit.url, hit) for hit in hits if not is_unresolved(hit) or hit.url in found], outages, added


def _web_engine(state: CaseState, services: Services) -> str | None:
    assert state.plan is not None
    kinds = {engine.name: engine.kinds for engine in services.engines}
    return next(
        (name for name in state.plan.engines if EngineKind.WEB in kinds.get(name, ()) and name != "wikipedia"), None
    )


def _is_same(hit: Hit, other: Hit, domain: str) -> bool:
    if domain and registrable_domain(other.url) != registrable_domain(domain):
        return False
    wanted = set(content_words(hit.title))
    return bool(wanted) and len(wanted & set(content_words(other.title))) >= _SAME_TITLE * len(wanted)
