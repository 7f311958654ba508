"""The reader's text on real pages, against what a person marked."""

from __future__ import annotations

from pathlib import Path

from bench.figures import below_floor
from bench.measures import extraction


def test_extraction_does_not_fall_below_its_floor(shared: Path) -> None:
    figures = extraction.measure(shared / extraction.DATA)
    assert {figure.name for figure in figures} >= {"token_f1", "ratio"}
    assert [why for figure in figures if (why := below_floor(figure))] == []


def test_token_f1_counts_repeats() -> None:
    assert extraction.token_f1("a b b", "a b b") == 1.0
    assert extraction.token_f1("a b", "a b b") == 0.8
    assert extraction.token_f1("", "") == 1.0
    assert extraction.token_f1("x", "") == 0.0
