"""How well each telling explains, as the first one, that all the others exist.

A story spreads as a tree: each telling but one is made from another. For each possible first one the likeliest tree is
grown, and what is improbable in it is added up: details which the telling that one is made of lacks, a date before it,
wording that differs. To this comes in how many orders a tree of that shape could have grown from there ("rumor
centrality", Shah and Zaman, IEEE Transactions on Information Theory 57, 2011): the more went back to a telling, the
likelier it was there early.

All weights are natural logarithms of odds: estimates of how newsrooms err, tried on generated trees (bench/trees.py).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from math import log

from inquest.stories.copies import overlap, runs
from inquest.stories.credits import Credit, Telling
from inquest.stories.matter import heard
from inquest.stories.origin_dates import Times, pace_of, times_of
from inquest.stories.origin_marks import first_hand
from inquest.text.sentences import fold

__all__ = ["details_of", "told_by_several", "trees"]

_DETAIL, _OWN_DETAIL, _MOST_DETAILS = 1.2, 0.4, 10
"""A figure or name that several tell cannot come from a telling that lacks it; one of its own a copy may add."""
_WORDING = 2.0
"""A telling that shares no turn of phrase with the one it is to be made of."""
_DATE = 2.3
"""One date in ten is wrong."""
_DELAY = 0.5
"""For each factor of e by which the silence after the first telling is longer than the story's pace."""
_LATE = 0.5
"""For each factor of e in the number of tellings that can be earlier than one whose date is missing or wrong."""
_UNREAD = 2.0
"""Most origins are found; of one that could not be read nothing is known but what those tell who name it."""
_FIRST_HAND = 0.7
_WORTH, _MOST_WORTH = 0.05, 1.5
"""For each point of worth below the best candidate."""
_HEAD = 4_000
_WORD = re.compile(r"\w+")


def trees(
    looked_at: Collection[str], candidates: Sequence[Telling], members: Sequence[Telling], forest: Mapping[str, Credit]
) -> dict[str, float]:
    """What is improbable in the likeliest tree that begins with each of those that are looked at, by id; the less, the
    better. `forest`: credits without cycles, by teller; the candidates are those without one."""
    ground = _Ground(candidates, members, forest)
    return {each.id: ground.grow(place) for place, each in enumerate(candidates) if each.id in looked_at}


def details_of(members: Sequence[Telling]) -> dict[str, frozenset[str]]:
    """The figures and names that each tells, but for publishers': who had it first is no detail of the matter."""
    publishers = {heard(word) for member in members for name in member.names for word in name.split()}
    return {member.id: member.matter.particulars - publishers for member in members}


def told_by_several(members: Sequence[Telling], details: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Those details that more than one of the members that could be read tells."""
    told_by = Counter(mark for member in members if member.readable for mark in details[member.id])
    return frozenset(mark for mark, count in told_by.items() if count > 1)


def _wording(members: Sequence[Telling], forest: Mapping[str, Credit]) -> dict[str, frozenset[str]]:
    """The turns of phrase of each; of one that could not be read, all those of the tellings that name it."""
    found = {member.id: runs(member.text[:_HEAD]) for member in members}
    unread = {member.id for member in members if not member.readable}
    for teller, credit in forest.items():
        if credit.origin in unread:
            found[credit.origin] |= found[teller]
    return found


class _Ground:
    """What is known of the members, and what each candidate costs as made of each other telling."""

    def __init__(
        self,
        candidates: Sequence[Telling],
        members: Sequence[Telling],
        forest: Mapping[str, Credit],
    ) -> None:
        self._candidates = candidates
        self._forest = forest
        self._times: dict[str, Times] = times_of(members, forest)
        self._runs = _wording(members, forest)
        self._own = details_of(members)
        # A name at the head of a sentence is no particular of a text, but known to it.
        self._known = {
            member.id: member.matter.particulars | {heard(word) for word in _WORD.findall(fold(member.text[:_HEAD]))}
            for member in members
        }
        self._several = told_by_several(members, self._own)
        place = {candidate.id: number for number, candidate in enumerate(candidates)}
        self._part: list[list[str]] = [[] for _ in candidates]
        self._depth: dict[str, int] = {}
        for member in members:
            here, depth = member.id, 0
            while here in forest:
                here, depth = forest[here].origin, depth + 1
            self._depth[member.id] = depth
            if here in place:
                self._part[place[here]].append(member.id)
        self._pace = pace_of(self._times, forest)
        best = max(candidate.score for candidate in candidates)
        self._alone = [
            min(_MOST_WORTH, _WORTH * (best - candidate.score))
            + _UNREAD * (not candidate.readable)
            - _FIRST_HAND * first_hand(candidate.text)
            for candidate in candidates
        ]
        self._edges = [
            [
                self._best(made, part) if made is not other else (0.0, "")
                for other, part in zip(candidates, self._part, strict=True)
            ]
            for made in candidates
        ]
        self._starts = sorted(time.start for time in self._times.values() if time.start and time.believed)
        self._ends = sorted(time.end for time in self._times.values() if time.end and time.believed)

    def _best(self, made: Telling, part: Sequence[str]) -> tuple[float, str]:
        costs = [
            (self._apart(made.id, other) + self._out_of_order(made.id, other), self._depth[other], other)
            for other in part
        ]
        cost, _, other = min(costs)
        return cost, other

    def _apart(self, made: str, of: str) -> float:
        lacking = self._own[made] - self._known[of]
        shared = len(lacking & self._several)
        details = _DETAIL * shared + _OWN_DETAIL * (len(lacking) - shared)
        # Of the shorter of the two: background that was added makes a telling no source of the others.
        _, wording = overlap(self._runs[made], self._runs[of])
        return min(details, _DETAIL * _MOST_DETAILS) + _WORDING * (1 - wording)

    def _out_of_order(self, made: str, of: str) -> float:
        """What the dates of the two cost: of what is known to the day only, each hour of it is as likely."""
        child, parent = self._times[made], self._times[of]
        if not parent.believed or child.latest is None:
            return 0.0
        known = child.start if child.believed else None
        likely = parent.before(known, child.latest)
        return _DATE if likely <= 0 else min(_DATE, -log(likely))

    def _silence(self, first: str) -> float:
        """What it costs that after the first telling nobody took the matter over for long, and then all did so soon."""
        start, end = self._times[first].start, self._times[first].end
        if start is None or end is None or not self._times[first].believed:
            return 0.0
        place = bisect_right(self._starts, start)
        if place == len(self._starts):
            return 0.0
        return _DELAY * log(1 + max(self._starts[place] - end, timedelta()) / self._pace)

    def grow(self, first: int) -> float:
        """The cost of the tree that begins with this candidate."""
        time = self._times[self._candidates[first].id]
        grown = [self._grow(first, trusted=True)] if time.believed and time.start else []
        if not grown or grown[0] > _DATE:
            grown.append(self._grow(first, trusted=False))
        return min(grown)

    def _grow(self, first: int, *, trusted: bool) -> float:
        root = self._candidates[first].id
        cost = self._alone[first]
        time = self._times[root]
        if trusted:
            cost += self._silence(root)
        else:
            cost += _DATE if time.believed and time.start else 0.0
            cost += _LATE * log(1 + (bisect_left(self._ends, time.latest) if time.latest else len(self._ends)))
        waiting = {}
        for place, candidate in enumerate(self._candidates):
            if place != first:
                edge, of = self._edges[place][first]
                if not trusted:
                    plain = self._apart(candidate.id, root)
                    edge, of = min((edge, of), (plain, root))
                waiting[place] = (edge, self._depth[of], of, first)
        parents: dict[str, str] = {}
        since = {first: time.start if trusted else None}
        while waiting:
            place = min(waiting, key=lambda each: (waiting[each], each))
            edge, _, of, above = waiting.pop(place)
            cost += edge
            parents[self._candidates[place].id] = of
            since[place] = self._since(self._candidates[place].id, since[above])
            for other, known in waiting.items():
                step, by = self._edges[other][place]
                latest, bound = self._times[self._candidates[other].id].latest, since[place]
                if latest is not None and bound is not None and bound > latest:
                    step = max(step, _DATE + self._apart(self._candidates[other].id, by))
                waiting[other] = min(known, (step, self._depth[by] + 1, by, place))
        return cost + self._orders(root, parents)

    def _since(self, telling: str, above: datetime | None) -> datetime | None:
        """The earliest that a telling can be that is made of one that is not earlier than `above`."""
        time = self._times[telling]
        if time.latest is not None and above is not None and above > time.latest:
            return time.start if time.believed else None
        own = time.start if time.believed else None
        return max((each for each in (own, above) if each is not None), default=None)

    def _orders(self, root: str, parents: Mapping[str, str]) -> float:
        """Minus the logarithm of the number of orders in which the tree can have grown, but for a constant: the sum of
        the logarithms of how many tellings go back to each."""
        above = {teller: credit.origin for teller, credit in self._forest.items()} | dict(parents)
        below: dict[str, list[str]] = defaultdict(list)
        for teller, origin in above.items():
            below[origin].append(teller)
        order = [root]
        for here in order:
            order += below[here]
        size = dict.fromkeys(order, 1)
        for here in reversed(order[1:]):
            size[above[here]] += size[here]
        return sum(log(count) for count in size.values())
