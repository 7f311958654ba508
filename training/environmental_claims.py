"""Learn the weights of `inquest.logic.environmental`: `python -m training.environmental_claims DATA.jsonl`.

The data: lines with `text` and `label` (1: an environmental claim), as in Stammbach et al., 'Environmental Claim
Detection' (ACL 2023). The rows are for learning and measuring only; what is written is a table of hashed weights and a
short digest of each row, from which no row can be read.

The model: a linear support vector machine with squared hinge loss and class weights, found by dual coordinate descent
(Hsieh et al., 'A Dual Coordinate Descent Method for Large-scale Linear SVM', ICML 2008). Plain Python, no dependency,
deterministic; half a minute.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import sys
import zlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from inquest.logic.environmental import BUCKETS, environmental_features

__all__ = ["COST", "Model", "digest_of", "fold_of", "learn", "read_rows", "score"]

COST = 0.14
_ROUNDS = 60
_ENOUGH = 0.02
TARGET = Path(__file__).resolve().parent.parent / "src/inquest/logic/environmental_weights.json"

Row = tuple[str, int]
Features = dict[int, float]
Model: TypeAlias = "tuple[array[float], float]"
"""Weights by bucket, and the intercept."""


def read_rows(data: Path) -> list[Row]:
    """Text and label of each line."""
    return [(str(row["text"]), int(row["label"])) for row in map(json.loads, data.read_text("utf-8").splitlines())]


def digest_of(text: str) -> str:
    """Six hex digits that know a sentence again, whatever its white space and letter case."""
    return hashlib.sha256(" ".join(text.lower().split()).encode()).hexdigest()[:6]


def fold_of(text: str, folds: int = 5) -> int:
    """Which fold a sentence is in, by its digest: the same in every run and for every order of the rows."""
    return int(digest_of(text), 16) % folds


def learn(rows: Sequence[tuple[Features, int]], cost: float = COST) -> Model:
    """The weights. Each class weighs as much as the other, however many rows it has."""
    positive = sum(label for _, label in rows)
    weight_of = {1: len(rows) / (2 * positive), 0: len(rows) / (2 * (len(rows) - positive))}
    weights = array("d", bytes(8 * BUCKETS))
    intercept = 0.0
    alphas = [0.0] * len(rows)
    diagonals = [1 / (2 * cost * weight_of[label]) for _, label in rows]
    lengths = [1 + sum(value * value for value in features.values()) for features, _ in rows]
    order = list(range(len(rows)))
    shuffler = random.Random(0)
    for _ in range(_ROUNDS):
        shuffler.shuffle(order)
        largest = 0.0
        for index in order:
            features, label = rows[index]
            sign = 1.0 if label else -1.0
            margin = intercept + sum(weights[bucket] * value for bucket, value in features.items())
            gradient = sign * margin - 1 + diagonals[index] * alphas[index]
            projected = min(gradient, 0.0) if alphas[index] == 0 else gradient
            if projected == 0:
                continue
            largest = max(largest, abs(projected))
            before = alphas[index]
            alphas[index] = max(0.0, before - gradient / (lengths[index] + diagonals[index]))
            step = (alphas[index] - before) * sign
            intercept += step
            for bucket, value in features.items():
                weights[bucket] += step * value
        if largest < _ENOUGH:
            break
    return weights, intercept


def score(model: Model, features: Features) -> float:
    """Above 0: an environmental claim."""
    weights, intercept = model
    return intercept + sum(weights[bucket] * value for bucket, value in features.items())


def main(arguments: Sequence[str]) -> None:
    """Learn from all rows and write the table."""
    rows = read_rows(Path(arguments[0]))
    weights, intercept = learn([(environmental_features(text), label) for text, label in rows])
    scale = max(abs(weight) for weight in weights) / 127
    table = array("b", (round(weight / scale) for weight in weights))
    written = {
        "about": "Hashed weights of inquest.logic.environmental, by training/environmental_claims.py.",
        "rows": len(rows),
        "scale": scale,
        "intercept": intercept,
        "weights": base64.b64encode(zlib.compress(table.tobytes(), 9)).decode("ascii"),
        "trained_on": " ".join(sorted({digest_of(text) for text, _ in rows})),
    }
    TARGET.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
