"""Key findings and contradictions: what was found on each claim, in sentences that name who says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from inquest.domain.assessment import Verdict
from inquest.domain.finding import Finding
from inquest.domain.report import Statement, TimelineEvent
from inquest.domain.source import Source
from inquest.logic.phrases import capitalised, count, ended, numeral, uncapitalised
from inquest.logic.votes import voter_of
from inquest.logic.weighing_reasons import name_of
from inquest.logic.writing_parts import CITED, Checked, clause, fact, named, quote_of, says_more, who_says

__all__ = ["contradictions", "key_finding", "tally"]

_IN_WORDS = {
    Verdict.VERIFIED: ("is verified", "are verified"),
    Verdict.PARTIALLY_TRUE: ("is true in part", "are true in part"),
    Verdict.CONTRADICTED: ("is contradicted", "are contradicted"),
    Verdict.DISPUTED: ("is disputed", "are disputed"),
    Verdict.UNVERIFIED: ("could not be verified", "could not be verified"),
}
_WHOSE_OWN = "Only the source that makes the claim"


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
        return f"All {numeral(len(checked))} claims that were checked {_IN_WORDS[verdict][1]}."
    return f"Of {count(len(checked), 'claim')} that were checked, {', '.join(parts[:-1])} and {parts[-1]}."


def key_finding(checked: Checked, sources: Mapping[str, Source], turn: int) -> Statement | None:
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


def _verified(checked: Checked, sources: Mapping[str, Source], turn: int) -> str:
    text = ended(checked.claim.text)
    who = named(checked.supporting, sources)
    if checked.assessment.independent_sources <= 1:
        text += f" Verified, on the word of one independent source, {_first(checked.supporting, sources)}."
    else:
        number = capitalised(count(checked.assessment.independent_sources, "independent source"))
        text += (
            f" Verified: {who} confirm it independently of one another.",
            f" {number} bear this out: {who}. Verified.",
            f" This is verified by {who}.",
        )[turn % 3]
    telling = _telling(checked.supporting, checked)
    if telling:
        text += f" {_source(telling, sources)} puts it thus: {quote_of(telling)}."
    if checked.contradicting:
        text += f" A lesser source, {_first(checked.contradicting, sources)}, says otherwise."
    return text


def _partial(checked: Checked, sources: Mapping[str, Source], turn: int) -> str:
    why = _deciding_reason(checked)
    text = f"It is true only in part that {clause(checked.claim)}."
    text += f" {why}" if why else ""
    evidence = checked.contradicting[:1] or checked.supporting[:1]
    for finding in evidence:
        text += f" {capitalised(_source(finding, sources))} says: {quote_of(finding)}."
    return text


def _contradicted(checked: Checked, sources: Mapping[str, Source], turn: int) -> str:
    finding = checked.contradicting[0]
    who = named(checked.contradicting, sources)
    several = len(_voters(checked.contradicting, sources)) > 1
    text = (
        f"The claim that {clause(checked.claim)} is contradicted by {who}.",
        f"Contradicted: that {clause(checked.claim)}. Against it stand{'' if several else 's'} {who}.",
    )[turn % 2]
    text += f" {capitalised(_source(finding, sources))} says: {quote_of(finding)}."
    if checked.assessment.single_source:
        text += " That is a single source."
    return text


def _disputed(checked: Checked, sources: Mapping[str, Source], turn: int) -> str:
    for_it, against = checked.supporting[0], checked.contradicting[0]
    several = len(_voters(checked.supporting, sources)) > 1
    text = (
        f"Disputed: whether {clause(checked.claim)}. {capitalised(named(checked.supporting, sources))} "
        f"{'say' if several else 'says'} so; {_source(against, sources)} does not: {quote_of(against)}."
    )
    if says_more(for_it, checked.claim):
        text += f" On the other side: {quote_of(for_it)} ({_source(for_it, sources)})."
    return text


def _unverified(checked: Checked, sources: Mapping[str, Source], turn: int) -> str:
    why = _deciding_reason(checked)
    if why.startswith(_WHOSE_OWN):
        who, that = _first(checked.supporting, sources), clause(checked.claim)
        return (
            f"{capitalised(who)} says that {that}; nobody independent of it confirms it. Not verified.",
            f"Not verified: that {that}. So far {who} stands alone with it.",
            f"That {that} rests on {who} alone and is not verified.",
        )[turn % 3]
    if checked.supporting and not checked.contradicting:
        who = named(checked.supporting, sources)
        verb = "say" if len(_voters(checked.supporting, sources)) > 1 else "says"
        return f"{capitalised(who)} {verb} that {clause(checked.claim)}. Not verified: {uncapitalised(why)}"
    if checked.contradicting and not checked.supporting:
        finding = checked.contradicting[0]
        return (
            f"It is not verified that {clause(checked.claim)}; {_source(finding, sources)} contradicts it "
            f"({quote_of(finding)}), but that weighs too little for a verdict."
        )
    return f"Not verified: that {clause(checked.claim)}. {why}"


def _voters(findings: Sequence[Finding], sources: Mapping[str, Source]) -> set[str]:
    return {voter_of(sources[each.source_id]) for each in findings if each.source_id in sources}


def _deciding_reason(checked: Checked) -> str:
    """The rule that decided, as a sentence; not the lists of who supports it, which are said otherwise."""
    first = checked.assessment.reasons[0] if checked.assessment.reasons else ""
    return "" if re.match(r"(?:\w+ )?(?:independent sources?|\w+ independent sources?)\b", first) else first


def _first(findings: Sequence[Finding], sources: Mapping[str, Source]) -> str:
    return _source(findings[0], sources) if findings else "a source"


def _source(finding: Finding, sources: Mapping[str, Source]) -> str:
    source = sources.get(finding.source_id)
    return name_of(source) if source else "a source"


def _telling(findings: Sequence[Finding], checked: Checked) -> Finding | None:
    """The weightiest finding whose quote adds something, and not too much, to the claim's own words."""
    return next((each for each in findings[:2] if says_more(each, checked.claim) and len(each.quote) <= 300), None)


def contradictions(
    checked: Sequence[Checked], timeline: Sequence[TimelineEvent], sources: Mapping[str, Source]
) -> list[Statement]:
    """Both sides of every claim that is contradicted, word by word with dates and sources; then dates that conflict."""
    written = []
    for each in checked:
        if not each.contradicting:
            continue
        against = each.contradicting[0]
        text = f"On the claim that {clause(each.claim)}: "
        if each.supporting:
            for_it = each.supporting[0]
            text += f"{who_says(for_it, sources)} says {quote_of(for_it)}; "
            ids = (for_it.id, against.id)
        else:
            said_by = [sources[sid] for sid in each.claim.source_ids if sid in sources][:2]
            makers = " and ".join(dict.fromkeys(name_of(source) for source in said_by))
            text += f"it is made by {makers}; " if makers else ""
            ids = (against.id,)
        more = len(_voters(each.contradicting, sources)) - 1
        text += f"{who_says(against, sources)} says {quote_of(against)}"
        text += f", and so do{'es' if more == 1 else ''} {numeral(more)} more" if more > 0 else ""
        written.append(fact(text, (*ids, *(finding.id for finding in each.contradicting[1:CITED]))))
    return written + [
        fact(f"Sources date this differently: {ended(event.text)} {event.conflict}", event.finding_ids[:CITED])
        for event in timeline
        if event.conflict and event.finding_ids
    ]
