"""Which leads are worth reading first: what engines agree on, what fits the topic, what the publisher is worth, how new
it is, and what is noise. Each factor stands beside the score, so that an order can be explained."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from math import fsum
from typing import NamedTuple
from urllib.parse import urlsplit

from inquest.domain.document import Published
from inquest.domain.search import Hit
from inquest.domain.source import Rating
from inquest.logic.text import content_words
from inquest.logic.urls import comparison_key, registrable_domain

__all__ = ["Freshness", "RankedHit", "freshness_of", "noise_of", "rank_hits"]

_RRF = 60
"""The constant of reciprocal-rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""
_LEAST_CREDIBILITY = 0.35
"""What a publisher of score 0 keeps of its rank: a poor source is read later, not never."""
_SAME_DOMAIN = 0.85
"""Each further hit of one domain counts this much less than the one before, so that one site does not fill the list."""


class Decay(NamedTuple):
    """What age leaves of a lead: `steps` of (age up to, what is left), then `beyond`; `undated`: no date is known."""

    steps: tuple[tuple[timedelta, float], ...]
    beyond: float
    undated: float


class Freshness(Enum):
    """How much age takes away from a lead."""

    ANY = Decay((), 1.0, 1.0)
    """Age does not matter: an inquiry asks what happened, whenever that was."""
    NEWS = Decay(((timedelta(days=7), 1.0), (timedelta(days=30), 0.9), (timedelta(days=365), 0.75)), 0.6, 0.75)
    MARKET = Decay(
        (
            (timedelta(hours=1), 1.0),
            (timedelta(hours=6), 0.9),
            (timedelta(hours=24), 0.7),
            (timedelta(days=7), 0.4),
        ),
        0.1,
        0.1,
    )
    """Spec 003, reranking criteria."""


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
    """(fusion + fit) / 2 x credibility x freshness x (1 - noise), 0 to 1. The fit is twice the relevance, at most 1."""
    freshness: float = 1.0
    """0.1 to 1."""
    noise: float = 0.0
    """0 to 1: how sure it is that this is no document worth reading."""
    reasons: tuple[str, ...] = ()
    """Why it is noise, in words."""


def rank_hits(
    hits: Iterable[Hit],
    *,
    topic: str,
    rate: Callable[[str], Rating],
    as_of: datetime | None = None,
    freshness: Freshness = Freshness.ANY,
    per_domain: int | None = None,
) -> list[RankedHit]:
    """Leads by worth, each document once, in an order that depends on the hits and nothing else.

    Hits are one lead where their addresses, their DOIs or their archived bytes are the same. Ages count from `as_of`;
    without it, or with `Freshness.ANY`, age does not matter. Leads of one domain beyond `per_domain` come last.
    """
    groups = _one_per_document(list(hits))
    wanted = set(content_words(topic))
    best_fusion = max((_fusion(group) for group in groups), default=1.0)
    ranked = [_scored(group, wanted, best_fusion, rate, as_of, freshness) for group in groups]
    ranked.sort(key=lambda lead: (-lead.score, comparison_key(lead.hit.url)))
    return _capped(_spread(ranked), per_domain)


def _one_per_document(hits: Sequence[Hit]) -> list[list[Hit]]:
    groups: list[list[Hit]] = []
    where: dict[str, int] = {}
    for hit in hits:
        keys = [comparison_key(hit.url)]
        keys += [f"doi:{hit.identifiers['doi'].lower()}"] if hit.identifiers.get("doi") else []
        keys += [hit.snapshot] if hit.snapshot else []
        places = sorted({where[key] for key in keys if key in where})
        if not places:
            places = [len(groups)]
            groups.append([])
        groups[places[0]].append(hit)
        for other in places[1:]:
            # The hit shows that two leads are one: by its address it is the one, by its DOI the other.
            groups[places[0]] += groups[other]
            groups[other] = []
            where.update({key: places[0] for key, place in where.items() if place == other})
        where.update(dict.fromkeys(keys, places[0]))
    return [group for group in groups if group]


def _fusion(group: Sequence[Hit]) -> float:
    return fsum(1.0 / (_RRF + hit.rank) for hit in group)


def _scored(
    group: Sequence[Hit],
    wanted: set[str],
    best_fusion: float,
    rate: Callable[[str], Rating],
    as_of: datetime | None,
    freshness: Freshness,
) -> RankedHit:
    best = min(group, key=lambda hit: (hit.snapshot is None, hit.rank, hit.engine, hit.url))
    found = {word for hit in group for word in content_words(f"{hit.title} {hit.snippet}")}
    relevance = len(wanted & found) / len(wanted) if wanted else 1.0
    fusion = _fusion(group) / best_fusion
    credibility = _LEAST_CREDIBILITY + (1 - _LEAST_CREDIBILITY) * rate(best.url).score / 100
    dated = next((hit.published for hit in sorted(group, key=lambda hit: hit.engine) if hit.published), None)
    fresh = freshness_of(dated, as_of, freshness)
    noise, reasons = noise_of(best)
    score = (0.5 * fusion + 0.5 * min(1.0, relevance * 2)) * credibility * fresh * (1 - noise)
    return RankedHit(best, tuple(group), fusion, relevance, credibility, score, fresh, noise, reasons)


def freshness_of(published: Published | None, as_of: datetime | None, freshness: Freshness) -> float:
    """What age leaves of a lead's worth, 0 to 1; a date that is only roughly known counts as its latest moment."""
    decay: Decay = freshness.value
    if as_of is None or not decay.steps:
        return 1.0
    if published is None:
        return decay.undated
    age = as_of - published.latest
    return next((left for limit, left in decay.steps if age <= limit), decay.beyond)


_LISTS = re.compile(
    r"/(?:tags?|topics?|categor(?:y|ies)|search|archive|author|login|signin|sign-in|register|subscribe|cart|checkout)"
    r"(?:/[^/]*)?/?$",
    re.IGNORECASE,
)
_CLICKBAIT = re.compile(
    r"you won'?t believe|this one (?:weird )?trick|shocking news|what happens next|will blow your mind|"
    r"doctors hate|number \d+ will|the reason why will",
    re.IGNORECASE,
)


def noise_of(hit: Hit) -> tuple[float, tuple[str, ...]]:
    """How sure it is, 0 to 1, that a hit is no document worth reading, by what stands in it; and why."""
    found: list[tuple[float, str]] = []
    try:
        parts = urlsplit(hit.url)
        path, query = parts.path, parts.query
    except ValueError:
        path, query = "", ""
    if hit.snapshot is None and path in ("", "/") and not query:
        found.append((0.5, "a front page, which changes, and no document"))
    elif hit.snapshot is None and _LISTS.search(path):
        found.append((0.4, "a list or a form, and no document"))
    if _CLICKBAIT.search(hit.title.replace("’", "'")):
        found.append((0.6, "a title that baits"))
    if hit.details.get("sponsored") is True:
        found.append((0.8, "the engine says that it is an advertisement"))
    if not hit.title.strip() and not hit.snippet.strip():
        found.append((0.3, "neither title nor snippet"))
    clean = 1.0
    for share, _ in found:
        clean *= 1 - share
    return 1 - clean, tuple(reason for _, reason in found)


def _spread(ranked: Sequence[RankedHit]) -> list[RankedHit]:
    seen: Counter[str] = Counter()
    weighted = []
    for place, lead in enumerate(ranked):
        domain = registrable_domain(lead.hit.url)
        weighted.append((-lead.score * _SAME_DOMAIN ** seen[domain], place, lead))
        seen[domain] += 1
    return [lead for _, _, lead in sorted(weighted, key=lambda item: item[:2])]


def _capped(leads: list[RankedHit], per_domain: int | None) -> list[RankedHit]:
    if per_domain is None:
        return leads
    seen: Counter[str] = Counter()
    first: list[RankedHit] = []
    last: list[RankedHit] = []
    for lead in leads:
        domain = registrable_domain(lead.hit.url)
        (first if seen[domain] < per_domain else last).append(lead)
        seen[domain] += 1
    return first + last
