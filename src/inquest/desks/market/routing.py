"""Routing: questions that need current news, and answers from filings that need news beside them (spec 003).

The words are those of the specification's routing rule, as whole words: 'know' is not 'now'. A move ('up', 'down')
needs news only if it is of today, and then a word for today is in the question.
"""

from __future__ import annotations

from math import isfinite

from inquest.domain.errors import InputError
from inquest.text.lexicon import any_of
from inquest.text.sentences import fold

_CRAG_THRESHOLD = 0.5
"""Below this confidence an answer from filings needs news beside it (spec 003)."""
_NEEDED, _NOT_NOW = any_of(__name__, "needed"), any_of(__name__, "not_now")


def route_query(query: str) -> bool:
    """True if a question needs the market desk: it is about the present, or asks for news."""
    plain = " ".join(fold(query).replace("’", "'").split())
    return bool(_NEEDED.search(_NOT_NOW.sub(" ", plain)))


def is_crag_fallback_needed(score: float) -> bool:
    """True if an answer from filings with this confidence needs news beside it: below 0.5.

    Raises InputError if the score is not a number from 0 to 1.
    """
    if isinstance(score, bool) or not isinstance(score, int | float) or not isfinite(score) or not 0 <= score <= 1:
        raise InputError(
            f"A confidence is a number from 0 to 1, and {score!r} is none.",
            advice="Give the score of the answer from filings as it is, between 0 and 1.",
        )
    return score < _CRAG_THRESHOLD
