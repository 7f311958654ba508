"""Recognition of dates in words, the periods they mean, and dates that need a reference date."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Precision
from inquest.text.moments import moments, with_days


@pytest.mark.parametrize(
    ("text", "iso", "precision", "end"),
    [
        ("in March 2023", "2023-03", Precision.MONTH, date(2023, 3, 31)),
        ("on 14 March 2023", "2023-03-14", Precision.DAY, date(2023, 3, 14)),
        ("on 2024-03-05T10:00:00Z", "2024-03-05", Precision.DAY, date(2024, 3, 5)),
        ("am 05.03.2024", "2024-03-05", Precision.DAY, date(2024, 3, 5)),
        ("in Q4 2024", "2024-10", Precision.MONTH, date(2024, 12, 31)),
        ("in the first half of 2021", "2021", Precision.YEAR, date(2021, 12, 31)),
        ("in the 1990s", "1990", Precision.YEAR, date(1999, 12, 31)),
        ("FY2023/24", "2023", Precision.YEAR, date(2023, 12, 31)),
    ],
)
def test_a_date_means_a_period(text: str, iso: str, precision: Precision, end: date) -> None:
    (found,) = moments(text)
    assert (found.iso, found.precision, found.end) == (iso, precision, end)


def test_a_date_that_can_be_two_days_gives_its_year_only() -> None:
    (found,) = moments("on 03/04/2024")
    assert found.iso == "2024"


@pytest.mark.parametrize(
    "text",
    [
        "last Tuesday",
        "three weeks ago",
        "on 14 March",
        "00/15/2024",
        "13/13/2024",
    ],
)
def test_without_a_reference_what_is_relative_has_no_date(text: str) -> None:
    assert moments(text) == ()


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("last Tuesday", date(2024, 5, 14)),
        ("yesterday", date(2024, 5, 14)),
        ("on 14 March", date(2024, 3, 14)),
        ("on 20 December", date(2023, 12, 20)),
        ("last year", date(2023, 1, 1)),
    ],
)
def test_with_a_reference_it_has(text: str, start: date) -> None:
    (found,) = moments(text, date(2024, 5, 15))
    assert (found.start, found.relative) == (start, True)


@pytest.mark.parametrize(
    "text",
    [
        "It may rise",
        "they march on",
        "2,024 tonnes",
        "2000 people came",
        "31 February 2023",
        "a fine of 1600 euros",
        "to 1800 kg",
        "a price of 1600 €",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert moments(text) == ()


@pytest.mark.parametrize("text", ["in 2010 dollars", "In 1600 people moved away", "by 2030 emissions fall"])
def test_a_year_stays_one_before_what_could_be_counted(text: str) -> None:
    assert [len(found.iso) for found in moments(text)] == [4]


def test_both_ends_of_a_range_of_years_are_found() -> None:
    assert [found.iso for found in moments("between 2019-2021 and from 2015 to 2017")] == [
        "2019",
        "2021",
        "2015",
        "2017",
    ]


@pytest.mark.parametrize(("text", "order"), [("before 2020", "before"), ("since 2020", "since"), ("by 2030", "by")])
def test_order_words_are_kept(text: str, order: str) -> None:
    assert moments(text)[0].order == order


@given(st.dates(min_value=date(1600, 1, 1), max_value=date(2150, 12, 31)))
def test_an_iso_date_is_that_day(day: date) -> None:
    (found,) = moments(f"It was on {day.isoformat()}.")
    assert found.start == found.end == day


@given(st.text(max_size=200), st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 1, 1)))
def test_any_text_can_be_read(text: str, reference: date) -> None:
    found = moments(text, reference)
    assert all(one.start <= one.end for one in found)
    assert all(a.span.end <= b.span.start for a, b in pairwise(found))


WRITTEN = date(2023, 6, 8)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In an order published on Thursday, it paid.", "In an order published on 8 June 2023, it paid."),
        ("Inspectors came in the night of 14 March.", "Inspectors came in the night of 14 March 2023."),
        ("Yesterday the works was closed.", "On 7 June 2023 the works was closed."),
        (
            "It was closed yesterday evening by the county.",
            "It was closed on the evening of 7 June 2023 by the county.",
        ),
        ("The wells were closed last Wednesday.", "The wells were closed on 7 June 2023."),
        ("It has been shut since this morning.", "It has been shut since the morning of 8 June 2023."),
    ],
)
def test_days_are_written_out(sentence: str, expected: str) -> None:
    assert with_days(sentence, WRITTEN) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        'The letter says "we came on Monday".',
        "It has been so since last year.",
        "The plant opens on 30 November.",
        "It was closed on 3 October.",
    ],
)
def test_what_is_plain_quoted_vague_to_come_or_long_ago_stays(sentence: str) -> None:
    assert with_days(sentence, WRITTEN) == sentence
