"""Which telling of a story the others go back to, from all that speaks for it: credits, dates, what each one tells.

Nothing of this is proof by itself. Dates are missing or wrong, credits left out, a later piece calls itself the first.
What is handed on loses detail on the way, so the origin is also the one that tells most of what the others tell.
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
from inquest.logic.origin import Credit, Telling, later, moment

__all__ = ["following", "misdated_by", "origin_among"]

_LONE = timedelta(days=21)
"""A date so long before all others of the story is not believed, unless others name its document."""
_WHOLE, _NAMED, _EARLIER, _UNDATED = 9.0, 2.4, 1.0, 1.4
"""How much the signs count; found on generated trees (bench/trees.py) other than those that are measured."""
_MOST_EARLIER = 1.6
"""More than four earlier ones speak no louder: in a large story some bear a date that is wrong."""
_STANDING = 10
"""Points of worth by which two publishers must differ for the better one to be taken for the first."""


def following(credits: Sequence[Credit], wording: Mapping[tuple[str, str], float]) -> dict[str, Credit]:
    """Each teller's best credit, by teller, with no cycle left among them.

    A page that names several reports belongs to one story and ties none together. `wording`: how much of their wording
    two documents share, by their ids in order.
    """
    best: dict[str, tuple[tuple[float, float, str], Credit]] = {}
    for credit in credits:
        one, other = sorted((credit.teller, credit.origin))
        strength = (wording.get((one, other), 0.0), credit.alike, credit.origin)
        if credit.teller not in best or strength > best[credit.teller][0]:
            best[credit.teller] = (strength, credit)
    return {teller: credit for teller, (_, credit) in best.items()}


def without_cycles(parents: Mapping[str, Credit], by_id: Mapping[str, Telling]) -> dict[str, Credit]:
    """Without the credit of the earliest of those who name one another round: it cannot have it from the others."""
    kept = dict(parents)
    done: set[str] = set()
    for start in parents:
        path: list[str] = []
        here = start
        while here in kept and here not in done and here not in path:
            path.append(here)
            here = kept[here].origin
        if here in path:
            cycle = path[path.index(here) :]
            first = min(cycle, key=lambda each: (moment(by_id[each]), kept[each].alike, each))
            del kept[first]
        done.update(path)
    return kept


def misdated_by(credits: Sequence[Credit], by_id: Mapping[str, Telling]) -> set[str]:
    """Tellers that are dated before a report that they name."""
    return {
        credit.teller
        for credit in credits
        if credit.teller in by_id
        and credit.origin in by_id
        and later(by_id[credit.origin].published, by_id[credit.teller].published)
    }


def origin_among(members: Sequence[Telling], credits: Sequence[Credit], parents: Mapping[str, Credit]) -> str | None:
    """The id of the member that the others go back to; None where nothing tells it from a copy of the same words.

    A release that is reprinted is the origin of its own words. Otherwise it is one that has the story from no other
    member: the one that is earliest, that most of the others go back to through their credits, and that tells most of
    what they tell; each counts, because each may be missing or wrong.
    """
    by_id = {member.id: member for member in members}
    within = [credit for credit in credits if credit.teller in by_id and credit.origin in by_id]
    misdated = misdated_by(within, by_id)
    forest = without_cycles({t: c for t, c in parents.items() if t in by_id and c.origin in by_id}, by_id)
    roots = [member for member in members if member.id not in forest]
    releases = [member for member in roots if member.press_release]
    candidates = releases or roots
    if len(candidates) == 1:
        return candidates[0].id
    signs = signs_of(candidates, members, forest, misdated)
    first, *others = sorted(
        candidates,
        key=lambda member: (-round(signs[member.id].score, 6), moment(member), -member.score, member.id),
    )
    return None if any(_twins(first, other, signs) for other in others) else first.id


def _twins(first: Telling, other: Telling, signs: Mapping[str, Signs]) -> bool:
    """Whether two have the same words, as many behind them, dates of which neither is certainly the earlier, and
    publishers of much the same worth: then either may have it from the other."""
    return (
        first.text == other.text
        and signs[first.id].behind == signs[other.id].behind
        and abs(first.score - other.score) < _STANDING
        and not later(first.published, other.published)
        and not later(other.published, first.published)
    )


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
