"""Figures of different kinds are not held against each other; figures of one kind are."""

from __future__ import annotations

import pytest

from inquest.domain.finding import Stance
from inquest.entailment.bases import not_comparable
from inquest.entailment.stance import stance_of

APART = [
    ("Scope 1 emissions fell by 40 % in 2022.", "Scope 2 emissions fell by 28 % in 2022.", "Scope 1"),
    ("Scope 1 and 2 emissions were 120,000 t.", "Scope 1 emissions were 80,000 t.", "Scope 1 and 2"),
    ("Scopes 1-3 came to 4 million tonnes.", "Scopes 1 and 2 came to 1 million tonnes.", "Scope 1, 2 and 3"),
    ("Market-based Scope 2 emissions were 120,000 t.", "Location-based Scope 2 emissions were 180,000 t.", "market"),
    ("Emissions fell by 50 % per tonne of steel.", "Absolute emissions fell by 20 %.", "per unit of output"),
    ("Total water use fell by 8 %.", "Water use per vehicle fell by 30 %.", "per unit of output"),
    ("Emissions fell by 30 % compared with 2015.", "Emissions fell by 12 % against 2019.", "2015"),
    ("Emissions are 40 % below 1990 levels.", "Emissions are 18 % below 2005 levels.", "1990"),
    ("Revenue was 2.3 billion euros.", "Revenue was $2.5 billion.", "rate"),
    ("Gross emissions were 5 Mt.", "Net emissions were 3 Mt.", "gross"),
]


@pytest.mark.parametrize(("claim", "passage", "why"), APART)
def test_figures_of_different_kinds_are_not_comparable(claim: str, passage: str, why: str) -> None:
    assert why in not_comparable(claim, passage)
    for searched in (False, True):
        found = stance_of(claim, passage, searched=searched)
        assert found.stance is Stance.NEUTRAL, found
    assert "not comparable" in " ".join(stance_of(claim, passage).reasons)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Scope 1 emissions fell by 40 %.", "Scope 1 emissions fell by 28 %."),
        ("Emissions fell by 30 % compared with 2015.", "Emissions fell by 12 % against a 2015 baseline."),
        ("Emissions fell by 40 %.", "The registry shows that emissions fell by 28 %."),
        ("The plant emitted 40 tonnes a year.", "The plant emitted 90 tonnes a year."),
        ("Revenue was 2.3 billion euros.", "Revenue was €2.5 billion."),
        ("The price rose from 2019 to 2022 by 3 %.", "The price rose by 9 % from 2019 to 2022."),
    ],
)
def test_figures_of_one_kind_are_compared(claim: str, passage: str) -> None:
    assert not_comparable(claim, passage) == ""
    assert stance_of(claim, passage).stance is Stance.CONTRADICTS


def test_another_sample_gives_another_figure() -> None:
    claim = "Norvane's own counter-sample came to 761 micrograms, which is 304% of the permit."
    assert not_comparable(claim, "The measured value is 312% of the permitted level.")
    assert not_comparable(claim, "The counter-sample came to 312% of the permit.") == ""
    assert not_comparable("The sample came to 304% of the permit.", "The measured value is 312%.") == ""
