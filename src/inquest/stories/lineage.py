"""Which telling of a story the others go back to, from all that speaks for it: credits, dates, what each one tells.

Nothing of this is proof by itself. Dates are missing or wrong, credits left out, a later piece calls itself the first.
What is handed on loses detail on the way, so the origin is also the one that tells most of what the others tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from inquest.stories.credits import Credit, Telling, later, moment
from inquest.stories.origin_dates import behind_of
from inquest.stories.origin_signs import Signs, signs_of
from inquest.stories.origin_spread import trees
from inquest.stories.unread_origins import spoken_of, with_unread
from inquest.text.phrases import listed

__all__ = ["UNTOLD", "Lineage", "following", "lineage_of", "loops_of", "misdated_by", "untold"]

_LOOKED_AT = 16
"""Possible first ones for which a tree is grown."""
UNTOLD = "It cannot be told which of"
"""How it begins that an origin cannot be told."""
_TOSS_UP = 0.1
"""Natural logarithm of odds: where the likeliest first telling leads by less, it is a toss-up, ..."""
_SET_APART = 1.5
"""... and by less than this, four to one, it is called the first only if something certain sets it apart."""


def following(credits: Sequence[Credit], wording: Mapping[tuple[str, str], float]) -> dict[str, Credit]:
    """Each teller's best credit, by teller.

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


def loops_of(parents: Mapping[str, Credit]) -> list[list[str]]:
    """The tellers that name one another round, each loop in the order of its credits."""
    found: list[list[str]] = []
    done: set[str] = set()
    for start in parents:
        path: list[str] = []
        here = start
        while here in parents and here not in done and here not in path:
            path.append(here)
            here = parents[here].origin
        if here in path:
            found.append(path[path.index(here) :])
        done.update(path)
    return found


def misdated_by(credits: Sequence[Credit], by_id: Mapping[str, Telling]) -> set[str]:
    """Tellers that are dated before a report that they name."""
    return {
        credit.teller
        for credit in credits
        if credit.teller in by_id
        and credit.origin in by_id
        and later(by_id[credit.origin].published, by_id[credit.teller].published)
    }


@dataclass(frozen=True, slots=True)
class Root:
    """One telling as the possible first one."""

    id: str
    behind: float
    """By how much the likeliest one is likelier, as natural logarithm of odds."""
    share: float
    """How likely it is, of all that can be, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """What the members of a story go back to."""

    origin: str | None
    """The member; None where the report is not among them, or where nothing tells it from another."""
    outside: str | None
    """Who published that report, as the members name them, where it is not among them."""
    roots: tuple[Root, ...]
    """All that the others can go back to, likeliest first; among them reports that are named and not there."""
    forest: Mapping[str, Credit]
    """The credits by teller, those to reports that are not there with them; without a loop."""
    cut: tuple[str, ...]
    """The tellers whose credit would close a loop, and does not count."""
    undecided: tuple[str, ...] = ()
    """Those of the roots that can each be the first, where it cannot be told which; otherwise none."""


def lineage_of(members: Sequence[Telling], parents: Mapping[str, Credit], outside: Mapping[str, Credit]) -> Lineage:
    """Whom the members have it from. `parents`: the credits among all tellings, one for each teller at most;
    `outside`: by teller, its credit to a report that is not among the tellings.

    A release that is reprinted is the origin of its own words. Otherwise it is one that has the story from no other
    member, and that best explains how the others came about (stories.origin_spread).
    """
    ids = {member.id for member in members}
    within = {teller: credit for teller, credit in parents.items() if teller in ids and credit.origin in ids}
    everyone, credits = with_unread(members, within, outside)
    loops = loops_of(credits)
    round_about = {teller for loop in loops for teller in loop}
    # Of those who name one another round each can be the first: what else is known of them decides.
    forest = {teller: credit for teller, credit in credits.items() if teller not in round_about}
    found, signs = _roots(everyone, forest, _behind_round(loops, everyone, credits))
    best = found[0].id
    by_id = {member.id: member for member in everyone}
    cut = tuple(best if best in loop else min(loop, key=lambda each: (moment(by_id[each]), each)) for loop in loops)
    whole = {teller: credit for teller, credit in credits.items() if teller not in cut}
    undecided = tuple(
        other.id
        for other in found[1:]
        if other.behind < _TOSS_UP or (other.behind < _SET_APART and not signs[best].set_apart_from(signs[other.id]))
    )
    if undecided:
        return Lineage(None, None, tuple(found), whole, cut, (best, *undecided))
    if not by_id[best].readable:
        return Lineage(None, by_id[best].names[0], tuple(found), whole, cut)
    return Lineage(best, None, tuple(found), whole, cut)


def untold(undecided: Sequence[str]) -> str:
    """What is said where it cannot be told which of these was the first, by their ids."""
    names = listed([spoken_of(each) for each in undecided])
    return (
        f"{UNTOLD} {names} was the first: neither dates and captures nor credits nor what each tells set one apart "
        "enough."
    )


def _behind_round(
    loops: Sequence[Sequence[str]], members: Sequence[Telling], credits: Mapping[str, Credit]
) -> dict[str, int]:
    """How many go back to each of those who name one another round, if it is the one whose credit does not count."""
    found = {}
    for loop in loops:
        others = {teller for each in loops if each is not loop for teller in each}
        for one in loop:
            rest = {teller: credit for teller, credit in credits.items() if teller != one and teller not in others}
            found[one] = behind_of([member.id for member in members], rest)[one]
    return found


def _roots(
    members: Sequence[Telling], forest: Mapping[str, Credit], behind: Mapping[str, int]
) -> tuple[list[Root], Mapping[str, Signs]]:
    """The members that the others can go back to, likeliest first, at least one; what speaks for each.

    `behind`: how many go back to those whose credits are left out of the forest."""
    roots = [member for member in members if member.id not in forest]
    releases = [member for member in roots if member.press_release]
    candidates = releases or roots
    signs = signs_of(candidates, members, forest, behind)
    looked_at = sorted(signs, key=lambda each: (-signs[each].score(), each))[:_LOOKED_AT]
    grown = trees(looked_at, candidates, members, forest)
    scores = {each: signs[each].score(grown[each]) for each in looked_at}
    most = max(scores.values())
    total = sum(exp(score - most) for score in scores.values())
    found = [Root(each, most - score, exp(score - most) / total) for each, score in scores.items()]
    return sorted(found, key=lambda root: (round(root.behind, 6), root.id)), signs
