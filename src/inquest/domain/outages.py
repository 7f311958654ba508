"""Outages as a report lists them: each trouble once, and what is out for the same reason together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from inquest.domain.english import listed, numeral
from inquest.domain.report import OutageNote

_NUMBER = re.compile(r"\d+(?:\.\d+)? s\b")
_NAMED = 10
"""Names in one line."""
_NAMED_PAGES = 3


class OutageGroup(NamedTuple):
    """Outages of one kind with the same reason."""

    notes: tuple[OutageNote, ...]
    why: str
    """A sentence; for several outages, 'Each is out of order (503).'"""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the services or pages that failed, each once."""
        return tuple(dict.fromkeys(note.where for note in self.notes))


def distinct(notes: Iterable[OutageNote]) -> tuple[OutageNote, ...]:
    """Each trouble once: the same reason with another number of seconds is the same, and that somebody was left alone
    after failures is known by these failures, where known."""
    once: dict[tuple[str, str, str], OutageNote] = {}
    for note in notes:
        once.setdefault((note.what, note.where, _NUMBER.sub("", note.why)), note)
    failed = {(note.what, note.where) for note in once.values() if not note.after_failures}
    return tuple(note for note in once.values() if not note.after_failures or (note.what, note.where) not in failed)


def alike(notes: Sequence[OutageNote]) -> tuple[OutageGroup, ...]:
    """The outages in their order, those of one kind together whose reasons differ in nothing but who is named in
    them."""
    groups: dict[tuple[str, tuple[str, ...]], list[OutageNote]] = {}
    for note in notes:
        groups.setdefault((note.what, _around_the_name(note)), []).append(note)
    return tuple(OutageGroup(tuple(group), _why(group)) for group in groups.values())


def outage_lines(notes: Sequence[OutageNote], most: int) -> list[str]:
    """Return at most this many outages as sentences, and the number of remaining ones."""
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
    """The reason; of reasons in which different names stand, what is said of each of them."""
    first = group[0]
    if all(note.why == first.why for note in group):
        return first.why
    return f"Each{''.join(_around_the_name(first)[1:])}"


def _around_the_name(note: OutageNote) -> tuple[str, ...]:
    """What is in the reason before and after the name of what could not be asked; the whole reason, where that is
    not named."""
    for name in filter(None, (note.called, note.where, urlsplit(note.where).hostname)):
        before, found, after = note.why.partition(name)
        if found:
            return before, after
    return (note.why,)
