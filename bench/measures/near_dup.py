"""Near-duplicates among articles: how many of the true pairs are found, and how many of those found are wrong."""

from __future__ import annotations

import json
import time
from pathlib import Path

from bench.figures import Figure
from inquest.stories.likeness import copies

DATA = "data/near_dup"


def measure(data: Path) -> list[Figure]:
    """Compare the pairs found in `articles*.jsonl` (id, text) with `pairs*.jsonl` ([id, id]) of a folder."""
    articles = [json.loads(line) for file in sorted(data.glob("articles*.jsonl")) for line in _lines(file)]
    true = {frozenset(json.loads(line)) for file in sorted(data.glob("pairs*.jsonl")) for line in _lines(file)}
    ids = [article["id"] for article in articles]
    begun = time.perf_counter()
    pairs = copies([article["text"] for article in articles])
    seconds = time.perf_counter() - begun
    found = {frozenset((ids[pair.first], ids[pair.second])) for pair in pairs}
    details = {"articles": len(articles), "pairs": len(true)}
    return [
        Figure("near_dup", "recall", len(found & true) / len(true), details=details),
        Figure("near_dup", "precision", len(found & true) / len(found) if found else 0.0, details=details),
        Figure("near_dup", "articles_per_second", len(articles) / seconds, "1/s", details=details),
    ]


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
