"""Hits that lead to an aggregator and not to the article: the article is looked for by its title at its publisher.

Google News gives links of its own that can only be followed inside a browser. What it does give is the title and the
publisher's domain, and with these another engine of the plan finds the article.
"""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.event import EventType, Stage
from inquest.domain.report import OutageNote
from inquest.domain.search import EngineKind, Hit, Query
from inquest.retrieval.case_ports import CasePorts
from inquest.retrieval.failover import is_for_others
from inquest.retrieval.reading import answer
from inquest.text.sentences import content_words, shorten
from inquest.text.urls import registrable_domain

PER_ANSWER = 3
"""Hits of one answer that are looked for; each costs a search."""
_ENGINES = 2
"""Engines that are asked for one article, the second where the first is out."""
_SAME_TITLE = 0.7
"""Share of the title's words that the found title must have."""


def is_unresolved(hit: Hit) -> bool:
    """True where the hit's address is an aggregator's and the article's own is not known."""
    return bool(hit.details.get("unresolved"))


def engines_for_links(engines: Sequence[str], ports: CasePorts) -> tuple[str, ...]:
    """Those of a plan that can find an article by its title."""
    kinds = {engine.name: engine.kinds for engine in ports.engines}
    web = [name for name in engines if EngineKind.WEB in kinds.get(name, ()) and name != "wikipedia"]
    return tuple(web[:_ENGINES])


async def resolved(
    hits: list[Hit], engines: Sequence[str], ports: CasePorts, stage: Stage
) -> tuple[list[Hit], list[OutageNote], list[str]]:
    """The hits with their articles' own addresses, the outages on the way, and the added queries in words. `engines`:
    as `engines_for_links` has them.

    A hit whose article is not found is left out: what stands at its address is not the article.
    """
    waiting = [hit for hit in hits if is_unresolved(hit)]
    found: dict[str, Hit] = {}
    outages: list[OutageNote] = []
    added: list[str] = []
    for hit in waiting[:PER_ANSWER] if engines else []:
        domain = str(hit.details.get("publisher_domain") or "")
        query = Query(text=hit.title, domains=(domain,) if domain else (), limit=5, purpose="find the article of a hit")
        for engine in engines:
            others, outage, error = await answer(engine, query, ports, stage)
            shown = shorten(hit.title, 80)
            added.append(f"Asked {engine} for “{shown}” to find the article behind a {hit.engine} link.")
            outages += [outage] if outage else []
            if not is_for_others(error):
                break
        article = next((other for other in others if _is_same(hit, other, domain)), None)
        if article:
            found[hit.url] = article.model_copy(
                update={"rank": hit.rank, "published": hit.published or article.published, "engine": hit.engine}
            )
    for words in added:
        await ports.events.emit(EventType.DEPARTURE, words, stage=stage)
    return [found.get(hit.url, hit) for hit in hits if not is_unresolved(hit) or hit.url in found], outages, added


def _is_same(hit: Hit, other: Hit, domain: str) -> bool:
    if domain and registrable_domain(other.url) != registrable_domain(domain):
        return False
    wanted = set(content_words(hit.title))
    return bool(wanted) and len(wanted & set(content_words(other.title))) >= _SAME_TITLE * len(wanted)
