"""The judge: one verdict for each claim, from the findings of all desks and all rounds (P3).

- Witnesses are weighed by tier, independence and speaker (`verdicts.weighing`), after reductions for age and
  generality (`judging_evidence`). The report and the company's own pages carry no verdict.
- Each part of a claim that makes several statements is weighed like a claim of its own, if the evidence distinguishes
  them. The claim is verified if all its parts are, and partially true if one part is supported and another is
  contradicted or has no evidence. Witnesses of different parts do not add up to a verdict on the whole.
- Checks against published criteria then qualify the verdict (`judging_evidence`).
- If evidence is thin or one-sided, the judge requests more (`judging_gaps`), as long as each round adds something.

Failed searches and passages that could not be judged count for neither side: an outage is never a contradiction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from inquest.claims.parts_of_claim import ClaimPart, findings_on, parts_of
from inquest.domain.check import Reinvestigation, Subject, VerdictChange
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Finding, PartVerdict, Stance, Verdict
from inquest.domain.reasons import Reason, as_written, in_words, sentences
from inquest.domain.source import Source
from inquest.text.phrases import ended, listed, quoted
from inquest.text.sentences import shorten
from inquest.verdicts.judging_evidence import ClaimEvidence, evidence_on, qualified
from inquest.verdicts.judging_gaps import gap_of, would_change
from inquest.verdicts.votes import votes
from inquest.verdicts.weighing import assess_claim, supports_alone, together
from inquest.verdicts.weighing_reasons import NOTHING_FOUND, name_of, reason, reasoned

NOBODY_ASKED = "verdicts.nobody_asked"
NOT_REACHED = "verdicts.not_reached"
"""Code of the reason for a claim that the case ended before checking."""
_MOVED = 0.1
"""Change of confidence from which a round is recorded although the verdict is the same."""
_QUOTED = 120
"""Characters of a part in a sentence."""
_IS = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE, Verdict.CONTRADICTED, Verdict.DISPUTED)
_GOOD = (Verdict.VERIFIED, Verdict.PARTIALLY_TRUE)


class Judged(NamedTuple):
    """A verdict, and what the judge requests to firm it up, if anything."""

    assessment: Assessment
    gap: Reinvestigation | None


class Looked(NamedTuple):
    """The desks that looked at a claim in the round that has ended."""

    iteration: int
    """From 1."""
    desks: Sequence[str]
    """Those that can search again."""
    unasked: Sequence[str] = ()
    """Those that should have looked and had no engine to ask."""


def judge_claim(
    claim: Claim, findings: Sequence[Finding], sources: Mapping[str, Source], *, subject: Subject, looked: Looked
) -> Judged:
    """Return the verdict on the claim from all findings of the case, in any order. `sources` by id."""
    company = subject.company
    evidence = evidence_on(claim, findings, sources, subject)
    whole = assess_claim(claim, evidence.witnesses, sources, about=company)
    weighed = by_parts(claim, whole, evidence.witnesses, sources, company)
    weighed = _true_in_general(weighed, evidence, sources, claim)
    reasons = (*_without_nothing(weighed, evidence, looked), *_of_time(evidence, sources, company))
    if looked.unasked:
        single = len(looked.unasked) == 1
        names = f"{listed(looked.unasked)} {'desk' if single else 'desks'}"
        if looked.desks:
            reasons += (reason("desk_asked_nobody", desks=names, whose="its" if single else "their"),)
        else:
            reasons = (Reason(code=NOBODY_ASKED, data={"desks": names}), *reasons)
    assessment = qualified(reasoned(weighed, reasons), evidence.checks)
    change = would_change(assessment, evidence, company)
    assessment = assessment.model_copy(update={"would_change": sentences(change), "change_codes": change})
    gap = gap_of(claim, assessment, evidence, subject, desks=looked.desks, iteration=looked.iteration)
    return Judged(assessment, gap)


def _true_in_general(
    weighed: Assessment, evidence: ClaimEvidence, sources: Mapping[str, Source], claim: Claim
) -> Assessment:
    """Judge a claim 'partially true' that literature supports in general and only the company makes about itself."""
    against = any(vote.stance is not Stance.SUPPORTS for vote in evidence.cast)
    cast = votes(evidence.general, sources, about=claim.text)
    if weighed.verdict is not Verdict.UNVERIFIED or against or not supports_alone(cast):
        return weighed
    changed = weighed.model_copy(
        update={
            "verdict": Verdict.PARTIALLY_TRUE,
            "confidence": round(together(vote.weight for vote in cast), 3),
            "independent_sources": len(cast),
            "single_source": len(cast) == 1,
            "supporting": (*weighed.supporting, *(each.id for vote in cast for each in vote.findings)),
        }
    )
    return reasoned(changed, (reason("true_in_general"), *weighed.reason_codes))


def _without_nothing(weighed: Assessment, evidence: ClaimEvidence, looked: Looked) -> tuple[Reason, ...]:
    """The reasons without 'nothing was found', if something was found that does not count or no desk could search."""
    uncounted = weighed.verdict is Verdict.UNVERIFIED and not evidence.cast and (evidence.too_old or evidence.general)
    if not uncounted and (looked.desks or not looked.unasked):
        return weighed.reason_codes
    return tuple(code for code in weighed.reason_codes if code.code != NOTHING_FOUND)


def _of_time(evidence: ClaimEvidence, sources: Mapping[str, Source], company: str) -> list[Reason]:
    """The reasons for evidence that does not count or weighs less, and for outages."""
    reasons = []
    year = str(evidence.period.year)
    if evidence.too_old:
        reasons.append(reason("too_old", who=_names(evidence.too_old, sources), year=year))
    if evidence.general:
        reasons.append(reason("in_general", who=_names(evidence.general, sources), company=company))
    if evidence.aged:
        reasons.append(reason("aged", number=len(evidence.aged), year=year))
    if evidence.outages:
        reasons.append(reason("not_asked", number=evidence.outages))
    if evidence.without_model:
        reasons.append(reason("without_model"))
    return reasons


def _names(findings: Sequence[Finding], sources: Mapping[str, Source]) -> list[str]:
    names = list(dict.fromkeys(name_of(sources[each.source_id]) for each in findings))
    return [*names[:3], *(["others"] if len(names) > 3 else [])]


def changes(before: Sequence[Assessment], judged: Sequence[Judged], iteration: int) -> tuple[VerdictChange, ...]:
    """Return the changes of a round to record: each first or changed verdict, and each move in confidence of 0.1 or
    more; none for a claim that was not reached. `before`: the assessments of the last round, none in the first."""
    earlier = {each.claim_id: each for each in before}
    recorded = []
    for assessment, _ in judged:
        old = earlier.get(assessment.claim_id)
        why = _first_reason(assessment) if old is None else _why_changed(old, assessment)
        if why and all(each.code != NOT_REACHED for each in assessment.reason_codes):
            recorded.append(
                VerdictChange(
                    claim_id=assessment.claim_id,
                    iteration=iteration,
                    verdict=assessment.verdict,
                    confidence=assessment.confidence,
                    why=ended(in_words(why)),
                    why_code=why,
                )
            )
    return tuple(recorded)


def _first_reason(assessment: Assessment) -> Reason:
    said = (*assessment.reason_codes, *map(as_written, assessment.reasons))
    return said[0] if said else reason("it_is", verdict=assessment.verdict.value)


def _why_changed(old: Assessment, new: Assessment) -> Reason | None:
    moved = round(new.confidence - old.confidence, 6)
    if old.verdict is new.verdict and abs(moved) < _MOVED:
        return None
    added = {side: len(set(getattr(new, side)) - set(getattr(old, side))) for side in ("supporting", "contradicting")}
    causes = [reason(f"cause_{side}", number=number) for side, number in added.items() if number]
    said = {"cause": causes or [reason("cause_weighing")], "verdict": new.verdict.value}
    if old.verdict is new.verdict:
        return reason("moved_surer" if moved > 0 else "moved_less_sure", **said)
    return reason("moved_turned", **said, before=old.verdict.value, because=_first_reason(new))


def another_round(
    judged: Sequence[Judged], *, iteration: int, rounds: int, added: int | None, budget_met: bool = False
) -> Reason | None:
    """Return why no further round is run; None if one is.

    `iteration`: the round that has ended, from 1; `rounds`: the most further rounds; `added`: the findings with a
    stance that the last further round brought, None after the first round.
    """
    still_open = sum(each.gap is not None for each in judged)
    if not still_open:
        return reason("stopped_no_gap")
    left = reason("gap_left", number=still_open)
    if budget_met:
        return reason("stopped_budget", left=left)
    if iteration - 1 >= rounds:
        return reason("stopped_limit" if rounds else "stopped_unasked", number=rounds, left=left)
    if iteration > 1 and added is not None and added <= 0:
        return reason("stopped_added_nothing", left=left)
    return None


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
