"""Splitting of a claim into its statements, and assignment of findings to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.claims.parts_of_claim import findings_on, parts_of
from inquest.domain.finding import Stance
from tests.case_parts import claim, finding

COMPANY = "Velmora Textiles"
THREE = claim(
    "Velmora Textiles cut its Scope 1 emissions by 12 % in 2023, moved all plants to certified power and was named "
    "leader by the rating agency Grenval."
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            THREE.text,
            [
                "Velmora Textiles cut its Scope 1 emissions by 12 % in 2023",
                "Velmora Textiles moved all plants to certified power",
                "Velmora Textiles was named leader by the rating agency Grenval",
            ],
        ),
        ("Our target to cut Scope 1 and 2 emissions by 46.2% by 2030 has been validated by the SBTi.", []),
        (
            "In 2023 Velmora Textiles cut Scope 1 emissions by 12 % and Scope 2 emissions by 8 %.",
            ["In 2023 Velmora Textiles cut Scope 1 emissions by 12 %", "Velmora Textiles cut Scope 2 emissions by 8 %"],
        ),
        (
            "In 2023 Velmora Textiles opened a works in Leeds; it also closed two coal boilers.",
            ["In 2023 Velmora Textiles opened a works in Leeds", "Velmora Textiles closed two coal boilers"],
        ),
        (
            "Velmora Textiles closed two mills, sold its fleet, hired 400 people and planted 3,000 trees in 2023.",
            [
                "Velmora Textiles closed two mills",
                "Velmora Textiles sold its fleet",
                "Velmora Textiles hired 400 people",
                "Velmora Textiles planted 3,000 trees in 2023",
            ],
        ),
        (
            "At the end of 2021, the agency published a new rule and announced fleet targets from 2023.",
            ["At the end of 2021, the agency published a new rule", "announced fleet targets from 2023"],
        ),
        (
            "The ministry ordered a review of the rule and announced fleet targets from 2023.",
            ["The ministry ordered a review of the rule", "The ministry announced fleet targets from 2023"],
        ),
        (
            "We operate around 505,000 flats in Germany, around 22,000 in Austria and 38,000 in Sweden.",
            ["We operate around 505,000 flats in Germany", "around 22,000 in Austria", "38,000 in Sweden"],
        ),
        (
            "The works spilled 300 tonnes of brine and managers destroyed the laboratory notebooks.",
            ["The works spilled 300 tonnes of brine", "managers destroyed the laboratory notebooks"],
        ),
    ],
)
def test_each_statement_stands_alone(text: str, parts: list[str]) -> None:
    assert [part.text for part in parts_of(claim(text), COMPANY)] == parts


@pytest.mark.parametrize(
    "text",
    [
        "Velmora Textiles cut emissions and waste by 12 % in 2023.",
        "Velmora Textiles invests in people, skills and communities.",
        "At the works in Leeds, owned since 2019, and in Hull Velmora Textiles used 40 % less water.",
        "Velmora Textiles pays attention to optimized energy use and environmentally conscious construction methods.",
        "Velmora Textiles uses recycled fibres, including polyester, and organic cotton.",
        "",
    ],
)
def test_one_statement_has_no_parts(text: str) -> None:
    assert parts_of(claim(text), COMPANY) == ()


def test_more_than_five_are_an_enumeration() -> None:
    many = ", ".join(f"cut the waste of plant {n} by {n}0 %" for n in range(1, 7))
    assert parts_of(claim(f"Velmora Textiles {many} and closed two boilers in Hull."), COMPANY) == ()


@given(st.text(alphabet="abc de,;.%12 and was cut the", max_size=120))
def test_whatever_the_claim_its_parts_stand_in_it_in_order(text: str) -> None:
    at = 0
    for part in parts_of(claim(text), COMPANY):
        at = text.index(part.words, at) + len(part.words)
        assert part.text.endswith(part.words.split()[-1])


PARTS = parts_of(THREE, COMPANY)


def _on(**more: object) -> list[int]:
    found = findings_on(PARTS, [finding("F1", "A", **more)])  # type: ignore[arg-type]
    return [number for number, each in enumerate(found) if each]


def test_what_was_judged_on_a_part_is_on_that_part_and_what_takes_no_side_on_all() -> None:
    assert _on(quote="It is so.", details={"covers": [3]}) == [2]
    assert _on(quote="It is not so.", stance=Stance.CONTRADICTS, details={"covers": [2]}) == [1]
    assert _on(stance=Stance.UNASSESSED, confidence=0.0) == [0, 1, 2]
    assert _on(stance=Stance.NEUTRAL, confidence=0.0) == [0, 1, 2]
