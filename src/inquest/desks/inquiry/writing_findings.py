"""Key findings and contradictions: what was found on each claim, in sentences that name who says so."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.inquiry.writing_parts import (
    CITED,
    Checked,
    Witnesses,
    clause,
    fact,
    named,
    quote_of,
    says_more,
    who_says,
)
from inquest.domain.assessment import Verdict
from inquest.domain.finding import Finding
from inquest.domain.report import Statement, TimelineEvent
from inquest.sources.owners import voter_of
from inquest.text.phrases import capitalised, count, ended, listed, numeral, uncapitalised
from inquest.verdicts.weighing_reasons import ONLY_ITS_MAKER, SIDE, name_of
from inquest.verdicts.whose_words import corrects

__all__ = ["against_it", "contradictions", "key_finding", "tally"]

_IN_WORDS = {
    Verdict.VERIFIED: ("is verified", "are verified"),
    Verdict.PARTIALLY_TRUE: ("is true in part", "are true in part"),
    Verdict.CONTRADICTED: ("is contradicted", "are contradicted"),
    Verdict.DISPUTED: ("is disputed", "are disputed"),
    Verdict.UNVERIFIED: ("could not be verified", "could not be verified"),
}


def tally(checked: Sequence[Checked]) -> str:
    """'Of nine claims checked, five are verified and four could not be verified.'"""
    parts = []
    for verdict, (one, many) in _IN_WORDS.items():
        number = sum(each.verdict is verdict for each in checked)
        if number:
            parts.append(f"{numeral(number)} {one if number == 1 else many}")
    if len(checked) == 1:
        return f"One claim was checked; it {_IN_WORDS[checked[0].verdict][0]}."
    if len(parts) == 1:
        verdict = checked[0].verdict
        if verdict is Verdict.UNVERIFIED:
            return f"None of the {numeral(len(checked))} claims that were checked could be verified."
        return f"All {numeral(len(checked))} claims that were checked {_IN_WORDS[verdict][1]}."
    return f"Of {count(len(checked), 'claim')} that were checked, {', '.join(parts[:-1])} and {parts[-1]}."


def key_finding(checked: Checked, sources: Witnesses, turn: int) -> Statement | None:
    """What was found on the claim, with its verdict in words; None where nothing was found that could be cited.

    `turn` varies the wording, so that a list of findings does not read like a form.
    """
    if not checked.cited:
        return None
    write = {
        Verdict.VERIFIED: _verified,
        Verdict.PARTIALLY_TRUE: _partial,
        Verdict.CONTRADICTED: _contradicted,
        Verdict.DISPUTED: _disputed,
        Verdict.UNVERIFIED: _unverified,
    }[checked.verdict]
    return fact(write(checked, sources, turn), checked.cited)


def _verified(checked: Checked, sources: Witnesses, turn: int) -> str:
    text = ended(checked.claim.text)
    independent = [each for each in checked.supporting if not _is_party(each, sources)] or list(checked.supporting)
    number = checked.assessment.independent_sources
    known = len(sources.voters(independent))
    who = named(independent[:1] if number <= 1 else independent, sources)
    if min(number, known) <= 1:
        text += (
            f" Verified on the word of {who} alone.",
            f" The one source for this is {who}; it is credible enough to count as verified.",
            f" Verified, but by a single independent source: {who}.",
        )[turn % 3]
    else:
        several = capitalised(count(number, "independent source"))
        text += (
            f" {several} bear this out{': ' if number == known else ', among them '}{who}.",
            f" Verified by {who}, independently of one another.",
            f" Verified: {who} agree on it.",
        )[turn % 3]
    telling = _telling(checked.supporting, checked)
    if telling:
        text += f" In the words of {_source(telling, sources)}: {quote_of(telling)}."
    supporters = set(sources.voters(checked.supporting))
    against = [each for each in checked.contradicting if not _by_its_maker(each, checked, sources)]
    others = [each for each in against if not set(sources.voters([each])) & supporters]
    if others:
        text += f" It is contradicted by a lesser source, {_first(others, sources)}."
    elif against and _first(against, sources) not in who:
        text += f" A copy of the story, at {_first(against, sources)}, has it otherwise."
    return text


def _partial(checked: Checked, sources: Witnesses, turn: int) -> str:
    text = f"It is true only in part that {clause(checked.claim)}."
    if why := _deciding_reason(checked):
        text += f" {why}"
    evidence = (checked.contradicting or checked.supporting)[0]
    return f"{text} In the words of {_source(evidence, sources)}: {quote_of(evidence)}."


def _contradicted(checked: Checked, sources: Witnesses, turn: int) -> str:
    finding = checked.contradicting[0]
    who, that = against_it(checked, sources), clause(checked.claim)
    text = (
        f"The claim that {that} is contradicted by {who}.",
        f"Contradicted: that {that}. Against it: {who}.",
    )[turn % 2]
    if checked.assessment.single_source:
        text = text.removesuffix(".") + ", a single independent source."
    return f"{text} In the words of {_source(finding, sources)}: {quote_of(finding)}."


def against_it(checked: Checked, sources: Witnesses) -> str:
    """Who contradicts the claim: as many names as there are independent witnesses to it."""
    counted = checked.contradicting[:1] if checked.assessment.single_source else checked.contradicting
    return named(counted, sources)


def _disputed(checked: Checked, sources: Witnesses, turn: int) -> str:
    for_it, against = checked.supporting[0], checked.contradicting[0]
    text = (
        f"Disputed: whether {clause(checked.claim)}. For it: {named(checked.supporting, sources)}. "
        f"Against it: {named(checked.contradicting, sources)}, in the words of {_source(against, sources)}: "
        f"{quote_of(against)}."
    )
    if says_more(for_it, checked.claim):
        text += f" On the other side, {_source(for_it, sources)} has: {quote_of(for_it)}."
    return text


def _unverified(checked: Checked, sources: Witnesses, turn: int) -> str:
    why, that = _deciding_reason(checked), clause(checked.claim)
    if any(each.code == ONLY_ITS_MAKER for each in checked.assessment.reason_codes):
        who = named(checked.supporting, sources)
        return (
            f"According to {who}, {that}. Nobody independent of it confirms this, and so it is not verified.",
            f"Not verified: that {that}. So far {who} stands alone with it.",
            f"That {that} rests on {who} alone and is not verified.",
        )[turn % 3]
    if checked.supporting and not checked.contradicting:
        return f"According to {named(checked.supporting, sources)}, {that}. Not verified: {uncapitalised(why)}"
    if checked.contradicting and not checked.supporting:
        finding = checked.contradicting[0]
        return (
            f"It is not verified that {that}. What {_source(finding, sources)} says contradicts it "
            f"({quote_of(finding)}), but that weighs too little for a verdict."
        )
    return f"Not verified: that {that}. {capitalised(why) if why else ''}".strip()


def _is_party(finding: Finding, sources: Witnesses) -> bool:
    source = sources.get(finding.source_id)
    return bool(finding.details.get("party")) or (source is not None and source.rating.press_release)


def _deciding_reason(checked: Checked) -> str:
    """The rule that decided, as a sentence; not the lists of who supports it, which are said otherwise."""
    codes = checked.assessment.reason_codes
    if codes and codes[0].code == SIDE:
        return ""
    return checked.assessment.reasons[0] if checked.assessment.reasons else ""


def _first(findings: Sequence[Finding], sources: Witnesses) -> str:
    return _source(findings[0], sources) if findings else "a source"


def _source(finding: Finding, sources: Witnesses) -> str:
    source = sources.get(finding.source_id)
    return name_of(source) if source else "a source"


def _telling(findings: Sequence[Finding], checked: Checked) -> Finding | None:
    """The weightiest finding whose quote adds something, and not too much, to the claim's own words."""
    return next((each for each in findings[:2] if says_more(each, checked.claim) and len(each.quote) <= 300), None)


def contradictions(
    checked: Sequence[Checked], timeline: Sequence[TimelineEvent], sources: Witnesses
) -> list[Statement]:
    """Both sides of every claim that is contradicted, word by word with dates and sources, each pair of quotes once;
    then dates that conflict."""
    written = []
    seen: set[frozenset[str]] = set()
    for each in checked:
        against = next((f for f in each.contradicting if not _by_its_maker(f, each, sources)), None)
        if against is None:
            continue
        for_it = each.supporting[0] if each.supporting else None
        pair = frozenset((against.quote, for_it.quote if for_it else each.claim.text))
        if pair in seen:
            continue
        seen.add(pair)
        text = f"On the claim that {clause(each.claim)}: "
        if for_it:
            text += f"{who_says(for_it, sources)} has {quote_of(for_it)}, while "
        else:
            makers = [name_of(sources[sid]) for sid in each.claim.source_ids if sid in sources]
            text += f"it is made by {listed(list(dict.fromkeys(makers))[:3])}, while " if makers else ""
        text += f"{who_says(against, sources)} has {quote_of(against)}"
        more = len(sources.voters(each.contradicting)) - 1
        text += f", and so ha{'s' if more == 1 else 've'} {numeral(more)} more" if more > 0 else ""
        ids = [finding.id for finding in each.contradicting[:CITED]]
        written.append(fact(text, (*([for_it.id] if for_it else []), against.id, *ids)))
    return written + [
        fact(f"Sources date this differently: {ended(event.text)} {event.conflict}", event.finding_ids[:CITED])
        for event in timeline
        if event.conflict and event.finding_ids
    ]


def _by_its_maker(finding: Finding, checked: Checked, sources: Witnesses) -> bool:
    """Whether it is the claim's own maker, or the story it made the claim in, that seems to say otherwise elsewhere."""
    source = sources.get(finding.source_id)
    if source is None or corrects(finding.quote) or source.id in checked.claim.source_ids:
        return False
    makers = {voter_of(sources[sid]) for sid in checked.claim.source_ids if sid in sources}
    return bool({voter_of(source), *sources.voters([finding])} & makers)
