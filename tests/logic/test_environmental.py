"""Detection of environmental claims: what it says of plain cases, and that it was measured on what it had not seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import FLOORS, below_floor
from inquest.logic.environmental import environmental_score, is_environmental_claim


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
    assert FLOORS["claims"]["f1"] >= 0.78
    assert [why for figure in figures if (why := below_floor(figure))] == []


def test_other_rows_are_judged_by_the_shipped_weights(tmp_path: Path) -> None:
    from bench.measures import claims

    data = tmp_path / "other.jsonl"
    data.write_text(
        '{"text": "Our wind farms save a million tonnes of carbon a year.", "label": 1}\n'
        '{"text": "The dividend was raised to thirty cents a share.", "label": 0}\n'
    )
    f1 = next(figure for figure in claims.measure(data) if figure.name == "f1")
    assert f1.value == 1.0
    assert f1.details == {"rows": 2, "cross_validated": 0}
