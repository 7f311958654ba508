"""Detection of clickbait titles: F1, and whether spelling can change the result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bench.figures import Figure
from bench.rows import rows_of
from inquest.sources.noise import clickbait_of

DATA = "data/clickbait/titles.jsonl"

_SPELLINGS: tuple[Callable[[str], str], ...] = (str.lower, str.upper, lambda title: f"{title} | The Courier")


def measure(data: Path) -> list[Figure]:
    """Rows of `title` and `clickbait`. `flipped` is the share of titles that are judged differently in lower case, in
    capitals or with the name of a site at the end."""
    rows = rows_of(data, "title", "clickbait")
    found = [(_baits(row["title"]), bool(row["clickbait"])) for row in rows]
    right = sum(said and true for said, true in found)
    wrong = sum(said != true for said, true in found)
    said_so = sum(said for said, _ in found)
    truly = sum(true for _, true in found)
    flipped = sum(any(_baits(spelt(row["title"])) != _baits(row["title"]) for spelt in _SPELLINGS) for row in rows)
    details = {"titles": len(rows)}
    return [
        Figure("clickbait", "f1", 2 * right / (2 * right + wrong) if right else 0.0, details=details),
        Figure("clickbait", "precision", right / said_so if said_so else 0.0, details=details),
        Figure("clickbait", "recall", right / truly if truly else 0.0, details=details),
        Figure("clickbait", "flipped", flipped / len(rows) if rows else 0.0, details=details),
    ]


def _baits(title: str) -> bool:
    return clickbait_of(title).share >= 0.5
