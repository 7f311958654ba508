"""Which leads the market desk reads first, and what it does not read at all (spec 003, reranking and filtering).

Rank is relevance x credibility x freshness by the desk's own table. Bait, near-copies (0.95), advertisements and pages
that urge to trade are taken out and counted, with examples.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from inquest.desks.market.advice import instructs, urges
from inquest.desks.market.findings import TOO_SHORT
from inquest.domain.market import MarketQuestion, Noise
from inquest.domain.search import Hit
from inquest.domain.source import Category, Rating
from inquest.sources.clickbait import clickbait_of
from inquest.sources.freshness import Freshness
from inquest.sources.ranking import RankedHit, rank_hits, text_of
from inquest.stories.copies import overlap, runs
from inquest.text.sentences import fold, shorten
from inquest.text.urls import comparison_key

__all__ = ["DUPLICATE", "MarketRanking", "Removed", "rank_market"]

DUPLICATE = 0.95
"""Leads whose texts share this much of their runs of words are one (spec 003)."""
_SURE_BAIT = 0.8
"""From here on a title baits; below, explanations ('Why X shares are down today') speak a little like bait."""
_STANDING, _LOWEST = 2, 4
"""Tiers: the press of standing, whose titles do not bait; and what has none."""
_BAIT = re.compile(r"\b(?:you won'?t believe|this one (?:\w+ )?trick|shocking news|shocks? wall street|one weird)\b")
_EXPLAINS = re.compile(
    r"(?:here(?:['’]s| is) )?why\b[^?!]{2,60}\b(?:shares?|stocks?)\b[^?!]{0,20}\b(?:up|down|rose|rises?|fell|falls?|"
    r"jump(?:s|ed)|drop(?:s|ped)|gain(?:s|ed)|surg(?:es|ed)|slid(?:es)?|slump(?:s|ed)|tumbl(?:es|ed)|sank|sinks|"
    r"climb(?:s|ed)|soar(?:s|ed)|plung(?:es|ed)|rall(?:ies|ied)|mov(?:es|ed|ing)|fall(?:ing)|rising|higher|lower)\b"
    r"(?:\s+(?:on|after|today|yesterday|this|in|by|for|monday|tuesday|wednesday|thursday|friday|week|morning|"
    r"premarket|\d[\d.,%]*|percent))*\s*$"
)
"""A title that explains a move and promises nothing else: the question itself, answered."""
_LABEL = re.compile(
    r"\s*(?:(?:brief|update|wrapup|refile|rpt|corrected|correction|exclusive|breaking|alert|just in|recap|factbox|"
    r"live)(?:\s*\d{1,2})?)(?:\s*[-–—:|]\s*)"
)
"""What a wire writes before the title of a report that it sends again."""
_OUTLET = re.compile(r"\s+(?:[|·»]|[-–—])\s+[^|·»–—]{2,40}$")
_SPONSORED = re.compile(r"\s*[\[(]?(?:sponsored|advertisement|advertorial|promoted|paid (?:post|content|partner))\b")
_PROMOTIONAL = frozenset((Category.FABRICATOR.value, Category.LOOK_ALIKE.value, Category.SATIRE.value))
_PUBLIC = frozenset((Category.GOVERNMENT.value, Category.REGULATOR.value, Category.COURT.value))
_AT_ONCE, _OFFICIAL = 10, 2
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
    known: list[tuple[frozenset[str], frozenset[str], RankedHit]] = []
    for lead in ranked:
        text = whole.get(comparison_key(lead.hit.url))
        why = _noise_of(lead, text, rate(lead.hit.url))
        if why is None:
            said, titles = runs(text or text_of(lead)), _names(lead.hit.title)
            twin = next((other for one, names, other in known if _same(said, titles, one, names)), None)
            if twin is not None:
                why = ("duplicate", f"the same as {shorten(twin.hit.title or twin.hit.url, 80)!r}")
            else:
                known.append((said, titles, lead))
        if why is None:
            kept.append(lead)
        else:
            removed.append(Removed(lead, *why))
    return MarketRanking(_official_first(kept, rate), tuple(removed), _counted(len(ranked), removed))


def _official_first(leads: list[RankedHit], rate: Callable[[str], Rating]) -> tuple[RankedHit, ...]:
    """The leads, with the best two documents of public bodies among those that are read at once: what an authority has
    decided is seldom fresh and its words are not the question's, but reports rest on it."""
    official = [each for each in leads[_AT_ONCE:] if rate(each.hit.url).category in _PUBLIC][:_OFFICIAL]
    rest = [each for each in leads if each not in official]
    place = max(0, _AT_ONCE - len(official))
    return (*rest[:place], *official, *rest[place:])


def _noise_of(lead: RankedHit, text: str | None, rating: Rating) -> tuple[str, str] | None:
    title = fold(lead.hit.title)
    promoted = (
        (lead.hit.details.get("sponsored") is True, "the engine says that it is an advertisement"),
        (_SPONSORED.match(title), "its title says that it is an advertisement"),
        (_is_promotional(rating), f"its publisher is rated as {rating.category.replace('_', ' ')}"),
        (urges(lead.hit.title) or instructs(lead.hit.title), "its title urges to trade, or speaks to a machine"),
    )
    if why := next((why for is_so, why in promoted if is_so), ""):
        return "promotional", why
    bait = clickbait_of(lead.hit.title)
    # What the press of standing calls a feature ('The Fleets That Didn't Plug In') is a title and no bait.
    sure = bait.score >= _SURE_BAIT and not _EXPLAINS.match(title) and rating.tier > _STANDING
    if sure or _BAIT.search(title):
        return "clickbait", bait.reasons[0] if bait.reasons else "it uses a set phrase of bait"
    if text is not None and len(text.strip()) < TOO_SHORT:
        return "too short", f"it has {len(text.strip())} characters"
    return None


def _is_promotional(rating: Rating) -> bool:
    return rating.category in _PROMOTIONAL or (rating.category == Category.BLOG.value and rating.tier == _LOWEST)


def _same(said: frozenset[str], titles: frozenset[str], other: frozenset[str], names: frozenset[str]) -> bool:
    if overlap(said, other)[0] >= DUPLICATE:
        return True
    return bool(titles & names)


def _names(title: str) -> frozenset[str]:
    """What a report is called, for comparing: without a wire's label or the company before it, and with and without
    what may be the name of its outlet behind it. Too few words are no name."""
    plain = fold(title)
    while (label := _LABEL.match(plain)) and label.end() < len(plain):
        plain = plain[label.end() :]
    whom, colon, rest = plain.partition(": ")
    if colon and set(re.findall(r"\w+", whom)) <= set(re.findall(r"\w+", rest)):
        plain = rest  # 'Norvane: Norvane cuts guidance'
    told = (plain, _OUTLET.sub("", plain))
    named = {" ".join(words) for each in told if len(words := re.findall(r"\w+", each)) >= _FEWEST_WORDS}
    return frozenset(named)


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
