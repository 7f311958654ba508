"""The origin of a large story, by a few strong signs: earliest, named by most, telling most of what the others tell.

Among very many tellings that name nobody, who is made of whom is a guess for each; the sum of so many guesses would
drown what is certain. So a large story is judged by what its possible first tellings are, and no tree is grown.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

from inquest.logic.origin import Credit, Telling
from inquest.logic.origin_dates import times_of

__all__ = ["Signs", "signs_of"]

_WHOLE, _NAMED, _EARLIER, _UNDATED, _UNREAD = 9.0, 2.4, 1.0, 0.4, 1.5
"""How much the signs count; found on generated trees (bench/trees.py) other than those that are measured."""
_MOST_EARLIER = 1.6
"""More than four earlier ones speak no louder: in a large story some bear a date that is wrong."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for a member being the origin."""

    earlier: float
    """How many other candidates are certainly earlier; of one whose date is not known: can be."""
    undated: bool
    """It has no date, and others have."""
    unread: bool
    """It is known from those alone who name it."""
    behind: float
    """Which share of the members goes back to it through credits."""
    whole: float
    """Which share it has of the figures and names that several members tell."""

    @property
    def score(self) -> float:
        """The sum of the signs, each with its weight."""
        dates = _EARLIER * min(log(1 + self.earlier), _MOST_EARLIER) + _UNDATED * self.undated + _UNREAD * self.unread
        return _WHOLE * self.whole + _NAMED * sqrt(self.behind) - dates


def signs_of(
    candidates: Sequence[Telling], members: Sequence[Telling], forest: Mapping[str, Credit]
) -> dict[str, Signs]:
    """What speaks for each candidate."""
    behind = _behind(members, forest)
    times = times_of(members, forest)
    told_by = Counter(mark for member in members if member.readable for mark in member.matter.particulars)
    several = {mark for mark, count in told_by.items() if count > 1}
    told = {member.id: member.matter.particulars & several for member in candidates}
    most = max((len(marks) for marks in told.values()), default=0) or 1
    ends = sorted(time.end for member in candidates if (time := times[member.id]).believed and time.end)
    found = {}
    for member in candidates:
        time = times[member.id]
        start = time.start if time.believed else time.latest
        earlier = float(bisect_left(ends, start)) if start else float(len(ends))
        undated = bool(ends) and member.published is None
        share = behind[member.id] / max(1, len(members) - 1)
        found[member.id] = Signs(earlier, undated, not member.readable, share, len(told[member.id]) / most)
    return found


def _behind(members: Sequence[Telling], forest: Mapping[str, Credit]) -> dict[str, int]:
    """How many members go back to each, directly or through others."""
    behind = {member.id: 0 for member in members}
    for member in members:
        here = member.id
        while here in forest:
            here = forest[here].origin
            behind[here] += 1
    return behind
