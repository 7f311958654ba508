"""Which leads the market desk reads first, and what it does not read at all (spec 003, reranking and filtering).

Rank is relevance x credibility x freshness by the desk's own table. Bait, near-copies (0.95), advertisements and pages
that urge to trade are taken out and counted, with examples.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from inquest.domain.market import MarketQuestion, Noise
from inquest.domain.search import Hit
from inquest.domain.source import Category, Rating
from inquest.logic.clickbait import clickbait_of
from inquest.logic.copies import overlap, runs
from inquest.logic.freshness import Freshness
from inquest.logic.market_advice import instructs, urges
from inquest.logic.market_findings import TOO_SHORT
from inquest.logic.ranking import RankedHit, rank_hits, text_of
from inquest.logic.text import fold, shorten
from inquest.logic.urls import comparison_key

__all__ = ["DUPLICATE", "MarketRanking", "Removed", "rank_market"]

DUPLICATE = 0.95
"""Leads whose texts share this much of their runs of words are one (spec 003)."""
_SURE_BAIT = 0.8
"""From here on a title baits; below, explanations ('Why X shares are down today') speak a little like bait."""
_BAIT = re.compile(r"\b(?:you won'?t believe|this one (?:\w+ )?trick|shocking news|shocks? wall street|one weird)\b")
_PROMOTIONAL = frozenset((Category.FABRICATOR.value, Category.LOOK_ALIKE.value, Category.SATIRE.value))
_EXAMPLES = 5
_FEWEST_WORDS = 5
"""A title of fewer words may be that of two reports."""


class Removed(NamedTuple):
    """A lead that is not read, and why."""

    lead: RankedHit
    kind: str
    """clickbait, duplicate, too short, promotional."""
    reason: str


class MarketRanking(NamedTuple):
    """What is read, best first; what is not; and the count of it."""

    leads: tuple[RankedHit, ...]
    removed: tuple[Removed, ...]
    noise: Noise


def rank_market(
    hits: Iterable[Hit],
    question: MarketQuestion,
    rate: Callable[[str], Rating],
    *,
    relevance: Mapping[str, float] | None = None,
    texts: Mapping[str, str] | None = None,
    topic: str = "",
) -> MarketRanking:
    """Leads by worth, without noise. `relevance`: a reranker's or an encoder's scores by address (`ranking.reranked`);
    `texts`: whole texts by address, where an engine gave them or the page was read: what is shorter than 200 characters
    is no article. A snippet is cut by its engine, so that its length says nothing. `topic`: what the words are compared
    with, else the question."""
    whole = {comparison_key(url): text for url, text in (texts or {}).items()}
    ranked = rank_hits(
        hits,
        topic=topic or f"{question.about} {question.text}",
        rate=rate,
        as_of=question.now,
        freshness=Freshness.MARKET,
        relevance=relevance,
    )
    kept: list[RankedHit] = []
    removed: list[Removed] = []
    known: list[tuple[frozenset[str], str, RankedHit]] = []
    for lead in ranked:
        text = whole.get(comparison_key(lead.hit.url))
        why = _noise_of(lead, text, rate(lead.hit.url))
        if why is None:
            said, title = runs(text or text_of(lead)), _bare(lead.hit.title)
            twin = next((other for one, name, other in known if _same(said, title, one, name)), None)
            if twin is not None:
                why = ("duplicate", f"the same as {shorten(twin.hit.title or twin.hit.url, 80)!r}")
            else:
                known.append((said, title, lead))
        if why is None:
            kept.append(lead)
        else:
            removed.append(Removed(lead, *why))
    return MarketRanking(tuple(kept), tuple(removed), _counted(len(ranked), removed))


def _noise_of(lead: RankedHit, text: str | None, rating: Rating) -> tuple[str, str] | None:
    hit = lead.hit
    if hit.details.get("sponsored") is True:
        return "promotional", "the engine says that it is an advertisement"
    if rating.category in _PROMOTIONAL or (rating.category == Category.BLOG.value and rating.tier == 4):
        return "promotional", f"its publisher is rated as {rating.category.replace('_', ' ')}"
    if urges(hit.title) or instructs(hit.title):
        return "promotional", "its title urges to trade, or speaks to a machine"
    bait = clickbait_of(hit.title)
    if bait.score >= _SURE_BAIT or _BAIT.search(fold(hit.title)):
        return "clickbait", bait.reasons[0] if bait.reasons else "it uses a set phrase of bait"
    if text is not None and len(text.strip()) < TOO_SHORT:
        return "too short", f"it has {len(text.strip())} characters"
    return None


def _same(said: frozenset[str], title: str, other: frozenset[str], name: str) -> bool:
    if overlap(said, other)[0] >= DUPLICATE:
        return True
    return title == name and len(title.split()) >= _FEWEST_WORDS


def _bare(title: str) -> str:
    """A title without the name of its outlet behind it, for comparing."""
    head = re.sub(r"\s+(?:[|·»]|[-–—])\s+[^|·»–—]{2,40}$", "", title)
    return " ".join(re.findall(r"\w+", fold(head)))


def _counted(seen: int, removed: Sequence[Removed]) -> Noise:
    kinds = Counter(each.kind for each in removed)
    picked: list[Removed] = []
    for kind in kinds:
        picked += [each for each in removed if each.kind == kind][:2]
    return Noise(
        seen=seen,
        clickbait=kinds["clickbait"],
        duplicates=kinds["duplicate"],
        too_short=kinds["too short"],
        promotional=kinds["promotional"],
        examples=tuple(
            f"{each.kind}: {'(title left out)' if each.kind == 'promotional' else shorten(each.lead.hit.title, 80)} "
            f"({each.reason})"
            for each in picked[:_EXAMPLES]
        ),
    )
