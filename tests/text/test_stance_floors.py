"""The judgment on pairs that people have judged stays above its floors."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.measures import stance

LEAST = {"macro_f1_all": 0.6}
"""Of every sixteenth pair; `make eval` holds all of them, and each set apart, to the floors in `bench/floors.toml`."""


def test_the_floors_hold(shared: Path) -> None:
    figures = {each.name: each.value for each in stance.measure(shared / stance.DATA, every=16, name="stance_sample")}
    assert {name: figures[name] for name, least in LEAST.items() if figures[name] < least} == {}


def test_perfect_confidence_has_no_calibration_error_and_false_confidence_has_all() -> None:
    assert stance.calibration_error([(1.0, True), (1.0, True)]) == 0
    assert stance.calibration_error([(1.0, False)]) == pytest.approx(1)
    assert stance.calibration_error([(0.75, True), (0.75, True), (0.75, True), (0.75, False)]) == pytest.approx(0)
