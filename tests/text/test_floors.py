"""Publishers' scores, copies and judgements of pairs, measured on the evaluation data and compared with their
floors."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import FLOORS, Figure, below_floor
from bench.measures import near_dup, stance, tiers


@pytest.mark.parametrize(
    ("name", "measure", "data"), [("tiers", tiers.measure, tiers.DATA), ("near_dup", near_dup.measure, near_dup.DATA)]
)
def test_no_figure_is_below_its_floor(name: str, measure: object, data: str, shared: Path, tmp_path: Path) -> None:
    """The figure for every sixth publisher; `make eval` measures all of them."""
    rows = shared / data
    if name == "tiers":
        every = rows.read_text("utf-8").splitlines(keepends=True)
        rows = tmp_path / "sample.jsonl"
        rows.write_text("".join(every[::6]), "utf-8")
    figures: list[Figure] = measure(rows)  # type: ignore[operator]
    assert FLOORS[name].keys() <= {figure.name for figure in figures}
    assert [why for figure in figures if (why := below_floor(figure))] == []


def test_a_sample_of_pairs_is_judged_as_well_as_before(shared: Path) -> None:
    """`make eval` compares all pairs, and each set separately, with the floors in `bench/floors.toml`."""
    figures = {each.name: each.value for each in stance.measure(shared / stance.DATA, every=48, name="stance_sample")}
    assert figures["macro_f1_all"] >= 0.6
