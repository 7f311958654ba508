"""When each telling can have been published at all, from its own date and from those who name it.

Whoever names a report came after it: an undated report is not later than the first that names it, and of two dates that
contradict a credit one is wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from statistics import median

from inquest.domain.document import Precision
from inquest.logic.origin import Credit, Telling, later

__all__ = ["Times", "pace_of", "times_of"]

_LONE = timedelta(days=21)
"""A date so long before nearly all others of the story is not believed, unless others name its document."""

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
    doubtful = _contradicted(by_id, forest) | _lone(members, forest)
    latest: dict[str, datetime] = {}
    for member in members:
        end = _end(member)
        if end is None or member.id in doubtful:
            continue
        here = member.id
        while here in by_id:
            known = latest.get(here)
            if known is not None and known <= end:
                break
            latest[here] = end
            here = forest[here].origin if here in forest else ""
    return {
        member.id: Times(
            member.published.at if member.published else None,
            _end(member),
            member.published is not None and member.id not in doubtful,
            latest.get(member.id),
        )
        for member in members
    }


def pace_of(times: Mapping[str, Times], forest: Mapping[str, Credit]) -> timedelta:
    """How long it takes in this story until a report is taken over: the median over the credits; at least an hour."""
    delays = []
    for teller, credit in forest.items():
        start, end = times[teller].start, times[credit.origin].end
        if start and end and times[teller].believed and times[credit.origin].believed:
            delays.append(max(start - end, timedelta()).total_seconds())
    known = [*delays, _USUAL.total_seconds()] if len(delays) < _ENOUGH else delays
    return max(timedelta(seconds=median(known)), _LEAST)


def _contradicted(by_id: Mapping[str, Telling], forest: Mapping[str, Credit]) -> set[str]:
    """Dates that are wrong because someone goes back, directly or through others, to a report of a later date: first
    those that most of the dates of their line speak against, and of two the one further from the origin."""
    against: dict[str, set[str]] = defaultdict(set)
    depth: dict[str, int] = {}
    compared: dict[str, int] = defaultdict(int)
    for teller in by_id:
        here, steps = teller, 0
        while here in forest:
            here, steps = forest[here].origin, steps + 1
            if by_id[here].published and by_id[teller].published:
                compared[here] += 1
                compared[teller] += 1
            if later(by_id[here].published, by_id[teller].published):
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


def _lone(members: Sequence[Telling], forest: Mapping[str, Credit]) -> set[str]:
    named = {credit.origin for credit in forest.values()}
    dated = [member for member in members if member.published]
    if len(dated) < 3:
        return set()
    middle = median(member.published.at.timestamp() for member in dated if member.published)
    bound = datetime.fromtimestamp(middle, UTC) - _LONE
    return {
        member.id for member in dated if member.published and member.published.at < bound and member.id not in named
    }


def _end(member: Telling) -> datetime | None:
    """The last moment its date can mean: what is known to the day only is not earlier than a time on that day."""
    if member.published is None:
        return None
    return member.published.at if member.published.precision is Precision.TIME else member.published.latest
