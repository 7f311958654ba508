"""The order in which leads are read: relevance x credibility x freshness x (1 - noise), each factor visible.

Relevance is the weighted mean of two measures: the engines' ranks, fused over engines and queries (reciprocal rank),
and the fit of title and snippet to the topic, by words or by a reranker. Engines read the whole page, but have no
common scale and answer narrower queries than the topic; words have a scale, but see only title and snippet.

The fit by words has the form of BM25 (Robertson and Zaragoza, 2009): rare words count more, repetitions less each time,
and words adjacent in both query and text count once more. Rarity is taken over the candidates themselves, and the sum
is divided by the most that a text could reach, so that scores lie between 0 and 1.

Credibility has a floor, because a poor source should be read later rather than never. This is the order of reading; the
weight of a source as evidence is judged elsewhere, on its content."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from inquest.domain.reasons import Reason, in_words
from inquest.domain.search import Hit
from inquest.domain.source import Rating
from inquest.domain.value import Precision, Published
from inquest.sources.noise import noise_of
from inquest.sources.works import grouped, same_work_keys
from inquest.text.dates import utc
from inquest.text.sentences import content_words
from inquest.text.urls import comparison_key, registrable_domain

_AHEAD = timedelta(days=1)
"""Tolerance for dates in the future, because of time zones and pages dated by the next morning's paper."""
_DAY = timedelta(days=1)


class Freshness(Enum):
    """Factors by age, as (greatest age, factor); the last one is for older and for undated leads."""

    ANY = ((timedelta.max, 1.0),)  # Age does not matter: an inquiry asks what happened, whenever that was
    NEWS = ((7 * _DAY, 1.0), (30 * _DAY, 0.9), (365 * _DAY, 0.75), (timedelta.max, 0.6))
    MARKET = ((_DAY / 24, 1.0), (_DAY / 4, 0.9), (_DAY, 0.7), (7 * _DAY, 0.4), (timedelta.max, 0.1))
    """The market desk's table (spec 003, reranking criteria). The first step ends before its limit."""


class Age(NamedTuple):
    """The factor of an age, 0 to 1, and the age in words for a person: '2 h', '3 days', 'no date'."""

    factor: float
    code: Reason

    @property
    def words(self) -> str:
        """The age in words."""
        return in_words(self.code)


def freshness_of(published: Published | None, as_of: datetime | None, freshness: Freshness) -> Age:
    """Return the age of a lead at `as_of`; without `as_of` age does not count. A date without its hour may mean any
    moment of its day, one without its day any of its month: the middle of the part that has passed counts, so that a
    bare year does not count as this morning."""
    steps: tuple[tuple[timedelta, float], ...] = freshness.value
    if as_of is None:
        return Age(1.0, _age("age_not_counted"))
    if published is None:
        return Age(steps[-1][1], NO_DATE)
    if published.at > as_of + _AHEAD:
        return Age(steps[-1][1], _age("dated_ahead"))
    latest = min(published.latest, as_of)
    age = max(timedelta(0), as_of - (published.at + (latest - published.at) / 2))
    factor = next(factor for place, (limit, factor) in enumerate(steps) if age < limit or (place and age == limit))
    rough = age.days < 1 and published.precision is not Precision.TIME
    if age.days and published.precision in (Precision.TIME, Precision.DAY):
        # Days of the calendar, so that pages of one day have one age whether or not they give the hour.
        age = timedelta(days=(utc(as_of).date() - utc(published.at).date()).days)
    return Age(factor, _age("today") if rough else _in_units(age))


def _in_units(age: timedelta) -> Reason:
    """Word an age: '20 min', '2 h', '3 days', '5 months', '2 years'."""
    days = age.days
    if days < 1:
        minutes = int(age.total_seconds() // 60)
        return _age("minutes", minutes) if minutes < 60 else _age("hours", minutes // 60)
    if days >= 60:
        return _age("years", days // 365) if days >= 730 else _age("months", days // 30)
    return _age("days", days)


def _age(name: str, number: int = 0) -> Reason:
    return Reason(code=f"sources.{name}", data={"number": number})


NO_DATE = _age("no_date")


_RRF = 60  # The constant of reciprocal-rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)
_FIT, _RERANKED_FIT = 0.5, 0.8
"""Weight of the fit in relevance beside the engines' ranks: by words alone; by a reranker that read the texts."""
_LEAST_CREDIBILITY = 0.35
_SAME_DOMAIN = 0.85  # Factor of each further hit of one domain, so that one site does not fill the list
_SATURATION = 1.2
_LENGTH = 0.4  # Influence of a text's length; low, because snippets are cut
_PAIR = 0.5  # Weight of two adjacent words together, as a share of their weight as single words
_MOST_TERMS = 64  # Words of a long brief that are used; the first name its subject
_MOST_TEXT = 20_000


@dataclass(frozen=True)
class RankedHit:
    """A lead with all hits that led to it, and each factor of its score."""

    hit: Hit
    hits: tuple[Hit, ...]
    fusion: float  # Reciprocal-rank fusion over engines and queries, 1 for the best of all leads
    fit: float  # Fit of title and snippet to the topic, 0 to 1: by their words, 1 for the best; or the reranker's score
    relevance: float  # Weighted mean of fit and fusion, 0 to 1
    credibility: float  # 0.35 to 1, from the publisher's score
    score: float  # relevance x credibility x freshness x (1 - noise), 0 to 1
    age: Age
    noise: float = 0.0  # Probability that this is not worth reading, 0 to 1
    reasons: tuple[Reason, ...] = ()  # Reasons for the noise, in words
    by_reranker: bool = False  # The fit is a reranker's score

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
    """Leads by score, each document once, in an order that depends only on the hits. Hits are one lead where their
    addresses or their archived bytes are the same, or they are one scholarly work (`works.same_work_keys`).
    `relevance`: a reranker's scores as `reranked` returns them. Without `as_of` age does not count."""
    groups = grouped(hits, lambda hit: [*filter(None, (comparison_key(hit.url), hit.snapshot)), *same_work_keys(hit)])
    best = [min(group, key=lambda hit: (hit.snapshot is None, hit.rank, hit.engine, hit.url)) for group in groups]
    fusions = _scaled([math.fsum(1.0 / (_RRF + hit.rank) for hit in group) for group in groups])
    fits = _scaled(local_relevance(topic, [text_of(hit, group) for hit, group in zip(best, groups, strict=True)]))
    scores = [(relevance or {}).get(comparison_key(hit.url)) for hit in best]
    poorest = min((score for score in scores if score is not None), default=1.0)
    weight = _RERANKED_FIT if relevance else _FIT
    ranked = []
    for hit, group, fusion, words, score in zip(best, groups, fusions, fits, scores, strict=True):
        # A lead that the reranker has not scored gets at most the poorest of its scores.
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
    seen: Counter[str] = Counter()
    spread = []
    for place, lead in enumerate(ranked):
        domain = registrable_domain(lead.hit.url)
        spread.append((-lead.score * _SAME_DOMAIN ** seen[domain], place, lead))
        seen[domain] += 1
    return [lead for _, _, lead in sorted(spread, key=lambda item: item[:2])]


def reranked(leads: Sequence[RankedHit], scores: Sequence[float]) -> dict[str, float]:
    """A reranker's scores for the texts of these leads, as `rank_hits` takes them: by comparison key."""
    return {comparison_key(lead.hit.url): score for lead, score in zip(leads, scores, strict=True)}


def _scaled(values: Sequence[float]) -> list[float]:
    """Values as shares of the greatest."""
    greatest = max(values, default=0.0)
    return [value / greatest if greatest else 0.0 for value in values]


def text_of(best: Hit, hits: Iterable[Hit]) -> str:
    """The text of a lead for a reranker: title and snippet, the longest snippet where several engines gave one."""
    snippet = max((hit.snippet for hit in hits), key=lambda snippet: (len(snippet), snippet), default="")
    return f"{best.title}\n{snippet}".strip()


def _finest_date(group: Sequence[Hit]) -> Published | None:
    """The most precise date: the hour, if one engine gives it and another only the day."""
    dated = [hit.published for hit in sorted(group, key=lambda hit: (hit.engine, hit.rank, hit.url)) if hit.published]
    return min(dated, key=lambda date: max(timedelta(0), date.latest - date.at), default=None)


def local_relevance(query: str, texts: Sequence[str]) -> list[float]:
    """Return the share of the query's weight that each text contains, 0 to 1, in their order. Words of the query that
    no text has are left out, because they do not tell texts apart. A query without a word that carries meaning fits
    everything: 1.0 each."""
    words = content_words(query[:_MOST_TEXT])[:_MOST_TERMS]
    if not words:
        return [1.0] * len(texts)
    texts_words = [content_words(text[:_MOST_TEXT]) for text in texts]
    bags = [(Counter([*each, *_pairs(each)]), len(each)) for each in texts_words]
    spread = {term: sum(term in bag for bag, _ in bags) for term in dict.fromkeys([*words, *_pairs(words)])}
    weights = {
        term: math.log(1 + (len(texts) + 1) / (having + 0.5)) * (_PAIR if " " in term else 1.0)
        for term, having in spread.items()
        if having
    }
    # Pairs raise the score of a text that has them; a text without them may still contain all that was asked for.
    whole = math.fsum(weight for term, weight in weights.items() if " " not in term)
    mean = sum(size for _, size in bags) / len(bags) if bags else 0.0
    return [_fit(bag, size, mean, weights, whole) for bag, size in bags]


def _pairs(words: Sequence[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(words)]


def _fit(bag: Counter[str], size: int, mean: float, weights: dict[str, float], whole: float) -> float:
    if not whole:
        return 0.0
    saturation = _SATURATION * (1 - _LENGTH + _LENGTH * (size / mean if mean else 1.0))
    reached = math.fsum(
        weight * min(1.0, bag[term] * (_SATURATION + 1) / (bag[term] + saturation))
        for term, weight in weights.items()
        if term in bag
    )
    return min(1.0, reached / (whole * (1 + _PAIR / 2)))
