"""When each telling can have been published at all, from its own date and from those who name it.

Whoever names a report came after it: an undated report is not later than the first that names it, and of two dates that
contradict a credit one is wrong. What an archive has captured was there by then, and so was all that it goes back to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median

from inquest.sources.dating import disproved_by
from inquest.stories.credits import Credit, Telling, later

__all__ = ["Times", "behind_of", "pace_of", "times_of"]

_LONE = timedelta(days=21)
"""A date so long before nearly all others of the story is not believed, ..."""
_FEWEST, _BEARING_OUT = 3, 0.4
"""... where there are so many dates at least, unless this part of them go back to its document."""

_STEPS = 8
_USUAL, _LEAST, _ENOUGH = timedelta(hours=8), timedelta(hours=1), 3


@dataclass(frozen=True, slots=True)
class Times:
    """Between which moments a telling was published."""

    start: datetime | None
    """The earliest that its date can mean; None: it has none."""
    end: datetime | None
    """The latest that its date can mean."""
    believed: bool
    """Whether nothing speaks against its date."""
    latest: datetime | None
    """The latest that it can have been, by its date if that is believed, and by those who name it."""

    def before(self, start: datetime | None, latest: datetime) -> float:
        """How likely it is, by its date, that it came before what was published between these two moments; without
        `start`: at any time until `latest`. 0 to 1."""
        if self.start is None or self.end is None:
            return 1.0
        end = self.end if self.latest is None else max(self.start, min(self.end, self.latest))
        if start is None or start > latest:
            return 1.0 if self.start <= latest else 0.0
        others = [start + (latest - start) * (step + 0.5) / _STEPS for step in range(_STEPS)]
        return sum(_part_before(self.start, end, other) for other in others) / _STEPS


def _part_before(start: datetime, end: datetime, moment: datetime) -> float:
    if moment >= end:
        return 1.0
    return max(timedelta(), moment - start) / (end - start) if end > start else 0.0


def times_of(members: Sequence[Telling], forest: Mapping[str, Credit]) -> dict[str, Times]:
    """The times of each member, by id; `forest`: credits without cycles, by teller."""
    by_id = {member.id: member for member in members}
    seen = _handed_up({member.id: member.seen for member in members if member.seen}, forest)
    disproved = {
        member.id
        for member in members
        if member.published and member.id in seen and disproved_by(member.published, seen[member.id])
    }
    dated = {member.id: member for member in members if member.published and member.id not in disproved}
    doubtful = disproved | _contradicted(dated, by_id, forest) | _lone(dated, forest)
    ends = {id: member.published.latest for id, member in dated.items() if member.published and id not in doubtful}
    latest = _handed_up(ends | {id: min(at, ends.get(id, at)) for id, at in seen.items()}, forest)
    return {
        member.id: Times(
            member.published.at if member.published else None,
            member.published.latest if member.published else None,
            member.published is not None and member.id not in doubtful,
            latest.get(member.id),
        )
        for member in members
    }


def _handed_up(known: Mapping[str, datetime], forest: Mapping[str, Credit]) -> dict[str, datetime]:
    """By when each was there: by when it or one that goes back to it was."""
    found: dict[str, datetime] = {}
    for member, at in known.items():
        here = member
        while here not in found or found[here] > at:
            found[here] = at
            if here not in forest:
                break
            here = forest[here].origin
    return found


def pace_of(times: Mapping[str, Times], forest: Mapping[str, Credit]) -> timedelta:
    """How long it takes in this story until a report is taken over: the median over the credits; at least an hour."""
    delays = []
    for teller, credit in forest.items():
        start, end = times[teller].start, times[credit.origin].end
        if start and end and times[teller].believed and times[credit.origin].believed:
            delays.append(max(start - end, timedelta()).total_seconds())
    known = [*delays, _USUAL.total_seconds()] if len(delays) < _ENOUGH else delays
    return max(timedelta(seconds=median(known)), _LEAST)


def _contradicted(dated: Mapping[str, Telling], by_id: Mapping[str, Telling], forest: Mapping[str, Credit]) -> set[str]:
    """Dates that are wrong because someone goes back, directly or through others, to a report of a later date: first
    those that most of the dates of their line speak against, and of two the one further from the origin."""
    against: dict[str, set[str]] = defaultdict(set)
    depth: dict[str, int] = {}
    compared: dict[str, int] = defaultdict(int)
    for teller in by_id:
        here, steps = teller, 0
        while here in forest:
            here, steps = forest[here].origin, steps + 1
            if here not in dated or teller not in dated:
                continue
            compared[here] += 1
            compared[teller] += 1
            if later(dated[here].published, dated[teller].published):
                against[teller].add(here)
                against[here].add(teller)
        depth[teller] = steps
    wrong: set[str] = set()
    while any(against.values()):
        worst = max(against, key=lambda each: (len(against[each]) / (1 + compared[each]), depth[each], each))
        wrong.add(worst)
        for other in against.pop(worst):
            against[other].discard(worst)
    return wrong


def behind_of(members: Collection[str], forest: Mapping[str, Credit]) -> dict[str, int]:
    """How many members go back to each, directly or through others."""
    behind = dict.fromkeys(members, 0)
    for member in members:
        here = member
        while here in forest:
            here = forest[here].origin
            behind[here] = behind.get(here, 0) + 1
    return behind


def _lone(dated: Mapping[str, Telling], forest: Mapping[str, Credit]) -> set[str]:
    """Those dated long before nearly all others, though few go back to them and no archive saw them at that time."""
    starts = {id: member.published.at for id, member in dated.items() if member.published}
    if len(starts) < _FEWEST:
        return set()
    bound = datetime.fromtimestamp(median(at.timestamp() for at in starts.values()), UTC) - _LONE
    behind = behind_of(dated, forest)
    borne_out = {id for id in dated if behind[id] >= _BEARING_OUT * (len(dated) - 1)}
    seen = {id for id, member in dated.items() if member.seen and member.seen < bound}
    return {id for id, at in starts.items() if at < bound} - borne_out - seen
