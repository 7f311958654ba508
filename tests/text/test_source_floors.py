"""The worth of publishers and the finding of copies, measured on the evaluation data against their floors."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import FLOORS, Figure, below_floor
from bench.measures import near_dup, tiers


@pytest.mark.parametrize(
    ("name", "measure", "data"), [("tiers", tiers.measure, tiers.DATA), ("near_dup", near_dup.measure, near_dup.DATA)]
)
def test_no_figure_is_below_its_floor(name: str, measure: object, data: str, shared: Path) -> None:
    figures: list[Figure] = measure(shared / data)  # type: ignore[operator]
    assert FLOORS[name].keys() <= {figure.name for figure in figures}
    assert [why for figure in figures if (why := below_floor(figure))] == []


def test_rank_correlation_is_one_for_the_same_order_and_minus_one_for_the_opposite() -> None:
    assert tiers.spearman([1, 2, 3, 10], [5, 6, 7, 8]) == pytest.approx(1)
    assert tiers.spearman([1, 2, 3, 10], [8, 7, 6, 5]) == pytest.approx(-1)
    assert tiers.spearman([1, 1, 2], [1, 2, 3]) == pytest.approx(0.8660, abs=1e-4)
