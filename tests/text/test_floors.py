"""Publishers' worth, copies and judgments of pairs, measured on the evaluation data against their floors."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import FLOORS, Figure, below_floor
from bench.measures import near_dup, stance, tiers


@pytest.mark.parametrize(
    ("name", "measure", "data"), [("tiers", tiers.measure, tiers.DATA), ("near_dup", near_dup.measure, near_dup.DATA)]
)
def test_no_figure_is_below_its_floor(name: str, measure: object, data: str, shared: Path) -> None:
    figures: list[Figure] = measure(shared / data)  # type: ignore[operator]
    assert FLOORS[name].keys() <= {figure.name for figure in figures}
    assert [why for figure in figures if (why := below_floor(figure))] == []


def test_every_sixteenth_pair_is_judged_as_well_as_before(shared: Path) -> None:
    """`make eval` holds all pairs, and each set apart, to the floors in `bench/floors.toml`."""
    figures = {each.name: each.value for each in stance.measure(shared / stance.DATA, every=16, name="stance_sample")}
    assert figures["macro_f1_all"] >= 0.6
