"""Statements of method: what is stated, what is missing, what goes against it; saying too little is neither."""

from __future__ import annotations

import pytest

from inquest.desks.academic.schemes import check_methodology
from inquest.desks.academic.terms import Alignment, Standing


def coverage(text: str, rule: str) -> Standing:
    return next(point.standing for point in check_methodology(text).points if point.rule.id == rule)


def test_a_spend_based_scope_3_is_recognised_and_says_its_limits() -> None:
    check = check_methodology("We calculate Scope 3 emissions using the spend-based method from the GHG Protocol.")
    assert [standard.id for standard in check.against] == ["ghg-protocol-scope-3"]
    assert [method.name for method in check.methods] == ["spend-based method"]
    assert check.alignment is Alignment.PARTIALLY
    assert {each.code for each in check.limitations} == {"academic.method_known", "academic.requirement_missing"}
    assert "the Scope 3 categories" in [each.data.get("aspect") for each in check.limitations]


def test_a_full_statement_is_aligned() -> None:
    text = (
        "By the GHG Protocol Corporate Standard we report Scope 1 and Scope 2 apart under operational control, "
        "base year 2019, all seven Kyoto gases, with DEFRA emission factors."
    )
    check = check_methodology(text)
    assert check.alignment is Alignment.ALIGNED


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
    assert coverage(text, rule) is Standing.NOT_MET
    assert check_methodology(text).alignment is Alignment.NOT


def test_scopes_without_a_standard_are_held_to_the_ghg_protocol_and_it_says_so() -> None:
    check = check_methodology("Scope 2 emissions are market-based and location-based.")
    assert check.reasons[0].code == "academic.by_scopes"
    assert coverage("Scope 2 emissions are market-based and location-based.", "two-methods") is Standing.MET


@pytest.mark.parametrize("text", ["We care for the planet.", "", "We follow the GHG Protocol."])
def test_too_little_is_unknown(text: str) -> None:
    assert check_methodology(text).alignment is Alignment.UNKNOWN


def test_rules_of_another_edition_do_not_count() -> None:
    rules = {point.rule.id for point in check_methodology("By ISO 14064-1:2006 with a base year of 2005.").points}
    assert "iso-base-year" in rules
    assert "iso-gwp" not in rules
