"""Detection of environmental claims, against the labels of people (EVALUATION.md: 0.7 with TF-IDF, 0.85 with a large
language model).

Every row is judged by weights that never saw it: rows that the shipped weights were learned from, by five-fold
cross-validation with the same method (folds by the hash of the text); all others, by the shipped weights.
"""

from __future__ import annotations

from pathlib import Path

from bench.figures import Figure
from inquest.logic.environmental import environmental_features, environmental_score, trained_on
from training.environmental_claims import digest_of, fold_of, learn, read_rows, score

__all__ = ["DATA", "measure"]

DATA = "data/claims/environmental_claims.jsonl"
_FOLDS = 5


def measure(data: Path) -> list[Figure]:
    """F1 of the class 'claim', and the precision and recall it is made of."""
    rows = read_rows(data)
    known = [(text, label) for text, label in rows if trained_on(digest_of(text))]
    judged = [(environmental_score(text) > 0, label) for text, label in rows if not trained_on(digest_of(text))]
    judged += _cross_validated(known)
    hits = sum(found and label for found, label in judged)
    precision = hits / max(1, sum(found for found, _ in judged))
    recall = hits / max(1, sum(label for _, label in judged))
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    details = {"rows": len(rows), "cross_validated": len(known)}
    return [
        Figure("claims", "f1", f1, details=details),
        Figure("claims", "precision", precision, details=details),
        Figure("claims", "recall", recall, details=details),
    ]


def _cross_validated(rows: list[tuple[str, int]]) -> list[tuple[bool, int]]:
    prepared = [(fold_of(text), environmental_features(text), label) for text, label in rows]
    judged = []
    for fold in range(_FOLDS):
        tested = [(features, label) for of, features, label in prepared if of == fold]
        if tested:
            model = learn([(features, label) for of, features, label in prepared if of != fold])
            judged += [(score(model, features) > 0, label) for features, label in tested]
    return judged
