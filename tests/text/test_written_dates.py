"""Full dates as pages print them, and which number of a date is the month."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.text.calendars import other_calendars
from inquest.text.written_dates import MONTH_NAMES, month_comes_first, written_dates


@pytest.mark.parametrize(
    "text",
    [
        "5 March 2024", "March 5, 2024", "5th of March 2024", "5. März 2024", "5 mars 2024", "5 de marzo de 2024",
        "5 marzo 2024", "5 de março de 2024", "5 maart 2024", "5 marca 2024", "5. března 2024", "5 марта 2024",
        "5 березня 2024", "5 Mart 2024", "5. maaliskuuta 2024", "5 martie 2024", "2024. március 5.", "5 Μαρτίου 2024",
        "5 مارس 2024", "5 Maret 2024", "2024-03-05", "2024/03/05", "05.03.2024", "2024年3月5日", "15 اسفند 1402",
    ],
)  # fmt: skip
def test_a_date_is_found_in_the_language_of_its_page(text: str) -> None:
    (found,) = written_dates(f"| {text} | 14:20")
    assert found.parts == (2024, 3, 5)


@pytest.mark.parametrize(
    "text",
    ["March 2024", "31 February 2024", "version 5.3.2024.1", "1/2/2024/5", "5 marches 2024", "45 March 2024", "2024"],
)
def test_what_is_no_full_date_is_not_found(text: str) -> None:
    assert written_dates(text) == []


def test_a_year_alone_is_what_an_ambiguous_date_gives() -> None:
    assert [found.parts for found in written_dates("05/03/2024")] == [(2024,)]
    assert [found.parts for found in written_dates("05/03/2024", month_first=True)] == [(2024, 5, 3)]
    assert [found.parts for found in written_dates("25/03/2024 and 03/25/2024")] == [(2024, 3, 25), (2024, 3, 25)]


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(sorted(MONTH_NAMES)))
def test_every_month_name_is_read_as_its_month(day: date, name: str) -> None:
    month = MONTH_NAMES[name]
    dated = day.replace(month=month, day=min(day.day, 28))
    (found,) = written_dates(f"{dated.day} {name} {dated.year}")
    assert found.parts == (dated.year, dated.month, dated.day)


@given(st.text(max_size=200))
def test_any_text_can_be_asked_and_dates_lie_in_it(text: str) -> None:
    for found in written_dates(text):
        assert 0 <= found.start < found.end <= len(text)
    list(other_calendars(text))


@pytest.mark.parametrize(
    ("locale", "host", "first"),
    [
        ("en-US", "a.example", True),
        ("en_GB", "a.com", False),
        ("en", "a.co.uk", False),
        ("en", "a.gov", True),
        ("en", "a.com", None),
        ("en", "a.io", None),
        ("en-CA", "a.ca", None),
        ("en", "a.ca", None),
        (None, "a.com", None),
        (None, "a.de", False),
        ("de", "a.com", False),
        ("es-US", "a.com", True),
        ("", "", None),
    ],
)
def test_language_and_country_tell_which_number_is_the_month(locale: str | None, host: str, first: bool | None) -> None:
    assert month_comes_first(locale, host) is first
