"""Which telling of a story the others go back to, from all that speaks for it: credits, dates, what each one tells.

Nothing of this is proof by itself. Dates are missing or wrong, credits left out, a later piece calls itself the first.
What is handed on loses detail on the way, so the origin is also the one that tells most of what the others tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

from inquest.logic.origin import Credit, Telling, later, moment
from inquest.logic.origin_signs import signs_of
from inquest.logic.origin_spread import Root
from inquest.logic.origin_spread import roots as roots_of

__all__ = ["following", "likely_origins", "misdated_by", "origin_among", "without_cycles"]

_LARGE = 60
"""Tellings from which on a story is judged by signs, and no tree is grown."""
_TOLD_APART = 0.3
"""Natural logarithm of odds: of two equal texts between which the difference is less, neither is called the first."""


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


def origin_among(
    members: Sequence[Telling],
    parents: Mapping[str, Credit],
    elsewhere: frozenset[str] = frozenset(),
) -> str | None:
    """The id of the member that the others go back to; None where nothing tells it from a copy of the same words.

    A release that is reprinted is the origin of its own words. Otherwise it is one that has the story from no other
    member, and that best explains how the others came about (logic.origin_spread).
    """
    found = likely_origins(members, parents, elsewhere)
    best, *others = found
    text = {member.id: member.text for member in members}
    twins = (
        other
        for other in others
        if text[other.id] == text[best.id] and other.improbable - best.improbable < _TOLD_APART
    )
    return None if any(twins) else best.id


def likely_origins(
    members: Sequence[Telling],
    parents: Mapping[str, Credit],
    elsewhere: frozenset[str] = frozenset(),
) -> list[Root]:
    """The members that the others can go back to, likeliest first; at least one.

    `elsewhere`: who names a report that is not among the tellings.
    """
    by_id = {member.id: member for member in members}
    forest = without_cycles({t: c for t, c in parents.items() if t in by_id and c.origin in by_id}, by_id)
    roots = [member for member in members if member.id not in forest]
    releases = [member for member in roots if member.press_release]
    candidates = releases or roots
    if len(members) <= _LARGE:
        return roots_of(candidates, members, forest, elsewhere)
    signs = signs_of(candidates, members, forest, misdated_by(list(forest.values()), by_id))
    least = max(each.score for each in signs.values())
    total = sum(exp(each.score - least) for each in signs.values())
    found = [Root(each, least - signs[each].score, exp(signs[each].score - least) / total, {}) for each in signs]
    score = {member.id: -member.score for member in members}
    return sorted(found, key=lambda root: (round(root.improbable, 6), moment(by_id[root.id]), score[root.id], root.id))
