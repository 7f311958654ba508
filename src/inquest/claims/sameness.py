"""Comparison of two statements by their words, names, figures, dates and direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from inquest.domain.document import Precision
from inquest.text.entities import names, same_name
from inquest.text.moments import Moment, moments
from inquest.text.polarity import negations, poles
from inquest.text.quantities import Bound, Dimension, Quantity, Relation, compare, quantities
from inquest.text.sentences import content_words
from inquest.text.similarity import overlap


@dataclass(frozen=True)
class ParsedStatement:
    """A sentence parsed for comparison."""

    text: str
    bag: frozenset[str]
    names: tuple[str, ...]
    figures: tuple[Quantity, ...]
    days: tuple[Moment, ...]
    """Dates with at least a month."""
    poles: frozenset[tuple[str, int]]


def parse_statement(text: str, reference: date | None = None) -> ParsedStatement:
    """Parse a sentence. `reference`: the day it was written, for dates like 'last Tuesday'."""
    return ParsedStatement(
        text=text,
        bag=frozenset(content_words(text)),
        names=tuple(name.text for name in names(text) if name.sure),
        figures=tuple(each for each in quantities(text) if not (each.spelled and each.dimension is Dimension.FACTOR)),
        days=tuple(each for each in moments(text, reference) if each.precision is not Precision.YEAR),
        poles=frozenset((pole.axis, pole.sign) for pole in poles(text)),
    )


class FigureRelation(StrEnum):
    """Relation between the figures of two sentences."""

    NONE = "none"
    """No comparable figures."""
    SAME = "same"
    """All comparable figures agree."""
    MORE = "more"
    """One figure agrees, and one sentence has a further one of the same kind."""
    DIFFER = "differ"


def figure_relation(one: ParsedStatement, other: ParsedStatement) -> FigureRelation:
    """Compare figures. Agreement within a bound only ('under 15' and '7') does not outweigh a difference."""
    relations = [(compare(mine, theirs).relation, mine, theirs) for mine in one.figures for theirs in other.figures]
    same = [(mine, theirs) for relation, mine, theirs in relations if relation is Relation.SAME]
    differ = [(mine, theirs) for relation, mine, theirs in relations if relation is Relation.DIFFERS]
    exact = [(a, b) for a, b in same if a.bound is Bound.EXACT and b.bound is Bound.EXACT]
    if not same and not differ:
        return FigureRelation.NONE
    if not same or (differ and not exact):
        return FigureRelation.DIFFER
    matched_mine, matched_theirs = {a.span for a, _ in same}, {b.span for _, b in same}
    left = any(a.span not in matched_mine or b.span not in matched_theirs for a, b in differ)
    return FigureRelation.MORE if left else FigureRelation.SAME


PairSimilarity = Callable[[str, str], float]
"""Similarity of two texts in meaning, 0 to 1."""

_LEAST_COMMON = {
    FigureRelation.MORE: (0.6, 0.8, 7),
    FigureRelation.SAME: (0.34, 0.55, 5),
    FigureRelation.NONE: (0.5, 0.75, 5),
}
"""Thresholds of a match: share of all words; or share of the shorter statement's words, and their minimum number."""
_ALIKE, _ALIKE_WITH_FIGURES = 0.86, 0.8
"""Minimum similarity in meaning of two statements with a common name; lower if figures agree."""


def same_statement(one: ParsedStatement, other: ParsedStatement, alike: PairSimilarity | None = None) -> bool:
    """Return True if both make the same claim, with `alike` also in other words.

    Statements with different figures, days or directions are separate claims, which contradict each other when checked.
    """
    jaccard, contained = overlap(one.bag, other.bag)
    figures = figure_relation(one, other)
    if _cannot_both_be(one, other):
        return False
    one_sided = bool(one.figures) != bool(other.figures) and contained < 0.85
    if one_sided or (_names_shared(one, other) is False and jaccard < 0.7):
        return False
    least_shared, least_contained, least_words = _LEAST_COMMON[figures]
    if jaccard >= least_shared or (contained >= least_contained and min(len(one.bag), len(other.bag)) >= least_words):
        return True
    return (
        alike is not None
        and len(one.figures) == len(other.figures)
        and len(one.days) == len(other.days)
        and _names_shared(one, other) is True
        and bool(negations(one.text)) == bool(negations(other.text))
        and figures is (FigureRelation.SAME if one.figures else FigureRelation.NONE)
        and alike(one.text, other.text) >= (_ALIKE_WITH_FIGURES if one.figures else _ALIKE)
    )


def contest(one: ParsedStatement, other: ParsedStatement) -> bool:
    """Return True if both have the same subject, but incompatible figures, days or directions."""
    jaccard, contained = overlap(one.bag, other.bag)
    if min(len(one.bag), len(other.bag)) < 4 or (jaccard < 0.3 and contained < 0.6):
        return False
    return _names_shared(one, other) is not False and _cannot_both_be(one, other)


def _cannot_both_be(one: ParsedStatement, other: ParsedStatement) -> bool:
    """Return True for different figures, different days, or opposite poles of an axis without a pole in common."""
    if figure_relation(one, other) is FigureRelation.DIFFER:
        return True
    if one.days and other.days and not any(a.overlaps(b) for a in one.days for b in other.days):
        return True
    shared = {axis for axis, _ in one.poles & other.poles}
    return any(axis not in shared for axis in {a for a, _ in one.poles} & {a for a, _ in other.poles})


def _names_shared(one: ParsedStatement, other: ParsedStatement) -> bool | None:
    if not one.names or not other.names:
        return None
    return any(same_name(a, b) for a in one.names for b in other.names)
