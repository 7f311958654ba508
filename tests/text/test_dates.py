"""Dates as written by services: which are understood, with what precision, and that nothing breaks the parser."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Precision
from inquest.text.dates import date_first, date_from_parts, parse_date

NOW = datetime(2026, 6, 9, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024", "2024"),
        ("20240305", "2024-03-05"),
        ("2024-03-05T10:15:00.1234567Z", "2024-03-05T10:15:00Z"),
        ("2024-03-05t10:15:00+02:00", "2024-03-05T08:15:00Z"),
        ("20240300000000", "2024-03"),
        ("05 Mar 2024 10:15 EST", "2024-03-05T15:15:00Z"),
        ("5th of March 2024", "2024-03-05"),
        ("1709633700123", "2024-03-05T10:15:00Z"),
        ("Wed Oct 10 20:19:24 +0000 2018", "2018-10-10T20:19:24Z"),
        ("1665-03-06", "1665-03-06"),
    ],
)
def test_a_written_date_is_understood_to_the_precision_it_has(text: str, iso: str) -> None:
    published = parse_date(text, now=NOW)
    assert published is not None
    assert published.iso == iso
    assert published.how == "engine"
    assert published.at.utcoffset() == UTC.utcoffset(None)


@pytest.mark.parametrize(
    ("text", "iso", "precision"),
    [
        ("3 hours ago", "2026-06-09T09:00:00Z", Precision.TIME),
        ("2d", "2026-06-07", Precision.DAY),
        ("yesterday", "2026-06-08", Precision.DAY),
        ("tomorrow", "2026-06-10", Precision.DAY),
        ("7 months ago", "2025-11", Precision.MONTH),
        ("2 years ago", "2024", Precision.YEAR),
    ],
)
def test_what_is_counted_back_starts_from_the_reply(text: str, iso: str, precision: Precision) -> None:
    published = parse_date(text, now=NOW)
    assert published is not None
    assert (published.iso, published.precision) == (iso, precision)
    assert published.how == "engine, counted back"
    assert published.latest <= NOW.replace(day=10, hour=23, minute=59, second=59)
    assert parse_date(text) is None, "without a 'now' there is nothing to count from"


@pytest.mark.parametrize(
    "value",
    ["", " ", "n.d.", "recently", "9999-12-31", "9999", "0024-03-05", "2029", "2024-13-01", "2024-02-30",
     "12 elephants ago", "99999999999999999", "2024-03-05T99:99:99Z", "3 hours", True, False, None, [], {}, b"2024",
     float("nan"), float("inf"), -5, 0, 1e30, "٢٠٢٤-٠٣-٠٥x", "x" * 5000],
)  # fmt: skip
def test_what_is_no_plausible_date_is_none(value: object) -> None:
    assert parse_date(value, now=NOW) is None


def test_midnight_means_that_only_the_day_is_known_in_its_own_zone() -> None:
    for text in ("2024-03-05T00:00:00Z", "2024-03-05T00:00:00+05:00", "20240305000000"):
        published = parse_date(text, now=NOW)
        assert published is not None
        assert published.iso == "2024-03-05"


def test_a_time_in_an_unknown_zone_gives_the_day() -> None:
    published = parse_date("5 Mar 2024 10:15 XKT", now=NOW)
    assert published is not None
    assert published.iso == "2024-03-05"


@pytest.mark.parametrize(
    ("parts", "iso"),
    [
        ([2022, 7, 1], "2022-07-01"),
        ([["2022"]], "2022"),
        ([2022, 2, 31], "2022-02"),
        ([2022, 0, 5], "2022"),
        ([[None]], None),
        ([], None),
        ({"year": 2022}, None),
    ],
)
def test_parts_give_what_can_be_known(parts: object, iso: str | None) -> None:
    published = date_from_parts(parts, now=NOW)
    assert (published.iso if published else None) == iso


DATE_LIKE = st.text(alphabet="0123456789-/.:TZ +,janfebmrhousgod", max_size=30)


@given(st.one_of(st.text(max_size=60), DATE_LIKE, st.integers(), st.floats(), st.none(), st.binary(max_size=9)))
def test_no_value_breaks_it_and_what_comes_back_is_plausible(value: object) -> None:
    for month_first in (None, True, False):
        published = parse_date(value, now=NOW, month_first=month_first)
        if published:
            # A time zone can move the last evening of a year into the next.
            assert 999 <= published.at.year <= NOW.year + 3
            assert published.at.tzinfo is not None
            assert published.latest >= published.at


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2027, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_a_moment_survives_being_written_and_read(moment: datetime) -> None:
    published = parse_date(moment.isoformat(), now=NOW)
    assert published is not None
    assert published.at == moment.replace(microsecond=0)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("۱۴۰۲/۰۵/۱۲", "2023-08-03"),
        ("۱۲ مرداد ۱۴۰۲", "2023-08-03"),
        ("5 มีนาคม 2567", "2024-03-05"),
        ("05/03/2567", "2024-03-05"),
        ("令和6年3月5日", "2024-03-05"),
        ("平成元年1月8日", "1989-01-08"),
        ("2024년 3월 5일", "2024-03-05"),
        ("٢٠٢٤-٠٣-٠٥", "2024-03-05"),
    ],
)
def test_other_calendars_and_digits_give_the_gregorian_date(text: str, iso: str) -> None:
    published = parse_date(text, now=NOW)
    assert published is not None
    assert published.iso == iso


@pytest.mark.parametrize("text", ["1402/13/05", "令和99年", "2567", "5 มีนาคม 9999"])
def test_what_no_calendar_knows_is_no_date(text: str) -> None:
    assert parse_date(text, now=NOW) is None


def test_numbers_from_1300_to_1449_are_persian_years_only_where_digits_or_language_are() -> None:
    for text, language, iso in (
        ("1403/01/01", "fa", "2024-03-20"),
        ("۱۴۰۳/۰۱/۰۱", None, "2024-03-20"),
        ("1403/01/01", None, "1403-01-01"),
        ("1403-01-01", "de", "1403-01-01"),
    ):
        published = parse_date(text, now=NOW, language=language)
        assert published is not None
        assert published.iso == iso


@pytest.mark.parametrize(
    ("text", "month_first", "iso"),
    [
        ("03/05/2024", None, "2024"),
        ("03/05/2024, 07:00 AM, +0000 UTC", True, "2024-03-05T07:00:00Z"),
        ("03/05/2024", False, "2024-05-03"),
        ("03.05.2024", None, "2024-05-03"),
        ("03.05.2024", True, "2024-05-03"),
        ("05/05/2024", None, "2024-05-05"),
        ("mardi 5 mars 2024, 10:20", None, "2024-03-05T10:20:00Z"),
        ("2024. március 5.", None, "2024-03-05"),
    ],
)
def test_what_cannot_be_known_of_a_day_and_month_is_not_guessed(text: str, month_first: bool | None, iso: str) -> None:
    published = parse_date(text, now=NOW, month_first=month_first)
    assert published is not None
    assert published.iso == iso


@pytest.mark.parametrize(
    ("snippet", "date", "rest"),
    [
        ("Mar 5, 2024 ... The harbour authority was fined.", "2024-03-05", "The harbour authority was fined."),
        ("5 Mar 2024 · The harbour", "2024-03-05", "The harbour"),
        ("03/05/2024 — The harbour", "2024-03-05", "The harbour"),
        ("3 days ago — The harbour", "2026-06-06", "The harbour"),
        ("The fine ... was paid", None, "The fine ... was paid"),
        ("In 2024 ... it was paid", None, "In 2024 ... it was paid"),
        ("Mar 5, 2024", None, "Mar 5, 2024"),
        ("", None, ""),
    ],
)
def test_a_date_before_the_words_is_taken_off(snippet: str, date: str | None, rest: str) -> None:
    found, words = date_first(snippet, now=NOW)
    assert ((found.iso if found else None), words) == (date, rest)


@given(st.text(max_size=200) | st.text("Mar 5,2024.·—", max_size=60))
def test_nothing_but_a_date_is_ever_lost(snippet: str) -> None:
    found, words = date_first(snippet, now=NOW)
    assert snippet.endswith(words)
    assert found or words == snippet
