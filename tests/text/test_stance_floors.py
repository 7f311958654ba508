"""The judgment on pairs that people have judged stays above its floors."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import FLOORS, below_floor
from bench.measures import stance


def test_the_floors_hold(shared: Path) -> None:
    """Of every fourth pair; all of them, and the speed, are measured by hand (`make eval`)."""
    figures = stance.measure(shared / stance.DATA, every=4, name="stance_quarter")
    assert set(FLOORS["stance_quarter"]) <= {name for each in figures for name in (each.name, f"{each.name}_max")}
    assert [why for figure in figures if (why := below_floor(figure))] == []


def test_perfect_confidence_has_no_calibration_error_and_false_confidence_has_all() -> None:
    assert stance.calibration_error([(1.0, True), (1.0, True)]) == 0
    assert stance.calibration_error([(1.0, False)]) == pytest.approx(1)
    assert stance.calibration_error([(0.75, True), (0.75, True), (0.75, True), (0.75, False)]) == pytest.approx(0)
