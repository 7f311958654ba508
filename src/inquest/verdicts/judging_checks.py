"""Qualify the verdict of the witnesses by the academic desk's checks.

A check never verifies or contradicts a claim alone. A failed check lowers 'verified' to 'partially true', and adds to
the witnesses that contradict the claim. One that repeats judged passages adds nothing, since these
are witnesses already. Literature on the subject in general is only context.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from inquest.domain.finding import Assessment, Finding, Stance, Verdict
from inquest.domain.reasons import Reason, sentences
from inquest.text.phrases import ended
from inquest.text.sentences import shorten
from inquest.verdicts.weighing_reasons import reason, reasoned

KINDS = (
    "sbti_validation",
    "certification_validation",
    "methodology_validation",
    "benchmark_comparison",
    "research_support",
    "registered_figure",
)
"""The types of check, in the order of their reasons."""
_OF_WITNESSES = "academic.judged_passages"
"""The reason of a check that rests on passages which were judged on the claim."""
_SURE = 0.5
_LOWERED = 0.8
"""Factor on the confidence of a verdict that a failed check lowers."""
_ADDED, _ADDED_AT_MOST = 0.03, 0.06
_SUMMARY = 320
"""Characters."""


def standing_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the checks on one claim that count, in the order of `KINDS`: for each type those of the latest round,
    but those that rest on a page before those that found none, because a later round does not read a page again."""
    found: list[Finding] = []
    for kind in KINDS:
        of_kind = [check for check in checks if check.evidence_type == kind]
        on_pages = [check for check in of_kind if check.details.get("finding_sources")] or of_kind
        latest = max((check.iteration for check in on_pages), default=0)
        found += [check for check in on_pages if check.iteration == latest]
    return tuple(found)


def failed_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the checks that contradict the claim, surest first, unless a passed check of its type is as sure."""
    passed = passed_checks(checks)
    return tuple(
        check
        for check in _sure(checks, Stance.CONTRADICTS)
        if not any(
            other.evidence_type == check.evidence_type and other.confidence >= check.confidence for other in passed
        )
    )


def passed_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the checks that support the claim, surest first."""
    return tuple(_sure(checks, Stance.SUPPORTS))


def _sure(checks: Sequence[Finding], stance: Stance) -> list[Finding]:
    found = [
        check
        for check in checks
        if check.stance is stance
        and check.confidence >= _SURE
        and all(each.code != _OF_WITNESSES for each in check.reason_codes)
    ]
    return sorted(found, key=lambda check: (-check.confidence, check.id))


def qualified(assessment: Assessment, checks: Sequence[Finding]) -> Assessment:
    """Return the assessment qualified by the checks; failed checks that decide are added as contradicting."""
    failed, passed = failed_checks(checks), passed_checks(checks)
    verdict, confidence = assessment.verdict, assessment.confidence
    first: list[Reason] = []
    reasons = [_reason("check_fails", check) for check in failed] + [_reason("check_holds", check) for check in passed]
    reasons += [
        _reason("check_doubt", check)
        for check in checks
        if check.stance is Stance.NEUTRAL
        and (
            check.details.get("legitimacy_assessment") in ("questionable", "controversial", "not_recognized")
            or check.details.get("plausibility") == "outlier"
        )
    ]
    contradicting = assessment.contradicting
    if failed and verdict is Verdict.VERIFIED:
        verdict, confidence = Verdict.PARTIALLY_TRUE, confidence * _LOWERED
        first = [reason("supported_and_failed")]
        contradicting += tuple(check.id for check in failed)
    elif failed and verdict in (Verdict.CONTRADICTED, Verdict.PARTIALLY_TRUE):
        confidence = _raised(confidence, len(failed))
        contradicting += tuple(check.id for check in failed)
    elif failed and verdict is Verdict.UNVERIFIED:
        first = [reason("failed_alone")]
    elif passed and not failed and verdict is Verdict.VERIFIED:
        confidence = _raised(confidence, len(passed))
    elif passed and verdict is Verdict.UNVERIFIED:
        reasons.append(reason("check_verifies_nothing"))
    changed = assessment.model_copy(
        update={
            "verdict": verdict,
            "confidence": round(confidence, 3),
            "contradicting": tuple(dict.fromkeys(contradicting)),
        }
    )
    return reasoned(changed, (*first, *assessment.reason_codes, *reasons))


def _raised(confidence: float, checks: int) -> float:
    """Never above 0.98, the limit for independent witnesses too (`weighing`)."""
    return max(confidence, min(0.98, confidence + min(_ADDED_AT_MOST, _ADDED * checks)))


def _reason(kind: str, check: Finding) -> Reason:
    return said_of_check(f"verdicts.{kind}", check, _SUMMARY)


def said_of_check(code: str, check: Finding, most: int) -> Reason:
    """A sentence with the yardstick of a check and its result, of at most `most` characters."""
    said = Reason.of(code, criteria=reason("criteria", kind=check.evidence_type), summary="")
    ends = accumulate(len(each) + 1 for each in sentences(check.summary_codes))
    whole = check.summary_codes[: max(1, sum(end <= most for end in ends))]
    data = said.data | {"summary": ended(shorten(check.summary or check.quote, most))}
    return said.model_copy(update={"data": data, "parts": said.parts | ({"summary": whole} if whole else {})})
