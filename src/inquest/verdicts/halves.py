"""Right in part: what is true of a claim when not all of it is.

Two ways are recognised, both narrow, because calling a false claim half true does harm: the direction is right and the
figure is not; of several joined statements some are borne out and another is nowhere in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inquest.claims.parts_of_claim import untouched
from inquest.claims.report_claims_parts import assertions
from inquest.text.quantities import Dimension, Quantity, Relation, compare, quantities, shown
from inquest.text.sentences import content_words, words

__all__ = ["figure_off", "half_borne_out"]

_UP = frozenset("increase rise rose grow grew climb jump surge gain exceed expand risen grown higher up more".split())
_DOWN = frozenset("decrease fall fell drop decline shrink cut reduce lower fallen shrank less fewer down halve".split())
_STEMS = {
    frozenset(stem for word in group for stem in content_words(word) or [word]): direction
    for group, direction in ((_UP, "up"), (_DOWN, "down"))
}
_MEASURED = frozenset({Dimension.SHARE, Dimension.MONEY, Dimension.COUNT, Dimension.FACTOR})
# Beyond half or double, 'off' is no longer the word for it.
_OFF_AT_MOST = 2.0
_JOINED = re.compile(r"(?:,|;)?\s+(?:and|but|while)\s+(?=\w+)", re.I)


def figure_off(claim: str, quote: str) -> str | None:
    """Why the quote bears the claim out in direction but not in its figure; None: it does not, or not so."""
    direction = _direction(claim)
    if direction is None or direction != _direction(quote):
        return None
    stated, found = quantities(claim), quantities(quote)
    for one in stated:
        near = [other for other in found if _comparable(one, other)]
        if any(compare(one, other).relation is Relation.SAME for other in near):
            continue
        for other in near:
            if _ratio(one, other) <= _OFF_AT_MOST:
                return f"the direction is right, the figure is not: {shown(one)} is claimed, {shown(other)} is found"
    return None


def _comparable(one: Quantity, other: Quantity) -> bool:
    return one.dimension in _MEASURED and compare(one, other).relation is not Relation.NOT_COMPARABLE


def _ratio(one: Quantity, other: Quantity) -> float:
    low, high = sorted((abs(one.value), abs(other.value)))
    return high / low if low else float("inf")


def _direction(text: str) -> str | None:
    stems = set(content_words(text)) | {span.of(text).lower() for span in words(text)}
    said = {direction for group, direction in _STEMS.items() if stems & group}
    return said.pop() if len(said) == 1 else None


def half_borne_out(claim: str, quotes: Sequence[str]) -> str | None:
    """The part of a claim of several statements that no quote touches, where the quotes do bear out others; None: all
    is well.

    A part counts as untouched only if hardly any of its own words stands in any quote, while every quote has most of
    another's.
    """
    parts = [each.quote for each in assertions(claim, 0)] or _halves(claim)
    left = untouched(parts, quotes) if parts else ()
    return " or that ".join(parts[number].strip(" ,;.") for number in left) or None


def _halves(claim: str) -> list[str]:
    """The two sides of an 'and' that has three words that carry meaning on either; [] where there is none."""
    for match in _JOINED.finditer(claim):
        halves = [claim[: match.start()], claim[match.end() :]]
        if all(len(content_words(half)) >= 3 for half in halves):
            return halves
    return []
