"""Rows of a report's tables: a claim where they say what, how much, in which unit and when."""

from __future__ import annotations

import pytest

from inquest.claims.report.extraction import ReportClaims, claims_found
from inquest.domain.document import Document


def found(text: str) -> ReportClaims:
    document = Document(snapshot="sha256:0", url="https://norvane.example/r", text=text, language="en")
    return claims_found(document, company="Norvane")


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        (
            "Indicator | Unit | 2022 | 2021\nScope 1 emissions | t CO2e | 110 | 120",
            "Norvane, Scope 1 emissions: 110 t CO2e in 2022, 120 t CO2e in 2021.",
        ),
        (
            "Scope 1 emissions | t CO2e | 2021: 120 | 2022: 110",
            "Norvane, Scope 1 emissions: 110 t CO2e in 2022, 120 t CO2e in 2021.",
        ),
        (
            "| Metric | 2022 | 2021 |\n|---|---|---|\n| Water withdrawal, million m³ | 1.2 | 1.4 |",
            "Norvane, Water withdrawal: 1.2 million m³ in 2022, 1.4 million m³ in 2021.",
        ),
        (
            "In MWh | 2021 | 2022\nEnergy used1) | 2 300 000 | 2 400 000",
            "Norvane, Energy used: 2 400 000 MWh in 2022, 2 300 000 MWh in 2021.",
        ),
        (
            "Indicator | Unit | 2022 | 2021\nScope 2 emissions | t CO2e | 1,234 | –",
            "Norvane, Scope 2 emissions: 1,234 t CO2e in 2022.",
        ),
        (
            "Our goals | Year\nInstall solar panels on 17,000 roofs | 2030",
            "Norvane, the goal ‘Install solar panels on 17,000 roofs’ by 2030.",
        ),
    ],
)
def test_a_complete_row_is_a_claim(table: str, claim: str) -> None:
    result = found(table)
    assert [each.text for each in result.claims] == [claim]
    assert table[result.claims[0].start : result.claims[0].end] == result.claims[0].quote


@pytest.mark.parametrize(
    "table",
    [
        "Indicator | 2022 | 2021\nNew sites | 3 | 4",
        "Indicator | Unit | 2022\nScope 1 emissions | t CO2e | 110 | 120",
        "Indicator | Unit\nScope 1 emissions | t CO2e | 110",
    ],
)
def test_a_row_without_unit_or_year_is_left_out_and_counted(table: str) -> None:
    result = found(table)
    assert result.claims == ()
    assert "one table row with figures left out: no unit or no year stands with them" in result.notes


def test_the_head_of_a_table_does_not_reach_past_text() -> None:
    prose = (
        "We describe here at some length how the figures of this chapter came to be, and which sites they are of. " * 2
    )
    result = found(f"Indicator | Unit | 2022 | 2021\nWaste | t | 11 | 12\n\n{prose}\n\nWood | t | 7 | 8")
    assert [claim.text for claim in result.claims] == ["Norvane, Waste: 11 t in 2022, 12 t in 2021."]


def test_the_head_is_kept_as_what_the_text_was_made_of() -> None:
    (claim,) = found("Indicator | Unit | 2022 | 2021\nWaste | t | 11 | 12").claims
    assert claim.context[0].quote == "Indicator | Unit | 2022 | 2021"
