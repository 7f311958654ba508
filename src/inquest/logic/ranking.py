"""Which leads are worth reading first: what engines agree on, what fits the topic, and what the publisher is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from inquest.domain.search import Hit
from inquest.domain.source import Rating
from inquest.logic.text import content_words
from inquest.logic.urls import comparison_key, registrable_domain

__all__ = ["RankedHit", "rank_hits"]

_RRF = 60
"""The constant of reciprocal-rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""
_LEAST_CREDIBILITY = 0.35
"""What a publisher of score 0 keeps of its rank: a poor source is read later, not never."""
_SAME_DOMAIN = 0.85
"""Each further hit of one domain counts this much less than the one before, so that one site does not fill the list."""


@dataclass(frozen=True)
class RankedHit:
    """A lead with all hits that led to it, and each factor of its score visible."""

    hit: Hit
    hits: tuple[Hit, ...]
    fusion: float
    """Reciprocal-rank fusion over engines and queries, 1 for the best of all leads."""
    relevance: float
    """Share of the topic's words in title and snippet, 0 to 1."""
    credibility: float
    """0.35 to 1, from the publisher's score."""
    score: float


def rank_hits(hits: Iterable[Hit], *, topic: str, rate: Callable[[str], Rating]) -> list[RankedHit]:
    """Leads by worth, each address once, in an order that depends on the hits and nothing else.

    Two hits are one lead where their addresses, their DOIs or their archived bytes are the same.
    """
    groups = _one_per_document(list(hits))
    wanted = set(content_words(topic))
    best_fusion = max((_fusion(group) for group in groups), default=1.0)
    ranked = [_scored(group, wanted, best_fusion, rate) for group in groups]
    ranked.sort(key=lambda lead: (-lead.score, comparison_key(lead.hit.url)))
    return _spread(ranked)


def _one_per_document(hits: list[Hit]) -> list[list[Hit]]:
    groups: list[list[Hit]] = []
    where: dict[str, int] = {}
    for hit in hits:
        keys = [comparison_key(hit.url)]
        keys += [f"doi:{hit.identifiers['doi'].lower()}"] if hit.identifiers.get("doi") else []
        keys += [hit.snapshot] if hit.snapshot else []
        place = next((where[key] for key in keys if key in where), None)
        if place is None:
            place = len(groups)
            groups.append([])
        groups[place].append(hit)
        where.update(dict.fromkeys(keys, place))
    return groups


def _fusion(group: list[Hit]) -> float:
    return sum(1.0 / (_RRF + hit.rank) for hit in group)


def _scored(group: list[Hit], wanted: set[str], best_fusion: float, rate: Callable[[str], Rating]) -> RankedHit:
    best = min(group, key=lambda hit: (hit.snapshot is None, hit.rank, hit.engine))
    found = {word for hit in group for word in content_words(f"{hit.title} {hit.snippet}")}
    relevance = len(wanted & found) / len(wanted) if wanted else 1.0
    fusion = _fusion(group) / best_fusion
    credibility = _LEAST_CREDIBILITY + (1 - _LEAST_CREDIBILITY) * rate(best.url).score / 100
    score = (0.5 * fusion + 0.5 * min(1.0, relevance * 2)) * credibility
    return RankedHit(best, tuple(group), fusion, relevance, credibility, score)


def _spread(ranked: list[RankedHit]) -> list[RankedHit]:
    seen: dict[str, int] = {}
    weighted = []
    for place, lead in enumerate(ranked):
        domain = registrable_domain(lead.hit.url)
        before = seen.get(domain, 0)
        seen[domain] = before + 1
        weighted.append((-lead.score * _SAME_DOMAIN**before, place, lead))
    return [lead for _, _, lead in sorted(weighted, key=lambda item: item[:2])]
