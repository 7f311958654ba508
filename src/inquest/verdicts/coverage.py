"""State in an assessment or a gap which engines did not answer, which pages could not be read, and that no language
model was used, so that none of these is mistaken for absence of evidence."""

from __future__ import annotations

from inquest.domain.check import Gap, Reinvestigation
from inquest.domain.finding import Assessment, Verdict
from inquest.domain.reasons import Reason, as_written, in_words, sentence, sentences
from inquest.domain.report import Coverage
from inquest.verdicts.weighing_reasons import reason, reasoned

_NOTHING_FOUND = frozenset(("verdicts.nothing_found", "verdicts.none_bears", "verdicts.one_bears_not"))
_NAMED = 4
"""Engines that a sentence names before 'and n others'."""


def lacking(coverage: Coverage) -> Reason | None:
    """Return what could not be queried or read as the end of a sentence: 'brave and serper could not be queried'."""
    parts = []
    if coverage.out:
        rest = len(coverage.out) - _NAMED
        others = [reason("other_engines", number=rest)] if rest > 0 else []
        engines = [*map(as_written, coverage.out[:_NAMED]), *others]
        parts.append(reason("did_not_answer" if coverage.answered else "could_not_be_asked", engines=engines))
    if coverage.unread:
        parts.append(reason("could_not_be_read", number=coverage.unread))
    return reason("lacking", parts=parts) if parts else None


def could_not_check(claim_id: str, why: Reason) -> Assessment:
    """Return the assessment of a claim that was not checked at all, which differs from one without evidence."""
    return Assessment(
        claim_id=claim_id,
        verdict=Verdict.UNVERIFIED,
        confidence=0.0,
        independent_sources=0,
        reasons=sentences((why,)),
        reason_codes=(why,),
        checked=False,
    )


def with_coverage(assessment: Assessment, coverage: Coverage, *, unaided: bool = False) -> Assessment:
    """Return the assessment with what could not be queried or read added to its reasons.

    Without any evidence on the claim, and with no engine that answered or no page that could be read, the claim counts
    as not checked. `unaided`: only the small local model has read the pages, and it misses most paraphrases.
    """
    if not assessment.checked:
        return assessment
    lacks = lacking(coverage)
    decided = assessment.supporting or assessment.contradicting or assessment.verdict is not Verdict.UNVERIFIED
    if lacks and not decided and coverage.nothing_to_judge:
        return could_not_check(assessment.claim_id, reason("could_not_check", lacks=lacks))
    codes = list(assessment.reason_codes)
    suffix = f"{'_unaided' if unaided else ''}{'_and' if lacks else ''}"
    qualified = [
        Reason.of(code.code + suffix, **code.data | ({"lacks": lacks} if lacks else {}))
        if suffix and code.code in _NOTHING_FOUND
        else code
        for code in codes
    ]
    if lacks and assessment.verdict is Verdict.UNVERIFIED and qualified == codes:
        qualified.append(reason("incomplete", lacks=lacks))
    if qualified == codes and not lacks:
        return assessment
    return reasoned(assessment, qualified).model_copy(
        update={"lacks": in_words(lacks) if lacks else "", "lacks_code": lacks}
    )


def gap_with_coverage(gap: Reinvestigation | None, coverage: Coverage) -> Reinvestigation | None:
    """Return the gap; where nothing was found, its text includes what could not be queried or read."""
    lacks = lacking(coverage)
    if gap is None or gap.evidence_gap_code is None or gap.gap is not Gap.NOTHING_FOUND or not lacks:
        return gap
    (found,) = gap.evidence_gap_code.parts["what"]
    code = sentence(reason("gap_and", gap=found, lacks=lacks) if coverage.answered else lacks)
    return gap.model_copy(update={"evidence_gap": in_words(code), "evidence_gap_code": code})
