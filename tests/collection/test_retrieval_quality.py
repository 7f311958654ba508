"""Retrieval does not fall below its floor."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import below_floor
from bench.measures.retrieval import DATA, measure, ndcg, recall


def test_the_figures_keep_their_floors(shared: Path) -> None:
    figures = measure(shared / DATA, by_meaning=False)
    assert {figure.name for figure in figures} == {"ndcg_10", "recall_10"}
    assert [why for figure in figures if (why := below_floor(figure))] == []


def test_the_measures_are_what_they_are_called() -> None:
    assert ndcg(["a", "b"], {"a"}) == 1.0
    assert ndcg(["b", "a"], {"a"}) == pytest.approx(0.6309, abs=1e-4)
    assert ndcg(["b"], {"a"}) == 0.0
    assert recall(["b", "a", *"cdefghij"], {"a", "z"}) == 0.5
    assert recall([*"bcdefghijk", "a"], {"a"}) == 0.0
