"""Dates as services and machine-readable fields write them; anything but a plausible date gives None, not an error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone

from inquest.domain.document import Precision, Published
from inquest.text.calendars import ascii_digits, fold, has_persian_digits, other_calendars
from inquest.text.lexicon import pattern, word_lists
from inquest.text.regex import regex
from inquest.text.written_dates import written_dates

_EARLIEST_YEAR, _LATEST_YEAR_WITHOUT_NOW, _YEARS_AHEAD = 1000, 2100, 2
"""Limits of a plausible year: journals and events may be dated ahead, but not further; some systems write 9999 for
'never'."""

MONTHS = {name: int(number) for number, names in word_lists(__name__, "months").items() for name in names}
"""English month names and their abbreviations, in lower case, to 1..12."""
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()

_ZONES = {zone: int(minutes) for minutes, zones in word_lists(__name__, "zones").items() for zone in zones}
_TIME = (
    r"(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,]\d+)?)?\s*(?P<half>[ap]\.?m\.?(?![a-z]))?"
    r",?\s*\(?(?P<zone>[+-]\d{2}:?\d{2}(?:\s*utc)?|[+-]\d{2}|[a-z]{1,5})?\)?"
)
_ISO = regex(
    r"(?P<year>\d{4})(?P<sign>[-/.])(?P<month>\d{1,2})(?:(?P=sign)(?P<day>\d{1,2})(?:(?:[t,]|\s)\s*" + _TIME + r")?)?",
    re.I,
)
_COMPACT = regex(r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})t?(?:" + _TIME + r")?", re.I)
_MONTH_YEAR = regex(r"(?P<month>[a-z]+)\.?,?\s+(?P<year>\d{4})", re.I)
_CLOCK = regex(r"(?<![\d:])" + _TIME.replace(":?", ":", 1), re.I)
_LONGEST, _TAIL = 100, 21  # Characters of the longest date, and of the longest time with its zone after the day
_AGO = pattern(__name__, "ago")
_WORDS = {"yesterday": (1, "d"), "today": (0, "d"), "tomorrow": (-1, "d"), "just now": (0, "s"), "now": (0, "s")}
_DIGITS = regex(r"\d{4,14}(?:\.\d+)?")
_SNIPPET_DATE = regex(r"(?P<date>[^·—…]{4,30}?)\s*(?:·|—|\.\.\.|…)\s+(?P<rest>.+)", re.DOTALL)


def utc(moment: datetime) -> datetime:
    """Convert a moment to UTC; one without a zone is taken as UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def parse_date(
    value: object,
    *,
    now: datetime | None = None,
    how: str = "engine",
    month_first: bool | None = None,
    language: str | None = None,
) -> Published | None:
    """Parse a string or number as a date with the precision it was written in; None if it is not a plausible date.
    `now` is when the text was current: 'yesterday' counts from it, and anything more than two years later is rejected.
    `month_first` and `language` as in `written_dates`. A time of exactly midnight or in an unknown zone gives the
    day."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if 0 < value < 1e8 and value == int(value):
            return _from_digits(str(int(value)), now, how)
        return date_from_epoch(value, now=now, how=how) if 0 < value < 1e15 else None
    text = ascii_digits(" ".join(value.split())) if isinstance(value, str) else ""
    if not isinstance(value, str) or not text or len(text) > _LONGEST:
        return None
    if other := _first(other_calendars(fold(text), "fa" if has_persian_digits(value) else language), text):
        return _published(*other, now=now, how=how)
    if found := (_counted_back(text, now, how) if now else None) or _in_one_form(text, now, how):
        return found
    dates = written_dates(text, month_first=month_first, language=language)
    parts = _first(((one.start, one.end, one.parts) for one in dates), text)
    return _build(_CLOCK.search(text), parts, now, how) if parts else None


def _in_one_form(text: str, now: datetime | None, how: str) -> Published | None:
    if _DIGITS.fullmatch(text):
        return _from_digits(text, now, how)
    if match := _ISO.fullmatch(text) or _COMPACT.fullmatch(text):
        return _build(match, [int(match[name]) for name in ("year", "month", "day") if match[name]], now, how)
    match = _MONTH_YEAR.fullmatch(text)
    month = MONTHS.get(match["month"].lower()) if match else None
    return _published(int(match["year"]), month, now=now, how=how) if match and month else None


def _first(dates: Iterable[tuple[int, int, tuple[int, ...]]], text: str) -> tuple[int, ...] | None:
    """The first date, unless there is more than a weekday before it and a time after it (prose)."""
    start, end, parts = next(iter(dates), (0, 0, ()))
    return parts if parts and len(text[:start].split()) <= 1 and len(text) - end <= _TAIL else None


def at_precision(published: Published | None, precision: object) -> Published | None:
    """Set the precision of a date ('year', 'month', 'day', 'time'); unchanged if `precision` is anything else."""
    if published is None or not isinstance(precision, str) or precision not in list(Precision):
        return published
    return published.model_copy(update={"precision": Precision(precision)})


def date_from_parts(parts: object, *, now: datetime | None = None, how: str = "engine") -> Published | None:
    """Parse `[2024, 3, 5]`, `[2024, 3]`, `[2024]` or one of these in a list; None if it does not begin with a year."""
    while isinstance(parts, list | tuple) and parts and isinstance(parts[0], list | tuple):
        parts = parts[0]
    if not isinstance(parts, list | tuple):
        return None
    numbers: list[int] = []
    for part in map(str, parts[:3]):
        if not re.fullmatch(r"[0-9]{1,4}", part) or (numbers and int(part) < 1):
            break
        numbers.append(int(part))
    # Drop a day that does not exist in its month rather than the whole date.
    lengths = range(len(numbers), 0, -1)
    return next(filter(None, (_published(*numbers[:length], now=now, how=how) for length in lengths)), None)


def date_from_epoch(seconds: float, *, now: datetime | None = None, how: str = "engine") -> Published | None:
    """Convert a Unix time in seconds (or, from 1e11 on, milliseconds); None if it is out of range."""
    try:
        elapsed = timedelta(seconds=seconds / 1000 if abs(seconds) >= 1e11 else seconds)
        moment = datetime(1970, 1, 1, tzinfo=UTC) + elapsed
    except (OverflowError, ValueError):
        return None
    return _at_time(moment.replace(microsecond=0), now, how)


def date_first(snippet: str, *, now: datetime) -> tuple[Published | None, str]:
    """Split a search engine's snippet into the date it begins with and the rest: 'Mar 5, 2024 ... The harbour',
    '3 days ago — The harbour'. Without a date: None and the snippet."""
    match = _SNIPPET_DATE.match(snippet)
    date = parse_date(match["date"], now=now, month_first=True) if match else None
    return (date, match["rest"]) if match and date else (None, snippet)


def _from_digits(text: str, now: datetime | None, how: str) -> Published | None:
    """Read digits as a year or a time stamp, depending on their number, or else as seconds or milliseconds."""
    if len(text) == 4:
        return _published(int(text), now=now, how=how)
    if len(text) in (8, 12, 14) and (match := _COMPACT.fullmatch(text)):
        parts = [match["year"], match["month"], match["day"]]
        # Early web archives wrote 00 for an unknown month or day.
        return _build(match, [int(part) for part in parts], now, how) or date_from_parts(parts, now=now, how=how)
    value = float(text)
    return date_from_epoch(value, now=now, how=how) if value >= 1e8 else None


def _build(clock: re.Match[str] | None, parts: Iterable[int], now: datetime | None, how: str) -> Published | None:
    """The date of these parts, with the time of a match if the day and the zone are known."""
    year, *rest = parts
    offset = _offset(clock["zone"]) if clock and clock["hour"] and len(rest) == 2 else None
    if clock is None or offset is None:
        return _published(year, *rest, now=now, how=how)
    hour = int(clock["hour"]) % 24 if int(clock["hour"]) <= 24 else 99
    if half := (clock["half"] or "").lower().replace(".", ""):
        hour = hour % 12 + (12 if half == "pm" else 0)
    try:
        second = min(int(clock["second"] or 0), 59)  # a leap second counts as the last of its minute
        zone = timezone(timedelta(minutes=offset))
        moment = datetime(year, rest[0], rest[1], hour, int(clock["minute"]), second, tzinfo=zone)
    except (ValueError, OverflowError):
        return None
    return _at_time(moment, now, how)


def _offset(zone: str | None) -> int | None:
    """Minutes east of Greenwich; None for an unknown zone."""
    zone = (zone or "").lower().removesuffix("utc").strip() or "utc"
    if zone[0] not in "+-":
        return _ZONES.get(zone)
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return (-1 if zone[0] == "-" else 1) * (int(digits[:2]) * 60 + int(digits[2:]))


def _at_time(moment: datetime, now: datetime | None, how: str) -> Published | None:
    if not (moment.hour or moment.minute or moment.second):
        return _day_of(moment, now, how)
    plausible = _is_plausible(moment.year, now)
    return Published(at=moment.astimezone(UTC), precision=Precision.TIME, how=how) if plausible else None


def _published(
    year: int, month: int | None = None, day: int | None = None, *, now: datetime | None, how: str
) -> Published | None:
    if not _is_plausible(year, now):
        return None
    try:
        at = datetime(year, month or 1, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    precision = Precision.DAY if day else Precision.MONTH if month else Precision.YEAR
    return Published(at=at, precision=precision, how=how)


def _day_of(moment: datetime, now: datetime | None, how: str) -> Published | None:
    return _published(moment.year, moment.month, moment.day, now=now, how=how)


def _is_plausible(year: int, now: datetime | None) -> bool:
    return _EARLIEST_YEAR <= year <= (now.year + _YEARS_AHEAD if now else _LATEST_YEAR_WITHOUT_NOW)


def _counted_back(text: str, now: datetime, how: str) -> Published | None:
    now, how, match = utc(now).replace(microsecond=0), f"{how}, counted back", _AGO.fullmatch(text)
    if text.lower() in _WORDS:
        count, unit = _WORDS[text.lower()]
    # '3h' and '2d' occur without 'ago' in result lists; whole words do not.
    elif match and (match["ago"] or len(match["unit"]) <= 3):
        count, unit = int(match["count"]) if match["count"].isdigit() else 1, match["unit"].lower()
    else:
        return None
    try:
        if unit.startswith(("mo", "y")):
            months = now.year * 12 + now.month - 1 - count * (1 if unit.startswith("mo") else 12)
            month = months % 12 + 1 if unit.startswith("mo") else None
            return _published(months // 12, month, now=now, how=how)
        # For weeks, take the latest possible day, so that 'not after' comparisons hold.
        then = now - timedelta(seconds=count * {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}[unit[0]])
    except (OverflowError, ValueError):
        return None
    return Published(at=then, precision=Precision.TIME, how=how) if unit[0] not in "dw" else _day_of(then, now, how)
