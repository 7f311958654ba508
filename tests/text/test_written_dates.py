"""Full dates as printed on pages, and which number of a date is the month."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest
from babel import localedata
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from inquest.text.calendars import other_calendars
from inquest.text.written_dates import month_comes_first, written_dates


@pytest.mark.parametrize(
    "text",
    [
        "5th of March 2024", "2024-03-05", "05.03.2024", "2024年3月5日", "15 اسفند 1402",
        "2024. 3. 5. 오후 2:30", "民國113年3月5日", "Mar 5th, 2024 10:30 AM EST", "5.3.2024 kl. 10.30", "05.03.24",
        "2024-03-05T14:30", "Mar-5-2024", "5 MARS 2024", "5 марта 2024", "5 במרץ 2024", "5 آذار 2024",
        "2024(e)ko martxoaren 5(a)", "Ngày 05 tháng 03 năm 2024",
        "2024 оны 3 дугаар сарын 5",
        "5 มีนาคม พ.ศ. 2567", "二〇二四年三月五日", "佛曆2567年3月5日", "March 5,2024", "2024/3/5周二",
        "5/Mar/2024", "Tue Mar 5 07:01:44 2024", "Tue Mar  5 07:01:44 CET 2024", "Tue, 5 Mar 07:01:44 +0100 2024",
        "Mar 5 '24", "5.III.2024", "5 مارس/آذار 2024",
    ],
)  # fmt: skip
def test_a_date_is_found_in_the_language_of_its_page(text: str) -> None:
    (found,) = written_dates(f"| {text} | 14:20")
    assert found.parts == (2024, 3, 5)


def test_the_language_of_the_page_is_read_before_any_other() -> None:
    for text, language in (("5ed Mawrth 2024", "cy"), ("5 ožu 2024.", "hr")):
        (found,) = written_dates(text, language=language)
        assert (found.parts, text[found.start :].startswith(text[0])) == ((2024, 3, 5), True)
        assert (2024, 3, 5) not in [one.parts for one in written_dates(text, language="en")]
    assert [one.parts for one in written_dates("1. listopada 2024", language="hr")] == [(2024, 10, 1)]
    assert [one.parts for one in written_dates("1 listopada 2024", language="pl")] == [(2024, 11, 1)]
    assert written_dates("1 listopada 2024") == []


@pytest.mark.parametrize(
    ("text", "language"),
    [("5 III 2024", "pl"), ("2024. III. 5.", "hu"), ("發布日期：113-03-05", "zh")],
)
def test_a_form_of_one_language_is_read_only_on_its_pages(text: str, language: str) -> None:
    assert [one.parts for one in written_dates(text, language=language)] == [(2024, 3, 5)]
    assert written_dates(text, language="en") == written_dates("20 x 2000", language=language) == []


def test_joiners_within_the_name_of_a_month_do_not_matter() -> None:
    for name in ("ഒക്ടോബർ", "ഒക്\u200cടോബർ"):
        assert [one.parts for one in written_dates(f"17 {name} 2023", language="ml")] == [(2023, 10, 17)]


@pytest.mark.parametrize(
    "text",
    [
        "31 February 2024",
        "version 5.3.2024.1",
        "1/2/2024/5",
        "5 marches 2024",
        "5 March 24 people",
        "03/05/24",
        "24/03/05 and more",
        "March 5: 2024 in figures",
        "4/5/March/2024",
        "March 5, 18:30 2024 people came",
    ],
)
def test_what_is_no_full_date_is_not_found(text: str) -> None:
    assert written_dates(text) == []


def test_a_year_alone_is_what_an_ambiguous_date_gives() -> None:
    assert [found.parts for found in written_dates("05/03/2024")] == [(2024,)]
    assert [found.parts for found in written_dates("05/03/2024", month_first=True)] == [(2024, 5, 3)]
    assert [found.parts for found in written_dates("25/03/2024 and 03/25/2024")] == [(2024, 3, 25), (2024, 3, 25)]


DAYS = st.dates(date(1930, 1, 1), date(2069, 12, 31))
LOCALES = st.sampled_from(sorted(localedata.locale_identifiers()))


@given(DAYS, LOCALES, st.sampled_from(["full", "long", "medium"]))
def test_what_cldr_writes_in_any_language_is_read_as_that_day(day: date, name: str, form: str) -> None:
    """A few African languages have number words in the names of their months; these are missed, but never misread."""
    written = format_date(day, form, locale=name)
    ambiguous = not any(map(str.isalpha, written))
    found = [one.parts for one in written_dates(written, month_first=None, language=name.partition("_")[0])]
    if ambiguous or not found:
        return
    assert found == [(day.year, day.month, day.day)]


def test_nearly_all_languages_are_read_without_knowing_which_it_is() -> None:
    names = [name for name in localedata.locale_identifiers() if "_" not in name]
    day = date(2024, 10, 23)
    found = [written_dates(format_date(day, "full", locale=name), language=name) for name in names]
    right = [[one.parts for one in each] == [(2024, 10, 23)] for each in found]
    assert sum(right) / len(right) >= 0.97


@given(DAYS, st.sampled_from(["ar-EG", "fa", "hi", "bn", "th", "my", "mr", "ne"]), st.integers(0x0030, 0x1E950))
def test_the_digits_of_any_script_are_read(day: date, name: str, zero: int) -> None:
    if unicodedata.decimal(chr(zero), None) != 0:
        zero = 0x0660
    written = format_date(day, "d MMMM y", locale=name.replace("-", "_"))
    own = written.translate({ord("0") + digit: chr(zero + digit) for digit in range(10)})
    (found,) = written_dates(own, language=name[:2])
    assert found.parts == (day.year, day.month, day.day)


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
        ("en", "a.gov", True),
        ("en", "a.com", None),
        ("en-CA", "a.ca", None),
        (None, "a.com", None),
        (None, "a.de", False),
        ("de", "a.com", False),
        ("en-VI", "a.com", True),
        ("zu-ZA", "a.co.za", True),
    ],
)
def test_language_and_country_tell_which_number_is_the_month(locale: str | None, host: str, first: bool | None) -> None:
    assert month_comes_first(locale, host) is first
