"""The learned tables of the stance judgment, and the sums that turn features into probabilities.

`stance_weights.json` is written by `training/stance_weights.py`; `training/README.md` says from what.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from math import exp
from typing import Any

from inquest.domain.finding import Stance

__all__ = ["probabilities", "rarity"]

_UNKNOWN_RARITY = 8.0


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(files("inquest.text").joinpath("word_weights.json").read_text("utf-8"))
    return loaded


@lru_cache(maxsize=1)
def _rarities() -> dict[str, float]:
    return {term: float(level) for level, listed in _tables()["rarity"].items() for term in listed.split()}


def rarity(term: str) -> float:
    """The inverse document frequency of a stem, in natural logarithms to half a unit; a stem that is not in the table
    is a rare one."""
    return _rarities().get(term, _UNKNOWN_RARITY)


def probabilities(features: dict[str, float]) -> dict[Stance, float]:
    """The probability of each stance: multinomial logistic regression, its temperature fitted on folds left out."""
    tables = _tables()
    temperature = tables["temperature"]
    scores: dict[Stance, float] = {}
    for stance in (Stance.SUPPORTS, Stance.CONTRADICTS, Stance.NEUTRAL):
        score = tables["intercepts"][stance.value]
        weights = tables["weights"][stance.value]
        for name, value in features.items():
            if value:
                score += value * weights.get(name, 0.0)
        scores[stance] = score / temperature
    top = max(scores.values())
    exponentials = {stance: exp(score - top) for stance, score in scores.items()}
    total = sum(exponentials.values())
    return {stance: value / total for stance, value in exponentials.items()}
