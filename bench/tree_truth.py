"""Decision on whether the origin of a generated tree can be determined from what survived, based on how the tree was
made.

The generator of a tree knows what it destroyed. A report that can be read, or that others name, is a rival of the
origin if nothing that survived distinguishes the origin from it:

- its own words, by-line or link: a report that credits another is not the first (except in a loop);
- a time: a report existed, by its date, a capture or those of one that goes back to it, before the date of the rival,
  and not before the date of the origin. For a report that was not found, the date is that of the earliest that goes
  back to it: there is no earlier trace of it;
- a text: the rival lacks a statement that the origin and one further report have, because copies leave things out;
- a line of credits: more reports go back to the origin, by words, by-lines or links, than to the rival; if both are in
  one loop, more reports reach the origin first.

This uses only facts about the making (which report was made from which, which statements were kept, which date it was
given) and no rule that finds origins. Misleading signs do not make a rival: if one true sign survives, the origin
counts as one that can be determined, however many false signs there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from inquest.domain.document import Published

__all__ = ["Survived", "rivals_of"]


@dataclass(frozen=True, slots=True)
class Survived:
    """The parts of one report of a tree that survived."""

    at: datetime
    """Its true time of publication."""
    says: str | None
    """Key of the report that it credits or links to as its source."""
    statements: frozenset[int]
    published: Published | None
    """The date that it gives, right or wrong."""
    captured: datetime | None
    found: bool
    """True if it is among the documents; otherwise it is known only from reports that name it."""


def rivals_of(origin: str, reports: Mapping[str, Survived]) -> frozenset[str]:
    """The keys of the reports that nothing distinguishes from the origin. `reports`: all that were found, those that
    are named, and the origin."""
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
    """The report, the report that it credits, and so on; once round a loop."""
    line = [key]
    while (above := reports[line[-1]].says) is not None and above not in line:
        line.append(above)
    return line


def _met_first(line: Sequence[str], two: tuple[str, str]) -> str | None:
    """The one of the two that a report goes back to, or reaches first; None: it reaches neither, or is one of them."""
    return None if line[0] in two else next((key for key in line if key in two), None)


def _day(keys: Sequence[str], reports: Mapping[str, Survived]) -> datetime | None:
    """The earliest date that these give."""
    return min((dated.at for key in keys if (dated := reports[key].published)), default=None)


def _there(keys: Sequence[str], reports: Mapping[str, Survived]) -> datetime | None:
    """The latest time by which the first of these existed, by the dates and captures of all; dates that are too early
    are ignored."""
    found = [reports[key] for key in keys if reports[key].found]
    dates = [each.published.latest for each in found if each.published and each.published.latest >= each.at]
    return min([*dates, *(each.captured for each in found if each.captured)], default=None)


def _statements(key: str, behind: Sequence[str], reports: Mapping[str, Survived]) -> frozenset[int]:
    """Its statements; for a report that was not found, those of the reports that go back to it."""
    if reports[key].found:
        return reports[key].statements
    return frozenset[int]().union(*(reports[each].statements for each in behind))
