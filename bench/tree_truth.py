"""Whether the origin of a generated tree can be known from what survived of it, by how the tree was made.

A tree's maker knows what it destroyed. A report that can be read, or that others name, is a rival of the origin where
nothing that survived tells the origin from it:

- its own words, by-line or link: who says whom it has the matter from is not the first (but round a loop);
- a moment: a report was there, by its date, a capture or those of one that goes back to it, before the day that the
  rival bears, and not before the day that the origin bears. Of a report that was not found, the day is that of the
  earliest that goes back to it: there is no trace of it before;
- a text: the rival lacks a statement that the origin and one further report have, as who copies leaves out;
- a line of credits: more reports go back to the origin, by words, by-lines or links, than to the rival; of two in one
  loop, come to it first.

This looks at facts of the making alone (who was made of whom, which statements were kept, which date was put on it) and
at no rule that finds origins. A sign that misleads makes no rival: where one true sign survives, the origin counts as
one that can be known, however many false ones stand against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from inquest.domain.document import Published

__all__ = ["Survived", "rivals_of"]


@dataclass(frozen=True, slots=True)
class Survived:
    """What survived of one report of a tree."""

    at: datetime
    """When it was really published."""
    says: str | None
    """Key of the report that it says or shows it has the matter from."""
    statements: frozenset[int]
    published: Published | None
    """The date that it bears, right or wrong."""
    captured: datetime | None
    found: bool
    """Whether it is among the documents; otherwise it is known from those alone who name it."""


def rivals_of(origin: str, reports: Mapping[str, Survived]) -> frozenset[str]:
    """The keys of those that nothing tells the origin from. `reports`: all that were found, those that are named, and
    the origin."""
    lines = {key: _line(key, reports) for key in reports}
    behind: dict[str, list[str]] = {key: [] for key in reports}
    for key, (_, *above) in lines.items():
        for each in above if reports[key].found else ():
            behind[each].append(key)
    known = [key for key in reports if reports[key].found or behind[key] or key == origin]
    there = {key: _there([key, *behind[key]], reports) for key in known}
    told = {key: _statements(key, behind[key], reports) for key in known}
    days = {key: _day([key, *behind[key]] if not reports[key].found else [key], reports) for key in known}
    first = days[origin]

    def is_rival(key: str) -> bool:
        round_about = origin in lines[key] and key in lines[origin]
        if reports[key].says is not None and not round_about:
            return False
        day = days[key]
        if day and any(at < day and not (first and at < first) for other, at in there.items() if at and other != key):
            return False
        lost = told[origin] - told[key]
        if any(lost & told[other] for other in known if other not in (origin, key)):
            return False
        met = [_met_first(line, (origin, key)) for other, line in lines.items() if reports[other].found]
        return met.count(origin) <= met.count(key)

    return frozenset(key for key in known if key != origin and is_rival(key))


def _line(key: str, reports: Mapping[str, Survived]) -> list[str]:
    """The report, whom it says that it has the matter from, and so on; round a loop once."""
    line = [key]
    while (above := reports[line[-1]].says) is not None and above not in line:
        line.append(above)
    return line


def _met_first(line: Sequence[str], two: tuple[str, str]) -> str | None:
    """Which of the two a report goes back to, of both the one it comes to first; None: to neither, or it is one."""
    return None if line[0] in two else next((key for key in line if key in two), None)


def _day(keys: Sequence[str], reports: Mapping[str, Survived]) -> datetime | None:
    """The earliest date that these bear."""
    return min((dated.at for key in keys if (dated := reports[key].published)), default=None)


def _there(keys: Sequence[str], reports: Mapping[str, Survived]) -> datetime | None:
    """By when the first of these was there, by the dates and captures of all; not by a date that is too early."""
    found = [reports[key] for key in keys if reports[key].found]
    dates = [each.published.latest for each in found if each.published and each.published.latest >= each.at]
    return min([*dates, *(each.captured for each in found if each.captured)], default=None)


def _statements(key: str, behind: Sequence[str], reports: Mapping[str, Survived]) -> frozenset[int]:
    """What it states; of one that was not found, what those state that go back to it."""
    if reports[key].found:
        return reports[key].statements
    return frozenset[int]().union(*(reports[each].statements for each in behind))
