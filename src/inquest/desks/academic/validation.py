"""The findings of the desk: its five checks in one shape (spec 002, section 10), each source, and the summary."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple, cast

from inquest.desks.academic.references import reference_to
from inquest.desks.academic.terms import reason
from inquest.desks.academic.witnesses import AcademicEvidence, Bearing, best_of_each_source
from inquest.domain.check import RequestStatus
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.reasons import Reason, in_words, sentences
from inquest.domain.value import JsonObject
from inquest.kit.desk import FindingDraft, Results, Subject
from inquest.text.phrases import quoted
from inquest.text.sentences import Span, shorten

BY_RULE = 0.7
"""The most confidence of a check that only the claim's own words and a published rule carry: enough to qualify a
verdict (`verdicts/judging_checks.py`), less than any judged passage of tier 1."""
_MOST = 0.9
_QUOTED = 120
"""Characters of a statement in a sentence."""


class TechnicalClaim(Subject):
    """A claim, and whose it is."""

    text: str
    unregistered: dict[str, Reason] = {}
    """By register that gave no row: why."""

    @property
    def day(self) -> date:
        """The day of the check: what was issued later is neither criterion nor reference."""
        return self.now.date()


class Rest(NamedTuple):
    """The words that a check rests on: `passage.text[start:end]`; without a passage, the claim's own words."""

    passage_id: str = ""
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


def by_evidence(bearing: Bearing, rule: Ruling) -> Ruling:
    """What judged passages decide, else what the rule does: both sides together decide nothing."""
    if bearing.leading is not None:
        kind = bearing.leading.contradiction_type or ContradictionType.DIRECT
        return Ruling(bearing.stance, bearing.confidence, reason("judged_passages"), rest_on(bearing.leading), kind)
    return Ruling(Stance.NEUTRAL, 0.5, reason("both_sides")) if bearing.support else rule


def rest_on(witness: AcademicEvidence, span: Span | None = None) -> Rest | None:
    """The place a check rests on: the span, else the witness's quote; None where there are no words."""
    chosen = span or Span(witness.start, witness.end)
    return Rest(witness.passage_id, *chosen) if chosen.of(witness.text).strip() else None


class Account(NamedTuple):
    """What a reader gets to know of a check: in short, why it is so, and what limits it."""

    summary: Sequence[Reason]
    reasons: Sequence[Reason] = ()
    limitations: Sequence[Reason] = ()


def conclude(
    kind: str,
    ruling: Ruling,
    bearing: Bearing | None,
    account: Account,
    *,
    references: Sequence[JsonObject],
    **details: object,
) -> FindingDraft:
    """The finding of a kind of check. `details` may name any other field of section 10.2."""
    consensus = bearing.consensus if bearing else None
    worded = {in_words(each): each for each in (ruling.why, *account.reasons)}
    found = {
        "research_consensus": in_words(consensus) if consensus else None,
        "limitations": [*dict.fromkeys(sentences(account.limitations))],
        "academic_references": [each for each in references if each["type"] == "academic_paper"],
        "finding_sources": [*(bearing.source_ids if bearing else ())],
        "supports_claim": supports_claim(ruling.stance),
        "rests_on": "evidence" if ruling.rest else "rule",
        **details,
    }
    return FindingDraft(
        evidence_type=kind,
        **(ruling.rest or Rest())._asdict(),
        stance=ruling.stance,
        contradiction_type=ruling.contradiction if ruling.stance is Stance.CONTRADICTS else None,
        confidence=round(min(_MOST, ruling.confidence), 3),
        summary=" ".join(sentences(account.summary)),
        details=details_of(kind, **found),
        references=tuple(references),
        reasons=tuple(worded),
        reason_codes=tuple(worded.values()),
    )


def details_of(investigation: str, **given: object) -> JsonObject:
    """The details with every field of section 10.2; those that a kind does not have are None, 'unknown' or empty.
    `given`: values of JSON."""
    empty: dict[str, object] = {
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
    }
    return cast(JsonObject, {**empty, **given})


def supports_claim(stance: Stance) -> bool | None:
    """A stance in the words of the spec: true, false, or null where the evidence does not suffice."""
    return {Stance.SUPPORTS: True, Stance.CONTRADICTS: False}.get(stance)


def source_findings(witnesses: Sequence[AcademicEvidence]) -> tuple[FindingDraft, ...]:
    """One for each source whose passage supports or contradicts the claim, or one of its statements. What is barred (a
    retracted work) is listed without a stance; what is of tier 4 or the company's own is listed for the judge."""
    return tuple(_of_source(each) for each in best_of_each_source(witnesses))


def _of_source(witness: AcademicEvidence) -> FindingDraft:
    stance = Stance.NEUTRAL if witness.barred else witness.stance
    reference = reference_to(witness)
    paper = reference["type"] == "academic_paper"
    details = details_of(
        "academic_source",
        # What the company says of itself is no support in the spec's sense.
        supports_claim=None if witness.left_out else supports_claim(stance),
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
        confidence=round(witness.confidence, 3),
        summary=" ".join(sentences(parts)),
        details=details,
        references=(reference,),
        reasons=(in_words(credible), *witness.reasons),
        reason_codes=(credible, *witness.reason_codes),
    )


def summary_finding(
    checks: Sequence[FindingDraft], witnesses: Sequence[AcademicEvidence], results: Results
) -> FindingDraft:
    """The results of all checks on a claim in plain words; last of the findings on it."""
    speaking = best_of_each_source(witnesses)
    left_out = {each.source.id for each in speaking if each.left_out}
    used = {str(name) for each in checks for name in cast(list[object], each.details["finding_sources"])}
    used |= {each.source.id for each in speaking if not each.left_out}
    counted = [*{each.source.id: each for each in witnesses if each.source.id in used}.values()]
    stances = {each.stance for each in checks} - {Stance.NEUTRAL}
    stance = stances.pop() if len(stances) == 1 else Stance.NEUTRAL
    unassessed = sum(each.stance is Stance.UNASSESSED for each in witnesses)
    nothing = "none_counts" if results.hits or results.outages else "nothing_found"
    reviewed = sum(each.peer_reviewed for each in counted)
    where = list(dict.fromkeys(each.where for each in results.outages))
    parts = [
        *(reason(f"check_{each.stance.value}", check=in_words(reason(each.evidence_type))) for each in checks),
        reason("counted", number=len(counted), reviewed=reviewed) if counted else reason(nothing),
        *([reason("some_left_out", number=len(left_out))] if left_out else []),
        *([reason("some_not_asked", where=where)] if where else []),
        *([reason("some_unassessed", number=unassessed)] if unassessed else []),
        *(
            reason("another_desk", answer=each.summary)
            for each in results.responses
            if each.status is RequestStatus.ANSWERED
        ),
    ]
    return FindingDraft(
        evidence_type="academic_investigation_summary",
        stance=Stance.NEUTRAL,
        confidence=max((each.confidence for each in checks if each.stance is stance), default=0.0),
        summary=" ".join(sentences(parts)),
        details={
            "investigation_type": "academic_investigation_summary",
            "supports_claim": supports_claim(stance),
            "hits": results.hits,
            "queries": len(results.queries),
            "outages": [{"where": each.where, "why": each.why} for each in results.outages],
            "unassessed": unassessed,
            "insufficient_evidence": not counted,
        },
        references=tuple({str(each.get("url")): each for check in checks for each in check.references}.values()),
        reasons=tuple(each.summary for each in checks),
    )
