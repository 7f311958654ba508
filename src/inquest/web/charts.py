"""Layout of the timeline of a case, as coordinates for its SVG template."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from inquest.domain.document import Precision
from inquest.domain.report import TimelineEvent

WIDTH = 1000.0  # width of the drawing in its own units
_MARGIN = 36.0
_LANE = 22.0
_APART = 18.0  # the minimum distance between two marks in one lane


@dataclass(frozen=True)
class Mark:
    """An event: a dot for a day, a bar for a month or a year."""

    number: int
    x: float
    width: float
    lane: int
    event: TimelineEvent

    @property
    def y(self) -> float:
        return 20 + self.lane * _LANE


@dataclass(frozen=True)
class Timeline:
    """A drawn period of time."""

    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]  # the labelled lines of the scale
    height: float
    hidden: int  # number of events outside the period or without a readable date


def years_of(events: Sequence[TimelineEvent]) -> tuple[int, ...]:
    """Return the years of the events."""
    return tuple(sorted({span[0].year for span in map(_span, events) if span}))


def months_of(events: Sequence[TimelineEvent], year: int) -> tuple[int, ...]:
    """Return the months of that year with events whose month is known."""
    spans = [span for event in events if (span := _span(event)) and span[0].year == year]
    return tuple(sorted({first.month for first, last in spans if last.month == first.month}))


def timeline_of(events: Sequence[TimelineEvent], *, year: int | None = None, month: int | None = None) -> Timeline:
    """Lay out the events from left to right, in further lanes if marks would touch. `year`: only that year; `month`:
    only that month of it."""
    dated = [(number, event, span) for number, event in enumerate(events, 1) if (span := _span(event))]
    if year is not None:
        first, last = date(year, month or 1, 1), date(year, month or 12, monthrange(year, month or 12)[1])
        dated = [each for each in dated if each[2][0] <= last and first <= each[2][1]]
    if not dated:
        return Timeline((), (), 0, len(events))
    if year is None:
        first, last = min(span[0] for _, _, span in dated), max(span[1] for _, _, span in dated)
    days = max(1, (last - first).days)

    def x(day: date) -> float:
        inside = min(max((day - first).days, 0), days)
        return round(_MARGIN + inside / days * (WIDTH - 2 * _MARGIN), 1)

    marks, ends = [], list[float]()
    for number, event, (start, end) in sorted(dated, key=lambda each: (each[2][0], each[0])):
        left, right = x(start), x(end)
        lane = next((lane for lane, taken in enumerate(ends) if left >= taken + _APART), len(ends))
        ends[lane : lane + 1] = [max(left, right)]
        marks.append(Mark(number, left, round(right - left, 1), lane, event))
    ticks = tuple((x(day), label) for day, label in _scale(first, last))
    return Timeline(tuple(marks), ticks, 20 + len(ends) * _LANE + 26, len(events) - len(marks))


def _span(event: TimelineEvent) -> tuple[date, date] | None:
    parts = event.date[:10].split("-")
    try:
        year = int(parts[0])
        month = int(parts[1]) if len(parts) > 1 else 1
        day = date(year, month, int(parts[2]) if len(parts) > 2 else 1)
    except ValueError:
        return None
    if event.precision is Precision.YEAR or len(parts) == 1:
        return date(year, 1, 1), date(year, 12, 31)
    if event.precision is Precision.MONTH or len(parts) == 2:
        return day.replace(day=1), day.replace(day=monthrange(year, month)[1])
    return day, day


def _scale(first: date, last: date) -> list[tuple[date, str]]:
    """Return the labels: years for several years, months for about a year, days for up to two months."""
    days = (last - first).days
    if days > 800:
        step = max(1, days // 365 // 10)
        return [
            (date(y, 1, 1), str(y)) for y in range(first.year + (first > date(first.year, 1, 1)), last.year + 1, step)
        ]
    if days > 60:
        step = 1 if days <= 400 else 3
        months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month, step)
        starts = [date(m // 12, m % 12 + 1, 1) for m in months]
        return [(day, f"{day:%b %Y}") for day in starts if day >= first]
    step = max(1, days // 8)
    return [(day, f"{day.day} {day:%b}") for day in (first + timedelta(n) for n in range(0, days + 1, step))]
