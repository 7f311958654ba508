"""When the stock exchanges of New York are open: days of trading, holidays and hours.

Holidays by the rule of NYSE Rule 7.2 and the exchange's published calendars. One that falls on a Sunday is kept on the
Monday, on a Saturday on the Friday before, but for New Year's Day. Closings at short notice are not in it.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from functools import cache

from inquest.text.dates import utc
from inquest.text.securities import eastern

OPENS, CLOSES = time(9, 30), time(16)
"""The regular session, by New York's clock; extended hours are not counted."""
_SATURDAY, _DAY = 5, timedelta(days=1)


def new_york(moment: datetime) -> datetime:
    """A moment by the clock of New York. A moment without an offset is taken for UTC."""
    at = utc(moment)
    for hours in (5, 4):
        wall = (at - timedelta(hours=hours)).replace(tzinfo=None, microsecond=0)
        if str(eastern(wall.isoformat(" "))).endswith(f"-0{hours}:00"):
            return at.astimezone(timezone(timedelta(hours=-hours)))
    # The hour that the clocks of November strike twice: this is its second time.
    return at.astimezone(timezone(timedelta(hours=-5)))


def holiday_name(day: date) -> str | None:
    """Which holiday shuts the exchanges that day; None: no holiday (it may be a weekend)."""
    return _holidays(day.year).get(day)


def is_trading_day(day: date) -> bool:
    """Whether the exchanges of New York are open that day."""
    return day.weekday() < _SATURDAY and holiday_name(day) is None


def last_trading_day(day: date) -> date:
    """That day, or the nearest day of trading before it."""
    while not is_trading_day(day):
        day -= _DAY
    return day


def day_begins(day: date, at: time = time.min) -> datetime:
    """Midnight (or another hour) of New York's clock on that day, in UTC."""
    return utc(datetime.fromisoformat(str(eastern(datetime.combine(day, at).isoformat(" ")))))


def before_session(now: datetime) -> datetime:
    """From when on news can have moved a share 'today': the close before the session of today, or of the last one."""
    session = last_trading_day(new_york(now).date())
    return day_begins(last_trading_day(session - _DAY), CLOSES)


def market_note(now: datetime) -> str:
    """Where the exchanges of New York are not open at this moment: why, and which was the last session; '' if open."""
    here = new_york(now)
    day = here.date()
    if not is_trading_day(day):
        name = holiday_name(day)
        why = f"{name} is a market holiday" if name else f"it is a {day:%A}"
        return f"The US stock markets are closed: {why}. The last session was on {said_day(last_trading_day(day))}."
    if here.time() < OPENS:
        before = last_trading_day(day - _DAY)
        return f"The US stock markets have not opened yet today. The last session was on {said_day(before)}."
    return f"The US stock markets have closed for today ({said_day(day)})." if here.time() >= CLOSES else ""


def said_day(day: date) -> str:
    """'Friday, 20 November 2026'."""
    return f"{day:%A}, {day.day} {day:%B %Y}"


@cache
def _holidays(year: int) -> dict[date, str]:
    fixed = [(7, 4, "Independence Day"), (12, 25, "Christmas Day"), *([(6, 19, "Juneteenth")] if year > 2021 else [])]
    found = {_observed(date(year, month, day)): name for month, day, name in fixed}
    if date(year, 1, 1).weekday() != _SATURDAY:
        found[_observed(date(year, 1, 1))] = "New Year's Day"
    return found | {
        _nth(year, 1, 0, 3): "Martin Luther King Jr. Day",
        _nth(year, 2, 0, 3): "Washington's Birthday",
        _easter(year) - 2 * _DAY: "Good Friday",
        _nth(year, 6, 0, 1) - 7 * _DAY: "Memorial Day",
        _nth(year, 9, 0, 1): "Labor Day",
        _nth(year, 11, 3, 4): "Thanksgiving Day",
    }


def _observed(day: date) -> date:
    return day + timedelta(days={5: -1, 6: 1}.get(day.weekday(), 0))


def _nth(year: int, month: int, weekday: int, which: int) -> date:
    """The nth Monday (0), ..., Sunday (6) of a month."""
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (which - 1))


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm: Meeus, Astronomical Algorithms, chapter 8)."""
    golden, century, rest = year % 19, year // 100, year % 100
    leap, moon = century // 4, (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - moon + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    month, day = divmod(epact + sunday - 7 * ((golden + 11 * epact + 22 * sunday) // 451) + 114, 31)
    return date(year, month, day + 1)
