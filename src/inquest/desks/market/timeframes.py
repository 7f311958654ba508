"""Which period a question asks about: 'today', 'this week', 'since Friday', 'the past 3 days', a date.

Days are those of New York's clock, where US shares are traded, Monday to Friday, for holidays change no window by more
than a day. A year or a quarter that names a period of accounts ('2026 deliveries', 'Q3 2026 results') is no period to
look for news in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from inquest.domain.document import Precision
from inquest.domain.market import Timeframe
from inquest.text.dates import utc
from inquest.text.lexicon import pattern
from inquest.text.moments import Moment, moments
from inquest.text.phrases import count
from inquest.text.regex import regex

_NEW_YORK = ZoneInfo("America/New_York")
_CLOSES = time(16)
"""The end of the regular session; extended hours are not counted."""
_SATURDAY, _DAY = 5, timedelta(days=1)


def new_york(moment: datetime) -> datetime:
    """A moment by the clock of New York. A moment without an offset is taken for UTC."""
    return utc(moment).astimezone(_NEW_YORK)


def is_weekend(day: date) -> bool:
    """Whether stock exchanges are closed that day, wherever they are."""
    return day.weekday() >= _SATURDAY


def last_trading_day(day: date) -> date:
    """That day, or the nearest day of trading before it."""
    return day - _DAY * max(0, day.weekday() - _SATURDAY + 1)


def day_begins(day: date, at: time = time.min) -> datetime:
    """Midnight (or another hour) of New York's clock on that day, in UTC."""
    return utc(datetime.combine(day, at, _NEW_YORK))


def before_session(now: datetime) -> datetime:
    """From when on news can have moved a share 'today': the close before the session of today, or of the last one."""
    session = last_trading_day(new_york(now).date())
    return day_begins(last_trading_day(session - _DAY), _CLOSES)


def said_day(day: date) -> str:
    """'Friday, 20 November 2026'."""
    return f"{day:%A}, {day.day} {day:%B %Y}"


_UNITS = {"hour": timedelta(hours=1), "day": _DAY, "week": timedelta(days=7), "month": timedelta(days=30),
          "quarter": timedelta(days=91), "year": timedelta(days=365)}  # fmt: skip
_NUMBERS = {
    word: n for n, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_NUMBERS |= {"a": 1, "an": 1, "couple of": 2, "few": 3}
_COUNTED = regex(
    rf"\b(?:in|over|during|within|for)?\s*(?:the\s+)?(?:past|last|previous|recent)\s+(?:(?P<n>\d{{1,3}}|"
    rf"{'|'.join(_NUMBERS)})\s*-?\s*)?"
    r"(?P<unit>hour|day|week|month|quarter|year)(?P<many>s?)\b",
    re.I,
)
_THIS = regex(r"\b(?:this|the current)\s+(?P<unit>week|month|quarter|year)\b", re.I)
_TODAY = pattern(__name__, "today")
_YESTERDAY = regex(r"\byesterday(?:['’]s)?\b", re.I)
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WEEKDAY = regex(
    rf"\b(?P<since>since|after|from)?\s*(?:last\s+|on\s+)?(?P<day>{'|'.join(_WEEKDAYS)})(?:['’]s)?\b", re.I
)
_QUARTER = regex(r"\b(?:Q[1-4]|quarter|H[12]|half|FY|fiscal)\b", re.I)
_BETWEEN = regex(r"\bbetween\b|\bfrom\b.{1,40}\b(?:to|until|till)\b", re.I)
_DAYS_OF_MONTH = regex(r"([1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\.?\s*(?:-|–|to|and)\s*\d")
_MOST = timedelta(days=3650)


def timeframe_of(text: str, now: datetime, usual: timedelta) -> Timeframe:
    """The period that a question asks about, counted back from `now`; `usual` where it says none."""
    now = utc(now)
    found = next(_spoken(text, now), None)
    if found is None:
        since, until, words = now - usual, now, f"the past {_span(usual)}"
    else:
        since, until, words = found
    notes = list(_ahead(text, now))
    notes += _closed(text, now, since, until)
    return Timeframe(since=since, until=until, words=words, notes=tuple(dict.fromkeys(notes)))


def _spoken(text: str, now: datetime) -> Iterator[tuple[datetime, datetime, str]]:
    """The ways of saying it, the most exact first."""
    today = new_york(now).date()
    yield from _dated(text, now, today)
    if match := _COUNTED.search(text):
        number = match["n"]
        if number or match["many"] or match["unit"].lower() in ("hour", "day"):
            plain = (number or ("1" if not match["many"] else "few")).lower()
            times = max(1, int(plain) if plain.isdigit() else _NUMBERS[plain])
            unit = match["unit"].lower()
            back = min(_MOST, times * _UNITS[unit])
            yield now - back, now, f"the past {times} {unit}s" if times != 1 else f"the past {unit}"
        else:
            yield _period_before(match["unit"].lower(), today)
    if match := _WEEKDAY.search(text):
        days = (today.weekday() - _WEEKDAYS.index(match["day"].lower())) % 7 or 7
        day = today - days * _DAY
        if match["since"]:
            yield day_begins(day), now, f"since {said_day(day)}"
        elif not re.search(rf"\bnext\s+{match['day']}", text, re.I):
            yield day_begins(day), day_begins(day + _DAY), said_day(day)
    if match := _THIS.search(text):
        unit = match["unit"].lower()
        yield day_begins(_begin(unit, today)), now, f"this {unit}"
    if _YESTERDAY.search(text):
        day = today - _DAY
        # What moved the session of yesterday may have been said after the close before it.
        yield day_begins(day), day_begins(today), f"yesterday ({said_day(day)})"
    if _TODAY.search(text):
        yield min(before_session(now), now - _DAY), now, f"today ({said_day(today)})"


def _dated(text: str, now: datetime, today: date) -> Iterator[tuple[datetime, datetime, str]]:
    named = [each for each in moments(text, today) if _is_period(each, text, today)]
    if not named:
        return
    first, last = named[0], named[-1]
    days = _DAYS_OF_MONTH.match(first.span.of(text))
    if days and first.precision is Precision.DAY and int(days[1]) <= first.end.day:
        begin, until = first.end.replace(day=int(days[1])), min(now, day_begins(first.end + _DAY))
        yield day_begins(begin), until, f"{_date(begin)} to {_date(first.end)}"
    elif len(named) > 1 and _BETWEEN.search(text):
        until = min(now, day_begins(last.end + _DAY))
        yield day_begins(first.start), until, f"{_date(first.start)} to {_date(last.end)}"
    elif first.order in ("since", "after") or re.search(r"\bfrom\s+$", text[: first.span.start]):
        yield day_begins(first.start), now, f"since {_date(first.start)}"
    else:
        until = min(now, day_begins(first.end + _DAY))
        said = _date(first.start) if first.start == first.end else f"{_date(first.start)} to {_date(first.end)}"
        yield day_begins(first.start), until, said


def _is_period(moment: Moment, text: str, today: date) -> bool:
    said = moment.span.of(text)
    if moment.start > today or _QUARTER.search(said):
        return False
    if re.search(r"(?i)\b(?:yesterday|today|tomorrow|week|month|year|weekend|day)\b", said):
        return False  # said relative to now; read with the sessions of the market
    if moment.precision is Precision.YEAR:
        # 'in 2023' is a time, '2026 deliveries' is a period of accounts.
        return moment.order in ("since", "after") or moment.end < today
    return True


def _ahead(text: str, now: datetime) -> Iterator[str]:
    today = new_york(now).date()
    for moment in moments(text, today):
        if moment.start > today and moment.precision is Precision.DAY and moment.start == moment.end:
            yield f"{_date(moment.start)} lies ahead of {_date(today)}: nothing can have been reported of it yet."


def _closed(text: str, now: datetime, since: datetime, until: datetime) -> Iterator[str]:
    """That the one day asked about is no day of trading, and which was the last before it."""
    day, last = new_york(since).date(), (new_york(until) - timedelta(seconds=1)).date()
    if until == now and _TODAY.search(text):
        day = last = new_york(now).date()
    if day == last and is_weekend(day):
        before = said_day(last_trading_day(day))
        yield f"Stock exchanges are closed on {said_day(day)}. The last session before was on {before}."


def _period_before(unit: str, today: date) -> tuple[datetime, datetime, str]:
    """'last week', 'last month': the whole one before the present one."""
    ends = _begin(unit, today)
    begins = _begin(unit, ends - _DAY)
    return day_begins(begins), day_begins(ends), f"last {unit} ({_date(begins)} to {_date(ends - _DAY)})"


def _begin(unit: str, day: date) -> date:
    match unit:
        case "week":
            return day - day.weekday() * _DAY
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(month=day.month - (day.month - 1) % 3, day=1)
        case _:
            return day.replace(month=1, day=1)


def _date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _span(period: timedelta) -> str:
    return f"{period.days * 24} hours" if period.days <= 2 else count(period.days, "day")
