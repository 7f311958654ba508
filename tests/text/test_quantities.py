"""Recognition of quantities, what they measure, and when two agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.text.quantities import Bound, Dimension, Relation, compare, quantities


@pytest.mark.parametrize(
    ("text", "dimension", "low", "high", "unit"),
    [
        ("2.4 million tonnes", Dimension.MASS, 2.4e9, 2.4e9, "kg"),
        ("2,3 Mio. t", Dimension.MASS, 2.3e9, 2.3e9, "kg"),
        ("312 %", Dimension.SHARE, 312, 312, "%"),
        ("113F", Dimension.TEMPERATURE, 45, 45, "°C"),
        ("$2.4bn", Dimension.MONEY, 2.4e9, 2.4e9, "USD"),
        ("£3m", Dimension.MONEY, 3e6, 3e6, "GBP"),
        ("1.500 Mio. Euro", Dimension.MONEY, 1.5e9, 1.5e9, "EUR"),
        ("2,345 Mio. Euro", Dimension.MONEY, 2.345e6, 2.345e6, "EUR"),
        ("1,234 EUR million", Dimension.MONEY, 1.234e9, 1.234e9, "EUR"),
        ("1,234 €m", Dimension.MONEY, 1.234e9, 1.234e9, "EUR"),
        ("1,234 £'000", Dimension.MONEY, 1.234e6, 1.234e6, "GBP"),
        ("340 MSEK", Dimension.MONEY, 3.4e8, 3.4e8, "SEK"),
        ("TEUR 340", Dimension.MONEY, 3.4e5, 3.4e5, "EUR"),
        ("3m", Dimension.LENGTH, 3, 3, "m"),
        ("one in four pupils", Dimension.SHARE, 25, 25, "%"),
        ("two in five years", Dimension.DURATION, 1826.25, 1826.25, "days"),
        ("a third of it", Dimension.SHARE, 100 / 3, 100 / 3, "%"),
        ("one hundred and eighty-one workers", Dimension.COUNT, 181, 181, "workers"),
        ("doubled", Dimension.FACTOR, 2, 2, "x"),
        ("5-7 %", Dimension.SHARE, 5, 7, "%"),
        ("-5 °C", Dimension.TEMPERATURE, -5, -5, "°C"),
    ],
)
def test_a_quantity_is_read_in_base_units(text: str, dimension: Dimension, low: float, high: float, unit: str) -> None:
    (found,) = quantities(text)
    assert found.dimension is dimension
    assert low == pytest.approx(found.low, rel=1e-6)
    assert high == pytest.approx(found.high, rel=1e-6)
    assert found.unit == unit
    assert text[found.span.start : found.span.end] == found.text


@pytest.mark.parametrize(
    "text",
    [
        "on 14 March 2023",
        "COVID-19",
        "call +49 30 1234567",
        "at 5 pm",
        "CO2 and PM2.5",
        "one of them",
        "1,4-dioxane",
        "1,3- and 1,4-dioxane",
        "2,4,6-trinitrotoluene",
        "It took effect with consent order 003/2024.",
        "N,N-dimethyl",
    ],
)
def test_years_dates_clock_times_and_identifiers_are_no_quantities(text: str) -> None:
    assert quantities(text) == ()


@pytest.mark.parametrize(
    ("text", "amount"),
    [("1,4-dioxane at 3 µg/l", "3 µg/l"), ("um 1,4 Prozent", "1,4 Prozent"), ("2,000-seat", "2,000")],
)
def test_what_only_looks_like_a_chemical_name_is_a_quantity(text: str, amount: str) -> None:
    assert [each.text for each in quantities(text)] in ([amount], [amount.split()[0]])


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about 300 kWh", Bound.ABOUT),
        ("more than 412 residents", Bound.AT_LEAST),
        ("40+ mines", Bound.AT_LEAST),
        ("up to 20 km", Bound.AT_MOST),
        ("the fields lay under 40 cm of snow", Bound.ABOUT),
    ],
)
def test_words_in_front_limit_a_number(text: str, bound: Bound) -> None:
    assert quantities(text)[0].bound is bound


@pytest.mark.parametrize(
    ("claim", "passage", "relation"),
    [
        ("about 300 %", "312 %", Relation.SAME),
        ("2.4 million tonnes", "2,412,000 t", Relation.SAME),
        ("2.4 million tonnes", "2.6 million tonnes", Relation.DIFFERS),
        ("more than 300 people", "412 people", Relation.SAME),
        ("412 people", "more than 300 people", Relation.NOT_COMPARABLE),
        ("fewer than 10 people", "no fewer than 11 people", Relation.DIFFERS),
        ("at most 10 people", "at least 10 people", Relation.NOT_COMPARABLE),
        ("412 people", "412 schools", Relation.NOT_COMPARABLE),
        ("$5m", "€5m", Relation.NOT_COMPARABLE),
        ("5 %", "5 percentage points", Relation.NOT_COMPARABLE),
        ("won 4-1", "won 3-1", Relation.DIFFERS),
        ("passed 63-37", "passed by 63 to 37", Relation.SAME),
        ("won 2-1", "two goals", Relation.NOT_COMPARABLE),
    ],
)
def test_quantities_are_compared_to_the_precision_they_are_written_with(
    claim: str, passage: str, relation: Relation
) -> None:
    found = compare(quantities(claim)[0], quantities(passage)[0])
    assert found is relation


@given(st.integers(min_value=20, max_value=999_999), st.sampled_from(["t", "km", "kWh", "%", "euros"]))
def test_a_number_agrees_with_itself_however_its_thousands_are_grouped(value: int, unit: str) -> None:
    plain, grouped = quantities(f"it was {value} {unit} there"), quantities(f"it was {value:,} {unit} there")
    if plain:  # a bare year-like number before an ambiguous unit may be read as a year
        assert compare(plain[0], grouped[0]) is Relation.SAME


@given(st.text(max_size=200))
def test_any_text_can_be_read_and_spans_are_its_own(text: str) -> None:
    for found in quantities(text):
        assert text[found.span.start : found.span.end] == found.text
        assert found.low <= found.high


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It paid $1,234 million.", 1.234e9),
        ("Es zahlte 2,345 Mio. Euro.", 2.345e6),
        ("Sales were NOK 14,100 million.", 1.41e10),
        ("It cost US$17,000 billion.", 1.7e13),
    ],
)
def test_a_comma_before_three_digits_is_read_as_the_scale_s_language_writes_it(text: str, value: float) -> None:
    [quantity] = quantities(text)
    assert quantity.value == pytest.approx(value)
