"""Detection of environmental claims: what it says of plain cases, and how it is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import FLOORS, below_floor
from inquest.claims.environmental import environmental_score, is_environmental_claim


@pytest.mark.parametrize(
    "sentence",
    [
        "Our new engine cuts CO2 emissions by a fifth and helps protect the climate.",
        "We use recycled plastic in our packaging to reduce waste.",
        "We invest in solar and wind power to reduce our carbon footprint.",
    ],
)
def test_claims(sentence: str) -> None:
    assert is_environmental_claim(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Revenue in the third quarter rose on higher prices and lower costs.",
        "The board of directors met six times during the year.",
        "So I think, you know, the margin question is really about mix.",
        "",
    ],
)
def test_no_claims(sentence: str) -> None:
    assert not is_environmental_claim(sentence)
    assert environmental_score(sentence) == environmental_score(sentence)


def test_the_floor_holds(shared: Path) -> None:
    from bench.measures import claims

    data = shared / claims.DATA
    if not data.exists():
        pytest.skip(f"needs {data}")
    figures = claims.measure(data)
    assert FLOORS["claims"]["f1"] >= 0.76
    assert [why for figure in figures if (why := below_floor(figure))] == []


def test_f1_is_that_of_the_class_of_claims(tmp_path: Path) -> None:
    from bench.measures import claims

    data = tmp_path / "other.jsonl"
    data.write_text(
        '{"text": "Our wind farms save a million tonnes of carbon a year.", "label": 1}\n'
        '{"text": "The dividend was raised to thirty cents a share.", "label": 0}\n'
        '{"text": "The dividend was raised to thirty cents a share.", "label": 1}\n'
    )
    figures = {figure.name: figure.value for figure in claims.measure(data)}
    assert figures["precision"] == 1.0
    assert figures["recall"] == 0.5
    assert figures["f1"] == pytest.approx(2 / 3)
