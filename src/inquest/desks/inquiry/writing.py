"""The summary of a case, written from its findings and nothing else: every sentence that states a fact cites them."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.inquiry.writing_findings import against_it, contradictions, key_finding, tally
from inquest.desks.inquiry.writing_gaps import gaps, recommendations
from inquest.desks.inquiry.writing_parts import Checked, Witnesses, checked_claims, clause, fact, note, witnesses_told
from inquest.domain.assessment import Verdict
from inquest.domain.drafts import WriteMaterial
from inquest.domain.report import Section, Statement, Summary
from inquest.text.phrases import capitalised, count, day, ended, listed, numeral
from inquest.text.sentences import shorten
from inquest.verdicts.weighing_reasons import name_of

__all__ = ["write_summary"]

_BRIEF_FINDINGS, _ALL_FINDINGS = 5, 25
_ORDER = (
    Verdict.VERIFIED,
    Verdict.PARTIALLY_TRUE,
    Verdict.DISPUTED,
    Verdict.CONTRADICTED,
    Verdict.UNVERIFIED,
)


def write_summary(material: WriteMaterial, *, depth: str) -> Summary:
    """The cited summary. `depth`: brief (the five most important findings) or comprehensive."""
    sources = Witnesses(material.sources)
    checked = checked_claims(material)
    most = _BRIEF_FINDINGS if depth == "brief" else _ALL_FINDINGS
    parts: list[tuple[str, list[Statement]]] = [
        ("Executive summary", _executive(material, checked, sources)),
        ("Key findings", _key_findings(checked, sources, most)),
        ("Contradictions", contradictions(checked, material.timeline, sources)[:most]),
        ("Bias assessment", _bias(material)),
        ("What could not be established", gaps(material, checked)),
        ("Recommendations", recommendations(material, checked)),
    ]
    return Summary(
        title=shorten(capitalised(material.plan.topic), 160),
        sections=tuple(Section(heading=heading, statements=tuple(said)) for heading, said in parts if said),
    )


def _executive(material: WriteMaterial, checked: Sequence[Checked], sources: Witnesses) -> list[Statement]:
    counted = [source for source in material.sources if not source.excluded]
    if not counted:
        out = listed([text.split(": ", 1)[0].strip() for text in material.missing[:4]])
        lacks = f"; {out} could not be asked" if out else ""
        return [note(f"No source was found that counts as evidence, and so nothing can be said of the matter{lacks}")]
    text = f"This summary rests on {witnesses_told(counted)}"
    written = [note(f"{text}, as known on {day(material.as_of)}")]
    unreached = sum(not each.checked for each in material.assessments)
    if not checked and not unreached:
        what = "It makes" if len(counted) == 1 else "They make"
        return [*written, note(f"{what} no claim that could be checked")]
    if checked:
        written.append(note(tally(checked)))
    if unreached:
        more = f"{numeral(unreached)} more" if checked else count(unreached, "claim")
        verb = "was" if unreached == 1 else "were"
        written.append(note(f"{capitalised(more)} {verb} found and could not be checked"))
    written += [_headline(each, sources) for each in _headlines(checked, material.plan.topic)]
    return written


def _headlines(checked: Sequence[Checked], topic: str) -> list[Checked]:
    """What a reader must know first: the claim that is the topic itself, where there is one; then the two weightiest
    that hold, and the weightiest that does not or is open."""
    spoken = [each for each in checked if each.cited]
    spoken.sort(key=lambda each: each.claim.text != topic)
    holds = [each for each in spoken if each.verdict in (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE)][:2]
    fails = [each for each in spoken if each.verdict in (Verdict.CONTRADICTED, Verdict.DISPUTED)][:2]
    chosen = [*holds, *fails[: 4 - len(holds)]]
    return sorted(chosen, key=lambda each: (each.claim.text != topic, _ORDER.index(each.verdict)))


def _headline(each: Checked, sources: Witnesses) -> Statement:
    match each.verdict:
        case Verdict.VERIFIED:
            text = ended(each.claim.text)
        case Verdict.PARTIALLY_TRUE:
            text = f"It is only partly true that {clause(each.claim)}"
        case Verdict.DISPUTED:
            text = f"Credible sources disagree on whether {clause(each.claim)}"
        case _:
            text = f"The claim that {clause(each.claim)} is contradicted by {against_it(each, sources)}"
    return fact(text, each.cited)


def _key_findings(checked: Sequence[Checked], sources: Witnesses, most: int) -> list[Statement]:
    written = []
    turns = dict.fromkeys(Verdict, 0)
    spoken = sorted((each for each in checked if each.cited), key=lambda each: each.verdict is Verdict.UNVERIFIED)
    for each in spoken[:most]:
        statement = key_finding(each, sources, turns[each.verdict])
        turns[each.verdict] += 1
        if statement is not None:
            written.append(statement)
    left = len(spoken) - most
    if left > 0:
        verb = "stands" if left == 1 else "stand"
        written.append(
            note(f"{capitalised(count(left, 'further claim'))} of less weight {verb} in the table of verdicts")
        )
    return written


def _bias(material: WriteMaterial) -> list[Statement]:
    bias = material.bias
    if bias is None:
        return []
    written = [note(f"Bias of the sources as a whole: {bias.label}, {bias.overall:.1f} on a scale from 0 to 10")]
    written += [note(reason) for reason in bias.reasons]
    loud = sorted((each for each in bias.per_source if each.bias >= 5), key=lambda each: (-each.bias, each.source_id))
    names = {source.id: source for source in material.sources}
    for each in loud[:4]:
        source = names.get(each.source_id)
        if source is not None and not source.rating.press_release and each.reasons:
            written.append(note(f"More one-sided than most is {name_of(source)}. {each.reasons[0]}"))
    if bias.recommendation:
        written.append(note(bias.recommendation))
    return written
