"""Our score for publishers compared with the consensus of expert ratings: rank correlation, and how many we know."""

from __future__ import annotations

from pathlib import Path

from bench.figures import Figure
from bench.rows import rows_of
from inquest.sources.tiers import rate

DATA = "data/ratings/domain_pc1.jsonl"


def measure(data: Path) -> list[Figure]:
    """The figures for the domains of the file that one of our rules covers."""
    rows = rows_of(data, "domain", "pc1")
    rated = [(rating.score, row["pc1"]) for row in rows if (rating := rate(row["domain"])).known]
    details = {"domains": len(rows), "rated": len(rated)}
    return [
        Figure("tiers", "spearman", spearman([a for a, _ in rated], [b for _, b in rated]), details=details),
        Figure("tiers", "coverage", len(rated) / len(rows), details=details),
    ]


def spearman(left: list[float], right: list[float]) -> float:
    """Pearson's correlation of the ranks, ties at their middle rank."""
    x, y = _ranks(left), _ranks(right)
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    together = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    spread = (sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y)) ** 0.5
    return float(together / spread)


def _ranks(values: list[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for position in range(start, end + 1):
            ranks[order[position]] = (start + end) / 2
        start = end + 1
    return ranks
