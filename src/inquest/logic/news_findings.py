"""What the news desk says of a source that it found, and of all of them together (spec 000, §5 and §6).

How a passage bears on the claim is the analyst's judgment and is not judged again here. The desk adds who speaks, what
that is worth, and what it does to the claim, in the fields that the specification names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from inquest.domain.check import InfoResponse, RequestStatus
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.source import Category, Source
from inquest.domain.value import JsonObject, JsonValue
from inquest.logic.entities import same_name
from inquest.logic.passages import best_sentence
from inquest.logic.phrases import capitalised, count, day, ended, listed, quoted, uncapitalised
from inquest.logic.report_claims_company import named_in
from inquest.logic.text import Span, fold, shorten
from inquest.logic.tiers import TIER_WEIGHTS
from inquest.logic.votes import Vote, finding_weight, votes
from inquest.logic.weighing import stands_out
from inquest.logic.weighing_reasons import name_of

__all__ = ["Heard", "Overview", "details_of", "is_own_word", "nearness", "overview", "speaks_of", "summary_of"]

_SNIPPET, _SPOKEN = 500, 240
"""Characters of an excerpt, and of a quote inside a sentence of ours."""
_KEY = 5
_SPEAKS = 0.4
"""Share of the claim, by weight of its words, that a sentence has which truly speaks of its matter."""
_COPIED = 10
"""Words: two papers that have a longer sentence in common have it from one hand."""
_FIGURE = re.compile(r"\d")
_TURNS = {
    ContradictionType.DIRECT: "It says otherwise than the claim.",
    ContradictionType.CONTEXTUAL: "What it says puts the claim in another light.",
    ContradictionType.OMISSION: "It says what the claim leaves out.",
    ContradictionType.TIMELINE: "Its dates do not fit those of the claim.",
}
_PLAINLY = {
    Stance.CONTRADICTS: "It says otherwise than the claim.",
    Stance.SUPPORTS: "It says what the claim says.",
}
_RULES = {
    1: "a source of tier 1 contradicts it",
    2: "two or more independent sources of tier 2 or better contradict it",
    3: "three or more independent sources of tier 3 or better contradict it, which is less firm",
}


@dataclass(frozen=True)
class Heard:
    """One source's bearing on the claim, as it was judged."""

    source: Source
    quote: str
    stance: Stance
    kind: ContradictionType | None
    confidence: float
    reasons: tuple[str, ...]
    whose_word: JsonObject
    """`attributed_to`, `party`, `admission`, `hearsay`, as far as they are told."""
    around: str
    """The passage that the quote stands in."""
    angles: tuple[str, ...] = ()
    own_word: bool = False
    """The company speaks for itself there."""


class Overview(NamedTuple):
    """All that was found on one claim."""

    text: str
    details: JsonObject
    confidence: float
    """How firmly the heavier side is borne out, 0 to 1; 0 where nothing bears on the claim."""


def is_own_word(source: Source, company: str, own_domains: Collection[str]) -> bool:
    """Whether the company speaks for itself on the page: its own domain, a release, or a company's page of its name."""
    own = source.rating.owner or source.domain.split(".")[0]
    named = bool(company) and same_name(own, company)
    return (
        source.domain in own_domains
        or source.rating.domain in own_domains
        or source.rating.press_release
        or (source.rating.category == Category.COMPANY and named)
    )


def speaks_of(claim: str, passage: str, company: str, around: str) -> Span | None:
    """The sentence of a passage that is nearest to the claim, where it truly speaks of the claim's matter and the
    passage, or the page `around` it, names the company; None: it does not."""
    best = best_sentence(claim, passage)
    if best.score < _SPEAKS or (company and not named_in(company, f"{passage}\n{around}")):
        return None
    return best.span


def nearness(claim: str, passage: str) -> float:
    """How much of the claim the sentence of the passage that is nearest to it has, 0 to 1."""
    return best_sentence(claim, passage).score


def summary_of(heard: Heard) -> str:
    """One sentence: what the source does to the claim."""
    name = name_of(heard.source)
    match heard.stance:
        case Stance.CONTRADICTS:
            who = "The company itself" if heard.own_word else "Public reporting"
            return f"{who} contradicts the claim: {uncapitalised(ended(_why(heard)))}"
        case Stance.SUPPORTS:
            who = "The company's own word" if heard.own_word else name
            return f"{who} supports the claim: {uncapitalised(ended(_why(heard)))}"
        case Stance.UNASSESSED:
            return f"What {name} says could not be assessed; a person should read it."
        case _:
            return f"{name} speaks of the matter; that decides nothing: {uncapitalised(ended(_why(heard)))}"


def details_of(heard: Heard) -> JsonObject:
    """The fields of a news finding (spec 000, §6.2), and those that weigh it.

    `weighted_confidence` is confidence times the weight of the tier over 4, so that tier 1 keeps all of it; whoever
    weighs by tier takes the finding's own confidence.
    """
    source, contradicts = heard.source, heard.stance is Stance.CONTRADICTS
    assessed = heard.stance is not Stance.UNASSESSED
    weight = TIER_WEIGHTS[source.rating.tier] / 4
    supports = {Stance.SUPPORTS: True, Stance.CONTRADICTS: False}.get(heard.stance)
    details: JsonObject = {
        "source_url": source.url,
        "source_title": source.title,
        "source_domain": source.domain,
        "source_tier": source.rating.tier,
        "published_date": source.published.iso if source.published else None,
        "relevance_summary": _relevance(heard),
        "contradicts_claim": contradicts if assessed else None,
        "contradiction_type": heard.kind.value if contradicts and heard.kind else None,
        "contradiction_explanation": _why(heard) if contradicts else None,
        "snippet": shorten(heard.around or heard.quote, _SNIPPET),
        "supports_claim": supports,
        "contradiction_detected": contradicts,
        "weighted_confidence": round(heard.confidence * weight, 3),
        "press_release": source.rating.press_release,
        "company_own_word": heard.own_word,
        "query_angles": list(heard.angles),
    }
    if not assessed:
        details["needs_review"] = True
    if heard.own_word and not heard.whose_word.get("admission"):
        details["party"] = True
    return details | heard.whose_word


def overview(
    claim: Claim,
    company: str,
    heard: Sequence[Heard],
    *,
    asked: int = 0,
    hits: int = 0,
    outages: int = 0,
    answers: Sequence[InfoResponse] = (),
) -> Overview:
    """The summary finding (spec 000, §6.4), with the flag rule of §5.4 over independent witnesses: copies of one story,
    papers of one owner and what several have from one authority are one.

    `asked`: queries; `hits`: leads that came back; `outages`: what could not be asked; `answers`: what other
    desks have said to this desk's questions.
    """
    sources = _with_copies_told({_key(each.source): each.source for each in heard}, heard)
    provisional = {f"P{number:04d}": each for number, each in enumerate(heard)}
    cast = votes(
        [_provisional(id, each) for id, each in provisional.items()], sources, about=f"{company}: {claim.text}"
    )
    support = [vote for vote in cast if vote.stance is Stance.SUPPORTS]
    against = [vote for vote in cast if vote.stance is Stance.CONTRADICTS]
    rule = next((tier for tier in _RULES if stands_out([vote for vote in against if vote.tier <= tier])), None)
    by_stance = {stance: _sources(heard, stance) for stance in Stance}
    key = sorted(
        (each for each in heard if each.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)),
        key=lambda each: (-finding_weight(_provisional("P", each), each.source), each.source.url),
    )[:_KEY]
    heeded = [each for each in answers if each.status is RequestStatus.ANSWERED and each.summary.strip()]
    told: dict[str, JsonValue] = {
        "total_sources": len(sources),
        "supporting_sources": len(by_stance[Stance.SUPPORTS]),
        "contradicting_sources": len(by_stance[Stance.CONTRADICTS]),
        "neutral_sources": len(by_stance[Stance.NEUTRAL]),
        "unassessed_sources": len(by_stance[Stance.UNASSESSED]),
        "independent_supporting": _others(support),
        "independent_contradicting": _others(against),
        "independent_sources": _others(cast),
        "tier_distribution": _tiers(sources),
        "contradicted": rule is not None,
        "contradiction_rule": _RULES[rule] if rule else None,
        "contradicting_by_tier": {str(tier): sum(vote.tier == tier for vote in against) for tier in TIER_WEIGHTS},
        "key_findings": [details_of(each) for each in key],
        "queries_asked": asked,
        "hits": hits,
        "outages": outages,
        "answers": [{"answered_by": each.answered_by, "summary": each.summary} for each in heeded],
    }
    text = _told(by_stance, len(sources), support, against, rule, hits, outages)
    text = " ".join([text, *(f"The {each.answered_by} desk: {ended(each.summary)}" for each in heeded)])
    return Overview(text, told, round(max(_together(support), _together(against)), 3))


def _with_copies_told(sources: Mapping[str, Source], heard: Sequence[Heard]) -> dict[str, Source]:
    """The sources under their keys; those in which the very same sentence stands as one story, where nobody has looked
    into that yet."""
    by_words: dict[str, list[str]] = {}
    for each in heard:
        said = re.findall(r"[^\W_]+", fold(each.quote))
        if len(said) >= _COPIED:
            by_words.setdefault(" ".join(said), []).append(_key(each.source))
    told = {key: f"words {words}" for words, keys in by_words.items() if len(set(keys)) > 1 for key in keys}
    return {
        key: source.model_copy(update={"id": key, "story": source.story or told.get(key)})
        for key, source in sources.items()
    }


def _key(source: Source) -> str:
    return source.id or source.snapshot or source.url


def _provisional(id: str, heard: Heard) -> Finding:
    """As a finding, for counting votes."""
    details = details_of(heard)
    return Finding(
        id=id,
        claim_id=None,
        source_id=_key(heard.source),
        agent="news",
        stance=heard.stance,
        contradiction_type=heard.kind,
        confidence=heard.confidence,
        quote=heard.quote,
        snapshot=heard.source.snapshot,
        start=0,
        end=len(heard.quote),
        details={name: details[name] for name in ("attributed_to", "party", "admission", "hearsay") if name in details},
    )


def _sources(heard: Sequence[Heard], stance: Stance) -> set[str]:
    return {_key(each.source) for each in heard if each.stance is stance}


def _others(cast: Sequence[Vote]) -> int:
    """Nobody is independent of himself."""
    return sum(not vote.party for vote in cast)


def _together(side: Sequence[Vote]) -> float:
    return 1 - prod(1 - min(vote.weight, 0.95) for vote in side)


def _tiers(sources: Mapping[str, Source]) -> JsonObject:
    found = Counter(source.rating.tier for source in sources.values())
    return {str(tier): found[tier] for tier in TIER_WEIGHTS}


def _why(heard: Heard) -> str:
    """What the judgment rests on: the reason that puts figures side by side, else the first, else what its kind is."""
    reasons = [reason for reason in heard.reasons if reason.strip()]
    figures = [reason for reason in reasons if _FIGURE.search(reason) and "claim" in reason and "% of" not in reason]
    if figures or reasons:
        return (figures or reasons)[0]
    if heard.kind is not None:
        return _TURNS[heard.kind]
    return _PLAINLY.get(heard.stance, "It neither bears the claim out nor goes against it.")


def _relevance(heard: Heard) -> str:
    """One or two plain sentences: who says what, when, and what that does to the claim."""
    source = heard.source
    when = "without a date"
    if source.published:
        joint = "in" if source.published.precision in (Precision.YEAR, Precision.MONTH) else "on"
        when = f"{joint} {day(source.published.at, source.published.precision)}"
    whose = ", in the company's own words," if heard.own_word else f" (tier {source.rating.tier})"
    said = f"{name_of(source)}{whose}"
    named = str(heard.whose_word.get("attributed_to") or "")
    told = f"{said} has it from {named}, {when}" if named and not heard.own_word else f"{said} says {when}"
    first = f"{told}: {quoted(shorten(heard.quote, _SPOKEN))}." if heard.quote else f"{said} was found {when}."
    if heard.quote.strip().endswith(("?", "!")):
        first = first.removesuffix(".")
    return f"{first} {_effect(heard)}"


def _effect(heard: Heard) -> str:
    match heard.stance:
        case Stance.CONTRADICTS:
            kind = {ContradictionType.TIMELINE: " in its dates"}.get(heard.kind) if heard.kind else None
            return f"This goes against the claim{kind or ''}: {uncapitalised(ended(_why(heard)))}"
        case Stance.SUPPORTS:
            own = "; nobody else says so there" if heard.own_word else ""
            return f"This bears the claim out{own}: {uncapitalised(ended(_why(heard)))}"
        case Stance.UNASSESSED:
            return "How it bears on the claim could not be assessed; a person should read it."
        case _:
            return f"It is about the matter and decides nothing: {uncapitalised(ended(_why(heard)))}"


def _told(
    by_stance: Mapping[Stance, set[str]],
    total: int,
    support: Sequence[Vote],
    against: Sequence[Vote],
    rule: int | None,
    hits: int,
    outages: int,
) -> str:
    said = [
        f"Found {count(len(by_stance[Stance.SUPPORTS]), 'supporting source')} and "
        f"{count(len(by_stance[Stance.CONTRADICTS]), 'contradicting source')} across {count(total, 'source')} in total."
    ]
    if not total:
        leads = f"{count(hits, 'lead')} came back, and none bears on it" if hits else "no lead came back"
        said = [f"Found nothing in the press that bears on the claim: {leads}."]
    if rule is not None:
        said.append(f"It stands contradicted: {_RULES[rule]} ({_names(against)}).")
    elif against:
        said.append(f"What contradicts it ({_names(against)}) is too little to count it as contradicted.")
    if support and all(vote.party for vote in support):
        said.append("Only the company itself bears it out.")
    if unassessed := len(by_stance[Stance.UNASSESSED]):
        said.append(f"{capitalised(count(unassessed, 'source'))} could not be assessed.")
    if outages:
        said.append(f"{capitalised(count(outages, 'outage'))} left the search incomplete.")
    return " ".join(said)


def _names(side: Sequence[Vote]) -> str:
    return listed(list(dict.fromkeys(f"{name_of(vote.source)}, tier {vote.tier}" for vote in side))[:4])
