"""The judge: one verdict for each claim, over all that all desks have found in all rounds (P3).

- Witnesses are weighed as everywhere (`verdicts.weighing`): by tier, independence and whose word it is, here with what
  age and directness leave of them (`judging_evidence`). The report and the company's own pages carry no verdict.
- A claim that makes several statements is judged by its parts, where the evidence tells them apart (`judging_parts`).
- Checks against published criteria then qualify (`judging_checks`).
- Where evidence is thin or one-sided, the judge asks for more (`judging_gaps`), as long as a round adds something.

What could not be asked or judged counts on no side: an outage is never a contradiction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from inquest.domain.assessment import Assessment, Verdict
from inquest.domain.check import Reinvestigation, Subject, VerdictChange
from inquest.domain.claim import Claim
from inquest.domain.finding import Finding, Stance
from inquest.domain.reasons import Reason
from inquest.domain.source import Source
from inquest.text.phrases import capitalised, count, ended, listed
from inquest.verdicts.judging_checks import qualified
from inquest.verdicts.judging_evidence import ClaimEvidence, evidence_on
from inquest.verdicts.judging_gaps import gap_of, would_change
from inquest.verdicts.judging_parts import by_parts
from inquest.verdicts.votes import votes
from inquest.verdicts.weighing import assess_claim, supports_alone, together
from inquest.verdicts.weighing_reasons import NOTHING_FOUND, name_of, reason, reasoned

NOBODY_ASKED = "verdicts.nobody_asked"
NOT_REACHED = "verdicts.not_reached"
"""Code of the first reason for a claim that no desk could ask about."""
_MOVED = 0.1
"""By how much the confidence must move for a change to be kept where the verdict stays."""
_WORDS = {
    Verdict.VERIFIED: "verified",
    Verdict.PARTIALLY_TRUE: "true in part",
    Verdict.CONTRADICTED: "contradicted",
    Verdict.DISPUTED: "disputed",
    Verdict.UNVERIFIED: "not verified",
}


class Judged(NamedTuple):
    """A verdict, and what the judge would have looked into before it appears; None: nothing."""

    assessment: Assessment
    gap: Reinvestigation | None


class Looked(NamedTuple):
    """Who looked at a claim in the round that has ended."""

    iteration: int
    """From 1."""
    desks: Sequence[str]
    """Those that can be sent again."""
    unasked: Sequence[str] = ()
    """Those that should have looked and had no engine to ask."""


def judge_claim(
    claim: Claim,
    findings: Sequence[Finding],
    sources: Mapping[str, Source],
    *,
    subject: Subject,
    looked: Looked,
) -> Judged:
    """The verdict on the claim. All findings of the case may be given, in any order; `sources` by id."""
    evidence = evidence_on(claim, findings, sources, subject)
    weighed = by_parts(
        claim,
        assess_claim(claim, evidence.witnesses, sources, about=subject.company),
        evidence.witnesses,
        sources,
        subject.company,
    )
    weighed = _true_in_general(weighed, evidence, sources, claim)
    reasons = (*_without_nothing(weighed, evidence, looked), *_of_time(evidence, sources, subject.company))
    if looked.unasked:
        reasons = _of_nobody(reasons, looked.unasked, alone=not looked.desks)
    assessment = qualified(reasoned(weighed, reasons), evidence.checks)
    assessment = assessment.model_copy(update={"would_change": would_change(assessment, evidence, subject.company)})
    gap = gap_of(claim, assessment, evidence, subject, desks=looked.desks, iteration=looked.iteration)
    return Judged(assessment, gap)


def _true_in_general(
    weighed: Assessment, evidence: ClaimEvidence, sources: Mapping[str, Source], claim: Claim
) -> Assessment:
    """True in part, where literature supports the matter in general and only the company says it of itself."""
    against = any(vote.stance is not Stance.SUPPORTS for vote in evidence.cast)
    cast = votes(evidence.general, sources, about=claim.text)
    if weighed.verdict is not Verdict.UNVERIFIED or against or not supports_alone(cast):
        return weighed
    changed = weighed.model_copy(
        update={
            "verdict": Verdict.PARTIALLY_TRUE,
            "confidence": round(together(cast), 3),
            "independent_sources": len(cast),
            "single_source": len(cast) == 1,
            "supporting": (*weighed.supporting, *(each.id for vote in cast for each in vote.findings)),
        }
    )
    return reasoned(changed, (reason("true_in_general"), *weighed.reason_codes))


def _without_nothing(weighed: Assessment, evidence: ClaimEvidence, looked: Looked) -> tuple[Reason, ...]:
    """The reasons of the weighing, without 'nothing was found' where something was that does not count, or where nobody
    was asked."""
    something = weighed.verdict is Verdict.UNVERIFIED and not evidence.cast and (evidence.too_old or evidence.general)
    nobody = bool(looked.unasked) and not looked.desks
    return tuple(each for each in weighed.reason_codes if each.code != NOTHING_FOUND or not (something or nobody))


def _of_time(evidence: ClaimEvidence, sources: Mapping[str, Source], company: str) -> list[Reason]:
    """What was left aside or weighs less, and how much could not be asked."""
    more = []
    if evidence.too_old:
        more.append(reason("too_old", who=_names(evidence.too_old, sources), year=str(evidence.period.year)))
    if evidence.general:
        more.append(reason("in_general", who=_names(evidence.general, sources), company=company))
    if evidence.aged:
        more.append(reason("aged", number=len(evidence.aged), year=str(evidence.period.year)))
    if evidence.outages:
        more.append(reason("not_asked", number=evidence.outages))
    return more


def _of_nobody(reasons: tuple[Reason, ...], unasked: Sequence[str], *, alone: bool) -> tuple[Reason, ...]:
    """With who asked nobody, first where there is no other desk that could have found anything."""
    names = f"{listed(list(unasked))} {'desk' if len(unasked) == 1 else 'desks'}"
    if alone:
        return (Reason(code=NOBODY_ASKED, data={"desks": names}), *reasons)
    return (*reasons, reason("desk_asked_nobody", desks=names, whose="its" if len(unasked) == 1 else "their"))


def _names(findings: Sequence[Finding], sources: Mapping[str, Source]) -> list[str]:
    """Who, at most three by name."""
    named = list(dict.fromkeys(name_of(sources[each.source_id]) for each in findings))
    return [*named[:3], *(["others"] if len(named) > 3 else [])]


def changes(before: Sequence[Assessment], judged: Sequence[Judged], iteration: int) -> tuple[VerdictChange, ...]:
    """What is to be kept of a round: the first verdict on a claim, and each that is another than before or has moved
    by 0.1 or more in confidence; nothing of a claim that was not reached. `before`: the assessments of the last round,
    none in the first."""
    earlier = {each.claim_id: each for each in before}
    kept = []
    for assessment, _ in judged:
        old = earlier.get(assessment.claim_id)
        why = _first_reason(assessment) if old is None else _why_changed(old, assessment)
        if why and all(each.code != NOT_REACHED for each in assessment.reason_codes):
            kept.append(
                VerdictChange(
                    claim_id=assessment.claim_id,
                    iteration=iteration,
                    verdict=assessment.verdict,
                    confidence=assessment.confidence,
                    why=why,
                )
            )
    return tuple(kept)


def _first_reason(assessment: Assessment) -> str:
    return ended(assessment.reasons[0]) if assessment.reasons else f"It is {_WORDS[assessment.verdict]}."


def _why_changed(old: Assessment, new: Assessment) -> str:
    moved = round(new.confidence - old.confidence, 6)
    if old.verdict is new.verdict and abs(moved) < _MOVED:
        return ""
    found = [
        f"{count(number, 'new finding')} {side}"
        for side, number in (
            ("for it", len(set(new.supporting) - set(old.supporting))),
            ("against it", len(set(new.contradicting) - set(old.contradicting))),
        )
        if number
    ]
    brought = capitalised(listed(found)) if found else "A new weighing of what is there"
    if old.verdict is new.verdict:
        return f"{brought} made it {'surer' if moved > 0 else 'less sure'} that it is {_WORDS[new.verdict]}."
    return f"{brought} turned it from {_WORDS[old.verdict]} to {_WORDS[new.verdict]}: {_first_reason(new)}"


def another_round(
    judged: Sequence[Judged], *, iteration: int, rounds: int, added: int | None, budget_met: bool = False
) -> str:
    """Why no further round is run, in one sentence; '' where one is.

    `iteration`: the round that has ended, from 1; `rounds`: how often desks may be sent out again; `added`: how many
    findings the last such round brought that bear on a claim, None after the first investigation.
    """
    open_claims = [each for each in judged if each.gap is not None]
    if not open_claims:
        return "No verdict has a gap that another search could be expected to close."
    left = f"{count(len(open_claims), 'claim')} still {'has' if len(open_claims) == 1 else 'have'} a gap"
    if budget_met:
        return f"The budget of the case is met, and {left}."
    if iteration - 1 >= rounds:
        if rounds == 0:
            return f"No further round was asked for, and {left}."
        return f"The limit of {count(rounds, 'further round')} is reached, and {left}."
    if iteration > 1 and added is not None and added <= 0:
        return f"The last round added nothing, and {left}."
    return ""
