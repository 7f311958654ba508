"""New York's clock and its days of trading: Monday to Friday, for holidays change no window by more than a day."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from inquest.text.dates import utc

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
