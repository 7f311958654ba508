"""The age of a lead, and the factor by which it lowers the lead's rank."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

from inquest.domain.reasons import Reason, in_words
from inquest.domain.value import Precision, Published

_AHEAD = timedelta(days=1)
"""Tolerance for dates in the future, because of time zones and pages dated by the next morning's paper."""
_DAY = timedelta(days=1)


class Freshness(Enum):
    """Factors by age, as (greatest age, factor); the last one is for older and for undated leads."""

    ANY = ((timedelta.max, 1.0),)
    """Age does not matter: an inquiry asks what happened, whenever that was."""
    NEWS = ((7 * _DAY, 1.0), (30 * _DAY, 0.9), (365 * _DAY, 0.75), (timedelta.max, 0.6))
    MARKET = ((_DAY / 24, 1.0), (_DAY / 4, 0.9), (_DAY, 0.7), (7 * _DAY, 0.4), (timedelta.max, 0.1))
    """The market desk's table (spec 003, reranking criteria). The first step ends before its limit."""


class Age(NamedTuple):
    """The factor of an age, 0 to 1, and the age in words for a person: '2 h', '3 days', 'no date'."""

    factor: float
    code: Reason

    @property
    def words(self) -> str:
        """The age in words."""
        return in_words(self.code)


def freshness_of(published: Published | None, as_of: datetime | None, freshness: Freshness) -> Age:
    """Return the age of a lead at `as_of`; without `as_of` age does not count.

    A date without its hour may mean any moment of its day, one without its day any of its month: the middle of the
    part that has passed counts, so that a bare year does not count as this morning.
    """
    steps: tuple[tuple[timedelta, float], ...] = freshness.value
    if as_of is None:
        return Age(1.0, _age("age_not_counted"))
    if published is None:
        return Age(steps[-1][1], NO_DATE)
    if published.at > as_of + _AHEAD:
        return Age(steps[-1][1], _age("dated_ahead"))
    latest = min(published.latest, as_of)
    age = max(timedelta(0), as_of - (published.at + (latest - published.at) / 2))
    factor = next(factor for place, (limit, factor) in enumerate(steps) if age < limit or (place and age == limit))
    rough = age.days < 1 and published.precision is not Precision.TIME
    return Age(factor, _age("today") if rough else _in_units(age))


def _in_units(age: timedelta) -> Reason:
    """Word an age: '20 min', '2 h', '3 days', '5 months', '2 years'."""
    days = age.days
    if days < 1:
        minutes = int(age.total_seconds() // 60)
        return _age("minutes", minutes) if minutes < 60 else _age("hours", minutes // 60)
    for unit, size in (("years", 365), ("months", 30)):
        if days >= 2 * size:
            return _age(unit, days // size)
    return _age("days", days)


def _age(name: str, number: int = 0) -> Reason:
    return Reason(code=f"sources.{name}", data={"number": number})


NO_DATE = _age("no_date")
