"""Statements of method: what is stated, missing or contradicted; saying too little is neither."""

from __future__ import annotations

import pytest

from inquest.desks.academic.schemes import check_methodology
from inquest.desks.academic.terms import Standing


def coverage(text: str, rule: str) -> Standing:
    return next(point.standing for point in check_methodology(text).points if point.rule.id == rule)


def test_a_full_statement_is_aligned() -> None:
    text = (
        "By the GHG Protocol Corporate Standard we report Scope 1 and Scope 2 apart under operational control, "
        "base year 2019, all seven Kyoto gases, with DEFRA emission factors."
    )
    check = check_methodology(text)
    assert check.alignment == "aligned"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("By the GHG Protocol our Scope 1 emissions are reported net of carbon credits.", "no-trades"),
        ("By the GHG Protocol Scope 2 is reported market-based only.", "two-methods"),
        ("By the GHG Protocol the location-based Scope 2 figure fell thanks to certificates.", "two-methods"),
        ("By the GHG Protocol Corporate Standard we count CO2 only.", "gases"),
        ("By the GHG Protocol Scope 3 covers category 17.", "categories"),
        ("By ISO 14064-1:2018, with GWP20.", "iso-gwp"),
        ("Carbon neutral by PAS 2060 solely through offsets.", "neutrality-plan"),
        ("Verified to ISO 14064-3? It has not been verified.", "verifier"),
    ],
)
def test_what_goes_against_a_rule(text: str, rule: str) -> None:
    assert coverage(text, rule) == "not met"
    assert check_methodology(text).alignment == "not_aligned"


def test_an_edition_or_the_scopes_decide_which_rules_count() -> None:
    check = check_methodology("Scope 2 emissions are market-based and location-based.")
    assert check.reasons[0].code == "academic.by_scopes"
    assert coverage("Scope 2 emissions are market-based and location-based.", "two-methods") == "met"
    rules = {point.rule.id for point in check_methodology("By ISO 14064-1:2006 with a base year of 2005.").points}
    assert "iso-base-year" in rules
    assert "iso-gwp" not in rules


@pytest.mark.parametrize("text", ["We care for the planet.", "", "We follow the GHG Protocol."])
def test_too_little_is_unknown(text: str) -> None:
    assert check_methodology(text).alignment == "unknown"
