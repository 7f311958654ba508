"""The origin of a large story, by a few strong signs: earliest, named by most, telling most of what the others tell.

Among very many tellings that name nobody, who is made of whom is a guess for each; the sum of so many guesses would
drown what is certain. So a large story is judged by what its possible first tellings are, and no tree is grown.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import log, sqrt
from statistics import median

from inquest.domain.document import Precision
from inquest.logic.origin import Credit, Telling

__all__ = ["Signs", "signs_of"]

_LONE = timedelta(days=21)
"""A date so long before all others of the story is not believed, unless others name its document."""
_WHOLE, _NAMED, _EARLIER, _UNDATED = 9.0, 2.4, 1.0, 1.4
"""How much the signs count; found on generated trees (bench/trees.py) other than those that are measured."""
_MOST_EARLIER = 1.6
"""More than four earlier ones speak no louder: in a large story some bear a date that is wrong."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for a member being the origin."""

    earlier: float
    """How many other candidates are certainly earlier."""
    undated: bool
    """It has no date, and others have."""
    behind: float
    """Which share of the members goes back to it through credits."""
    whole: float
    """Which share it has of the figures and names that several members tell."""

    @property
    def score(self) -> float:
        """The sum of the signs, each with its weight."""
        dates = _EARLIER * min(log(1 + self.earlier), _MOST_EARLIER) + _UNDATED * self.undated
        return _WHOLE * self.whole + _NAMED * sqrt(self.behind) - dates


def signs_of(
    candidates: Sequence[Telling], members: Sequence[Telling], forest: Mapping[str, Credit], misdated: set[str]
) -> dict[str, Signs]:
    """What speaks for each candidate."""
    behind = _behind(members, forest)
    doubtful = misdated | _lone(members, behind)
    told_by = Counter(mark for member in members for mark in member.matter.particulars)
    several = {mark for mark, count in told_by.items() if count > 1}
    told = {member.id: member.matter.particulars & several for member in candidates}
    most = max((len(marks) for marks in told.values()), default=0) or 1
    dated = sorted(
        (member for member in candidates if member.published and member.id not in doubtful),
        key=lambda member: (_end(member), member.id),
    )
    ends = [_end(member) for member in dated]
    found = {}
    for member in candidates:
        earlier = 0.0
        if member.id in doubtful:
            earlier = float(len(dated))
        elif member.published:
            earlier = float(bisect_left(ends, member.published.at))
        undated = bool(dated) and member.published is None
        share = behind[member.id] / max(1, len(members) - 1)
        found[member.id] = Signs(earlier, undated, share, len(told[member.id]) / most)
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


def _lone(members: Sequence[Telling], behind: Mapping[str, int]) -> set[str]:
    """Those dated long before nearly all others and named by nobody."""
    dated = [member for member in members if member.published]
    if len(dated) < 3:
        return set()
    bound = datetime.fromtimestamp(median(_start(member).timestamp() for member in dated), UTC) - _LONE
    return {member.id for member in dated if _start(member) < bound and not behind[member.id]}


def _start(member: Telling) -> datetime:
    return member.published.at if member.published else datetime.max.replace(tzinfo=UTC)


def _end(member: Telling) -> datetime:
    """The last moment its date can mean: what is known to the day only is not earlier than a time on that day."""
    if member.published is None:
        return datetime.max.replace(tzinfo=UTC)
    return member.published.at if member.published.precision is Precision.TIME else member.published.latest
