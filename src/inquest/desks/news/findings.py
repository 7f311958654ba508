"""The findings of the news desk (spec 000, §5 and §6): one for a source, the summary of all, and the flag rule.

How a passage bears on the claim is the analyst's judgment and is not judged again here. The desk adds who speaks, what
that is worth, and what it does to the claim, in the fields that the specification names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from inquest.claims.report.company import named_in
from inquest.domain.check import RequestStatus
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.finding import ContradictionType, Finding, Stance
from inquest.domain.reading import Reading, Speaker, SpeakerKind
from inquest.domain.reasons import in_words
from inquest.domain.source import Source
from inquest.domain.value import JsonObject, JsonValue
from inquest.kit.desk import FindingDraft, Results
from inquest.sources.tiers import TIER_WEIGHTS
from inquest.text.passages import best_sentence
from inquest.text.phrases import capitalised, count, day, ended, listed, quoted, uncapitalised
from inquest.text.sentences import Span, content_words, fold, shorten
from inquest.verdicts.votes import Vote, finding_weight, votes
from inquest.verdicts.weighing import stands_out, together
from inquest.verdicts.weighing_reasons import name_of

_SNIPPET, _SPOKEN = 500, 240
"""Characters of an excerpt, and of a quote inside a sentence of ours."""
_SPEAKS = 0.4
"""Share of the claim, by weight of its words, that a sentence has which truly speaks of its subject."""
_COMPARISONS = frozenset(
    f"entailment.{name}"
    for name in (
        "figures_same", "figures_differ", "dates_differ",
        "other_scope", "other_method", "other_output", "other_base_year", "other_currency",
    )
)  # fmt: skip
"""Reasons that put what the claim says beside what the passage says."""
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


class NewsEvidence(Reading):
    """One source's bearing on the claim, as it was judged."""

    source: Source
    around: str
    """The passage that the quote stands in."""
    angles: tuple[str, ...] = ()
    own_word: bool = False
    """The company speaks for itself there."""


def speaks_of(claim: str, passage: str, company: str, around: str) -> Span | None:
    """The sentence of a passage that is nearest to the claim, where it truly speaks of the claim's subject and the
    passage, or the page `around` it, names the company; None: it does not.
    """
    if company and not named_in(company, f"{passage}\n{around}"):
        return None
    best = best_sentence(claim, passage)
    # A running head has the company's name and a number of the page.
    more = {word for word in content_words(best.span.of(passage)) if not word.isdigit()} - {*content_words(company)}
    return best.span if best.score >= _SPEAKS and more else None


def nearness(claim: str, passage: str) -> float:
    """How much of the claim the sentence of the passage that is nearest to it has, 0 to 1."""
    return best_sentence(claim, passage).score


def summary_of(evidence: NewsEvidence) -> str:
    """One sentence: what the source does to the claim."""
    name = name_of(evidence.source)
    match evidence.stance:
        case Stance.CONTRADICTS:
            against_itself = evidence.own_word or bool(evidence.against_self)
            who = "The company itself" if against_itself else "Public reporting"
            return f"{who} contradicts the claim: {uncapitalised(ended(_why(evidence)))}"
        case Stance.SUPPORTS:
            who = "The company's own statement" if evidence.own_word else name
            return f"{who} supports the claim: {uncapitalised(ended(_why(evidence)))}"
        case Stance.UNASSESSED:
            return f"What {name} says could not be assessed; a person should read it."
        case _:
            return f"{name} speaks of the matter; that decides nothing: {uncapitalised(ended(_why(evidence)))}"


def details_of(evidence: NewsEvidence) -> JsonObject:
    """The fields of a news finding (spec 000, §6.2), and those that weigh it.

    `weighted_confidence` is confidence times the weight of the tier over 4, so that tier 1 keeps all of it; whoever
    weighs by tier takes the finding's own confidence.
    """
    source, contradicts = evidence.source, evidence.stance is Stance.CONTRADICTS
    kind = evidence.contradiction_type
    assessed = evidence.stance is not Stance.UNASSESSED
    weight = TIER_WEIGHTS[source.rating.tier] / 4
    supports = {Stance.SUPPORTS: True, Stance.CONTRADICTS: False}.get(evidence.stance)
    details: JsonObject = {
        "source_url": source.url,
        "source_title": source.title,
        "source_domain": source.domain,
        "source_tier": source.rating.tier,
        "published_date": source.published.iso if source.published else None,
        "relevance_summary": _relevance(evidence),
        "contradicts_claim": contradicts if assessed else None,
        "contradiction_type": kind.value if contradicts and kind else None,
        "contradiction_explanation": _why(evidence) if contradicts else None,
        "snippet": shorten(evidence.around or evidence.quote, _SNIPPET),
        "supports_claim": supports,
        "contradiction_detected": contradicts,
        "weighted_confidence": round(evidence.confidence * weight, 3),
        "press_release": source.rating.press_release,
        "company_own_word": evidence.own_word,
        "query_angles": list(evidence.angles),
    }
    if not assessed:
        details["needs_review"] = True
    if evidence.own_word and (evidence.speaker is None or evidence.speaker.kind is not SpeakerKind.PARTY):
        own = Speaker(kind=SpeakerKind.PARTY, name=source.rating.owner or source.domain)
        return details | evidence.details | {"speaker": own.model_dump(mode="json")}
    return details | evidence.details


def _why(evidence: NewsEvidence) -> str:
    """What the judgment rests on: the reason that puts both sides' words together, else the first, else its kind."""
    compared = (in_words(each) for each in evidence.reason_codes if each.code in _COMPARISONS)
    if reason := next(compared, "") or next((each for each in evidence.reasons if each.strip()), ""):
        return reason
    if evidence.contradiction_type is not None:
        return _TURNS[evidence.contradiction_type]
    return _PLAINLY.get(evidence.stance, "It neither supports nor contradicts the claim.")


def _relevance(evidence: NewsEvidence) -> str:
    """One or two plain sentences: who says what, when, and what that does to the claim."""
    source = evidence.source
    when = "without a date"
    if source.published:
        joint = "in" if source.published.precision in (Precision.YEAR, Precision.MONTH) else "on"
        when = f"{joint} {day(source.published.at, source.published.precision)}"
    whose = ", in the company's own words," if evidence.own_word else f" (tier {source.rating.tier})"
    said = f"{name_of(source)}{whose}"
    named = evidence.speaker.name if evidence.speaker else ""
    opening = f"{said} has it from {named}, {when}" if named and not evidence.own_word else f"{said} says {when}"
    first = f"{opening}: {quoted(shorten(evidence.quote, _SPOKEN))}." if evidence.quote else f"{said} was found {when}."
    if evidence.quote.strip().endswith(("?", "!")):
        first = first.removesuffix(".")
    return f"{first} {_effect(evidence)}"


def _effect(evidence: NewsEvidence) -> str:
    match evidence.stance:
        case Stance.CONTRADICTS:
            kind = " in its dates" if evidence.contradiction_type is ContradictionType.TIMELINE else ""
            return f"This contradicts the claim{kind}: {uncapitalised(ended(_why(evidence)))}"
        case Stance.SUPPORTS:
            own = "; nobody else says so there" if evidence.own_word else ""
            return f"This bears the claim out{own}: {uncapitalised(ended(_why(evidence)))}"
        case Stance.UNASSESSED:
            return "How it bears on the claim could not be assessed; a person should read it."
        case _:
            return f"It is about the matter and decides nothing: {uncapitalised(ended(_why(evidence)))}"


_KEY = 5
"""Findings that the summary names in full."""
_COPIED = 10
"""Words: two papers that have a longer sentence in common have it from one hand."""
_RULES = {
    1: "a source of tier 1 contradicts it",
    2: "two or more independent sources of tier 2 or better contradict it",
    3: "three or more independent sources of tier 3 or better contradict it, which is less firm",
}


def overview(
    claim: Claim,
    company: str,
    evidence: Sequence[NewsEvidence],
    results: Results,
) -> FindingDraft:
    """The summary finding, last of those on a claim (spec 000, §6.4), with the flag rule of §5.4 over independent
    witnesses: copies of one story, papers of one owner and what several have from one authority are one."""
    sources = _with_copies_joined({_key(each.source): each.source for each in evidence}, evidence)
    provisional = {f"P{number:04d}": each for number, each in enumerate(evidence)}
    cast = votes(
        [_provisional(id, each) for id, each in provisional.items()], sources, about=f"{company}: {claim.text}"
    )
    support = [vote for vote in cast if vote.stance is Stance.SUPPORTS]
    against = [vote for vote in cast if vote.stance is Stance.CONTRADICTS]
    rule = next((tier for tier in _RULES if stands_out([vote for vote in against if vote.tier <= tier])), None)
    by_stance = {stance: {_key(each.source) for each in evidence if each.stance is stance} for stance in Stance}
    key = sorted(
        (each for each in evidence if each.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)),
        key=lambda each: (-finding_weight(_provisional("P", each), each.source), each.source.url),
    )[:_KEY]
    heeded = [each for each in results.responses if each.status is RequestStatus.ANSWERED and each.summary.strip()]
    details: dict[str, JsonValue] = {
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
        "queries_asked": len(results.queries),
        "hits": results.hits,
        "outages": len(results.missed),
        "answers": [{"answered_by": each.answered_by, "summary": each.summary} for each in heeded],
    }
    counted = _counted(by_stance, len(sources), results)
    weighed = _weighed(support, against, rule)
    lacking = _lacking(by_stance, results)
    text = " ".join(
        [*counted, *weighed, *lacking, *(f"The {each.answered_by} desk: {ended(each.summary)}" for each in heeded)]
    )
    return FindingDraft(
        evidence_type="news_investigation_summary",
        stance=Stance.NEUTRAL,
        confidence=round(max(together(support), together(against)), 3),
        summary=text,
        details=details,
    )


def _with_copies_joined(sources: Mapping[str, Source], evidence: Sequence[NewsEvidence]) -> dict[str, Source]:
    """The sources by key; those with the very same sentence as one story, where nobody has looked into that yet."""
    by_words: dict[str, list[str]] = {}
    for each in evidence:
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


_WHOSE = ("speaker", "mode", "against_self")


def _provisional(id: str, evidence: NewsEvidence) -> Finding:
    """As a finding, for counting votes."""
    details = details_of(evidence)
    return Finding(
        id=id,
        claim_id=None,
        source_id=_key(evidence.source),
        agent="news",
        stance=evidence.stance,
        contradiction_type=evidence.contradiction_type,
        confidence=evidence.confidence,
        quote=evidence.quote,
        snapshot=evidence.source.snapshot,
        start=0,
        end=len(evidence.quote),
        details={name: details[name] for name in _WHOSE if name in details},
    )


def _others(cast: Sequence[Vote]) -> int:
    """Nobody is independent of himself."""
    return sum(not vote.party for vote in cast)


def _tiers(sources: Mapping[str, Source]) -> JsonObject:
    found = Counter(source.rating.tier for source in sources.values())
    return {str(tier): found[tier] for tier in TIER_WEIGHTS}


def _counted(by_stance: Mapping[Stance, set[str]], total: int, results: Results) -> list[str]:
    if total:
        return [
            f"Found {count(len(by_stance[Stance.SUPPORTS]), 'supporting source')} and "
            f"{count(len(by_stance[Stance.CONTRADICTS]), 'contradicting source')} across {count(total, 'source')} in "
            "total."
        ]
    leads = f"{count(results.hits, 'lead')} came back, and none bears on it" if results.hits else "no lead came back"
    if not (results.queries or results.hits or results.outages):
        return ["The claim was not looked for in the press: nobody was asked."]
    if results.outages and not results.hits:
        return [f"Whether the press has anything on the claim is not known: {leads}, and {_incomplete(results)}."]
    beside = f", and {_incomplete(results)}" if results.outages else ""
    return [f"Found nothing in the press that bears on the claim{beside}: {leads}."]


def _incomplete(results: Results) -> str:
    return f"{count(len(results.missed), 'outage')} left the search incomplete"


def _weighed(support: Sequence[Vote], against: Sequence[Vote], rule: int | None) -> list[str]:
    said = []
    if rule is not None:
        said.append(f"It stands contradicted: {_RULES[rule]} ({_names(against)}).")
    elif against:
        said.append(f"What contradicts it ({_names(against)}) is too little to count it as contradicted.")
    if support and all(vote.party for vote in support):
        said.append("Only the company itself supports it.")
    return said


def _lacking(by_stance: Mapping[Stance, set[str]], results: Results) -> list[str]:
    said = []
    if unassessed := len(by_stance[Stance.UNASSESSED]):
        said.append(f"{capitalised(count(unassessed, 'source'))} could not be assessed.")
    if results.outages and any(by_stance.values()):
        said.append(f"{capitalised(_incomplete(results))}.")
    return said


def _names(side: Sequence[Vote]) -> str:
    return listed(list(dict.fromkeys(f"{name_of(vote.source)}, tier {vote.tier}" for vote in side))[:4])
