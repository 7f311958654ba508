"""The rule book of the checks: which published criteria a statement meets, breaks or leaves open, and why.

The rules are those of the book of standards (`sources/data/standards`); `criteria.toml` has the phrases by which a
statement meets or breaks what a rule asks for. What a short statement leaves out is open, and never broken.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from enum import StrEnum
from importlib.resources import files
from typing import NamedTuple

from inquest.desks.academic.terms import phrases, reason
from inquest.domain.reasons import Reason
from inquest.sources.standards_book import Rule, Standard


class Standing(StrEnum):
    """The result of one rule for a statement."""

    MET = "met"
    NOT_MET = "not met"
    OPEN = "open"
    """What is stated does not decide it."""


class Alignment(StrEnum):
    """The result of a whole standard for a statement (spec 002, 10.2)."""

    ALIGNED = "aligned"
    PARTIALLY = "partially_aligned"
    NOT = "not_aligned"
    UNKNOWN = "unknown"


class Point(NamedTuple):
    """One rule, its result, and why."""

    asks: str
    rule: Rule
    standing: Standing
    reason: Reason
    standard: Standard | None = None

    @property
    def lacking(self) -> bool:
        """True for a requirement that is left out."""
        return self.standing is Standing.OPEN and not self.rule.optional


class Aspect(NamedTuple):
    """What a rule asks for: its name, and the phrases that meet or break it, these with the reason."""

    name: str
    stated: re.Pattern[str]
    broken: tuple[tuple[re.Pattern[str], str], ...]


class Method(NamedTuple):
    """A way of calculating that the standards know by name. `limit`: its note is one that a reader should weigh."""

    name: str
    standard_id: str
    words: re.Pattern[str]
    note: str
    limit: bool


class Instrument(NamedTuple):
    """A kind of certificate or credit: its general entry in the book, and how claims and passages speak of it."""

    name: str
    general: str
    claim: re.Pattern[str]
    passage: re.Pattern[str]


_TABLE = tomllib.loads((files(__package__) / "criteria.toml").read_text("utf-8"))
ASPECTS = {
    asks: Aspect(
        name,
        phrases(stated),
        tuple((phrases(row["words"]), str(row["reason"])) for row in _TABLE["broken"] if row["asks"] == asks),
    )
    for asks, (name, stated) in _TABLE["aspects"].items()
}
"""By the `asks` of the rules."""
METHODS = tuple(
    Method(name, standard_id, phrases(words), note, bool(limit))
    for name, (standard_id, words, note, limit) in _TABLE["methods"].items()
)
INSTRUMENTS = tuple(
    Instrument(name, row["general"], phrases(row["claim"]), phrases(row["passage"]))
    for name, row in _TABLE["instruments"].items()
)
MISUSED = {code: phrases(words) for code, words in _TABLE["misused"].items()}
"""Uses of a scheme for what it is not, by their reasons."""


def judged(text: str, standard: Standard, rule: Rule) -> Point:
    """The point of a rule whose `asks` is in `ASPECTS`, by the words of a statement."""
    aspect = ASPECTS[rule.asks]
    why = next((why for words, why in aspect.broken if words.search(text)), None)
    if why is not None:
        broken = reason("requirement_broken", standard=standard.name, rule=rule.text, why=why)
        return Point(rule.asks, rule, Standing.NOT_MET, broken, standard)
    met = aspect.stated.search(text) is not None
    said = reason("requirement_stated" if met else "requirement_missing", standard=standard.name, aspect=aspect.name)
    return Point(rule.asks, rule, Standing.MET if met else Standing.OPEN, said, standard)


def standings(points: Iterable[Point]) -> set[Standing]:
    """The results that occur among the points."""
    return {point.standing for point in points}
