"""Every floor names the authors of its data, and none is based on data by the authors of the rules."""

from __future__ import annotations

import pytest

from bench.figures import DATA_BY, FLOORS, Figure, below_floor

SELF_MADE = ("origin", "topics", "dates")


@pytest.mark.parametrize("measure", sorted(FLOORS))
def test_every_floor_says_who_wrote_its_data(measure: str) -> None:
    assert DATA_BY[measure] and measure not in SELF_MADE


def test_a_figure_under_its_floor_or_over_its_ceiling_is_told_and_a_name_that_is_none_has_no_floor() -> None:
    assert below_floor(Figure("stance", "macro_f1_mean", 0.0)) and below_floor(Figure("stance", "ece", 1.0))
    assert below_floor(Figure("stance", "data_by", 0.0)) is None and below_floor(Figure("origin", "right", 0.0)) is None
