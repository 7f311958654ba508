"""Retrieval does not fall below its floor."""

from __future__ import annotations

from pathlib import Path

from bench.figures import below_floor
from bench.measures.retrieval import DATA, measure


def test_the_figures_keep_their_floors(shared: Path) -> None:
    figures = measure(shared / DATA, by_meaning=False)
    assert {figure.name for figure in figures} == {"ndcg_10", "recall_10"}
    assert [why for figure in figures if (why := below_floor(figure))] == []
