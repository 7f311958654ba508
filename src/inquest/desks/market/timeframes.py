"""Which period a question asks about: 'today', 'this week', 'since Friday', 'the past 3 days', a date.

Days are those of New York's clock, where US shares are traded, Monday to Friday; holidays are not known.
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
from inquest.text.numerals import WORD_NUMBERS
from inquest.text.phrases import count
from inquest.text.regex import regex

_NEW_YORK = ZoneInfo("America/New_York")
_CLOSES = time(16)
"""The end of the regular session; extended hours are not counted."""
_SATURDAY, _DAY = 5, timedelta(days=1)
_UNITS = {"hour": timedelta(hours=1), "day": _DAY, "week": timedelta(days=7), "month": timedelta(days=30),
          "quarter": timedelta(days=91), "year": timedelta(days=365)}  # fmt: skip
_NUMBERS = {**WORD_NUMBERS, "few": 3, "": 1}
_COUNTED = regex(
    r"\b(?:past|last|previous|recent)\s+(?:(?:(?P<n>\d{1,3}|few|two|three|four|five|six|seven|eight|nine|ten)\s*-?\s*)"
    r"(?P<unit>hour|day|week|month|quarter|year)s?|(?P<one>hour|day))\b",
    re.I,
)
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SINCE = regex(rf"\b(?:since|after|from)\s+(?:last\s+|on\s+)?(?P<day>{'|'.join(_WEEKDAYS)})\b", re.I)
_TODAY = regex(r"\b(?:today(?:['’]s)?|now|currently|tonight|this (?:morning|afternoon|evening)|intraday)\b", re.I)
_OF_ACCOUNTS = regex(r"\b(?:Q[1-4]|quarter|H[12]|half|FY|fiscal|today)\b", re.I)
_BETWEEN = regex(r"\bbetween\b|\bfrom\b.{1,40}\b(?:to|until|till)\b", re.I)
_MOST = timedelta(days=3650)


def new_york(moment: datetime) -> datetime:
    """A moment by the clock of New York. A moment without an offset is taken for UTC."""
    return utc(moment).astimezone(_NEW_YORK)


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


def timeframe_of(text: str, now: datetime, usual: timedelta) -> Timeframe:
    """The period that a question asks about, counted back from `now`; `usual` where it says none."""
    now = utc(now)
    length = f"{usual.days * 24} hours" if usual.days <= 2 else count(usual.days, "day")
    since, until, words = next(_spoken(text, now), (now - usual, now, f"the past {length}"))
    return Timeframe(since=since, until=until, words=words, notes=tuple(_closed(text, now, since, until)))


def _spoken(text: str, now: datetime) -> Iterator[tuple[datetime, datetime, str]]:
    """The forms of a period in the text, the most exact first."""
    today = new_york(now).date()
    if match := _COUNTED.search(text):
        unit, said = (match["unit"] or match["one"]).lower(), (match["n"] or "").lower()
        times = max(1, int(said) if said.isdigit() else int(_NUMBERS[said]))
        yield now - min(_MOST, times * _UNITS[unit]), now, f"the past {count(times, unit) if times > 1 else unit}"
    if match := _SINCE.search(text):
        day = today - ((today.weekday() - _WEEKDAYS.index(match["day"].lower())) % 7 or 7) * _DAY
        yield day_begins(day), now, f"since {day:%A}, {_date(day)}"
    if named := [each for each in moments(text, today) if _is_past(each, text, today)]:
        first = named[0]
        last = min(today, (named[-1] if _BETWEEN.search(text) else first).end)
        if first.order in ("since", "after") and last == first.end:
            yield day_begins(first.start), now, f"since {_date(first.start)}"
        said = f"{first.start:%A}, {_date(last)}" if first.start == last else f"{_date(first.start)} to {_date(last)}"
        yield day_begins(first.start), min(now, day_begins(last + _DAY)), said
    if _TODAY.search(text):
        yield min(before_session(now), now - _DAY), now, f"today ({today:%A}, {_date(today)})"


def _is_past(moment: Moment, text: str, today: date) -> bool:
    """True for a time in the past that news can be of: 'in 2023', and neither '2026 deliveries' nor 'Q3 2026'."""
    if moment.start > today or _OF_ACCOUNTS.search(moment.span.of(text)):
        return False
    whole_year = moment.precision is Precision.YEAR and not moment.relative
    return not whole_year or moment.order in ("since", "after") or moment.end < today


def _closed(text: str, now: datetime, since: datetime, until: datetime) -> Iterator[str]:
    """That the one day asked about is no day of trading, and which was the last before it."""
    day, last = new_york(since).date(), (new_york(until) - timedelta(seconds=1)).date()
    if until == now and _TODAY.search(text):
        day = last = new_york(now).date()
    before = last_trading_day(day)
    if day == last and day != before:
        yield (
            f"Stock exchanges are closed on {day:%A}, {_date(day)}. The last session before was on {before:%A}, "
            f"{_date(before)}."
        )


def _date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
