"""A model's reading of a claim and a passage as three numbers."""

from __future__ import annotations

from math import exp
from typing import NamedTuple


class Meaning(NamedTuple):
    """The probability of each stance by meaning alone; the three add up to 1."""

    contradicts: float
    neutral: float
    supports: float


def meaning_of(contradicts: float, neutral: float, supports: float) -> Meaning:
    """Convert three scores (logits) to probabilities."""
    top = max(contradicts, neutral, supports)
    parts = [exp(score - top) for score in (contradicts, neutral, supports)]
    total = sum(parts)
    # Rounded, so that the floating-point arithmetic of another processor changes nothing.
    return Meaning(*(round(part / total, 4) for part in parts))
