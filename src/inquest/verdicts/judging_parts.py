"""Judge a claim that makes several statements by its parts.

Each part is weighed like a claim of its own (`verdicts.weighing`). The claim is verified if all its parts are, and
partially true if one part is supported and another is contradicted or has no evidence. Where the evidence does not
distinguish the parts, the verdict on the whole remains. Witnesses of different parts, each too weak for its own part,
do not add up to a verdict on the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.claims.parts_of_claim import ClaimPart, findings_on, parts_of
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Finding, PartVerdict, Verdict
from inquest.domain.reasons import Reason, sentences
from inquest.domain.source import Source
from inquest.text.phrases import quoted
from inquest.text.sentences import shorten
from inquest.verdicts.weighing import assess_claim
from inquest.verdicts.weighing_reasons import reason, reasoned

_QUOTED = 120
"""Characters of a part in a sentence."""
_IS = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE, Verdict.CONTRADICTED, Verdict.DISPUTED)
_GOOD = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE)


def by_parts(
    claim: Claim, whole: Assessment, witnesses: Sequence[Finding], sources: Mapping[str, Source], company: str
) -> Assessment:
    """Return the assessment by parts if the evidence distinguishes them, else `whole`, weighed from `witnesses`."""
    parts = parts_of(claim, company)
    if not parts:
        return whole
    on_parts = findings_on(parts, witnesses)
    decided_by = {frozenset(each.id for each in found if each.stance.decides) for found in on_parts}
    if len(decided_by) == 1:
        return whole
    weighed = [
        assess_claim(claim.model_copy(update={"text": part.text, "assertions": ()}), findings, sources)
        for part, findings in zip(parts, on_parts, strict=True)
    ]
    verdict = _combined({each.verdict for each in weighed})
    if verdict is None:
        if whole.verdict not in _GOOD:
            return whole
        verdict = Verdict.UNVERIFIED  # its support was summed over different statements
    decided = [each for each in weighed if each.verdict is not Verdict.UNVERIFIED] or weighed
    # A claim is only as well supported as its weakest part.
    fewest = min(each.independent_sources for each in decided)
    verdicts = tuple(
        PartVerdict(
            words=part.words, verdict=each.verdict, supporting=each.supporting, contradicting=each.contradicting
        )
        for part, each in zip(parts, weighed, strict=True)
    )
    changed = whole.model_copy(
        update={
            "verdict": verdict,
            "confidence": min(each.confidence for each in decided),
            "independent_sources": fewest,
            "single_source": fewest == 1 and verdict is not Verdict.DISPUTED,
            "parts": verdicts,
        }
    )
    return reasoned(changed, (reason("parts", summary=said_of_parts(verdicts)), *_reasons(parts, weighed)))


def open_parts(assessment: Assessment) -> tuple[PartVerdict, ...]:
    """Return the parts without a verdict."""
    return tuple(part for part in assessment.parts if part.verdict is Verdict.UNVERIFIED)


def said_of_parts(parts: Sequence[PartVerdict]) -> Reason:
    """Summarise the parts: 'Of two statements in it, one is supported (“…”) and one is contradicted (“…”).'"""
    phrases = []
    for verdict in _IS:
        group = [part for part in parts if part.verdict is verdict]
        if len(group) == len(parts):
            return reason("all_parts", number=len(parts), verdict=verdict.value)
        if group:
            phrases.append(reason("part_is", number=len(group), verdict=verdict.value, named=_named(group)))
    undecided = [part for part in parts if part.verdict is Verdict.UNVERIFIED]
    weak = [part for part in undecided if part.supporting or part.contradicting]
    for code, group in (("part_weak", weak), ("part_open", [part for part in undecided if part not in weak])):
        if group:
            phrases.append(reason(code, number=len(group), named=_named(group)))
    return reason("some_parts", number=len(parts), parts=phrases)


def _named(parts: Sequence[PartVerdict]) -> list[str]:
    return [quoted(shorten(part.words, _QUOTED)) for part in parts]


def _combined(verdicts: set[Verdict]) -> Verdict | None:
    """The verdict on the whole; None if no part is decided."""
    if verdicts <= {Verdict.UNVERIFIED}:
        return None
    if verdicts == {Verdict.VERIFIED}:
        return Verdict.VERIFIED
    if Verdict.CONTRADICTED in verdicts:
        return Verdict.CONTRADICTED if verdicts.isdisjoint(_GOOD) else Verdict.PARTIALLY_TRUE
    return Verdict.DISPUTED if Verdict.DISPUTED in verdicts else Verdict.PARTIALLY_TRUE


def _reasons(parts: Sequence[ClaimPart], weighed: Sequence[Assessment]) -> list[Reason]:
    """The reasons for each decided part, then those that all parts share."""
    shared = [code for code in weighed[0].reason_codes if all(code in each.reason_codes for each in weighed)]
    reasons = []
    for part, each in zip(parts, weighed, strict=True):
        specific = [code for code in each.reason_codes if code not in shared]
        if specific and (each.supporting or each.contradicting):
            quote = quoted(shorten(part.words, _QUOTED))
            of_part = reason("of_a_part", part=quote, reasons=" ".join(sentences(specific)))
            reasons.append(of_part.model_copy(update={"parts": {"reasons": tuple(specific)}}))
    return [*reasons, *shared]
