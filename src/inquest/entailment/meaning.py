"""What a model read in a pair of claim and passage: three numbers, and nothing of how it came to them."""

from __future__ import annotations

from math import exp
from typing import NamedTuple


class Meaning(NamedTuple):
    """How likely each stance is by meaning alone; the three add up to 1."""

    contradicts: float
    neutral: float
    supports: float


def meaning_of(contradicts: float, neutral: float, supports: float) -> Meaning:
    """The meaning that three scores (logits) stand for."""
    top = max(contradicts, neutral, supports)
    parts = [exp(score - top) for score in (contradicts, neutral, supports)]
    total = sum(parts)
    # Rounded, so that the last bits of another processor's arithmetic decide nothing.
    return Meaning(*(round(part / total, 4) for part in parts))
