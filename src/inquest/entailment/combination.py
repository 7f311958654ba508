"""The trained combination: feature values in, probabilities of the stances and a calibrated confidence out.

A multinomial logistic regression. `training/entailment.py` writes `weights.json`; `training/README.md` describes the
data. It has one table with the values of a reading model and one without. Whether a search found the passage is a
feature by itself and in interaction with others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import exp

from pydantic import BaseModel, ConfigDict

from inquest.domain.finding import Stance

_STANCES = (Stance.CONTRADICTS, Stance.NEUTRAL, Stance.SUPPORTS)


class Table(BaseModel):
    """Learned parameters. Weights are relative to neutral, which has 0."""

    model_config = ConfigDict(frozen=True)

    names: tuple[str, ...]
    weights: Mapping[str, tuple[float, ...]]
    """By stance, in the order of the names."""
    intercepts: Mapping[str, float]
    by_found: tuple[str, ...]
    """Features with another weight for passages found by a search; `found` itself is always one."""
    least: Mapping[str, Mapping[str, float]]
    """By 'pair' and 'found', then by stance: the minimum probability for the stance; below it, neutral."""
    confidence: Mapping[str, Mapping[str, tuple[tuple[float, float], ...]]]
    """By 'pair' and 'found', then by stance: from probability to the frequency with which the stance was right."""


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Table]:
    loaded = json.loads(files("inquest.entailment").joinpath("weights.json").read_text("utf-8"))
    return {name: Table.model_validate(each) for name, each in loaded["tables"].items()}


def table(*, read: bool) -> Table:
    """Return the table for pairs with or without a model's reading."""
    return _tables()["read" if read else "unread"]


def with_found(numbers: Mapping[str, float], by_found: tuple[str, ...]) -> dict[str, float]:
    """Add copies under separate names for passages found by a search."""
    return {**numbers, "found": 1.0, **{f"found_{name}": numbers.get(name, 0.0) for name in by_found}}


def chances_of(numbers: Mapping[str, float], *, found: bool, using: Table) -> dict[Stance, float]:
    """Return the probability of each stance. `found`: a search found the passage."""
    given = with_found(numbers, using.by_found) if found else numbers
    values = [given.get(name, 0.0) for name in using.names]
    scores = {
        stance: using.intercepts.get(stance.value, 0.0)
        + sum(
            weight * value
            for weight, value in zip(using.weights.get(stance.value, (0.0,) * len(values)), values, strict=True)
        )
        for stance in _STANCES
    }
    top = max(scores.values())
    parts = {stance: exp(score - top) for stance, score in scores.items()}
    total = sum(parts.values())
    return {stance: part / total for stance, part in parts.items()}


def confidence_of(stance: Stance, chance: float, *, found: bool, using: Table) -> float:
    """Return how often a stance with that probability is right, by linear interpolation, flat at both ends."""
    points = using.confidence["found" if found else "pair"][stance.value]
    if chance <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if chance <= right:
            return low + (high - low) * (chance - left) / (right - left) if right > left else high
    return points[-1][1]
