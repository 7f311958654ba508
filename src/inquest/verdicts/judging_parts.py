"""The verdict on a claim that makes several statements, by its parts: which is borne out, which is contradicted and of
which nobody speaks.

Each part is weighed like a claim of its own (`verdicts.weighing`). All parts borne out: verified. One contradicted
beside others that are borne out, or one without evidence: true in part. Where the evidence does not tell the parts
apart, the verdict on the whole stands as it is. Witnesses of different parts, each too weak for its own, do not
together bear out the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.claims.parts_of_claim import ClaimPart, findings_on, parts_of
from inquest.domain.assessment import Assessment, PartVerdict, Verdict
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.domain.source import Source
from inquest.text.phrases import listed, numeral, quoted
from inquest.text.sentences import shorten
from inquest.verdicts.weighing import assess_claim
from inquest.verdicts.weighing_reasons import reason, reasoned

_QUOTED = 120
"""Characters of a part in a sentence."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_IS = {
    Verdict.VERIFIED: ("is supported", "are supported"),
    Verdict.PARTIALLY_TRUE: ("is true in part", "are true in part"),
    Verdict.CONTRADICTED: ("is contradicted", "are contradicted"),
    Verdict.DISPUTED: ("is disputed", "are disputed"),
}
_GOOD = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE)


def by_parts(
    claim: Claim, whole: Assessment, witnesses: Sequence[Finding], sources: Mapping[str, Source], company: str
) -> Assessment:
    """The assessment of the whole, turned into one by parts where the evidence tells them apart. `witnesses`: those
    that `whole` was weighed from."""
    parts = parts_of(claim, company)
    if not parts:
        return whole
    on_parts = findings_on(parts, witnesses)
    if len({_sides(each) for each in on_parts}) == 1:
        return whole
    weighed = [
        assess_claim(claim.model_copy(update={"text": part.text, "assertions": ()}), found, sources)
        for part, found in zip(parts, on_parts, strict=True)
    ]
    verdict = _together([each.verdict for each in weighed])
    if verdict is None:
        if whole.verdict not in _GOOD:
            return whole
        verdict = Verdict.UNVERIFIED  # its support was summed over different statements
    decided = [each for each in weighed if each.verdict is not Verdict.UNVERIFIED] or weighed
    # A claim stands as firmly as the part that stands least firmly.
    witnesses_each = min(each.independent_sources for each in decided)
    verdicts = tuple(
        PartVerdict(
            words=part.words,
            verdict=each.verdict,
            supporting=each.supporting,
            contradicting=each.contradicting,
        )
        for part, each in zip(parts, weighed, strict=True)
    )
    changed = whole.model_copy(
        update={
            "verdict": verdict,
            "confidence": min(each.confidence for each in decided),
            "independent_sources": witnesses_each,
            "single_source": witnesses_each == 1 and verdict is not Verdict.DISPUTED,
            "parts": verdicts,
        }
    )
    summary = reason("parts", summary=said_of_parts(verdicts))
    return reasoned(changed, (summary, *_reasons(parts, weighed)))


def open_parts(assessment: Assessment) -> tuple[PartVerdict, ...]:
    """The parts on which nothing was decided, where others were decided."""
    return tuple(each for each in assessment.parts if each.verdict is Verdict.UNVERIFIED)


def said_of_parts(parts: Sequence[PartVerdict]) -> str:
    """'Of three statements in it, one is borne out (“…”), one is contradicted (“…”), and nothing was found on the third
    (“…”).'"""
    groups = [(verdict, [each for each in parts if each.verdict is verdict]) for verdict in _IS]
    said = []
    for verdict, found in groups:
        if len(found) == len(parts):
            return f"Each of the {numeral(len(parts))} statements in it {_IS[verdict][0]}."
        if found:
            said.append(f"{numeral(len(found))} {_IS[verdict][len(found) > 1]} ({_named(found)})")
    silent = [each for each in parts if each.verdict is Verdict.UNVERIFIED]
    weak = [each for each in silent if each.supporting or each.contradicting]
    quiet = [each for each in silent if each not in weak]
    if weak:
        said.append(f"what was found on {_which(weak, parts)} weighs too little ({_named(weak)})")
    if quiet:
        said.append(f"nothing was found on {_which(quiet, parts)} ({_named(quiet)})")
    return f"Of {numeral(len(parts))} statements in it, {_joined(said)}."


def _joined(said: Sequence[str]) -> str:
    return f"{', '.join(said[:-1])}, and {said[-1]}" if len(said) > 1 else "".join(said)


def _which(some: Sequence[PartVerdict], parts: Sequence[PartVerdict]) -> str:
    """'the third', 'the second and the third'."""
    return listed([f"the {_ORDINALS[parts.index(each)]}" for each in some])


def _named(parts: Sequence[PartVerdict]) -> str:
    return "; ".join(quoted(shorten(each.words, _QUOTED)) for each in parts)


def _sides(findings: Sequence[Finding]) -> frozenset[str]:
    return frozenset(each.id for each in findings if each.stance in (Stance.SUPPORTS, Stance.CONTRADICTS))


def _together(verdicts: Sequence[Verdict]) -> Verdict | None:
    """None: no part is decided, and the whole is what it was."""
    found = set(verdicts)
    if found <= {Verdict.UNVERIFIED}:
        return None
    if found == {Verdict.VERIFIED}:
        return Verdict.VERIFIED
    good = bool(found & set(_GOOD))
    if Verdict.CONTRADICTED in found:
        return Verdict.PARTIALLY_TRUE if good else Verdict.CONTRADICTED
    return Verdict.DISPUTED if Verdict.DISPUTED in found else Verdict.PARTIALLY_TRUE


def _reasons(parts: Sequence[ClaimPart], weighed: Sequence[Assessment]) -> list[Reason]:
    """Of each decided part, why; then what holds of all alike."""
    common = [each for each in weighed[0].reason_codes if all(each in other.reason_codes for other in weighed)]
    said = []
    for part, each in zip(parts, weighed, strict=True):
        own = [in_words(why) for why in each.reason_codes if why not in common]
        if own and (each.supporting or each.contradicting):
            said.append(reason("of_a_part", part=quoted(shorten(part.words, _QUOTED)), reasons=" ".join(own)))
    return [*said, *common]
