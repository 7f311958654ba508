"""How old a lead is, and what its age leaves of its worth."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple

from inquest.domain.published import Precision, Published

_AHEAD = timedelta(days=1)
"""How far ahead of 'now' a date may lie, because of time zones and of pages dated by the next morning's paper."""


class Step(NamedTuple):
    """Up to which age, and what is left then."""

    limit: timedelta
    left: float
    label: str


class Decay(NamedTuple):
    """What age leaves of a lead. The first step ends before its limit, the others with it."""

    steps: tuple[Step, ...]
    beyond: float
    beyond_label: str
    undated: float
    """Where no date is known, or one that lies ahead of 'now'."""


class Freshness(Enum):
    """How much age takes away from a lead."""

    ANY = Decay((), 1.0, "", 1.0)
    """Age does not matter: an inquiry asks what happened, whenever that was."""
    NEWS = Decay(
        (
            Step(timedelta(days=7), 1.0, "up to 7 days"),
            Step(timedelta(days=30), 0.9, "7 to 30 days"),
            Step(timedelta(days=365), 0.75, "1 to 12 months"),
        ),
        0.6,
        "more than a year",
        0.75,
    )
    MARKET = Decay(
        (
            Step(timedelta(hours=1), 1.0, "less than 1 hour"),
            Step(timedelta(hours=6), 0.9, "1 to 6 hours"),
            Step(timedelta(hours=24), 0.7, "6 to 24 hours"),
            Step(timedelta(days=7), 0.4, "1 to 7 days"),
        ),
        0.1,
        "more than 7 days",
        0.1,
    )
    """The market desk's table (spec 003, reranking criteria)."""


class Age(NamedTuple):
    """How old something is, and what that leaves of its worth."""

    factor: float
    """0 to 1."""
    label: str
    """The row of the table it falls in: '1 to 6 hours', 'no date', 'dated ahead'."""
    age: timedelta | None
    """None: not known, or ahead. Of a date that is only roughly known, the middle of what it can mean."""
    rough: bool = False
    """The date is known to the day or worse, so that hours mean little."""

    @property
    def words(self) -> str:
        """The age for a person: '2 h', '3 days'; 'no date' and 'dated ahead' as they are."""
        return self.label if self.age is None else age_in_words(self.age, rough=self.rough)


NOT_COUNTED = Age(1.0, "age not counted", None)
"""Where there is no 'now' to count from."""


def freshness_of(published: Published | None, as_of: datetime | None, freshness: Freshness) -> Age:
    """What age leaves of a lead's worth, counted from `as_of`; without it everything counts in full.

    A date without its hour may mean any moment of its day, one without its day any of its month: what counts is the
    middle of the part of it that has passed, so that a bare year is not taken for this morning.
    """
    decay: Decay = freshness.value
    if published is None:
        return Age(1.0 if as_of is None else decay.undated, "no date", None)
    if as_of is None:
        return NOT_COUNTED
    rough = published.precision is not Precision.TIME
    if published.at > as_of + _AHEAD:
        return Age(decay.undated, "dated ahead", None, rough)
    latest = min(published.latest, as_of)
    age = max(timedelta(0), as_of - (published.at + (latest - published.at) / 2))
    left, label = _left(decay, age)
    return Age(left, label or age_in_words(age, rough=rough), age, rough)


def _left(decay: Decay, age: timedelta) -> tuple[float, str]:
    for place, step in enumerate(decay.steps):
        if age < step.limit or (place and age == step.limit):
            return step.left, step.label
    return decay.beyond, decay.beyond_label


def age_in_words(age: timedelta, *, rough: bool = False) -> str:
    """'20 min', '2 h', '3 days', '5 months', '2 years'; of a rough age, no less than 'today'."""
    days = age.days
    if days < 1 and rough:
        return "today"
    if days < 1:
        minutes = int(age.total_seconds() // 60)
        return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h"
    for unit, size in (("year", 365), ("month", 30)):
        if days >= 2 * size:
            return f"{days // size} {unit}s"
    return "1 day" if days == 1 else f"{days} days"
