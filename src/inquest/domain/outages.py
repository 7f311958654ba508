"""Outages as a report lists them: each trouble once, and what is out for the same reason together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from inquest.domain.english import listed, numeral
from inquest.domain.report import OutageNote

_NAME = 4
"""Words that a name at the beginning of a reason has at most: 'Google (Serper)', 'The page at https://...'."""
_SAME = 3
"""Words in which two reasons must end alike, to be one reason."""
_NUMBER = re.compile(r"\d+(?:\.\d+)? s\b")
_NAMED = 10
"""Names in one line."""
_NAMED_PAGES = 3


class OutageGroup(NamedTuple):
    """Outages of one kind with one reason."""

    notes: tuple[OutageNote, ...]
    why: str
    """A sentence: of several, 'Each is out of order (503).'"""

    @property
    def names(self) -> tuple[str, ...]:
        """What could not be asked, each once."""
        return tuple(dict.fromkeys(note.where for note in self.notes))


def distinct(notes: Iterable[OutageNote]) -> tuple[OutageNote, ...]:
    """Each trouble once: the same reason with another number of seconds is the same, and that somebody was left alone
    after failures is told by these failures, where known."""
    once: dict[tuple[str, str, str], OutageNote] = {}
    for note in notes:
        once.setdefault((note.what, note.where, _NUMBER.sub("", note.why)), note)
    failed = {(note.what, note.where) for note in once.values() if not note.after_failures}
    return tuple(note for note in once.values() if not note.after_failures or (note.what, note.where) not in failed)


def alike(notes: Sequence[OutageNote]) -> tuple[OutageGroup, ...]:
    """The outages in their order, those of one kind together whose reasons differ in nothing but the name at their
    beginning."""
    groups: list[list[OutageNote]] = []
    for note in notes:
        same = next((group for group in groups if group[0].what == note.what and _end(group[0], note)), None)
        if same is None:
            groups.append([note])
        else:
            same.append(note)
    return tuple(OutageGroup(tuple(group), _why(group)) for group in groups)


def outage_lines(notes: Sequence[OutageNote], most: int) -> list[str]:
    """The outages as sentences, at most so many, and how many more there are."""
    groups = alike(distinct(notes))
    said = [_line(group) for group in groups[:most]]
    if more := sum(len(group.names) for group in groups[most:]):
        left = f"{numeral(more)} more {'outage stands' if more == 1 else 'outages stand'} in the list of outages"
        said.append(left[:1].upper() + left[1:])
    return said


def _line(group: OutageGroup) -> str:
    names = group.names
    if len(names) == 1 and names[0].casefold() in group.why.casefold():
        return group.why
    most = _NAMED_PAGES if group.notes[0].what == "page" else _NAMED
    shown = [*names[:most], *([f"{numeral(len(names) - most)} more"] if len(names) > most else [])]
    verb = "read" if group.notes[0].what == "page" else "asked"
    return f"Could not be {verb}: {listed(shown)}. {group.why}"


def _why(group: Sequence[OutageNote]) -> str:
    first, reasons = group[0], {note.why for note in group}
    if len(reasons) == 1:
        return first.why
    shortest = min((_end(first, note) for note in group[1:] if note.why != first.why), key=len)
    return f"Each {' '.join(shortest)}"


def _end(one: OutageNote, other: OutageNote) -> tuple[str, ...]:
    """The words in which both reasons end alike, where nothing but a name stands before them; () where they differ."""
    first, second = one.why.split(), other.why.split()
    same = 0
    while same < min(len(first), len(second)) and first[-1 - same] == second[-1 - same]:
        same += 1
    before = max(len(first), len(second)) - same
    return tuple(first[len(first) - same :]) if same >= _SAME and before <= _NAME else ()
