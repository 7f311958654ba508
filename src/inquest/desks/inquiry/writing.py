"""Write the summary of a case from its findings only: every sentence that states a fact cites them."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.inquiry.writing_parts import (
    CheckedClaim,
    Witnesses,
    checked_claims,
    claimed,
    contradictions,
    key_finding,
    named,
    note,
    nothing_found,
    others_in_table,
    says,
    set_apart,
    some_of,
    summary_of,
    tally,
    unassessed_note,
    witnesses_counted,
)
from inquest.domain.check import GIVEN_CLAIMS
from inquest.domain.drafts import WriteMaterial
from inquest.domain.finding import Verdict
from inquest.domain.reasons import Reason
from inquest.domain.report import Statement, Summary, outage_lines
from inquest.domain.source import Category
from inquest.text.phrases import capitalised, listed
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
        out = list(dict.fromkeys(each.where for each in material.missing))[:_ADVICE]
        return [note(says("no_source_and" if out else "no_source", where=out))]
    unreached = sum(not each.checked for each in material.assessments)
    written = [note(tally(checked))] if checked else []
    if unreached:
        written.append(note(says("more_unreached" if checked else "claims_unreached", number=unreached)))
    known = f"{material.as_of:%Y-%m-%d}"
    written.append(note(says("rests_on", sources=witnesses_counted(evidence), date=known)))
    if not checked and not unreached:
        written.append(note(says("no_claim", number=len(evidence))))
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
    written = [note(says("bias", label=bias.label, score=f"{bias.overall:.1f}"))]
    written += map(note, bias.reason_codes or bias.reasons)
    sources = {source.id: source for source in material.sources if not source.rating.press_release}
    one_sided = [each for each in bias.per_source if each.bias >= _ONE_SIDED and each.source_id in sources]
    for each in sorted(one_sided, key=lambda each: (-each.bias, each.source_id))[:_SOURCES]:
        written.append(note(says("one_sided", name=name_of(sources[each.source_id]))))
        written += map(note, each.reason_codes[:1] or each.reasons[:1])
    return written


def gaps(material: WriteMaterial, checked: Sequence[CheckedClaim]) -> list[Statement]:
    """Claims without evidence, what could not be asked or judged, and what was left out."""
    written = []
    silent = [each for each in checked if each.verdict is Verdict.UNVERIFIED and not each.cited]
    if silent:
        which = some_of([claimed(each.claim, most=_CLAIM) for each in silent], _MOST, "other_claims")
        lacks = dict.fromkeys(each.assessment.lacks for each in silent if each.assessment.lacks)
        unaided = material.plan.unaided and any(not each.excluded for each in material.sources)
        written.append(nothing_found(which, list(lacks)[:2], unaided=unaided))
    open_ids = {each.claim_id for each in material.assessments if not each.checked}
    if unreached := [claimed(claim, most=_CLAIM) for claim in material.claims if claim.id in open_ids]:
        which = some_of(unreached, _MOST, "other_claims")
        written.append(note(says("unreached", number=len(unreached), claims=which)))
    written += unassessed_note(checked)
    apart = [each for each in material.sources if each.excluded and not each.other_bearer]
    apart = [each for each in apart if not each.url.startswith(GIVEN_CLAIMS)]
    if apart:
        by_reason: dict[str, dict[str, None]] = {}
        for source in apart:
            by_reason.setdefault(source.excluded or "", {})[name_of(source)] = None
        why = "; ".join(f"{listed([*names][:3])}, {reason}" for reason, names in by_reason.items())
        written.append(note(says("not_counted", number=len(apart), why=why)))
    return [*written, *set_apart(material.sources), *map(note, outage_lines(material.missing, _MOST))]


def recommendations(material: WriteMaterial, checked: Sequence[CheckedClaim], sources: Witnesses) -> list[Statement]:
    """The next steps, by what is missing; at most four."""
    official = next((name_of(each) for each in material.sources if each.rating.category in _OFFICIAL), None)
    written: list[str | Reason] = []
    for each in checked:
        it = claimed(each.claim, most=_CLAIM)
        if each.verdict is Verdict.DISPUTED:
            sides = [name for side in (each.supporting, each.contradicting) for name in named(side[:1], sources)]
            written.append(says("compare_sides", names=sides, claim=it))
        elif each.verdict is Verdict.CONTRADICTED:
            written.append(says("check_original", claim=it))
        elif each.assessment.single_source:
            written.append(says("second_source", claim=it))
    written = written[: _ADVICE - 1]
    if any(event.conflict for event in material.timeline):
        written.append(says("check_dates", name=official) if official else says("check_dates_anywhere"))
    if material.missing:
        written.append(says("repeat_searches"))
    if material.bias and material.bias.overall >= _BIASED and material.bias.recommendation:
        written.append(material.bias.recommendation)
    if not official:
        written.append(says("request_records"))
    return [note(text) for text in written[:_ADVICE]]
