"""Dates as services and machine-readable fields write them. What is no plausible date gives None, never an error.

Forms: ISO 8601 (long and compact), RFC 822, time stamps of digits, seconds or milliseconds since 1970, a bare year,
lists of parts, English month names, and 'three hours ago' counted back from when the reply came. Dates in prose are
the readers' business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone

from inquest.domain.document import Precision, Published
from inquest.text.calendars import ascii_digits, has_persian_digits, other_calendars
from inquest.text.lexicon import pattern
from inquest.text.month_names import fold
from inquest.text.regex import regex
from inquest.text.written_dates import in_order, written_dates

_EARLIEST_YEAR = 1000
_LATEST_YEAR_WITHOUT_NOW = 2100
_YEARS_AHEAD = 2
"""Journals and events are dated ahead, but not by more; 9999 is how some systems write 'never'."""

MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|october oct|"
        "november nov|december dec".split("|"),
        1,
    )
    for name in names.split()
}
"""English month names and their abbreviations, in lower case, to 1..12."""

_ZONES = {
    "z": 0, "utc": 0, "gmt": 0, "ut": 0, "wet": 0, "bst": 60, "west": 60, "cet": 60, "cest": 120, "eet": 120,
    "eest": 180, "msk": 180, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
    "pdt": -420,
}  # fmt: skip
_TIME = (
    r"(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[ap]\.?m\.?(?![a-z]))?"
    r",?\s*\(?(?P<zone>[+-]\d{2}:?\d{2}(?:\s*utc)?|[+-]\d{2}|[a-z]{1,5})?\)?"
)
_MONTH = r"(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?"
_WRITTEN = tuple(
    regex(form, re.IGNORECASE)
    for form in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2})(?:(?:[t,]|\s)\s*" + _TIME + r")?)?",
        r"(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})(?:,?\s+" + _TIME + r")?",
        r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})t?(?:" + _TIME + r")?",
        _WEEKDAY + _DAY + r"[\s-]+(?:of\s+)?" + _MONTH + r"[\s,-]+(?P<year>\d{4})(?:,?\s+(?:at\s+)?" + _TIME + r")?",
        _WEEKDAY + _MONTH + r"\s+" + _DAY + r",?\s+(?P<year>\d{4})(?:,?\s+(?:at\s+)?" + _TIME + r")?",
        _WEEKDAY + _MONTH + r"\s+" + _DAY + r"\s+" + _TIME + r"\s+(?P<year>\d{4})",
        _MONTH + r",?\s+(?P<year>\d{4})",
    )
)
_SLASHED = regex(
    r"(?P<one>\d{1,2})(?P<sign>[/.-])(?P<two>\d{1,2})(?P=sign)(?P<year>\d{4})(?:,?\s+" + _TIME + r")?", re.IGNORECASE
)
_AGO = pattern(__name__, "ago")
_DAY_WORDS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_DIGITS = regex(r"\d{4,14}(?:\.\d+)?")


def utc(moment: datetime) -> datetime:
    """The moment in UTC; one without a zone is taken to be UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def parse_date(
    value: object,
    *,
    now: datetime | None = None,
    how: str = "engine",
    month_first: bool | None = None,
    language: str | None = None,
) -> Published | None:
    """The date that a string or number means, with the precision it was written with; None: no plausible date.

    `now` is when the text was current: 'yesterday' counts from it, and what lies more than two years after it is no
    date. `month_first` says how 03/05/2024 is meant; without it only the year of such a date is known, while 13/05/2024
    and 3.5.2024 are understood. `language` (two letters) tells that a year of 1402 is one of the Persian calendar. A
    time of exactly midnight means that only the day is known. A time in a zone that is not known gives the day.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _from_number(float(value), now, how)
    text = ascii_digits(" ".join(value.split())) if isinstance(value, str) else ""
    if not isinstance(value, str) or not text or len(text) > 100:
        return None
    if other := _first(other_calendars(fold(text), "fa" if has_persian_digits(value) else language), text):
        return _published(*other, now=now, how=how)
    matched, found = _in_digits(text, month_first, now, how)
    if matched:
        return found
    if now and (found := _counted_back(text, now, how)):
        return found
    dates = written_dates(text, month_first=month_first, language=language)
    parts = _first(((one.start, one.end, one.parts) for one in dates), text)
    return _published(*parts, now=now, how=how) if parts else None


def _in_digits(text: str, month_first: bool | None, now: datetime | None, how: str) -> tuple[bool, Published | None]:
    """Whether the text has one of the forms that are written with digits, and the date that it then means."""
    if _DIGITS.fullmatch(text):
        return True, _from_digits(text, now, how)
    for form in _WRITTEN:
        if match := form.fullmatch(text):
            month = match["month"]
            number = MONTHS.get(month.lower()) or _int(month)
            return True, _build(match, match["year"], number, match.groupdict().get("day"), now, how)
    if match := _SLASHED.fullmatch(text):
        parts = in_order(int(match["year"]), int(match["one"]), int(match["two"]), match["sign"], month_first)
        # A year alone where either number may be the month.
        month, day = (*parts[1:], None, None)[:2] if parts else (None, None)
        return True, _build(match, match["year"], month, day, now, how) if parts else None
    return False, None


def _first(dates: Iterable[tuple[int, int, tuple[int, ...]]], text: str) -> tuple[int, ...] | None:
    """The first date; a weekday may stand before it, and a time after it, but more than that is prose."""
    start, end, parts = next(iter(dates), (0, 0, ()))
    return parts if parts and len(text[:start].split()) <= 1 and len(text) - end <= 21 else None


def at_precision(published: Published | None, precision: object) -> Published | None:
    """The date as known to `precision` ('year', 'month', 'day', 'time') where that is one; else as it is."""
    if published is None or not isinstance(precision, str) or precision not in list(Precision):
        return published
    return published.model_copy(update={"precision": Precision(precision)})


def date_from_parts(parts: object, *, now: datetime | None = None, how: str = "engine") -> Published | None:
    """The date of `[2024, 3, 5]`, `[2024, 3]`, `[2024]` or one of these in a list; None where it starts with none."""
    while isinstance(parts, list | tuple) and parts and isinstance(parts[0], list | tuple):
        parts = parts[0]
    if not isinstance(parts, list | tuple):
        return None
    numbers: list[int] = []
    for part in parts[:3]:
        number = _int(part)
        if number is None or (number < 1 and numbers):
            break
        numbers.append(number)
    # A day that its month has not is left out rather than the whole date.
    for length in range(len(numbers), 0, -1):
        if found := _published(*numbers[:length], now=now, how=how):
            return found
    return None


def date_from_epoch(seconds: float, *, now: datetime | None = None, how: str = "engine") -> Published | None:
    """The date that lies so many seconds (or, from 1e11 on, milliseconds) after 1970 began."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
            seconds=seconds / 1000 if abs(seconds) >= 1e11 else seconds
        )
    except (OverflowError, ValueError):
        return None
    return _at_time(moment.replace(microsecond=0), now, how)


def _from_number(value: float, now: datetime | None, how: str) -> Published | None:
    if not 0 < value < 1e15:
        return None
    if value < 1e8 and value == int(value):
        return _from_digits(str(int(value)), now, how)
    return date_from_epoch(value, now=now, how=how)


def _from_digits(text: str, now: datetime | None, how: str) -> Published | None:
    """Digits mean a time stamp by their number, and seconds or milliseconds otherwise."""
    if len(text) == 4:
        return _published(int(text), now=now, how=how)
    if len(text) in (8, 12, 14) and (match := _WRITTEN[2].fullmatch(text)):
        if found := _build(match, match["year"], int(match["month"]), match["day"], now, how):
            return found
        # Early web archives wrote 00 for a month or day they did not know.
        return date_from_parts([match["year"], match["month"], match["day"]], now=now, how=how)
    value = float(text)
    return date_from_epoch(value, now=now, how=how) if value >= 1e8 else None


def _build(
    match: re.Match[str], year: str, month: int | None, day: object, now: datetime | None, how: str
) -> Published | None:
    number = _int(day)
    if month is None or number is None:
        return _published(int(year), month, now=now, how=how)
    fields = match.groupdict()
    offset = _offset(fields.get("zone"))
    if fields.get("hour") is None or offset is None:
        return _published(int(year), month, number, now=now, how=how)
    hour, half = int(fields["hour"]), (fields.get("half") or "").lower().replace(".", "")
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour == 24:
        hour = 0
    try:
        zone = timezone(timedelta(minutes=offset))
        # A leap second is the last second of its minute.
        second = min(int(fields["second"] or 0), 59)
        moment = datetime(int(year), month, number, hour, int(fields["minute"]), second, tzinfo=zone)
    except (ValueError, OverflowError):
        return None
    return _at_time(moment, now, how)


def _offset(zone: str | None) -> int | None:
    """Minutes east of Greenwich; None: a zone that is not known."""
    if not zone:
        return 0
    zone = zone.lower().removesuffix("utc").strip() or "utc"
    if zone[0] not in "+-":
        return _ZONES.get(zone)
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return (-1 if zone[0] == "-" else 1) * (int(digits[:2]) * 60 + int(digits[2:]))


def _at_time(moment: datetime, now: datetime | None, how: str) -> Published | None:
    if not _plausible(moment.year, now):
        return None
    if not (moment.hour or moment.minute or moment.second):
        return _published(moment.year, moment.month, moment.day, now=now, how=how)
    return Published(at=moment.astimezone(UTC), precision=Precision.TIME, how=how)


def _published(
    year: int, month: int | None = None, day: int | None = None, *, now: datetime | None, how: str
) -> Published | None:
    if not _plausible(year, now):
        return None
    try:
        at = datetime(year, month or 1, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    precision = Precision.DAY if day else Precision.MONTH if month else Precision.YEAR
    return Published(at=at, precision=precision, how=how)


def _plausible(year: int, now: datetime | None) -> bool:
    return _EARLIEST_YEAR <= year <= (now.year + _YEARS_AHEAD if now else _LATEST_YEAR_WITHOUT_NOW)


def _counted_back(text: str, now: datetime, how: str) -> Published | None:
    now = utc(now)
    how = f"{how}, counted back"
    lower = text.lower()
    if lower in ("just now", "now"):
        return Published(at=now.replace(microsecond=0), precision=Precision.TIME, how=how)
    if lower in _DAY_WORDS:
        then = now + timedelta(days=_DAY_WORDS[lower])
        return _published(then.year, then.month, then.day, now=now, how=how)
    match = _AGO.fullmatch(text)
    # '3h' and '2d' stand without 'ago' in result lists; whole words do not.
    if not match or not (match["ago"] or len(match["unit"]) <= 3):
        return None
    count = int(match["count"]) if match["count"].isdigit() else 1
    try:
        return _so_long_ago(count, match["unit"].lower(), now, how)
    except (OverflowError, ValueError):
        return None


def _so_long_ago(count: int, unit: str, now: datetime, how: str) -> Published | None:
    if unit.startswith("mo"):
        months = now.year * 12 + now.month - 1 - count
        return _published(months // 12, months % 12 + 1, now=now, how=how)
    if unit.startswith("y"):
        return _published(now.year - count, now=now, how=how)
    if unit[0] in "dw":
        # Of weeks the latest day that can be meant is given, so that 'not after' comparisons hold.
        then = now - timedelta(days=count * (7 if unit[0] == "w" else 1))
        return _published(then.year, then.month, then.day, now=now, how=how)
    then = now - timedelta(seconds={"s": 1, "m": 60, "h": 3600}[unit[0]] * count)
    return Published(at=then.replace(microsecond=0), precision=Precision.TIME, how=how)


def _int(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 4 else None


_SNIPPET_DATE = regex(r"(?P<date>[^·—…]{4,30}?)\s*(?:·|—|\.\.\.|…)\s+(?P<rest>.+)", re.DOTALL)


def date_first(snippet: str, *, now: datetime) -> tuple[Published | None, str]:
    """The date with which Google and others begin the snippet of a page whose date they know, and the words after it:
    'Mar 5, 2024 ... The harbour', '3 days ago — The harbour'. Where it begins with none: None, and the snippet."""
    match = _SNIPPET_DATE.match(snippet)
    date = parse_date(match["date"], now=now, month_first=True) if match else None
    return (date, match["rest"]) if match and date else (None, snippet)
