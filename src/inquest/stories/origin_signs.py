"""The origin of a story by a few strong signs: earliest, named by most, telling most of what the others tell.

They stand beside the tree that would grow from each possible first telling (stories.origin_spread). Among very many
tellings that name nobody, who is made of whom is a guess for each, and the sum of so many guesses would drown what is
certain: the tree counts the less, the larger the story.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log

from inquest.stories.credits import Credit, Telling
from inquest.stories.origin_dates import behind_of, times_of
from inquest.stories.origin_marks import first_hand
from inquest.stories.origin_spread import details_of, told_by_several

__all__ = ["Signs", "signs_of"]


@dataclass(frozen=True, slots=True)
class _Weights:
    """How much each sign counts, as natural logarithms of odds; fitted on generated trees (bench/trees.py) other than
    those that are measured."""

    whole: float
    named: float
    earlier: float
    most_earlier: float
    """Beyond some number, earlier ones speak no louder: in a large story many bear a date that is wrong."""
    unread: float
    tree: float
    """What is improbable in the tree, for a story of one; over the size of the story, and 1 at most."""


_LARGE = 60
"""Tellings from which on a story counts as large: there is always somebody who kept all details, and one who lacks
some is not the first."""
_OF_FEW = _Weights(whole=10.0, named=0.7, earlier=1.5, most_earlier=2.5, unread=0.0, tree=6.0)
_OF_MANY = _Weights(whole=35.0, named=1.2, earlier=2.5, most_earlier=3.5, unread=5.0, tree=14.0)


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for a member being the origin."""

    earlier: int
    """How many other candidates are certainly earlier; of one whose date is not known: can be."""
    unread: bool
    """It is known from those alone who name it."""
    behind: int
    """How many of the members go back to it through credits."""
    whole: float
    """Which share it has of the figures and names that several members tell."""

    size: int
    """How many tellings the story has."""

    start: datetime | None
    """The earliest that its date can mean, if that is believed."""
    latest: datetime | None
    """The latest that it can have been, by its date, its capture and those who have it from there."""
    worth: int
    """What its publisher is worth."""
    first_hand: bool
    """Whether it says that it has the matter at first hand."""

    def set_apart_from(self, other: Signs) -> bool:
        """Whether one thing at least speaks for it and not for the other: it is known to have been there before, or
        alone has a date at all; tells more of what several tell; more go back to it; its publisher is worth more; or it
        alone has it at first hand."""
        bound = other.start or other.latest
        before = self.latest is not None and (bound is None or self.latest < bound)
        more = self.whole > other.whole or self.behind > other.behind or self.worth > other.worth
        return before or more or (self.first_hand and not other.first_hand)

    def score(self, improbable: float = 0.0) -> float:
        """The sum of the signs, less what is improbable in the tree that begins with it; each with its weight."""
        weight = _OF_MANY if self.size > _LARGE else _OF_FEW
        dates = weight.earlier * min(log(1 + self.earlier), weight.most_earlier)
        signs = weight.whole * self.whole + weight.named * log(1 + self.behind) - dates - weight.unread * self.unread
        return signs - min(1.0, weight.tree / self.size) * improbable


def signs_of(
    candidates: Sequence[Telling],
    members: Sequence[Telling],
    forest: Mapping[str, Credit],
    round_about: Mapping[str, int],
) -> dict[str, Signs]:
    """What speaks for each candidate. `round_about`: how many go back to each of those whose credits are not in the
    forest because they name one another round."""
    behind = behind_of([member.id for member in members], forest) | dict(round_about)
    times = times_of(members, forest)
    details = details_of(members)
    several = told_by_several(members, details)
    told = {member.id: len(details[member.id] & several) for member in candidates}
    most = max(told.values(), default=0) or 1
    ends = sorted(time.end for member in candidates if (time := times[member.id]).believed and time.end)
    found = {}
    for member in candidates:
        time = times[member.id]
        start = time.start if time.believed else time.latest
        earlier = bisect_left(ends, start) if start else len(ends)
        found[member.id] = Signs(
            earlier=earlier,
            unread=not member.readable,
            behind=behind[member.id],
            whole=told[member.id] / most,
            size=len(members),
            start=time.start if time.believed else None,
            latest=time.latest,
            worth=member.score,
            first_hand=first_hand(member.text),
        )
    return found
