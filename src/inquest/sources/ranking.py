"""Which leads are worth reading first: relevance x credibility x freshness x (1 - noise), each factor visible.

Relevance is what two kinds of witness say of a lead: how high the engines put it, fused over engines and queries by
reciprocal rank, and how well its words fit the topic. Both are needed: engines read the whole page, but have no common
scale and answer narrower queries than the topic; words have a scale, but see only title and snippet, and engines that
give no snippet would lose by them alone. So relevance is their weighted mean, and only then the product begins: a
product of the two would let a hit without a snippet fall to nothing. Where a reranker has read the texts, its word
counts for more than the engines' places.

Credibility has a floor, because a poor source is read later and not never; noise stops short of everything for the same
reason. Both are about the order of reading. What a source is worth as evidence is judged elsewhere, on what it says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import fsum
from typing import NamedTuple, TypedDict, Unpack

from inquest.domain.search import Hit
from inquest.domain.source import Rating
from inquest.sources.freshness import NOT_COUNTED, Age, Freshness, freshness_of
from inquest.sources.noise import Noise, noise_of
from inquest.sources.rerank_local import local_relevance
from inquest.sources.works import grouped, same_work_keys
from inquest.text.urls import comparison_key, registrable_domain

__all__ = ["Age", "Freshness", "Noise", "RankedHit", "freshness_of", "noise_of", "rank_hits", "reranked", "text_of"]

_RRF = 60
"""The constant of reciprocal-rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""
_FIT, _RERANKED_FIT = 0.5, 0.8
"""What the fit counts in relevance beside the engines' places: by words alone; by a reranker that read the texts."""
_LEAST_CREDIBILITY = 0.35
"""What a publisher of score 0 keeps of its rank."""
_SAME_DOMAIN = 0.85
"""Each further hit of one domain counts this much less than the one before, so that one site does not fill the list."""


@dataclass(frozen=True)
class RankedHit:
    """A lead with all hits that led to it, and each factor of its score visible."""

    hit: Hit
    hits: tuple[Hit, ...]
    fusion: float
    """Reciprocal-rank fusion over engines and queries, 1 for the best of all leads."""
    fit: float
    """How well title and snippet fit the topic, 0 to 1: by their words, 1 for the best; or the reranker's word."""
    relevance: float
    """Weighted mean of fit and fusion, 0 to 1."""
    credibility: float
    """0.35 to 1, from the publisher's score."""
    score: float
    """relevance x credibility x freshness x (1 - noise), 0 to 1."""
    freshness: float = 1.0
    """0.1 to 1."""
    noise: float = 0.0
    """0 to 1: how sure it is that this is no document worth reading."""
    reasons: tuple[str, ...] = ()
    """Why it is noise, in words."""
    age: Age = NOT_COUNTED
    """How old it is, and the row of the table it falls in."""
    by_reranker: bool = False
    """Whether the fit is a reranker's word."""


class AgesCount(TypedDict, total=False):
    """How age counts: from when, and how much. Without a moment, or with `Freshness.ANY`, it does not matter."""

    as_of: datetime | None
    freshness: Freshness


def rank_hits(
    hits: Iterable[Hit],
    *,
    topic: str,
    rate: Callable[[str], Rating],
    relevance: Mapping[str, float] | None = None,
    **ages: Unpack[AgesCount],
) -> list[RankedHit]:
    """Leads by worth, each document once, in an order that depends on the hits and nothing else.

    Hits are one lead where their addresses or their archived bytes are the same, or they are one scholarly work
    (`works.same_work_keys`). `relevance`: a reranker's
    scores as `reranked` hands them back.
    """
    groups = grouped(hits, _document_keys)
    best = [_best_of(group) for group in groups]
    fusions = _shares([fsum(1.0 / (_RRF + hit.rank) for hit in group) for group in groups])
    fits, by_reranker = _fits(topic, groups, best, relevance or {})
    ranked = []
    for place, group in enumerate(groups):
        fit = fits[place]
        weight = _RERANKED_FIT if relevance else _FIT
        worth = weight * fit + (1 - weight) * fusions[place]
        fitting = _Fitting(fusions[place], fit, worth, by_reranker[place])
        ranked.append(_scored(best[place], group, fitting, rate(best[place].url), ages))
    ranked.sort(key=lambda lead: (-lead.score, comparison_key(lead.hit.url)))
    return _spread(ranked)


def text_of(lead: RankedHit) -> str:
    """What a reranker is given of a lead: title and snippet, the longest snippet where several engines gave one."""
    return _text(lead.hit, lead.hits)


def reranked(leads: Sequence[RankedHit], scores: Sequence[float]) -> dict[str, float]:
    """The scores that a reranker gave for the texts of these leads, as `rank_hits` takes them: by address."""
    return {comparison_key(lead.hit.url): score for lead, score in zip(leads, scores, strict=True)}


def _document_keys(hit: Hit) -> list[str]:
    return [comparison_key(hit.url), *same_work_keys(hit), *([hit.snapshot] if hit.snapshot else [])]


def _best_of(group: Sequence[Hit]) -> Hit:
    return min(group, key=lambda hit: (hit.snapshot is None, hit.rank, hit.engine, hit.url))


def _shares(values: Sequence[float]) -> list[float]:
    """Each in shares of the greatest."""
    greatest = max(values, default=0.0)
    return [value / greatest if greatest else 0.0 for value in values]


def _text(best: Hit, hits: Iterable[Hit]) -> str:
    snippet = max((hit.snippet for hit in hits), key=lambda given: (len(given), given), default="")
    return f"{best.title}\n{snippet}".strip()


def _fits(
    topic: str, groups: Sequence[Sequence[Hit]], best: Sequence[Hit], given: Mapping[str, float]
) -> tuple[list[float], list[bool]]:
    """The fit of each lead, and whether it is the reranker's. A lead that the reranker was not given keeps the fit of
    its words, but comes to no more than the poorest of those that it judged."""
    by_words = _shares(local_relevance(topic, [_text(hit, group) for hit, group in zip(best, groups, strict=True)]))
    scores = [given.get(comparison_key(hit.url)) for hit in best]
    judged = [score for score in scores if score is not None]
    most = min(judged, default=1.0)
    fits = [
        min(1.0, max(0.0, score)) if score is not None else fit * max(0.0, most)
        for score, fit in zip(scores, by_words, strict=True)
    ]
    return fits, [score is not None for score in scores]


class _Fitting(NamedTuple):
    """How well a lead fits: by the engines' ranks, by its words or a reranker, and both together."""

    fusion: float
    fit: float
    relevance: float
    by_reranker: bool


def _scored(best: Hit, group: Sequence[Hit], fitting: _Fitting, rating: Rating, ages: AgesCount) -> RankedHit:
    credibility = _LEAST_CREDIBILITY + (1 - _LEAST_CREDIBILITY) * rating.score / 100
    dated = [hit.published for hit in sorted(group, key=lambda hit: (hit.engine, hit.rank, hit.url)) if hit.published]
    # The hour, where one engine gives it and another only the day.
    finest = min(dated, key=lambda date: date.latest - date.at if date.latest > date.at else timedelta(0), default=None)
    age = freshness_of(finest, ages.get("as_of"), ages.get("freshness", Freshness.ANY))
    noise = noise_of(best)
    return RankedHit(
        hit=best,
        hits=tuple(group),
        **fitting._asdict(),
        credibility=credibility,
        score=fitting.relevance * credibility * age.factor * (1 - noise.share),
        freshness=age.factor,
        noise=noise.share,
        reasons=noise.reasons,
        age=age,
    )


def _spread(ranked: Sequence[RankedHit]) -> list[RankedHit]:
    seen: Counter[str] = Counter()
    weighted = []
    for place, lead in enumerate(ranked):
        domain = registrable_domain(lead.hit.url)
        weighted.append((-lead.score * _SAME_DOMAIN ** seen[domain], place, lead))
        seen[domain] += 1
    return [lead for _, _, lead in sorted(weighted, key=lambda item: item[:2])]
