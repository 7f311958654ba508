"""Rank and filter the leads of the market desk (spec 003, reranking and filtering).

Rank is relevance x credibility x freshness by the desk's own table. Clickbait, near-copies (0.95), advertisements and
pages that urge to trade are removed and counted, with examples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from inquest.claims.own_pages import is_own_word
from inquest.desks.market.events import is_unfit
from inquest.domain.market import MarketQuestion, NoiseCount
from inquest.domain.reasons import in_words
from inquest.domain.search import Hit
from inquest.domain.source import Category, Rating, Source
from inquest.sources.freshness import Freshness
from inquest.sources.noise import clickbait_of
from inquest.sources.ranking import RankedHit, rank_hits, text_of
from inquest.text.regex import regex
from inquest.text.sentences import fold, shorten
from inquest.text.similarity import overlap, runs

DUPLICATE = 0.95
"""Share of runs of words from which two leads are duplicates (spec 003)."""
_SURE_BAIT = 0.8
"""Score of clickbait; explanations ('Why X shares are down today') score a little less."""
_STANDING, _LOWEST = 2, 4
"""Tiers: the lowest of the reputable press, whose titles are not clickbait; and the lowest of all."""
_BAIT = regex(r"\b(?:you won'?t believe|this one (?:\w+ )?trick|shocking news)\b")
"""The patterns of the specification, in addition to the features of `sources.noise`."""
_SPONSORED = regex(r"\s*[\[(]?(?:sponsored|advertisement|advertorial|promoted|paid (?:post|content|partner))\b")
_PROMOTIONAL = frozenset((Category.FABRICATOR.value, Category.LOOK_ALIKE.value, Category.SATIRE.value))
_PUBLIC = frozenset((Category.GOVERNMENT.value, Category.REGULATOR.value, Category.COURT.value))
AT_ONCE = 14
"""Number of pages read concurrently, best first."""
_OFFICIAL, _FITTING = 2, 5
_EXAMPLES = 5
_UNKNOWN = "Nothing is known about its publisher, and known publishers report on the question."
_OUTLET = regex(r"\s+(?:[|·»]|[-–—])\s+[^|·»–—]{2,40}$")
_FEWEST_WORDS = 5
"""Minimum words of a title that identifies a report; different reports may share a shorter one."""


class Removed(NamedTuple):
    """A lead that is not read, with the reason."""

    lead: RankedHit
    kind: str
    """clickbait, duplicate, promotional."""
    reason: str


class MarketRanking(NamedTuple):
    """The leads to read, best first, and those removed, with their count."""

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
    """Rank leads and remove noise. `relevance`: a reranker's or an encoder's scores (`sources.ranking.reranked`)."""
    ranked = rank_hits(
        hits,
        topic=f"{question.about} {question.text}",
        rate=rate,
        as_of=question.now,
        freshness=Freshness.MARKET,
        relevance=relevance,
    )
    removed: list[Removed] = []
    known: list[tuple[frozenset[str], str, RankedHit]] = []
    # The agency's own page is preferred to copies of its report.
    for lead in sorted(ranked, key=lambda each: rate(each.hit.url).category != Category.WIRE):
        why, text, title = _noise_of(lead, rate(lead.hit.url)), runs(text_of(lead.hit, lead.hits)), _title(lead)
        same = (other for one, name, other in known if overlap(text, one)[0] >= DUPLICATE or (title and title == name))
        twin = next(same, None)
        if why is None and twin:
            why = ("duplicate", f"the same as {shorten(twin.hit.title or twin.hit.url, 80)!r}")
        if why is None:
            known.append((text, title, lead))
        else:
            removed.append(Removed(lead, *why))
    kept = {id(lead) for _, _, lead in known}
    leads = [lead for lead in ranked if id(lead) in kept]
    return MarketRanking(_read_first(leads, rate), tuple(removed), _counted(len(ranked), removed))


def _read_first(leads: Sequence[RankedHit], rate: Callable[[str], Rating]) -> tuple[RankedHit, ...]:
    """Order leads by score, with places near the top for the most relevant, for filings and for public bodies."""
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
    lowest = rating.category == Category.BLOG.value and rating.tier == _LOWEST
    promoted = (
        (lead.hit.details.get("sponsored") is True, "the engine says that it is an advertisement"),
        (_SPONSORED.match(title), "its title says that it is an advertisement"),
        (rating.category in _PROMOTIONAL or lowest, f"its publisher is rated as {rating.category.replace('_', ' ')}"),
        (is_unfit(lead.hit.title), "its title urges readers to trade or addresses a machine"),
    )
    if why := next((why for is_so, why in promoted if is_so), ""):
        return "promotional", why
    bait = clickbait_of(lead.hit.title)
    # The title of a feature in the reputable press ('The Fleets That Didn't Plug In') is not clickbait.
    if _BAIT.search(title) or (bait.score >= _SURE_BAIT and rating.tier > _STANDING):
        return "clickbait", in_words(bait.reasons[0]) if bait.reasons else "it uses a clickbait phrase"
    return None


def _title(lead: RankedHit) -> str:
    """A title without the name of its outlet; '' if it is too short to identify a report."""
    plain = _OUTLET.sub("", fold(lead.hit.title))
    return plain if len(plain.split()) >= _FEWEST_WORDS else ""


def _counted(seen: int, removed: Sequence[Removed]) -> NoiseCount:
    kinds = Counter(each.kind for each in removed)
    picked = [each for kind in kinds for each in [one for one in removed if one.kind == kind][:2]]
    return NoiseCount(
        seen=seen,
        clickbait=kinds["clickbait"],
        duplicates=kinds["duplicate"],
        promotional=kinds["promotional"],
        examples=tuple(
            f"{each.kind}: {'(title left out)' if each.kind == 'promotional' else shorten(each.lead.hit.title, 80)} "
            f"({each.reason})"
            for each in picked[:_EXAMPLES]
        ),
    )


def without_unknown(sources: Sequence[Source], company: str) -> tuple[Source, ...]:
    """Exclude unknown publishers if there are known ones (spec 003), but not the pages of the `company` itself."""
    counted = [each for each in sources if not each.excluded]
    unknown = {
        each.id
        for each in counted
        if not (each.user_provided or each.rating.known or is_own_word(each, company, ()))
        and each.rating.tier == _LOWEST
    }
    if len(unknown) == len(counted):
        return tuple(sources)
    return tuple(each.model_copy(update={"excluded": _UNKNOWN}) if each.id in unknown else each for each in sources)
