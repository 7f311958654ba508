"""What a validation comes to: the common shape of the academic desk's five kinds of finding (spec 002, section 10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple

from inquest.desks.academic.witnesses import Witness
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.value import JsonObject
from inquest.text.sentences import Span

__all__ = ["BY_RULE", "Matter", "Rest", "Validation", "clamped", "details_of", "rest_on", "supports_claim"]

BY_RULE = 0.6
"""The most confidence of a validation that only the claim's own words and a published rule carry."""


class Matter(NamedTuple):
    """A claim, and whose it is."""

    text: str
    company: str
    industry: str = ""
    year: int | None = None
    """The year that the report is about."""
    now: datetime | None = None

    @property
    def day(self) -> date | None:
        """The day of the check: what was issued later is neither criterion nor reference."""
        return self.now.date() if self.now else None


class Rest(NamedTuple):
    """The words of a passage that a validation rests on: `passage.text[start:end]`."""

    witness: Witness
    span: Span


@dataclass(frozen=True, slots=True)
class Validation:
    """A finding before the desk gives it its place. `rest` None: it rests on the claim's own words."""

    evidence_type: str
    stance: Stance
    confidence: float
    summary: str
    details: JsonObject
    references: tuple[JsonObject, ...] = ()
    reasons: tuple[str, ...] = ()
    contradiction_type: ContradictionType | None = None
    rest: Rest | None = field(default=None)


def details_of(investigation: str, **given: object) -> JsonObject:
    """The details with every field of section 10.2; those that a kind does not have are None, 'unknown' or empty."""
    details: JsonObject = {
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
    }
    for name, value in given.items():
        details[name] = value  # type: ignore[assignment]
    return details


def supports_claim(stance: Stance) -> bool | None:
    """A stance in the words of the spec: true, false, or null where the evidence does not suffice."""
    return {Stance.SUPPORTS: True, Stance.CONTRADICTS: False}.get(stance)


def rest_on(witness: Witness, span: Span | None = None) -> Rest | None:
    """The place a validation rests on: the span, else the witness's quote; None where there are no words."""
    chosen = span or Span(witness.start, witness.end)
    return Rest(witness, chosen) if chosen.of(witness.text).strip() else None


def clamped(confidence: float, most: float = 0.9) -> float:
    """A confidence within 0 and `most`, to three places."""
    return round(max(0.0, min(most, confidence)), 3)
