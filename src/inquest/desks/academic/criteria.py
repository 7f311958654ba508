"""Published criteria as data, and one evaluator: which of them a statement meets, breaks or leaves open, and why.

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

from inquest.desks.academic.phrases import phrases
from inquest.desks.academic.reasons import reason
from inquest.domain.reasons import Reason
from inquest.sources.standards_book import Rule, Standard
from inquest.text.sentences import Span


class Standing(StrEnum):
    """How a statement stands to one rule."""

    MET = "met"
    NOT_MET = "not met"
    OPEN = "open"
    """What is stated does not decide it."""


class Alignment(StrEnum):
    """How a statement stands to a standard (spec 002, 10.2)."""

    ALIGNED = "aligned"
    PARTIALLY = "partially_aligned"
    NOT = "not_aligned"
    UNKNOWN = "unknown"


class Point(NamedTuple):
    """One rule, how a statement stands to it, and why; `span` is where the statement speaks of it."""

    asks: str
    rule: Rule
    standing: Standing
    reason: Reason
    span: Span | None = None
    standard: Standard | None = None

    @property
    def lacking(self) -> bool:
        """True for a requirement that is left out."""
        return self.standing is Standing.OPEN and not self.rule.optional


class Aspect(NamedTuple):
    """What a rule asks for: its name, and how a statement meets or breaks it."""

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
MISUSED = {code: phrases(words) for code, words in _TABLE["misused"].items()}
"""Uses of a scheme for what it is not, by their reasons."""


def judged(text: str, standard: Standard, rule: Rule) -> Point:
    """The point of a rule whose `asks` is in `ASPECTS`, by the words of a statement."""
    aspect = ASPECTS[rule.asks]
    for words, why in aspect.broken:
        if match := words.search(text):
            broken = reason("requirement_broken", standard=standard.name, rule=rule.text, why=why)
            return Point(rule.asks, rule, Standing.NOT_MET, broken, Span(*match.span()), standard)
    match = aspect.stated.search(text)
    code = "requirement_stated" if match else "requirement_missing"
    why_ = reason(code, standard=standard.name, aspect=aspect.name)
    span = Span(*match.span()) if match else None
    return Point(rule.asks, rule, Standing.MET if match else Standing.OPEN, why_, span, standard)


def standings(points: Iterable[Point]) -> set[Standing]:
    """Which standings occur among the points."""
    return {point.standing for point in points}
