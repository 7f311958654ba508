"""The findings of the academic desk beside its checks: one for each source, errors, and what it all comes to."""

from __future__ import annotations

from collections.abc import Sequence

from inquest.desks.academic.reasons import reason
from inquest.desks.academic.references import reference_to
from inquest.desks.academic.validation import Rest, clamped, details_of, rest_on, supports_claim
from inquest.desks.academic.witnesses import AcademicEvidence, best_of_each_source
from inquest.domain.check import RequestStatus
from inquest.domain.finding import Stance
from inquest.domain.reasons import in_words, sentences
from inquest.domain.value import JsonObject
from inquest.kit.desk import FindingDraft, Results
from inquest.text.phrases import quoted
from inquest.text.sentences import shorten

_QUOTED = 120
"""Characters of a statement in a sentence."""


def source_findings(witnesses: Sequence[AcademicEvidence]) -> tuple[FindingDraft, ...]:
    """One for each source whose passage supports or contradicts the claim, or one of its statements. What is barred (a
    retracted work) is listed without a stance; what is of tier 4 or the company's own is listed as what it is, for the
    judge to weigh."""
    return tuple(_of_source(each) for each in best_of_each_source(witnesses))


def _of_source(witness: AcademicEvidence) -> FindingDraft:
    stance = Stance.NEUTRAL if witness.barred else witness.stance
    reference = reference_to(witness)
    paper = reference["type"] == "academic_paper"
    details = details_of(
        "academic_source",
        supports_claim=supports_claim(stance),
        rests_on="evidence",
        source_credibility=witness.credibility,
        peer_reviewed=witness.work.peer_reviewed if witness.work else None,
        angles=list(witness.angles),
        not_counted=in_words(witness.left_out) if witness.left_out else None,
        academic_references=[reference] if paper else [],
        standard_references=[] if paper else [reference],
        **witness.details,
    )
    side = f"source_{witness.stance.value}" + ("_a_part" if witness.part else "")
    parts = [reason(side, name=witness.name, part=quoted(shorten(witness.part, _QUOTED)))]
    if witness.left_out:
        parts += [reason("not_counted_in_checks"), witness.left_out]
    credible = reason("credibility", tier=witness.credibility)
    return FindingDraft(
        evidence_type="academic_source",
        **(rest_on(witness) or Rest())._asdict(),
        stance=stance,
        contradiction_type=witness.contradiction_type if stance is Stance.CONTRADICTS else None,
        confidence=clamped(witness.confidence, 1.0),
        summary=" ".join(sentences(parts)),
        details=details,
        references=(reference,),
        reasons=(in_words(credible), *witness.reasons),
        reason_codes=(credible, *witness.reason_codes),
    )


def summary_finding(
    checks: Sequence[FindingDraft],
    witnesses: Sequence[AcademicEvidence],
    results: Results,
) -> FindingDraft:
    """What it all comes to, in plain words; last of the findings on a claim."""
    outages = results.outages
    speaking = best_of_each_source(witnesses)
    left_out = {each.source.id: each.left_out for each in speaking if each.left_out}
    used = {name for each in checks for name in _names_in(each.details.get("finding_sources"))}
    used |= {each.source.id for each in speaking if not each.left_out}
    counted = [*{each.source.id: each for each in witnesses if each.source.id in used}.values()]
    stances = {each.stance for each in checks} - {Stance.NEUTRAL}
    stance = stances.pop() if len(stances) == 1 else Stance.NEUTRAL
    best = max((each.confidence for each in checks if each.stance is stance), default=0.0)
    unassessed = sum(each.stance is Stance.UNASSESSED for each in witnesses)
    parts = [reason(f"{each.evidence_type}_{each.stance.value}") for each in checks]
    if counted:
        parts.append(reason("counted", number=len(counted), reviewed=sum(each.peer_reviewed for each in counted)))
    else:
        parts.append(reason("none_counts" if results.hits or outages else "nothing_found"))
    parts += [reason("some_left_out", number=len(left_out))] if left_out else []
    parts += [reason("some_not_asked", where=list(dict.fromkeys(each.where for each in outages)))] if outages else []
    parts += [reason("some_unassessed", number=unassessed)] if unassessed else []
    parts += [
        reason("another_desk", answer=each.summary)
        for each in results.responses
        if each.status is RequestStatus.ANSWERED
    ]
    details: JsonObject = {
        "investigation_type": "academic_investigation_summary",
        "validations": [
            {"evidence_type": each.evidence_type, "supports_claim": supports_claim(each.stance)} for each in checks
        ],
        "supports_claim": supports_claim(stance),
        "sources_counted": [each.source.id for each in counted],
        "sources_left_out": [{"source_id": id, "why": in_words(why)} for id, why in left_out.items() if why],
        "hits": results.hits,
        "queries": len(results.queries),
        "outages": [{"where": each.where, "why": each.why} for each in outages],
        "unassessed": unassessed,
        "insufficient_evidence": not counted,
    }
    references = {str(each.get("url")): each for check in checks for each in check.references}
    return FindingDraft(
        evidence_type="academic_investigation_summary",
        stance=Stance.NEUTRAL,
        confidence=clamped(best),
        summary=" ".join(sentences(parts)),
        details=details,
        references=tuple(references.values()),
        reasons=tuple(each.summary for each in checks),
    )


def _names_in(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
