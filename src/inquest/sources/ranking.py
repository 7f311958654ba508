"""The order in which leads are read: relevance x credibility x freshness x (1 - noise), each factor visible.

Relevance is the weighted mean of two measures: the engines' ranks, fused over engines and queries (reciprocal rank),
and the fit of title and snippet to the topic, by words or by a reranker. Engines read the whole page, but have no
common scale and answer narrower queries than the topic; words have a scale, but see only title and snippet.

Credibility has a floor, because a poor source is read later and not never. This is the order of reading; the worth of
a source as evidence is judged elsewhere, on its content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import fsum

from inquest.domain.published import Published
from inquest.domain.search import Hit
from inquest.domain.source import Rating
from inquest.sources.freshness import Age, Freshness, freshness_of
from inquest.sources.noise import noise_of
from inquest.sources.rerank_local import local_relevance
from inquest.sources.works import grouped, same_work_keys
from inquest.text.urls import comparison_key, registrable_domain

__all__ = ["Freshness", "RankedHit", "rank_hits", "reranked", "text_of"]

_RRF = 60
"""The constant of reciprocal-rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""
_FIT, _RERANKED_FIT = 0.5, 0.8
"""Weight of the fit in relevance beside the engines' ranks: by words alone; by a reranker that read the texts."""
_LEAST_CREDIBILITY = 0.35
"""Credibility of a publisher of score 0."""
_SAME_DOMAIN = 0.85
"""Factor of each further hit of one domain, so that one site does not fill the list."""


@dataclass(frozen=True)
class RankedHit:
    """A lead with all hits that led to it, and each factor of its score visible."""

    hit: Hit
    hits: tuple[Hit, ...]
    fusion: float
    """Reciprocal-rank fusion over engines and queries, 1 for the best of all leads."""
    fit: float
    """Fit of title and snippet to the topic, 0 to 1: by their words, 1 for the best; or the reranker's score."""
    relevance: float
    """Weighted mean of fit and fusion, 0 to 1."""
    credibility: float
    """0.35 to 1, from the publisher's score."""
    score: float
    """relevance x credibility x freshness x (1 - noise), 0 to 1."""
    age: Age
    noise: float = 0.0
    """0 to 1: probability that this is no document worth reading."""
    reasons: tuple[str, ...] = ()
    """Reasons for the noise, in words."""
    by_reranker: bool = False
    """The fit is a reranker's score."""

    @property
    def freshness(self) -> float:
        """0.1 to 1."""
        return self.age.factor


def rank_hits(
    hits: Iterable[Hit],
    *,
    topic: str,
    rate: Callable[[str], Rating],
    relevance: Mapping[str, float] | None = None,
    as_of: datetime | None = None,
    freshness: Freshness = Freshness.ANY,
) -> list[RankedHit]:
    """Leads by score, each document once, in an order that depends on the hits and nothing else.

    Hits are one lead where their addresses or their archived bytes are the same, or they are one scholarly work
    (`works.same_work_keys`). `relevance`: a reranker's scores as `reranked` returns them. Without `as_of` age does not
    count.
    """
    groups = grouped(hits, _document_keys)
    best = [min(group, key=lambda hit: (hit.snapshot is None, hit.rank, hit.engine, hit.url)) for group in groups]
    fusions = _shares([fsum(1.0 / (_RRF + hit.rank) for hit in group) for group in groups])
    fits = _shares(local_relevance(topic, [_text(hit, group) for hit, group in zip(best, groups, strict=True)]))
    given = relevance or {}
    judged = [given.get(comparison_key(hit.url)) for hit in best]
    poorest = min((score for score in judged if score is not None), default=1.0)
    weight = _RERANKED_FIT if given else _FIT
    ranked = []
    for hit, group, fusion, words, score in zip(best, groups, fusions, fits, judged, strict=True):
        # A lead that the reranker was not given comes to no more than the poorest of those that it judged.
        fit = min(1.0, max(0.0, words * max(0.0, poorest) if score is None else score))
        relevant = weight * fit + (1 - weight) * fusion
        credibility = _LEAST_CREDIBILITY + (1 - _LEAST_CREDIBILITY) * rate(hit.url).score / 100
        age, noise = freshness_of(_finest_date(group), as_of, freshness), noise_of(hit)
        ranked.append(
            RankedHit(
                hit=hit,
                hits=tuple(group),
                fusion=fusion,
                fit=fit,
                relevance=relevant,
                credibility=credibility,
                score=relevant * credibility * age.factor * (1 - noise.share),
                age=age,
                noise=noise.share,
                reasons=noise.reasons,
                by_reranker=score is not None,
            )
        )
    ranked.sort(key=lambda lead: (-lead.score, comparison_key(lead.hit.url)))
    return _spread(ranked)


def text_of(lead: RankedHit) -> str:
    """The text of a lead for a reranker: title and snippet, the longest snippet where several engines gave one."""
    return _text(lead.hit, lead.hits)


def reranked(leads: Sequence[RankedHit], scores: Sequence[float]) -> dict[str, float]:
    """The scores that a reranker gave for the texts of these leads, as `rank_hits` takes them: by address."""
    return {comparison_key(lead.hit.url): score for lead, score in zip(leads, scores, strict=True)}


def _document_keys(hit: Hit) -> list[str]:
    return [comparison_key(hit.url), *same_work_keys(hit), *([hit.snapshot] if hit.snapshot else [])]


def _shares(values: Sequence[float]) -> list[float]:
    """Each in shares of the greatest."""
    greatest = max(values, default=0.0)
    return [value / greatest if greatest else 0.0 for value in values]


def _text(best: Hit, hits: Iterable[Hit]) -> str:
    snippet = max((hit.snippet for hit in hits), key=lambda given: (len(given), given), default="")
    return f"{best.title}\n{snippet}".strip()


def _finest_date(group: Sequence[Hit]) -> Published | None:
    """The most precise date: the hour, where one engine gives it and another only the day."""
    dated = [hit.published for hit in sorted(group, key=lambda hit: (hit.engine, hit.rank, hit.url)) if hit.published]
    return min(dated, key=lambda date: max(timedelta(0), date.latest - date.at), default=None)


def _spread(ranked: Sequence[RankedHit]) -> list[RankedHit]:
    seen: Counter[str] = Counter()
    weighted = []
    for place, lead in enumerate(ranked):
        domain = registrable_domain(lead.hit.url)
        weighted.append((-lead.score * _SAME_DOMAIN ** seen[domain], place, lead))
        seen[domain] += 1
    return [lead for _, _, lead in sorted(weighted, key=lambda item: item[:2])]
