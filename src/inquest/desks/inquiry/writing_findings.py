"""Key findings and contradictions: what was found on each claim, in sentences that name who says so."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.inquiry.writing_parts import CITED, CheckedClaim, Witnesses, claimed, fact, named, quote_of, who_says
from inquest.domain.assessment import Verdict
from inquest.domain.english import agreeing
from inquest.domain.finding import Finding
from inquest.domain.report import Statement, TimelineEvent
from inquest.sources.owners import owner_or_site
from inquest.text.phrases import count, ended, listed, numeral
from inquest.verdicts.weighing_reasons import NOTHING_FOUND, ONLY_A_PARTY, SIDE, name_of
from inquest.verdicts.whose_words import corrects

_IN_WORDS = {
    Verdict.VERIFIED: ("is verified", "are verified"),
    Verdict.PARTIALLY_TRUE: ("is true in part", "are true in part"),
    Verdict.CONTRADICTED: ("is contradicted", "are contradicted"),
    Verdict.DISPUTED: ("is disputed", "are disputed"),
    Verdict.UNVERIFIED: ("could not be verified", "could not be verified"),
}
_WHO_SPEAKS = frozenset((SIDE, NOTHING_FOUND))
"""Reasons that say no more than which sources speak, which a key finding says itself."""


def tally(checked: Sequence[CheckedClaim]) -> str:
    """'Of nine claims that were checked, five are verified and four could not be verified.'"""
    numbers = {verdict: sum(each.verdict is verdict for each in checked) for verdict in _IN_WORDS}
    parts = [f"{numeral(n)} {agreeing(n, *_IN_WORDS[verdict])}" for verdict, n in numbers.items() if n]
    if len(checked) == 1:
        return f"One claim was checked; it {_IN_WORDS[checked[0].verdict][0]}."
    if len(parts) > 1:
        return f"Of {count(len(checked), 'claim')} that were checked, {listed(parts)}."
    if checked[0].verdict is Verdict.UNVERIFIED:
        none = "Neither" if len(checked) == 2 else "None"
        return f"{none} of the {numeral(len(checked))} claims that were checked could be verified."
    every = "Both" if len(checked) == 2 else f"All {numeral(len(checked))}"
    return f"{every} claims that were checked {_IN_WORDS[checked[0].verdict][1]}."


def key_finding(checked: CheckedClaim, sources: Witnesses) -> Statement | None:
    """What was found on the claim and by whom, in one or two sentences; None where nothing can be cited."""
    if not checked.cited:
        return None
    it = claimed(checked.claim)
    match checked.verdict:
        case Verdict.VERIFIED:
            text = f"{ended(checked.claim.text)} {_verified(checked, sources)}"
        case Verdict.PARTIALLY_TRUE:
            text = f"{_it_is('true only in part', it)} {_deciding(checked)}"
        case Verdict.CONTRADICTED:
            counted = checked.contradicting[:1] if checked.assessment.single_source else checked.contradicting
            single = ", a single independent source" if checked.assessment.single_source else ""
            text = f"The claim {it} is contradicted by {named(counted, sources)}{single}."
        case Verdict.DISPUTED:
            on = f"whether{it.removeprefix('that')}" if it.startswith("that ") else it
            text = f"Sources disagree on {on}. {_sides(checked, sources)} {_deciding(checked)}"
        case Verdict.UNVERIFIED:
            text = f"{_it_is('not verified', it)} {_sides(checked, sources)} {_deciding(checked)}"
    return fact(" ".join(text.split()), checked.cited)


def _it_is(what: str, claim: str) -> str:
    """'It is not verified that the harbour closed.'; of a claim in its own words: '“It closed” is not verified.'"""
    return f"It is {what} {claim}." if claim.startswith("that ") else f"{claim} is {what}."


def _verified(checked: CheckedClaim, sources: Witnesses) -> str:
    """By whom it is verified, and who lesser says otherwise."""
    apart = [each for each in checked.supporting if not _is_party(each, sources)] or list(checked.supporting)
    alone = min(checked.assessment.independent_sources, len(sources.voters(apart))) <= 1
    text = f"Verified by {named(apart[:1] if alone else apart, sources)}{' alone' if alone else ''}."
    supporters = set(sources.voters(checked.supporting))
    against = [each for each in checked.contradicting if not _by_its_maker(each, checked, sources)]
    others = [each for each in against if not set(sources.voters([each])) & supporters]
    if others:
        text += f" A source that weighs less contradicts it: {named(others[:1], sources)}."
    return text


def _sides(checked: CheckedClaim, sources: Witnesses) -> str:
    if _only_its_own_word(checked):
        return ""
    said = [
        f"{named(side, sources)} {agreeing(len(sources.voters(side)), *verb)} it"
        for side, verb in (
            (checked.supporting, ("supports", "support")),
            (checked.contradicting, ("contradicts", "contradict")),
        )
        if side
    ]
    text = "; ".join(said)
    return f"{text}." if text else ""


def _deciding(checked: CheckedClaim) -> str:
    """The rule that decided, as a sentence; '' where it says only which sources speak."""
    a = checked.assessment
    code = a.reason_codes[0].code if a.reason_codes else ""
    return a.reasons[0] if a.reasons and code not in _WHO_SPEAKS else ""


def _only_its_own_word(checked: CheckedClaim) -> bool:
    """Whether the rule that decided names who alone says so."""
    codes = checked.assessment.reason_codes
    return bool(codes) and codes[0].code == ONLY_A_PARTY and not checked.contradicting


def _is_party(finding: Finding, sources: Witnesses) -> bool:
    source = sources.get(finding.source_id)
    return bool(finding.details.get("party")) or (source is not None and source.rating.press_release)


def contradictions(
    checked: Sequence[CheckedClaim], timeline: Sequence[TimelineEvent], sources: Witnesses
) -> list[Statement]:
    """Both sides of every claim that is contradicted, word by word with dates and sources, each pair of quotes once;
    then dates that conflict."""
    written = []
    seen: set[frozenset[str]] = set()
    for each in checked:
        against = next((f for f in each.contradicting if not _by_its_maker(f, each, sources)), None)
        for_it = each.supporting[0] if each.supporting else None
        pair = frozenset((against.quote if against else "", for_it.quote if for_it else each.claim.text))
        if against is None or pair in seen:
            continue
        seen.add(pair)
        text = f"On the claim {claimed(each.claim)}: "
        makers = [name_of(sources[sid]) for sid in each.claim.source_ids if sid in sources]
        if for_it:
            text += f"{who_says(for_it, sources)} has {quote_of(for_it)}, while "
        elif makers:
            text += f"it is made by {listed(list(dict.fromkeys(makers))[:3])}, while "
        text += f"{who_says(against, sources)} has {quote_of(against)}"
        if (more := len(sources.voters(each.contradicting)) - 1) > 0:
            text += f", as {agreeing(more, 'does', 'do')} {numeral(more)} more"
        ids = [finding.id for finding in each.contradicting[:CITED]]
        written.append(fact(text, (*([for_it.id] if for_it else []), against.id, *ids)))
    return written + [
        fact(f"Sources date this differently: {ended(event.text)} {event.conflict}", event.finding_ids[:CITED])
        for event in timeline
        if event.conflict and event.finding_ids
    ]


def _by_its_maker(finding: Finding, checked: CheckedClaim, sources: Witnesses) -> bool:
    """Whether it is the claim's own maker, or the story it made the claim in, that seems to say otherwise elsewhere."""
    source = sources.get(finding.source_id)
    if source is None or corrects(finding.quote) or source.id in checked.claim.source_ids:
        return False
    makers = {owner_or_site(sources[sid]) for sid in checked.claim.source_ids if sid in sources}
    return bool({owner_or_site(source), *sources.voters([finding])} & makers)
