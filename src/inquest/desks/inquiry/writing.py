"""Write the summary of a case from its findings only: every sentence that states a fact cites them."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.inquiry.writing_parts import (
    CheckedClaim,
    Witnesses,
    checked_claims,
    claimed,
    contradictions,
    counted,
    key_finding,
    named,
    note,
    nothing_found,
    others_in_table,
    set_apart,
    summary_of,
    tally,
    unassessed_note,
    witnesses_counted,
)
from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.drafts import WriteMaterial
from inquest.domain.finding import Verdict
from inquest.domain.languages import agreeing
from inquest.domain.report import Statement, Summary, outage_lines
from inquest.domain.source import Category
from inquest.text.phrases import capitalised, count, day, listed, numeral
from inquest.verdicts.weighing_reasons import name_of

KEY_FINDINGS = "Key findings"
_BRIEF_FINDINGS, _ALL_FINDINGS = 5, 8
_OF_ONE_KIND = 2
"""Maximum number of verified claims, and of others, in the first part."""
_ONE_SIDED, _SOURCES = 5.0, 3
"""Bias, 0 to 10, from which a source is named as more one-sided than most; limit of such sources."""
_MOST, _ADVICE = 6, 4
_CLAIM = 160
"""Characters of a claim in a sentence."""
_BIASED = 4.0
"""Bias of all sources together, 0 to 10, from which other sources are recommended."""
_OFFICIAL = frozenset((Category.GOVERNMENT, Category.COURT, Category.REGULATOR))


def write_summary(material: WriteMaterial, *, depth: str) -> Summary:
    """The cited summary. `depth`: brief (the five most important findings) or comprehensive (eight)."""
    sources = Witnesses(material.sources)
    checked = checked_claims(material.claims, material.findings, material.assessments)
    most = _BRIEF_FINDINGS if depth == "brief" else _ALL_FINDINGS
    extent = _extent(material, checked)
    parts: list[tuple[str, list[Statement]]] = [
        ("In short", [] if checked else extent),
        (KEY_FINDINGS, _key_findings(checked, sources, material.plan.topic, most)),
        ("Contradictions", contradictions(checked, material.timeline, sources)[:_MOST]),
        ("What could not be established", gaps(material, checked)),
        ("Bias assessment", _bias(material)),
        ("Recommendations", recommendations(material, checked, sources)),
        ("What this rests on", extent if checked else []),
    ]
    return summary_of(capitalised(material.plan.topic), parts)


def _extent(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """The number of claims by verdict, and of sources."""
    evidence = [source for source in material.sources if not source.excluded]
    if not evidence:
        out = listed(list(dict.fromkeys(each.where for each in material.missing))[:_ADVICE])
        lacks = f", and {out} could not be asked" if out else ""
        return [note(f"No source that counts as evidence was found{lacks}, so the topic could not be examined")]
    unreached = sum(not each.checked for each in material.assessments)
    written = [note(tally(checked))] if checked else []
    if unreached:
        more = f"{numeral(unreached)} more" if checked else count(unreached, "claim")
        written.append(note(f"{capitalised(more)} could not be checked"))
    written.append(note(f"This rests on {witnesses_counted(evidence)}, as known on {day(material.as_of)}"))
    if not checked and not unreached:
        written.append(note(f"{agreeing(len(evidence), 'It contains', 'They contain')} no claim that could be checked"))
    return written


def _key_findings(checked: Sequence[CheckedClaim], sources: Witnesses, topic: str, most: int) -> list[Statement]:
    """The topic itself and the weightiest claims, two verified and two refuted; then the other weightiest ones."""
    cited = sorted((each for each in checked if each.cited), key=lambda each: each.claim.text != topic)
    verified = [each for each in cited if each.verdict in (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE)]
    refuted = [each for each in cited if each.verdict in (Verdict.CONTRADICTED, Verdict.DISPUTED)]
    first = [*verified[:_OF_ONE_KIND], *refuted[:_OF_ONE_KIND]]
    first.sort(key=lambda each: each.claim.text != topic)
    others = [each for each in checked if each.cited and each not in first]
    others.sort(key=lambda each: each.verdict is Verdict.UNVERIFIED)
    shown = [*first, *others[: most - len(first)]]
    return [*(key_finding(each, sources) for each in shown), *others_in_table(len(cited) - len(shown))]


def _bias(material: WriteMaterial) -> list[Statement]:
    bias = material.bias
    if bias is None:
        return []
    written = [note(f"Bias of the sources as a whole: {bias.label}, {bias.overall:.1f} on a scale from 0 to 10")]
    written += [note(reason) for reason in bias.reasons]
    sources = {source.id: source for source in material.sources if not source.rating.press_release}
    one_sided = [each for each in bias.per_source if each.bias >= _ONE_SIDED and each.source_id in sources]
    for each in sorted(one_sided, key=lambda each: (-each.bias, each.source_id))[:_SOURCES]:
        why = " ".join(each.reasons[:1])
        written.append(note(f"More one-sided than most is {name_of(sources[each.source_id])}. {why}".strip()))
    return written


def gaps(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """Claims without evidence, what could not be asked or judged, and what was left out."""
    written = []
    silent = [each for each in checked if each.verdict is Verdict.UNVERIFIED and not each.cited]
    if silent:
        which = _named_claims([claimed(each.claim, most=_CLAIM) for each in silent], " or ")
        lacks = dict.fromkeys(each.assessment.lacks for each in silent if each.assessment.lacks)
        but = f", and {listed(list(lacks)[:2])}" if lacks else ""
        unaided = material.plan.unaided and any(not each.excluded for each in material.sources)
        written.append(nothing_found(which, but, unaided=unaided))
    open_ids = {each.claim_id for each in material.assessments if not each.checked}
    if unreached := [claimed(claim, most=_CLAIM) for claim in material.claims if claim.id in open_ids]:
        which = _named_claims(unreached, " and ")
        written.append(note(counted(len(unreached), "claim", f"could not be checked: {which}")))
    written += unassessed_note(checked)
    apart = [each for each in material.sources if each.excluded and not each.other_bearer]
    apart = [each for each in apart if not each.url.startswith(GIVEN_CLAIMS)]
    if apart:
        by_reason: dict[str, dict[str, None]] = {}
        for source in apart:
            by_reason.setdefault(source.excluded or "", {})[name_of(source)] = None
        why = "; ".join(f"{listed([*names][:3])}, {reason}" for reason, names in by_reason.items())
        verb = agreeing(len(apart), "is", "are")
        written.append(note(counted(len(apart), "source", f"{verb} listed but not counted: {why}")))
    return [*written, *set_apart(material.sources), *map(note, outage_lines(material.missing, _MOST))]


def recommendations(material: WriteMaterial, checked: Sequence[CheckedClaim], sources: Witnesses) -> list[Statement]:
    """The next steps, by what is missing; at most four."""
    official = next((name_of(each) for each in material.sources if each.rating.category in _OFFICIAL), None)
    written = []
    for each in checked:
        it = claimed(each.claim, most=_CLAIM)
        if each.verdict is Verdict.DISPUTED:
            sides = listed([named(side[:1], sources) for side in (each.supporting, each.contradicting) if side])
            written.append(f"Compare the documents behind both sides, {sides}, of the dispute on {it}")
        elif each.verdict is Verdict.CONTRADICTED:
            written.append(f"Check the claim {it} against the original document")
        elif each.assessment.single_source:
            written.append(f"Find a second independent source for the claim {it}")
    written = written[: _ADVICE - 1]
    if any(event.conflict for event in material.timeline):
        record = f"the records of {official}" if official else "an official record"
        written.append(f"Check the dates on which the sources disagree against {record}")
    if material.missing:
        written.append("Repeat the searches that were not possible this time; they may change a verdict")
    if material.bias and material.bias.overall >= _BIASED and material.bias.recommendation:
        written.append(material.bias.recommendation)
    if not official:
        written.append("Request the official records: decisions, permits, inspection reports and court files")
    return [note(text) for text in written[:_ADVICE]]


def _named_claims(claims: Sequence[str], joint: str) -> str:
    """'“The harbour closed”, “It opened” or five other claims'."""
    more = [count(len(claims) - _MOST, "other claim")] if len(claims) > _MOST else []
    shown = [*claims[:_MOST], *more]
    return joint.join(filter(None, (", ".join(shown[:-1]), shown[-1])))
