"""What the news desk says of all that it found on a claim: summary finding and flag rule (spec 000, §5.4, §6.4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from inquest.desks.news.findings import NewsEvidence, details_of, left_out
from inquest.domain.check import InfoResponse, RequestStatus
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.source import Source
from inquest.domain.value import JsonObject, JsonValue
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.text.phrases import capitalised, count, ended, listed
from inquest.text.sentences import fold
from inquest.verdicts.votes import Vote, finding_weight, votes
from inquest.verdicts.weighing import stands_out, together
from inquest.verdicts.weighing_reasons import name_of

_KEY = 5
"""Findings that the summary names in full."""
_COPIED = 10
"""Words: two papers that have a longer sentence in common have it from one hand."""
_RULES = {
    1: "a source of tier 1 contradicts it",
    2: "two or more independent sources of tier 2 or better contradict it",
    3: "three or more independent sources of tier 3 or better contradict it, which is less firm",
}


class Overview(NamedTuple):
    """All that was found on one claim."""

    text: str
    details: JsonObject
    confidence: float
    """How firmly the heavier side is supported, 0 to 1; 0 where nothing bears on the claim."""


class SearchExtent(NamedTuple):
    """What the search for a claim was."""

    asked: int = 0
    """Queries."""
    hits: int = 0
    """Leads that came back."""
    outages: int = 0
    """What could not be asked."""


def overview(
    claim: Claim,
    company: str,
    heard: Sequence[NewsEvidence],
    search: SearchExtent | None = None,
    answers: Sequence[InfoResponse] = (),
) -> Overview:
    """The summary finding (spec 000, §6.4), with the flag rule of §5.4 over independent witnesses: copies of one story,
    papers of one owner and what several have from one authority are one.

    `answers`: what other desks have said to this desk's questions.
    """
    search = search or SearchExtent()
    sources = _with_copies_joined({_key(each.source): each.source for each in heard}, heard)
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
    details: dict[str, JsonValue] = {
        "total_sources": len(sources),
        "supporting_sources": len(by_stance[Stance.SUPPORTS]),
        "contradicting_sources": len(by_stance[Stance.CONTRADICTS]),
        "neutral_sources": len(by_stance[Stance.NEUTRAL]),
        "unassessed_sources": len(by_stance[Stance.UNASSESSED]),
        "possible_omissions": sum(left_out(each) for each in heard),
        "independent_supporting": _others(support),
        "independent_contradicting": _others(against),
        "independent_sources": _others(cast),
        "tier_distribution": _tiers(sources),
        "contradicted": rule is not None,
        "contradiction_rule": _RULES[rule] if rule else None,
        "contradicting_by_tier": {str(tier): sum(vote.tier == tier for vote in against) for tier in TIER_WEIGHTS},
        "key_findings": [details_of(each) for each in key],
        "queries_asked": search.asked,
        "hits": search.hits,
        "outages": search.outages,
        "answers": [{"answered_by": each.answered_by, "summary": each.summary} for each in heeded],
    }
    counted = _counted(by_stance, len(sources), search)
    weighed = _weighed(support, against, rule)
    lacking = _lacking(by_stance, sum(map(left_out, heard)), search)
    text = " ".join(
        [*counted, *weighed, *lacking, *(f"The {each.answered_by} desk: {ended(each.summary)}" for each in heeded)]
    )
    return Overview(text, details, round(max(together(support), together(against)), 3))


def _with_copies_joined(sources: Mapping[str, Source], heard: Sequence[NewsEvidence]) -> dict[str, Source]:
    """The sources under their keys; those in which the very same sentence stands as one story, where nobody has looked
    into that yet."""
    by_words: dict[str, list[str]] = {}
    for each in heard:
        said = re.findall(r"[^\W_]+", fold(each.quote))
        if len(said) >= _COPIED:
            by_words.setdefault(" ".join(said), []).append(_key(each.source))
    stories = {key: f"words {words}" for words, keys in by_words.items() if len(set(keys)) > 1 for key in keys}
    return {
        key: source.model_copy(update={"id": key, "story": source.story or stories.get(key)})
        for key, source in sources.items()
    }


def _key(source: Source) -> str:
    return source.id or source.snapshot or source.url


def _provisional(id: str, heard: NewsEvidence) -> Finding:
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


def _sources(heard: Sequence[NewsEvidence], stance: Stance) -> set[str]:
    return {_key(each.source) for each in heard if each.stance is stance}


def _others(cast: Sequence[Vote]) -> int:
    """Nobody is independent of himself."""
    return sum(not vote.party for vote in cast)


def _tiers(sources: Mapping[str, Source]) -> JsonObject:
    found = Counter(source.rating.tier for source in sources.values())
    return {str(tier): found[tier] for tier in TIER_WEIGHTS}


def _counted(by_stance: Mapping[Stance, set[str]], total: int, search: SearchExtent) -> list[str]:
    if total:
        return [
            f"Found {count(len(by_stance[Stance.SUPPORTS]), 'supporting source')} and "
            f"{count(len(by_stance[Stance.CONTRADICTS]), 'contradicting source')} across {count(total, 'source')} in "
            "total."
        ]
    leads = f"{count(search.hits, 'lead')} came back, and none bears on it" if search.hits else "no lead came back"
    if not any(search):
        return ["The claim was not looked for in the press: nobody was asked."]
    if search.outages and not search.hits:
        return [f"Whether the press has anything on the claim is not known: {leads}, and {_incomplete(search)}."]
    beside = f", and {_incomplete(search)}" if search.outages else ""
    return [f"Found nothing in the press that bears on the claim{beside}: {leads}."]


def _incomplete(search: SearchExtent) -> str:
    return f"{count(search.outages, 'outage')} left the search incomplete"


def _weighed(support: Sequence[Vote], against: Sequence[Vote], rule: int | None) -> list[str]:
    said = []
    if rule is not None:
        said.append(f"It stands contradicted: {_RULES[rule]} ({_names(against)}).")
    elif against:
        said.append(f"What contradicts it ({_names(against)}) is too little to count it as contradicted.")
    if support and all(vote.party for vote in support):
        said.append("Only the company itself supports it.")
    return said


def _lacking(by_stance: Mapping[Stance, set[str]], omitted: int, search: SearchExtent) -> list[str]:
    said = []
    if omitted:
        said.append(f"{capitalised(count(omitted, 'source'))} reported what the claim may leave out.")
    if unassessed := len(by_stance[Stance.UNASSESSED]):
        said.append(f"{capitalised(count(unassessed, 'source'))} could not be assessed.")
    if search.outages and any(by_stance.values()):
        said.append(f"{capitalised(_incomplete(search))}.")
    return said


def _names(side: Sequence[Vote]) -> str:
    return listed(list(dict.fromkeys(f"{name_of(vote.source)}, tier {vote.tier}" for vote in side))[:4])
