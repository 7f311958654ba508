"""What the academic desk's checks do to a verdict that the witnesses have led to.

A check qualifies: it never verifies and never contradicts alone. One that the claim fails takes 'verified' down to
'true in part', and counts beside the witnesses who contradict it. Literature in general is no more than context.
"""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason
from inquest.text.phrases import ended
from inquest.text.sentences import shorten
from inquest.verdicts.weighing_reasons import reason, reasoned

IN_WORDS = {
    "sbti_validation": "the criteria for science-based targets",
    "certification_validation": "what is known of the certificate or credit",
    "methodology_validation": "the standards for calculating emissions",
    "benchmark_comparison": "the benchmarks of its sector",
    "research_support": "the research on the matter",
    "registered_figure": "the figures in public registers",
}
"""What each kind of check holds a claim against."""
_SURE = 0.5
_TAKEN_DOWN = 0.8
_ADDED, _ADDED_AT_MOST = 0.03, 0.06
_SUMMARY = 320


def standing_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Of the checks on one claim those that stand, in the order of `IN_WORDS`: of each kind the latest round's, but one
    that rests on a page before one that found none, since a later round does not read the same pages again."""
    found: list[Finding] = []
    for kind in IN_WORDS:
        of_kind = [each for each in checks if each.evidence_type == kind]
        on_pages = [each for each in of_kind if each.details.get("finding_sources")] or of_kind
        latest = max((each.iteration for each in on_pages), default=0)
        found += [each for each in on_pages if each.iteration == latest]
    return tuple(found)


def failed_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Those that speak against the claim, surest first; not where another check of the same kind, at least as sure,
    speaks for it."""
    for_it = passed_checks(checks)
    found = [
        each
        for each in checks
        if each.stance is Stance.CONTRADICTS
        and each.confidence >= _SURE
        and not any(
            other.evidence_type == each.evidence_type and other.confidence >= each.confidence for other in for_it
        )
    ]
    return tuple(sorted(found, key=lambda each: (-each.confidence, each.id)))


def passed_checks(checks: Sequence[Finding]) -> tuple[Finding, ...]:
    """Those that speak for it, surest first."""
    found = [each for each in checks if each.stance is Stance.SUPPORTS and each.confidence >= _SURE]
    return tuple(sorted(found, key=lambda each: (-each.confidence, each.id)))


def qualified(assessment: Assessment, checks: Sequence[Finding]) -> Assessment:
    """The assessment with what the checks make of it. Failed checks are last among the contradicting findings, where
    they decide."""
    failed, passed = failed_checks(checks), passed_checks(checks)
    verdict, confidence = assessment.verdict, assessment.confidence
    first: list[Reason] = []
    reasons = [_of("check_fails", each) for each in failed] + [_of("check_holds", each) for each in passed]
    reasons += _caveats(checks)
    decides = False
    if failed and verdict is Verdict.VERIFIED:
        verdict, confidence, decides = Verdict.PARTIALLY_TRUE, confidence * _TAKEN_DOWN, True
        first = [reason("supported_and_failed")]
    elif failed and verdict in (Verdict.CONTRADICTED, Verdict.PARTIALLY_TRUE):
        confidence, decides = _more(confidence, len(failed)), True
    elif failed and verdict is Verdict.UNVERIFIED:
        first = [reason("failed_alone")]
    elif passed and not failed and verdict is Verdict.VERIFIED:
        confidence = _more(confidence, len(passed))
    elif passed and verdict is Verdict.UNVERIFIED:
        reasons.append(reason("check_verifies_nothing"))
    against = (*assessment.contradicting, *(each.id for each in failed)) if decides else assessment.contradicting
    changed = assessment.model_copy(
        update={
            "verdict": verdict,
            "confidence": round(confidence, 3),
            "contradicting": tuple(dict.fromkeys(against)),
        }
    )
    return reasoned(changed, (*first, *assessment.reason_codes, *reasons))


def _more(confidence: float, number: int) -> float:
    """A little more, up to what arithmetic with independent witnesses would never reach either."""
    return max(confidence, min(0.98, confidence + min(_ADDED_AT_MOST, _ADDED * number)))


def _of(kind: str, check: Finding) -> Reason:
    summary = ended(shorten(check.summary or check.quote, _SUMMARY))
    return reason(kind, criteria=IN_WORDS[check.evidence_type], summary=summary)


def _caveats(checks: Sequence[Finding]) -> list[Reason]:
    """What a check that decides nothing still warns of."""
    found = []
    for each in checks:
        doubtful = each.details.get("legitimacy_assessment") in ("questionable", "controversial", "not_recognized")
        if each.stance is Stance.NEUTRAL and (doubtful or each.details.get("plausibility") == "outlier"):
            found.append(_of("check_doubt", each))
    return found
