"""What a check comes to: the common shape of the desk's five kinds of finding (spec 002, section 10), and how judged
passages go before what a rule says."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, cast

from inquest.desks.academic.reasons import reason
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason, in_words, sentences
from inquest.domain.value import JsonObject
from inquest.kit.desk import FindingDraft, Subject
from inquest.text.sentences import Span

BY_RULE = 0.7
"""The most confidence of a check that only the claim's own words and a published rule carry: enough to qualify a
verdict (`verdicts/judging_checks.py`), less than any judged passage of tier 1."""


class TechnicalClaim(Subject):
    """A claim, and whose it is."""

    text: str

    @property
    def day(self) -> date:
        """The day of the check: what was issued later is neither criterion nor reference."""
        return self.now.date()


class Rest(NamedTuple):
    """The words that a check rests on: `passage.text[start:end]`."""

    passage_id: str = ""
    """'': the claim's own words."""
    start: int = 0
    end: int = 0


class Ruling(NamedTuple):
    """What a check decides, and why. `rest` None: it rests on the claim's own words."""

    stance: Stance
    confidence: float
    why: Reason
    rest: Rest | None = None
    contradiction: ContradictionType = ContradictionType.DIRECT
    """Of what kind, where it contradicts."""


class CheckReport(NamedTuple):
    """What a reader is told of a check: in short, why it is so, and what limits it."""

    summary: Sequence[Reason]
    reasons: Sequence[Reason] = ()
    limitations: Sequence[Reason] = ()


def by_evidence(bearing: Bearing, rule: Ruling) -> Ruling:
    """What judged passages decide, else what the rule does: both sides together decide nothing."""
    if bearing.leading is not None:
        kind = bearing.leading.contradiction_type or ContradictionType.DIRECT
        why = reason("judged_passages")
        return Ruling(bearing.stance, bearing.confidence, why, rest_on(bearing.leading), kind)
    if bearing.support:
        return Ruling(Stance.NEUTRAL, 0.5, reason("both_sides"))
    return rule


def conclude(
    kind: str,
    ruling: Ruling,
    bearing: Bearing | None,
    account: CheckReport,
    *,
    references: Sequence[JsonObject],
    **details: object,
) -> FindingDraft:
    """The finding of a kind of check. `details` may name any other field of section 10.2."""
    consensus = bearing.consensus if bearing else None
    found: dict[str, object] = {
        "research_consensus": in_words(consensus) if consensus else None,
        "limitations": [*dict.fromkeys(sentences(account.limitations))],
        "academic_references": [each for each in references if each["type"] == "academic_paper"],
        "finding_sources": [*(bearing.source_ids if bearing else ())],
        "supports_claim": supports_claim(ruling.stance),
        "rests_on": "evidence" if ruling.rest else "rule",
        **details,
    }
    worded = {in_words(each): each for each in (ruling.why, *account.reasons)}
    rest = ruling.rest or Rest()
    return FindingDraft(
        evidence_type=kind,
        **rest._asdict(),
        stance=ruling.stance,
        contradiction_type=ruling.contradiction if ruling.stance is Stance.CONTRADICTS else None,
        confidence=clamped(ruling.confidence),
        summary=" ".join(sentences(account.summary)),
        details=details_of(kind, **found),
        references=tuple(references),
        reasons=tuple(worded),
        reason_codes=tuple(worded.values()),
    )


def details_of(investigation: str, **given: object) -> JsonObject:
    """The details with every field of section 10.2; those that a kind does not have are None, 'unknown' or empty.
    `given`: values of JSON."""
    details: dict[str, object] = {
        "investigation_type": investigation,
        "methodology_name": None,
        "standard_alignment": "unknown",
        "certification_type": None,
        "legitimacy_assessment": "unknown",
        "sbti_validation_status": None,
        "benchmark_range": None,
        "plausibility": None,
        "research_consensus": None,
        "limitations": [],
        "academic_references": [],
        "standard_references": [],
        "finding_sources": [],
        "supports_claim": None,
        "rests_on": "rule",
        **given,
    }
    return cast(JsonObject, details)


def supports_claim(stance: Stance) -> bool | None:
    """A stance in the words of the spec: true, false, or null where the evidence does not suffice."""
    return {Stance.SUPPORTS: True, Stance.CONTRADICTS: False}.get(stance)


def clamped(confidence: float, most: float = 0.9) -> float:
    """Rounded, from 0 to `most`."""
    return round(min(most, max(0.0, confidence)), 3)


def rest_on(witness: AcademicEvidence, span: Span | None = None) -> Rest | None:
    """The place a check rests on: the span, else the witness's quote; None where there are no words."""
    chosen = span or Span(witness.start, witness.end)
    return Rest(witness.passage_id, *chosen) if chosen.of(witness.text).strip() else None
