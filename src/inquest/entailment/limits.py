"""Limits given in words instead of numbers: 'within the limit', 'more than twice the maximum', '312 % of the limit'.

They become multiples of the limit (within: at most one, above: more than one, twice: two), which compare like other
quantities.
"""

from __future__ import annotations

import re

from inquest.text.lexicon import pattern
from inquest.text.quantities import Quantity
from inquest.text.sentences import Span
from inquest.text.units import WORD_NUMBERS, Bound, Dimension, bound_before

_LIMITS = pattern(__name__, "limits")
_MULTIPLES = {"half": 0.5, "double": 2.0, "twice": 2.0, "triple": 3.0}
_PAST = 0.01
"""Minimum excess over a limit for 'above', in multiples of it: 'within' may reach the limit."""
_SHARE = 0.05
"""Half the last digit of a multiple in words."""
_OF_SHARE = 0.005
"""Half a per cent."""
_BEFORE = 60


def limits(text: str) -> tuple[Quantity, ...]:
    """Return limits as quantities of the dimension LIMIT, in order."""
    return tuple(_quantity(text, match) for match in _LIMITS.finditer(text))


def _quantity(text: str, match: re.Match[str]) -> Quantity:
    start, end = match.span()
    before = text[max(0, start - _BEFORE) : start]
    if match["share"]:
        value, bound = float(match["share"].replace(",", ".")) / 100 + bool(match["more"]), bound_before(before)
        step = _OF_SHARE if bound in (Bound.EXACT, Bound.ABOUT) else 0.0
    elif match["times"] or match["multiple"]:
        value, bound = _multiple(match), bound_before(before)
        step = _SHARE * value if bound in (Bound.EXACT, Bound.ABOUT) else 0.0
    else:
        # 'within' and 'above' are bounds on the limit, which a denial before them reverses.
        bound = bound_before(f"{before}{'within' if match['within'] else 'above'} ")
        value, step = 1.0 if bound is Bound.AT_MOST else 1.0 + _PAST, 0.0
    return Quantity(
        Span(start, end), text[start:end], Dimension.LIMIT, value, value, "limit", bound, step, spelled=True
    )


def _multiple(match: re.Match[str]) -> float:
    if match["multiple"]:
        return _MULTIPLES[match["multiple"].lower()]
    written = match["times"].lower()
    return WORD_NUMBERS[written] if written in WORD_NUMBERS else float(written.replace(",", "."))
