"""What could not be asked about a claim, or judged without a language model, said in the same breath as what was not
found."""

from __future__ import annotations

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.check import Gap, Reinvestigation
from inquest.domain.english import count, listed
from inquest.domain.reasons import Reason, sentences
from inquest.domain.report import Coverage
from inquest.verdicts.weighing_reasons import reason, reasoned

_SILENT = frozenset(("verdicts.nothing_found", "verdicts.none_bears", "verdicts.one_bears_not"))
"""Reasons that say that nothing was found."""
_NAMED = 4


def lacking(coverage: Coverage) -> str:
    """What could not be asked or read, as the end of a sentence: 'brave and serper could not be asked'; '': nothing."""
    out = list(coverage.out[:_NAMED])
    if len(coverage.out) > _NAMED:
        out.append(count(len(coverage.out) - _NAMED, "other"))
    parts = (
        [f"{listed(out)} could not be asked" if coverage.answered == 0 else f"{listed(out)} did not answer"]
        if out
        else []
    )
    if coverage.unread:
        parts.append(f"{count(coverage.unread, 'page')} could not be read")
    return " and ".join(parts)


def could_not_check(claim_id: str, why: Reason) -> Assessment:
    """Of a claim about which nobody could be asked, or that the case did not get to: that is not to find nothing."""
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
    """The verdict, saying what could not be asked where it is that nothing was found; where nobody answered at all, or
    no page could be read, and nothing bears on the claim, that it could not be checked. `unaided`: no language model
    has read what was found, and the small one misses most of what is said in other words."""
    lacks = lacking(coverage)
    if not assessment.checked:
        return assessment
    decided = assessment.supporting or assessment.contradicting or assessment.verdict is not Verdict.UNVERIFIED
    if lacks and not decided and coverage.nothing_to_judge:
        return could_not_check(assessment.claim_id, reason("could_not_check", lacks=lacks))
    said = [_qualified(each, lacks, unaided=unaided) for each in assessment.reason_codes]
    if lacks and assessment.verdict is Verdict.UNVERIFIED and said == list(assessment.reason_codes):
        said.append(reason("incomplete", lacks=lacks))
    if said == list(assessment.reason_codes) and not lacks:
        return assessment
    return reasoned(assessment, said).model_copy(update={"lacks": lacks})


def _qualified(why: Reason, lacks: str, *, unaided: bool) -> Reason:
    """A reason that says that nothing was found, with what that leaves open."""
    if why.code not in _SILENT or not (lacks or unaided):
        return why
    code = f"{why.code}{'_unaided' if unaided else ''}{'_and' if lacks else ''}"
    return Reason(code=code, data={**why.data, "lacks": lacks} if lacks else why.data)


def gap_with_coverage(gap: Reinvestigation | None, coverage: Coverage) -> Reinvestigation | None:
    """What the judge asks for, saying what could not be asked where it is that nothing was found."""
    lacks = lacking(coverage)
    if gap is None or gap.gap is not Gap.NOTHING_FOUND or not lacks:
        return gap
    found = f"{gap.evidence_gap.rstrip('.')}, and " if coverage.answered else ""
    said = f"{found}{lacks}."
    return gap.model_copy(update={"evidence_gap": said if found else said[:1].upper() + said[1:]})
