"""The period of a question: 'today', 'this week', 'since Friday', 'the past 3 days', a date.

Days are those of New York, where US shares are traded, Monday to Friday; holidays are not considered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from inquest.domain.document import Precision
from inquest.domain.market import Timeframe
from inquest.text.dates import utc
from inquest.text.moments import Moment, moments
from inquest.text.phrases import count
from inquest.text.regex import regex

_NEW_YORK = ZoneInfo("America/New_York")
_CLOSES = time(16)
"""The end of the regular session; extended hours are not counted."""
_SATURDAY, _DAY = 5, timedelta(days=1)
_UNITS = {"hour": timedelta(hours=1), "day": _DAY, "week": timedelta(days=7), "month": timedelta(days=30),
          "quarter": timedelta(days=91), "year": timedelta(days=365)}  # fmt: skip
_NUMBERS = {word: n for n, word in enumerate("one two three four five six seven eight nine ten".split(), 1)} | {
    "few": 3
}
_COUNTED = regex(
    rf"\b(?:past|last|previous|recent)\s+(?:(?P<n>\d{{1,3}}|{'|'.join(_NUMBERS)})\s*-?\s*)?"
    r"(?P<unit>hour|day|week|month|quarter|year)(?P<many>s?)\b",
    re.I,
)
_THIS = regex(r"\b(?:this|the current)\s+(?P<unit>week|month|quarter|year)\b", re.I)
_TODAY = regex(r"\b(?:today(?:['’]s)?|now|currently|tonight|this (?:morning|afternoon|evening)|intraday)\b", re.I)
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WEEKDAY = regex(
    rf"(?<!next )\b(?P<since>since|after|from)?\s*(?:last\s+|on\s+)?(?P<day>{'|'.join(_WEEKDAYS)})(?:['’]s)?\b", re.I
)
_OF_ACCOUNTS = regex(r"\b(?:Q[1-4]|quarter|H[12]|half|FY|fiscal)\b", re.I)
_OF_MARKETS = regex(r"\b(?:yesterday|today|tomorrow|week|month|year|weekend|day)\b", re.I)
_BETWEEN = regex(r"\bbetween\b|\bfrom\b.{1,40}\b(?:to|until|till)\b", re.I)
_MOST = timedelta(days=3650)


def new_york(moment: datetime) -> datetime:
    """Convert a moment to the time of New York; without an offset it is taken as UTC."""
    return utc(moment).astimezone(_NEW_YORK)


def is_weekend(day: date) -> bool:
    """True for Saturdays and Sundays, when stock exchanges are closed."""
    return day.weekday() >= _SATURDAY


def last_trading_day(day: date) -> date:
    """That day or, at a weekend, the Friday before it."""
    return day - _DAY * max(0, day.weekday() - _SATURDAY + 1)


def day_begins(day: date, at: time = time.min) -> datetime:
    """Midnight (or another hour) in New York on that day, in UTC."""
    return utc(datetime.combine(day, at, _NEW_YORK))


def before_session(now: datetime) -> datetime:
    """The time from which news may have moved a share 'today': the close before today's session, or the last one."""
    session = last_trading_day(new_york(now).date())
    return day_begins(last_trading_day(session - _DAY), _CLOSES)


def timeframe_of(text: str, now: datetime, usual: timedelta) -> Timeframe:
    """The period that a question asks about, counted back from `now`; by default `usual`."""
    now = utc(now)
    length = f"{usual.days * 24} hours" if usual.days <= 2 else count(usual.days, "day")
    since, until, words = next(_spoken(text, now), (now - usual, now, f"the past {length}"))
    return Timeframe(since=since, until=until, words=words, notes=tuple(_closed(text, now, since, until)))


def _spoken(text: str, now: datetime) -> Iterator[tuple[datetime, datetime, str]]:
    """The periods in the text, most exact first."""
    today = new_york(now).date()
    yield from _dated(text, now, today)
    if match := _COUNTED.search(text):
        unit = match["unit"].lower()
        if match["n"] or match["many"] or unit in ("hour", "day"):
            number = (match["n"] or ("few" if match["many"] else "1")).lower()
            times = max(1, int(number) if number.isdigit() else _NUMBERS[number])
            yield now - min(_MOST, times * _UNITS[unit]), now, f"the past {count(times, unit) if times > 1 else unit}"
        else:
            ends = _begin(unit, today)
            begins = _begin(unit, ends - _DAY)
            yield day_begins(begins), day_begins(ends), f"last {unit} ({_date(begins)} to {_date(ends - _DAY)})"
    if match := _WEEKDAY.search(text):
        day = today - ((today.weekday() - _WEEKDAYS.index(match["day"].lower())) % 7 or 7) * _DAY
        if match["since"]:
            yield day_begins(day), now, f"since {day:%A}, {_date(day)}"
        else:
            yield day_begins(day), day_begins(day + _DAY), f"{day:%A}, {_date(day)}"
    if match := _THIS.search(text):
        unit = match["unit"].lower()
        yield day_begins(_begin(unit, today)), now, f"this {unit}"
    if re.search(r"\byesterday\b", text, re.I):
        day = today - _DAY
        yield day_begins(day), day_begins(today), f"yesterday ({day:%A}, {_date(day)})"
    if _TODAY.search(text):
        yield min(before_session(now), now - _DAY), now, f"today ({today:%A}, {_date(today)})"


def _dated(text: str, now: datetime, today: date) -> Iterator[tuple[datetime, datetime, str]]:
    named = [each for each in moments(text, today) if _is_period(each, text, today)]
    if not named:
        return
    first = named[0]
    last = named[-1] if _BETWEEN.search(text) else first
    if last is first and first.order in ("since", "after"):
        yield day_begins(first.start), now, f"since {_date(first.start)}"
        return
    words = _date(first.start) if first.start == last.end else f"{_date(first.start)} to {_date(last.end)}"
    yield day_begins(first.start), min(now, day_begins(last.end + _DAY)), words


def _is_period(moment: Moment, text: str, today: date) -> bool:
    """True for a past period of news: 'in 2023', but not '2026 deliveries' or 'Q3 2026'. Words such as 'today' are
    parsed elsewhere, with the sessions of the market."""
    words = moment.span.of(text)
    if moment.start > today or _OF_ACCOUNTS.search(words) or _OF_MARKETS.search(words):
        return False
    return moment.precision is not Precision.YEAR or moment.order in ("since", "after") or moment.end < today


def _closed(text: str, now: datetime, since: datetime, until: datetime) -> Iterator[str]:
    """A note if the one day asked about is not a trading day, with the last one before it."""
    day, last = new_york(since).date(), (new_york(until) - timedelta(seconds=1)).date()
    if until == now and _TODAY.search(text):
        day = last = new_york(now).date()
    if day == last and is_weekend(day):
        before = last_trading_day(day)
        yield (
            f"Stock exchanges are closed on {day:%A}, {_date(day)}. The last session before was on {before:%A}, "
            f"{_date(before)}."
        )


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
