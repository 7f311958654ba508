"""Rules and model together: a logistic regression over what the rules measured of a pair and what a model read in it.

`stance_combined.json` is written by `training/stance_model/combine.py`; the model card beside it says from what.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import exp, log
from typing import Any

from inquest.domain.finding import Stance
from inquest.entailment.evidence import Evidence
from inquest.entailment.features import features
from inquest.entailment.ruling import Ruling
from inquest.text.meaning import Meaning
from inquest.text.word_weights import probabilities

__all__ = ["combined", "confidence_of", "measured"]

_LEAST = 1e-3
_STANCES = (Stance.CONTRADICTS, Stance.NEUTRAL, Stance.SUPPORTS)


def measured(evidence: Evidence, meaning: Meaning, ruling: Ruling | None) -> dict[str, float]:
    """All that is known of a pair, as numbers by name; `ruling`: what the rules say."""
    found = features(evidence)
    chances = probabilities(found)
    neutral = max(meaning.neutral, _LEAST)
    plain = max(chances[Stance.NEUTRAL], _LEAST)
    against, bears = (log(max(meaning.contradicts, _LEAST) / neutral), log(max(meaning.supports, _LEAST) / neutral))
    return found | {
        "m_contradicts": against,
        "m_supports": bears,
        "m_either": abs(against - bears),
        "m_contradicts_p": meaning.contradicts,
        "m_supports_p": meaning.supports,
        "r_contradicts": log(max(chances[Stance.CONTRADICTS], _LEAST) / plain),
        "r_supports": log(max(chances[Stance.SUPPORTS], _LEAST) / plain),
        **{
            f"rule_{stance.value}": ruling.confidence if ruling and ruling.stance is stance and not ruling.weak else 0.0
            for stance in _STANCES
        },
        "rule_numbers": float(ruling is not None and ruling.name == "numbers_differ"),
    }


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(files("inquest.entailment").joinpath("combined.json").read_text("utf-8"))
    return loaded


def combined(found: dict[str, float]) -> dict[Stance, float]:
    """The probability of each stance from what `measured` says."""
    tables = _tables()
    scores = {}
    for stance in _STANCES:
        weights = tables["weights"][stance.value]
        scores[stance] = tables["intercepts"][stance.value] + sum(
            value * weights.get(name, 0.0) for name, value in found.items() if value
        )
    top = max(scores.values())
    parts = {stance: exp(score - top) for stance, score in scores.items()}
    total = sum(parts.values())
    return {stance: part / total for stance, part in parts.items()}


def confidence_of(stance: Stance, chance: float) -> float:
    """How often a stance found with that probability is right: a curve through points, flat beyond its ends."""
    points: list[list[float]] = _tables()["confidence"][stance.value]
    if chance <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if chance <= right:
            return low + (high - low) * (chance - left) / (right - left) if right > left else high
    return points[-1][1]
