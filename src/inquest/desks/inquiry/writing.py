"""The summary of a case, written from its findings and nothing else: every sentence that states a fact cites them."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.inquiry.writing_findings import contradictions, key_finding, tally
from inquest.desks.inquiry.writing_gaps import gaps, recommendations
from inquest.desks.inquiry.writing_parts import CheckedClaim, Witnesses, checked_claims, note, witnesses_counted
from inquest.domain.assessment import Verdict
from inquest.domain.drafts import WriteMaterial
from inquest.domain.english import agreeing
from inquest.domain.report import Section, Statement, Summary
from inquest.text.phrases import capitalised, count, day, listed, numeral
from inquest.text.sentences import shorten
from inquest.verdicts.weighing_reasons import name_of

_BRIEF_FINDINGS, _ALL_FINDINGS = 5, 12
_HEADLINES, _OF_ONE_KIND = 4, 2
_ONE_SIDED = 5.0
"""Bias, 0 to 10, from which a source is named as more one-sided than most."""
_LOUD = 3


def write_summary(material: WriteMaterial, *, depth: str) -> Summary:
    """The cited summary. `depth`: brief (the five most important findings) or comprehensive (twelve)."""
    sources = Witnesses(material.sources)
    checked = checked_claims(material)
    most = _BRIEF_FINDINGS if depth == "brief" else _ALL_FINDINGS
    first = _headlines(checked, material.plan.topic)
    parts: list[tuple[str, list[Statement]]] = [
        ("In short", [*_lead_sentences(first, sources), *_extent(material, checked)]),
        ("Key findings", _key_findings([each for each in checked if each not in first], sources, most)),
        ("Contradictions", contradictions(checked, material.timeline, sources)[:most]),
        ("Bias assessment", _bias(material)),
        ("What could not be established", gaps(material, checked)),
        ("Recommendations", recommendations(material, checked)),
    ]
    return Summary(
        title=shorten(capitalised(material.plan.topic), 160),
        sections=tuple(Section(heading=heading, statements=tuple(said)) for heading, said in parts if said),
    )


def _extent(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """How many claims came out how, and what that rests on."""
    counted = [source for source in material.sources if not source.excluded]
    if not counted:
        out = listed(list(dict.fromkeys(each.where for each in material.missing))[:_HEADLINES])
        lacks = f", and {out} could not be asked" if out else ""
        return [note(f"No source was found that counts as evidence{lacks}; nothing can be said of the matter")]
    unreached = sum(not each.checked for each in material.assessments)
    written = [note(tally(checked))] if checked else []
    if unreached:
        more = f"{numeral(unreached)} more" if checked else count(unreached, "claim")
        written.append(note(f"{capitalised(more)} could not be checked"))
    written.append(note(f"This rests on {witnesses_counted(counted)}, as known on {day(material.as_of)}"))
    if not checked and not unreached:
        written.append(note(f"{agreeing(len(counted), 'It makes', 'They make')} no claim that could be checked"))
    return written


def _headlines(checked: Sequence[CheckedClaim], topic: str) -> list[CheckedClaim]:
    """What a reader must know first: the claim that is the topic itself, where there is one; then the two weightiest
    that hold, and the two weightiest that do not."""
    spoken = sorted((each for each in checked if each.cited), key=lambda each: each.claim.text != topic)
    holds = [each for each in spoken if each.verdict in (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE)]
    fails = [each for each in spoken if each.verdict in (Verdict.CONTRADICTED, Verdict.DISPUTED)]
    chosen = [*holds[:_OF_ONE_KIND], *fails[:_OF_ONE_KIND]][:_HEADLINES]
    return sorted(chosen, key=lambda each: each.claim.text != topic)


def _lead_sentences(checked: Sequence[CheckedClaim], sources: Witnesses) -> list[Statement]:
    return [said for each in checked if (said := key_finding(each, sources)) is not None]


def _key_findings(checked: Sequence[CheckedClaim], sources: Witnesses, most: int) -> list[Statement]:
    spoken = sorted((each for each in checked if each.cited), key=lambda each: each.verdict is Verdict.UNVERIFIED)
    written = _lead_sentences(spoken[:most], sources)
    if (left := len(spoken) - most) > 0:
        stand = agreeing(left, "stands", "stand")
        written.append(
            note(f"{capitalised(count(left, 'further claim'))} of less weight {stand} in the table of verdicts")
        )
    return written


def _bias(material: WriteMaterial) -> list[Statement]:
    bias = material.bias
    if bias is None:
        return []
    written = [note(f"Bias of the sources as a whole: {bias.label}, {bias.overall:.1f} on a scale from 0 to 10")]
    written += [note(reason) for reason in bias.reasons]
    loud = sorted((each for each in bias.per_source if each.bias >= _ONE_SIDED), key=lambda e: (-e.bias, e.source_id))
    names = {source.id: source for source in material.sources}
    for each in loud[:_LOUD]:
        source = names.get(each.source_id)
        if source is not None and not source.rating.press_release and each.reasons:
            written.append(note(f"More one-sided than most is {name_of(source)}. {each.reasons[0]}"))
    return written
