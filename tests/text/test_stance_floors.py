"""The judgment on pairs that people have judged stays above its floors."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import below_floor
from bench.measures import stance


def test_the_floors_hold(shared: Path) -> None:
    figures = stance.measure(shared / stance.DATA)
    # Speed is measured by hand: a loaded machine must not fail a test.
    missed = [why for figure in figures if figure.name != "pairs_per_second" and (why := below_floor(figure))]
    assert missed == []


def test_perfect_confidence_has_no_calibration_error_and_false_confidence_has_all() -> None:
    assert stance.calibration_error([(1.0, True), (1.0, True)]) == 0
    assert stance.calibration_error([(1.0, False)]) == pytest.approx(1)
    assert stance.calibration_error([(0.75, True), (0.75, True), (0.75, True), (0.75, False)]) == pytest.approx(0)
