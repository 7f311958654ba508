"""The first part of a claim that goes on in a relative clause or with its proof: a passage may speak of that alone."""

from __future__ import annotations

import re

from inquest.domain.finding import Stance
from inquest.entailment.meant import Bearing
from inquest.entailment.reading import SentenceReading, read_sentence
from inquest.text.passages import stems

__all__ = ["bears_out_a_part", "first_part"]

_FURTHER = re.compile(
    r",\s+(?:which|who|documented|verified|certified|confirmed|audited|validated|evidenced|proven|as\s+(?:documented|verified|"
    r"shown|certified)|making|bringing|giving|thereby|thus)\b",
    re.I,
)
_A_STATEMENT = 5
"""Words of meaning from which the first part of a claim says something by itself."""


def first_part(claim: SentenceReading) -> SentenceReading | None:
    """The claim without the relative clause or the proof behind it: '..., which made its soaps carbon neutral'."""
    further = _FURTHER.search(claim.text)
    if further is None or len(stems(claim.text[: further.start()])) < _A_STATEMENT:
        return None
    return read_sentence(f"{claim.text[: further.start()]}.")


def bears_out_a_part(bearing: Bearing, why: str) -> Bearing:
    """What bears out the first part of a claim bears out no more than that; what goes against it goes against all."""
    if bearing.stance is Stance.SUPPORTS:
        reason = "That bears out a part of the claim; of the rest the passage says nothing."
        reasons = bearing.reasons if reason in bearing.reasons else (*bearing.reasons, reason)
        return bearing._replace(confidence=min(bearing.confidence, 0.62), reasons=reasons)
    return bearing if bearing.stance is Stance.CONTRADICTS else bearing._replace(reasons=(why,))
