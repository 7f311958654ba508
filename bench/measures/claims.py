"""Detection of environmental claims, compared with labels by people (EVALUATION.md: 0.7 with TF-IDF, 0.85 with a large
language model).

The detector consists of hand-written rules and was not trained on any row. Authors of the rules look at mistakes only
in even-numbered rows; `f1_unseen` is the F1 of the others. While weights were set, the totals covered all rows, so it
is not a clean held-out figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.figures import Figure
from bench.rows import rows_of
from inquest.claims.claim_detection import is_environmental_claim

__all__ = ["DATA", "measure"]

DATA = "data/claims/environmental_claims.jsonl"


def measure(data: Path) -> list[Figure]:
    """F1 of the class 'claim', its precision and recall, and the F1 of every second row."""
    rows = rows_of(data, "text", "label")
    judged = [(is_environmental_claim(str(row["text"])), bool(row["label"])) for row in rows]
    f1, precision, recall = _figures(judged)
    details = {"rows": len(rows)}
    return [
        Figure("claims", "f1", f1, details=details),
        Figure("claims", "f1_unseen", _figures(judged[1::2])[0], details={"rows": len(judged[1::2])}),
        Figure("claims", "precision", precision, details=details),
        Figure("claims", "recall", recall, details=details),
    ]


def _figures(judged: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    hits = sum(found and label for found, label in judged)
    precision = hits / max(1, sum(found for found, _ in judged))
    recall = hits / max(1, sum(label for _, label in judged))
    return (2 * precision * recall / (precision + recall) if hits else 0.0), precision, recall
