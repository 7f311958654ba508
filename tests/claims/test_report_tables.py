"""Rows of a report's tables: a claim if they say what, how much, in which unit and when."""

from __future__ import annotations

import pytest

from inquest.claims.report.extraction import ReportClaims, claims_found
from inquest.domain.document import Document
from inquest.domain.reasons import sentences
from inquest.text.blocks import grid_text, moved


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
            "Indicator | 2022 | 2021\nCO2 emitted (kt) | 129 | 148",
            "Norvane, CO2 emitted: 129 kt in 2022, 148 kt in 2021.",
        ),
        (
            "Tonnes of CO2e | 2022 | 2021\nScope 1 | 129 | 148",
            "Norvane, Scope 1: 129 tonnes of CO2e in 2022, 148 tonnes of CO2e in 2021.",
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
    assert "one table row with figures left out: unit, year or subject missing" in sentences(result.notes)


def test_the_head_of_a_table_does_not_reach_past_text() -> None:
    prose = (
        "We describe here at some length how the figures of this chapter came to be, and which sites they are of. " * 2
    )
    result = found(f"Indicator | Unit | 2022 | 2021\nWaste | t | 11 | 12\n\n{prose}\n\nWood | t | 7 | 8")
    assert [claim.text for claim in result.claims] == ["Norvane, Waste: 11 t in 2022, 12 t in 2021."]


ABOVE = "The board approved the accounts of the year without changes."


def of_grid(
    rows: list[list[str]], head_rows: int = 1, head_columns: int = 1, caption: str = "", line_above: str = ABOVE
) -> ReportClaims:
    made = grid_text(rows, head_rows=head_rows, head_columns=head_columns, caption=caption)
    above = f"{line_above}\n\n"
    document = Document(
        snapshot="sha256:0",
        url="https://norvane.example/r",
        text=above + made.text,
        tables=(moved(made.table, len(above)),),
        language="en",
    )
    result = claims_found(document, company="Norvane")
    assert all(document.text[claim.start : claim.end] == claim.quote for claim in result.claims)
    return result


def rows_of(result: ReportClaims) -> set[str]:
    return {claim.text for claim in result.claims if "|" in claim.quote}


def test_the_unit_of_a_table_may_be_in_the_line_above_it() -> None:
    found = of_grid([["", "2022", "2023"], ["Freight", "12.8", "9.1"]], line_above="(in EUR million).")
    assert rows_of(found) == {"Norvane, Freight: 9.1 EUR million in 2023, 12.8 EUR million in 2022."}


@pytest.mark.parametrize(
    ("between", "is_read"),
    [(ABOVE, True), (f"{ABOVE}\n\n{ABOVE}", False), ("Depot | 2022 | 2021\nTarle | 4 t | 5 t", False)],
    ids=["a sentence", "more text", "another table"],
)
def test_the_unit_of_a_table_may_be_in_the_heading_above_its_introduction(between: str, is_read: bool) -> None:
    result = of_grid([["", "2022", "2021"], ["Waste", "11", "12"]], line_above=f"Waste (tonnes)\n\n{between}")
    assert any("11 tonnes in 2022" in row for row in rows_of(result)) is is_read


@pytest.mark.parametrize(
    ("line", "unit"),
    [
        ("EUR million, unless stated otherwise", "EUR million"),
        ("Amounts in EUR million unless otherwise stated.", "EUR million"),
        ("(EUR in millions, except per share data)", "EUR millions"),
        ("In Mio. EUR (soweit nicht anders angegeben)", "Mio. EUR"),
        ("In MWh (except for the fuel of the fleet)", "MWh"),
    ],
)
@pytest.mark.parametrize("is_caption", [True, False])
def test_the_unit_of_a_table_may_have_exceptions(line: str, unit: str, is_caption: bool) -> None:
    rows = [["", "2023"], ["Freight", "12.8"]]
    found = of_grid(rows, caption=line) if is_caption else of_grid(rows, line_above=line)
    assert rows_of(found) == {f"Norvane, Freight: 12.8 {unit} in 2023."}


@pytest.mark.parametrize("row", ["Boats repaired", "Return on equity", "Revenue per boat", "Employees"])
@pytest.mark.parametrize("corner", ["", "NOK million"])
def test_money_over_a_table_is_the_unit_of_its_accounts_alone(row: str, corner: str) -> None:
    accounts = [["Operating revenue", "51.9"], ["Profit/(loss)", "(2)"], ["Cost of dredging the basins", "12"]]
    rows = [[corner, "2023"], *accounts, [row, "118"], ["Number of quays", "7"]]
    assert rows_of(of_grid(rows, line_above="Amounts in NOK million")) == {
        "Norvane, Operating revenue: 51.9 NOK million in 2023.",
        "Norvane, Profit/(loss): (2) NOK million in 2023.",
        "Norvane, Cost of dredging the basins: 12 NOK million in 2023.",
        "Norvane, Number of quays: 7 in 2023.",
    }


def test_an_empty_cell_moves_no_figure_under_another_year() -> None:
    rows = [
        ["", "Unit", "2021", "2022", "2023"],
        ["Methane emitted", "t", "310", "298", "320"],
        ["Water lost", "%", "13", "", "12"],
        ["Staff", "number", "", "1,187", "1,152"],
    ]
    assert rows_of(of_grid(rows, head_columns=2)) == {
        "Norvane, Methane emitted: 320 t in 2023, 298 t in 2022, 310 t in 2021.",
        "Norvane, Water lost: 12 % in 2023, 13 % in 2021.",
        "Norvane, Staff: 1,152 in 2023, 1,187 in 2022.",
    }


@pytest.mark.parametrize(
    ("rows", "claims"),
    [
        (
            [["", "2022", "2023"], ["Seed (kg)", "11", "12"], ["Loans", "1,402", "–"], ["Revenue", "92", "95"]],
            {"Seed: 12 kg in 2023, 11 kg in 2022.", "Loans: 1,402 in 2022."},
        ),
        (
            [
                ["", "2022", "2023", "Unité"],
                ["Power", "11", "12", "MWh"],
                ["Rate", "1.5", "2.5", ""],
                ["Hives", "", "9", "-"],
            ],
            {"Power: 12 MWh in 2023, 11 MWh in 2022.", "Hives: 9 in 2023."},
        ),
        (
            [["Year", "Honey", "Hives"], ["", "kg", ""], ["2023", "702", "35"]],
            {"Honey: 702 kg in 2023.", "Hives: 35 in 2023."},
        ),
        (
            [
                ["", "2023"],
                ["Water used (m3)", "8,310"],
                ["Power of the", "571"],
                ["pumps (MWh)", ""],
                ["Fees", "€ 12"],
            ],
            {"Water used: 8,310 m³ in 2023.", "Power of the pumps: 571 MWh in 2023.", "Fees: € 12 in 2023."},
        ),
        ([["Tonnes", "2023"], ["Lime", "14"]], {"Lime: 14 tonnes in 2023."}),
        ([["en k€", "2023"], ["Seed (kg)", "11"], ["Frais", "905"]], {"Seed: 11 kg in 2023."}),
        ([["", "2022", "2023"], ["Seed (kg)", "", "11"], ["Result", "(12)", "3"]], {"Seed: 11 kg in 2023."}),
        ([["in £'000", "2023"], ["Fees", "1,204"]], {"Fees: 1,204 £'000 in 2023."}),
        ([["in millions of crowns", "2023"], ["Fares", "47.9"]], {"Fares: 47.9 million crowns in 2023."}),
        (
            [["", "2023"], ["Sales (€ million)", ""], ["Boats", "81.9"], ["Headcount", ""], ["Ostrey", "980"]],
            {"Sales, Boats: 81.9 € million in 2023.", "Headcount, Ostrey: 980 in 2023."},
        ),
        (
            [["", "2023"], ["Lime (t)", "14"], ["Seed (kg)", ""], ["Loans", "402"]],
            {"Lime: 14 t in 2023.", "Loans: 402 in 2023."},
        ),
    ],
    ids=[
        "in labels",
        "last column",
        "below heads",
        "label of two lines",
        "titled",
        "in money",
        "a loss",
        "accounts",
        "scale",
        "groups with units",
        "a row without data",
    ],
)
def test_whole_numbers_beside_figures_with_units_are_counts(rows: list[list[str]], claims: set[str]) -> None:
    head_rows = 2 if rows[1][0] == "" else 1
    assert rows_of(of_grid(rows, head_rows)) == {f"Norvane, {claim}" for claim in claims}


@pytest.mark.parametrize(
    "heads",
    [
        [["Plant", "Methane (t)", "Methane (t)", "Water (%)", "Water (%)"], ["", "2022", "2023", "2022", "2023"]],
        [["Plant", "Methane in t 2022", "Methane in t 2023", "Water 2022, %", "Water 2023, %"]],
    ],
)
def test_each_measure_over_the_columns_makes_a_claim_with_its_own_unit_and_years(heads: list[list[str]]) -> None:
    result = of_grid([*heads, ["Ostrey", "110", "118", "9", ""], ["Velmark", "188", "202", "13", "16"]], len(heads))
    assert rows_of(result) == {
        "Norvane, Ostrey, Methane: 118 t in 2023, 110 t in 2022.",
        "Norvane, Ostrey, Water: 9 % in 2022.",
        "Norvane, Velmark, Methane: 202 t in 2023, 188 t in 2022.",
        "Norvane, Velmark, Water: 16 % in 2023, 13 % in 2022.",
    }
    quoted = {claim.context[0].quote.split(" | ")[0] for claim in result.claims if claim.context}
    assert quoted == {"Plant"}


def test_a_title_across_the_table_is_no_measure_beside_others_and_keeps_its_capitals() -> None:
    title = "Norvane sites in Sweden"
    rows = [[title, title, title], ["Site", "Methane (t)", "Water (t)"], ["", "2023", "2023"], ["Ostrey", "9", "7"]]
    assert rows_of(of_grid(rows, 3)) == {
        "Norvane, Ostrey, Methane: 9 t in 2023.",
        "Norvane, Ostrey, Water: 7 t in 2023.",
    }
    rows = [[title, title], ["Tonnes", "2023"], ["Ostrey", "9"]]
    assert rows_of(of_grid(rows, 2)) == {"Norvane, Ostrey, Norvane sites in Sweden: 9 tonnes in 2023."}


def test_years_down_the_side_are_those_of_their_rows_and_comparisons_are_left_out() -> None:
    rows = [["Year", "Methane (t)", "Water lost (%)"], ["2022", "298", ""], ["2023", "320", "12"]]
    assert rows_of(of_grid(rows)) == {
        "Norvane, Methane: 298 t in 2022.",
        "Norvane, Methane: 320 t in 2023.",
        "Norvane, Water lost: 12 % in 2023.",
    }
    rows = [
        ["In t", "2022", "2023", "Change since 2022", "2022 to 2023", "Average"],
        ["Waste", "11", "12", "9", "1", "7"],
    ]
    assert rows_of(of_grid(rows)) == {"Norvane, Waste: 12 t in 2023, 11 t in 2022."}


def test_the_unit_of_all_figures_may_stand_in_the_caption() -> None:
    rows = [["", "2022", "2023"], ["Waste", "11", "12"]]
    assert rows_of(of_grid(rows, caption="Waste of the group (in t)")) == {
        "Norvane, Waste: 12 t in 2023, 11 t in 2022."
    }
    assert rows_of(of_grid(rows, caption="kWh per tonne")) == {
        "Norvane, Waste: 12 kWh per tonne in 2023, 11 kWh per tonne in 2022."
    }
    assert rows_of(of_grid(rows, caption="hours later it had closed.")) == set()
    result = of_grid(rows)
    assert rows_of(result) == set()
    assert "one table row with figures left out: unit, year or subject missing" in sentences(result.notes)


def test_two_figures_of_one_year_under_one_name_are_no_claim() -> None:
    assert rows_of(of_grid([["", "2023", "2023"], ["Waste (t)", "11", "12"]])) == set()


def test_figures_that_differ_under_one_name_in_two_tables_are_no_claims() -> None:
    result = found("Sites | 2023\nWaste (t) | 11\nWater (m³) | 9.4\n\nOffices | 2023\nWaste (t) | 12\nWater (m³) | 9")
    assert {claim.text for claim in result.claims} == {
        "Norvane, Water: 9.4 m³ in 2023.",
        "Norvane, Water: 9 m³ in 2023.",
    }
    assert "two table rows with figures left out: unit, year or subject missing" in sentences(result.notes)
