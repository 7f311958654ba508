"""The findings of the academic desk beside its validations: one for each source, errors, and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.claims.parts_of_claim import PART
from inquest.desks.academic.references import reference_to
from inquest.desks.academic.validation import Validation, clamped, details_of, rest_on, supports_claim
from inquest.desks.academic.witnesses import Witness, best_of_each_source
from inquest.domain.finding import Stance
from inquest.domain.report import OutageNote
from inquest.domain.value import JsonObject
from inquest.text.phrases import count, listed, quoted
from inquest.text.sentences import shorten

__all__ = ["outage_findings", "source_findings", "summary_finding"]

_QUOTED = 120
"""Characters of a statement in a sentence."""
_SIDES = {Stance.SUPPORTS: "supports", Stance.CONTRADICTS: "contradicts", Stance.NEUTRAL: "does not decide"}
_NAMES = {
    "methodology_validation": "method",
    "certification_validation": "certification",
    "sbti_validation": "target",
    "benchmark_comparison": "benchmark",
    "research_support": "research",
}


def source_findings(witnesses: Sequence[Witness]) -> tuple[Validation, ...]:
    """One for each source whose passage supports or contradicts the claim, or one of its statements. What is barred (a
    retracted work) is told without a stance; what is of tier 4 or the company's own is told as what it is, for the
    judge to weigh."""
    found: list[Validation] = []
    for each in best_of_each_source(witnesses):
        stance = Stance.NEUTRAL if each.barred else each.stance
        reference = reference_to(each)
        details = details_of(
            "academic_source",
            supports_claim=supports_claim(stance),
            rests_on="evidence",
            source_credibility=each.credibility,
            peer_reviewed=each.work.peer_reviewed if each.work else None,
            angles=list(each.angles),
            not_counted=each.left_out or None,
            academic_references=[reference] if reference["type"] == "academic_paper" else [],
            standard_references=[] if reference["type"] == "academic_paper" else [reference],
            **(each.whose_word or {}),
            **({PART: each.part} if each.part else {}),
        )
        what = f"one statement of the claim ({quoted(shorten(each.part, _QUOTED))})" if each.part else "the claim"
        verb = {Stance.SUPPORTS: "supports", Stance.CONTRADICTS: "contradicts"}[each.stance]
        summary = f"{each.name} {verb} {what}."
        if each.left_out:
            summary = f"{each.name} {verb} {what}, and is not counted in a validation: {each.left_out}."
        found.append(
            Validation(
                "academic_source",
                stance,
                clamped(each.confidence, 1.0),
                summary,
                details,
                (reference,),
                (f"Credibility {each.credibility} of 4 (1 is highest).", *each.reasons),
                each.contradiction_type if stance is Stance.CONTRADICTS else None,
                rest_on(each),
            )
        )
    return tuple(found)


def _names_in(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _each_source(witnesses: Sequence[Witness]) -> list[Witness]:
    return list({each.source.id: each for each in witnesses}.values())


def outage_findings(outages: Sequence[OutageNote]) -> tuple[Validation, ...]:
    """One error for each thing that could not be asked: not to be taken for nothing having been found."""
    return tuple(
        Validation(
            "error",
            Stance.UNASSESSED,
            0.0,
            f"Insufficient evidence: {each.where} could not be asked. {each.why}",
            {
                "what": each.what,
                "where": each.where,
                "message": each.why,
                "at": each.at.isoformat(),
                "supports_claim": None,
            },
            reasons=(each.why,),
        )
        for each in {(note.what, note.where, note.why): note for note in outages}.values()
    )


def summary_finding(
    validations: Sequence[Validation],
    witnesses: Sequence[Witness],
    *,
    hits: int,
    queries: int,
    outages: Sequence[OutageNote],
    answers: Sequence[str] = (),
) -> Validation:
    """What it all comes to, in plain words; last of the findings on a claim."""
    told = best_of_each_source(witnesses)
    left_out = _each_source([each for each in told if each.left_out])
    used = {name for each in validations for name in _names_in(each.details.get("finding_sources"))}
    used |= {each.source.id for each in told if not each.left_out}
    counted = [each for each in _each_source(witnesses) if each.source.id in used]
    stances = {each.stance for each in validations} - {Stance.NEUTRAL}
    stance = stances.pop() if len(stances) == 1 else Stance.NEUTRAL
    best = max((each.confidence for each in validations if each.stance is stance), default=0.0)
    unassessed = sum(each.stance is Stance.UNASSESSED for each in witnesses)
    parts = [
        f"The {_NAMES.get(each.evidence_type, 'check')} check {_SIDES[each.stance]} the claim." for each in validations
    ]
    if not hits and not outages:
        parts.append("Nothing was found on it: the evidence is insufficient.")
    elif not counted:
        parts.append("No source that counts bears on it: the evidence is insufficient.")
    else:
        reviewed = sum(each.peer_reviewed for each in counted)
        parts.append(
            f"{count(len(counted), 'source bears', 'sources bear').capitalize()} on it, {reviewed} peer-reviewed."
        )
    if left_out:
        parts.append(f"{count(len(left_out), 'source is', 'sources are').capitalize()} told and not counted.")
    if outages:
        parts.append(f"Not all could be asked: {listed(list(dict.fromkeys(each.where for each in outages)))}.")
    if unassessed:
        parts.append(f"{count(unassessed, 'passage', 'passages').capitalize()} could not be judged.")
    parts += [f"From another desk: {each}" for each in answers]
    details: JsonObject = {
        "investigation_type": "academic_investigation_summary",
        "validations": [
            {"evidence_type": each.evidence_type, "supports_claim": supports_claim(each.stance)} for each in validations
        ],
        "supports_claim": supports_claim(stance),
        "sources_counted": [each.source.id for each in counted],
        "sources_left_out": [{"source_id": each.source.id, "why": each.left_out} for each in left_out],
        "hits": hits,
        "queries": queries,
        "outages": [{"where": each.where, "why": each.why} for each in outages],
        "unassessed": unassessed,
        "insufficient_evidence": not counted,
    }
    references = {str(each.get("url")): each for validation in validations for each in validation.references}
    return Validation(
        "academic_investigation_summary",
        Stance.NEUTRAL,
        clamped(best),
        " ".join(parts),
        details,
        tuple(references.values()),
        tuple(f"{each.evidence_type}: {each.summary}" for each in validations),
    )
