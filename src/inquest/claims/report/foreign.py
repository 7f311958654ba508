"""Claims of a report in a language that is not read: by their figures and units alone, which every language shares.

German is known a little better: its words for targets and for law give the type. What has no figure is left out.
"""

from __future__ import annotations

import re

from inquest.text.lexicon import pattern
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import words

_UNITS = pattern(__name__, "units")
_WHOLE = regex(r"^[\"“„«»¿¡(]*[^\W_].*[.!…][\"”“»)]*$", re.S)
_LETTERS = 0.55
"""Least share of letters; tables and lines of figures have less."""


def foreign_figures(sentence: str) -> tuple[Quantity, ...]:
    """The quantities that make a sentence of another language a claim; none where it is not one."""
    flat = " ".join(sentence.split())
    count = len(words(flat))
    if (
        not _WHOLE.match(flat)
        or not 5 <= count <= 60
        or "|" in flat
        or not (flat[0].isupper() or not flat[0].isalpha())
    ):
        return ()
    letters = sum(char.isalpha() or char.isspace() for char in flat)
    found = tuple(each for each in quantities(sentence) if not each.spelled)
    measured = any(each.dimension is not Dimension.COUNT for each in found) or (bool(found) and _UNITS.search(flat))
    return found if measured and letters >= _LETTERS * len(flat) else ()
