"""Benchmarks: figures with unit, base, scope and year; only like is compared with like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.academic.benchmark_figures import BenchmarkFigure, benchmark_figures
from inquest.desks.academic.benchmarks import Comparison, Plausibility, reported_figures
from inquest.desks.academic.benchmarks import compare as compare_figures
from inquest.desks.academic.witnesses import AcademicEvidence
from inquest.domain.finding import Stance
from inquest.text.units import Bound
from tests.case_parts import source


def one(text: str) -> BenchmarkFigure:
    (figure,) = benchmark_figures(text)
    return figure


PAGE = AcademicEvidence(passage_id="P1", stance=Stance.NEUTRAL, confidence=0.5, source=source("S2", 1), text="x")


def compare(reported: str, benchmark: str, sector: str = "") -> Comparison:
    return compare_figures(one(reported), [(each, PAGE) for each in benchmark_figures(benchmark)], sector)


@pytest.mark.parametrize(
    ("one_way", "other_way"),
    [
        ("1 toe per unit", "41.868 GJ per unit"),
        ("0.4 t CO2e per MWh", "400 g CO2e/kWh"),
        ("15 t CO2e per $1M revenue", "15 t CO2e per million dollars of revenue"),
        ("100 g CO2/km", "160.9344 g CO2 per mile"),
    ],
)
def test_two_ways_to_say_one_thing(one_way: str, other_way: str) -> None:
    first, second = one(one_way), one(other_way)
    assert first.low == pytest.approx(second.low)
    assert first.basis[:2] == second.basis[:2]


def test_kind_bound_scope_and_year_are_read() -> None:
    average, median = benchmark_figures(
        "In 2022 the average of Scope 1 was 1.85 tCO2/t crude steel, the median 1.7 tCO2/t."
    )
    assert (average.kind, median.kind) == ("average", "median")
    assert (average.scopes, average.year) == (frozenset("1"), 2022)
    assert (one("≤ 2 kg/unit").bound, one("at least 2 kg per unit").bound) == (Bound.AT_MOST, Bound.AT_LEAST)
    low, high = benchmark_figures("The 25th percentile is 0.9 t CO2e/t; the 75th percentile is 2.1 t CO2e/t.")
    assert (low.kind, high.kind) == ("low percentile", "high percentile")


def test_the_reported_change_is_the_amount_of_the_change_and_not_its_condition_or_base_year() -> None:
    text = "Since 2019 every 10 percent of additional cullet has lowered the energy of our furnaces by 3 percent."
    assert [(each.text, each.year) for each in reported_figures(text, 2025)] == [("3 percent", 2025)]


@pytest.mark.parametrize(
    "text", ["In 2022 we had 500 sites.", "On 3 May 2023 it began.", "See section 3.1 of the report.", ""]
)
def test_what_has_no_unit_is_no_benchmark(text: str) -> None:
    assert benchmark_figures(text) == ()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1.7", "plausible"),
        ("4", "high"),
        ("1.0", "low"),
        ("20", "outlier"),
    ],
)
def test_a_value_beside_an_average_alone(value: str, expected: Plausibility) -> None:
    check = compare(f"Ours is {value} t CO2e per tonne of steel.", "The average is 1.85 t CO2e per tonne of steel.")
    assert check.plausibility == expected
    assert (check.low, check.high) == (None, None)


def test_percentiles_and_limits_make_a_range() -> None:
    text = "The 25th percentile is 0.9 t CO2e/t; the 75th percentile is 2.1 t CO2e/t."
    check = compare("Ours is 1.5 t CO2e per tonne of steel.", text)
    assert check.plausibility == "plausible"
    assert check.low == pytest.approx(0.9)
    assert check.high == pytest.approx(2.1)
    assert compare("It is 3 kg per unit.", "The limit is ≤ 2 kg/unit.").plausibility == "high"


@pytest.mark.parametrize(
    ("reported", "published", "why"),
    [
        ("5 t CO2e per tonne of steel", "0.6 to 0.9 t CO2e per tonne of cement", "academic.other_product"),
        ("5 t CO2e per tonne of steel", "0.6 to 0.9 t CO2 per tonne of steel", "academic.other_kind"),
        ("5 t CO2e per tonne of steel", "5,000 t CO2e in total", "academic.other_basis"),
        ("30 t CO2e per million euros of revenue", "20 t CO2e per $1M revenue", "academic.other_currency"),
        ("Scope 1 is 3 kg CO2e/unit", "Scope 2 is 2 kg CO2e/unit", "entailment.basis_scope"),
        (
            "Market-based Scope 2 is 3 kg CO2e/unit",
            "Location-based Scope 2 is 2 kg CO2e/unit",
            "entailment.basis_method",
        ),
        ("90 g CO2e per passenger-km", "90 g CO2e per tonne-km", "academic.other_product"),
        ("a reduction of 25 %", "a renewable share of 20 %", "academic.other_kind"),
    ],
)
def test_different_bases_are_refused_with_the_reason(reported: str, published: str, why: str) -> None:
    check = compare(reported, published)
    assert check.plausibility == "unknown"
    assert len(check.refused) == 1
    assert check.refused[0].refused is not None and check.refused[0].refused.code == why


def test_a_range_is_compared_as_the_claim_gives_it() -> None:
    check = compare("We saved 2.5 to 3 percent of energy.", "The average saving was 2.7 percent of energy.")
    assert check.place.data["value"] == "2.5 to 3"


@given(st.text(max_size=120))
def test_any_text_is_read_and_spans_hold_the_words(text: str) -> None:
    whole = text + " 1.5 t CO2e per tonne of steel"
    for figure in benchmark_figures(whole):
        assert figure.span.of(whole) == figure.text
        assert figure.low <= figure.high
        assert figure.factor > 0


@given(st.integers(1, 999), st.sampled_from(["g", "kg", "t", "lb"]), st.sampled_from(["kWh", "MWh", "GJ"]))
def test_a_figure_is_plausible_beside_itself_in_any_unit(value: int, mass: str, energy: str) -> None:
    text = f"The average is {value} {mass} CO2e per {energy}."
    check = compare(text.replace("The average", "Ours"), text)
    assert check.plausibility == "plausible"
    assert check.middle == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("0.30 MWh of energy per square metre of floor space", "area", 0.30 * 3.6e9),
        ("5.2 MWh of electricity per tonne of steel", "mass", 5.2 * 3.6e9 / 1000),
        ("8.0 t CO2e/m€", "money", 8000 / 1e6),
        ("9 tCO2e/k€ of revenue", "money", 9000 / 1e3),
    ],
)
def test_a_figure_is_per_something_though_its_carrier_or_a_short_scale_stands_between(
    text: str, kind: str, value: float
) -> None:
    (figure,) = benchmark_figures(f"The intensity was {text} in 2023.")
    assert figure.basis.kind is kind
    assert figure.low == pytest.approx(value)
