"""Which leads the market desk reads first, and what it does not read at all (spec 003, reranking and filtering).

Rank is relevance x credibility x freshness by the desk's own table. Bait, near-copies (0.95), advertisements and pages
that urge to trade are taken out and counted, with examples.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from inquest.claims.own_pages import is_own_word
from inquest.desks.market.advice import instructs, urges
from inquest.domain.document import Document
from inquest.domain.market import MarketQuestion, NoiseCount
from inquest.domain.search import Hit
from inquest.domain.source import Category, Rating, Source
from inquest.sources.clickbait import clickbait_of
from inquest.sources.freshness import Freshness
from inquest.sources.ranking import RankedHit, rank_hits, text_of
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold, shorten
from inquest.text.shingles import overlap, runs

DUPLICATE = 0.95
"""Leads whose texts share this much of their runs of words are one (spec 003)."""
_SURE_BAIT = 0.8
"""From here on a title baits; below, explanations ('Why X shares are down today') speak a little like bait."""
_STANDING, _LOWEST = 2, 4
"""Tiers: the press of standing, whose titles do not bait; and what has none."""
_BAIT = regex(r"\b(?:you won'?t believe|this one (?:\w+ )?trick|shocking news|shocks? wall street|one weird)\b")
_EXPLAINS = pattern(__name__, "explains")
"""A title that explains a move and promises nothing else: the question itself, answered."""
_LABEL = pattern(__name__, "label")
"""What a wire writes before the title of a report that it sends again."""
_OUTLET = regex(r"\s+(?:[|·»]|[-–—])\s+[^|·»–—]{2,40}$")
_SPONSORED = regex(r"\s*[\[(]?(?:sponsored|advertisement|advertorial|promoted|paid (?:post|content|partner))\b")
_PROMOTIONAL = frozenset((Category.FABRICATOR.value, Category.LOOK_ALIKE.value, Category.SATIRE.value))
_PUBLIC = frozenset((Category.GOVERNMENT.value, Category.REGULATOR.value, Category.COURT.value))
AT_ONCE = 14
"""Pages that are read at once, the best first."""
_OFFICIAL, _FITTING = 2, 5
_EXAMPLES = 5
_NOBODY = "Nothing is known of its publisher, and known ones report on what was asked."
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
    noise: NoiseCount


def rank_market(
    hits: Iterable[Hit],
    question: MarketQuestion,
    rate: Callable[[str], Rating],
    *,
    relevance: Mapping[str, float] | None = None,
) -> MarketRanking:
    """Leads by worth, without noise. `relevance`: a reranker's or an encoder's scores (`sources.ranking.reranked`)."""
    ranked = rank_hits(
        hits,
        topic=f"{question.about} {question.text}",
        rate=rate,
        as_of=question.now,
        freshness=Freshness.MARKET,
        relevance=relevance,
    )
    kept: list[RankedHit] = []
    removed: list[Removed] = []
    known: list[tuple[frozenset[str], frozenset[str], RankedHit]] = []
    for lead in ranked:
        why = _noise_of(lead, rate(lead.hit.url))
        if why is None:
            said, titles = runs(text_of(lead)), _names(lead.hit.title)
            twin = next((other for one, names, other in known if _same(said, titles, one, names)), None)
            if twin is None:
                known.append((said, titles, lead))
            elif _is_agency(lead, rate) and not _is_agency(twin, rate):
                # Of a report and its copies the agency's own page is read, in the place of the best of them.
                known.append((said, titles, lead))
                kept[next(place for place, each in enumerate(kept) if each is twin)] = lead
                known[:] = [each for each in known if each[2] is not twin]
                removed.append(Removed(twin, "duplicate", _same_as(lead)))
                continue
            else:
                why = ("duplicate", _same_as(twin))
        if why is None:
            kept.append(lead)
        else:
            removed.append(Removed(lead, *why))
    return MarketRanking(_read_first(kept, rate), tuple(removed), _counted(len(ranked), removed))


def _is_agency(lead: RankedHit, rate: Callable[[str], Rating]) -> bool:
    return rate(lead.hit.url).category == Category.WIRE


def _same_as(lead: RankedHit) -> str:
    return f"the same as {shorten(lead.hit.title or lead.hit.url, 80)!r}"


def _read_first(leads: Sequence[RankedHit], rate: Callable[[str], Rating]) -> tuple[RankedHit, ...]:
    """The leads in the order in which they are read: by score, but of the first `AT_ONCE` some places are kept for
    those that fit the question best (what answers a question on one thing is seldom the freshest page) and for
    documents on which reports rest and whose words are not the question's: what companies file, and what public
    bodies write themselves."""
    by_fit = sorted(leads, key=lambda each: -each.relevance)
    public = [each for each in by_fit if rate(each.hit.url).category in _PUBLIC]
    filed = [each for each in public if each.hit.filing is not None]
    written = [each for each in public if each.hit.filing is None]
    kept = {id(each) for each in (*filed[:_OFFICIAL], *written[:_OFFICIAL], *by_fit[:_FITTING])}
    by_score = [each for each in leads if id(each) not in kept]
    kept |= {id(each) for each in by_score[: AT_ONCE - len(kept)]}
    return (*(each for each in leads if id(each) in kept), *(each for each in leads if id(each) not in kept))


def _noise_of(lead: RankedHit, rating: Rating) -> tuple[str, str] | None:
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
    forms = (plain, _OUTLET.sub("", plain))
    named = {" ".join(words) for each in forms if len(words := re.findall(r"\w+", each)) >= _FEWEST_WORDS}
    return frozenset(named)


def _counted(seen: int, removed: Sequence[Removed]) -> NoiseCount:
    kinds = Counter(each.kind for each in removed)
    picked: list[Removed] = []
    for kind in kinds:
        picked += [each for each in removed if each.kind == kind][:2]
    return NoiseCount(
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


# Which of several pages with one report is cited: the agency's own where it is there, and not who took it over


_COPIED = 0.6
"""A page of whose runs of words so many stand in another of its story is a copy of it; rewrites share fewer."""


def without_copies(sources: Sequence[Source], documents: Mapping[str, Document]) -> tuple[Source, ...]:
    """The sources, those that copy another excluded, with whom they copy. `documents` by source id.

    Of pages with one text, the story's origin is kept; where that is not known, the agency, then the better tier,
    then the earlier.
    """
    said = {each.id: runs(documents[each.id].text) for each in sources if each.id in documents and not each.excluded}
    ordered = sorted((each for each in sources if each.id in said), key=_first)
    kept: list[Source] = []
    copied: dict[str, Source] = {}
    for source in ordered:
        first = next((each for each in kept if _copies(source, each, said)), None)
        if first is None or source.user_provided:
            kept.append(source)
        else:
            copied[source.id] = first
    return tuple(
        source.model_copy(update={"excluded": _why(copied[source.id])}) if source.id in copied else source
        for source in sources
    )


def without_unknown(sources: Sequence[Source], company: str) -> tuple[Source, ...]:
    """The sources, those of publishers that nobody knows excluded where known ones speak as well: spec 003 filters
    them, and a price is easily moved by a site made for it. `company`: whose own pages stay, known or not."""
    counted = [each for each in sources if not each.excluded]
    unknown = {each.id for each in counted if not each.user_provided and _is_nobody(each, company)}
    if len(unknown) == len(counted):
        return tuple(sources)
    return tuple(each.model_copy(update={"excluded": _NOBODY}) if each.id in unknown else each for each in sources)


def _is_nobody(source: Source, company: str) -> bool:
    rating = source.rating
    return not rating.known and rating.tier == _LOWEST and not is_own_word(source, company, ())


def _copies(source: Source, other: Source, said: Mapping[str, frozenset[str]]) -> bool:
    if source.story is None or source.story != other.story:
        return overlap(said[source.id], said[other.id])[0] >= _COPIED
    return max(overlap(said[source.id], said[other.id])) >= _COPIED


def _first(source: Source) -> tuple[bool, bool, int, float, str]:
    at = utc(source.published.at).timestamp() if source.published else float("inf")
    return (
        source.origin_of_story != source.id,
        source.rating.category != Category.WIRE,
        source.rating.tier,
        at,
        source.id,
    )


def _why(origin: Source) -> str:
    return f"It repeats the report of {origin.publisher or origin.domain} ({origin.id}), which is cited."
