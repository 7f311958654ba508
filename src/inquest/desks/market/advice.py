"""What urges to trade, and what speaks to a machine instead of a reader: neither is handed on.

The market desk reports and gives no advice, so that a page's 'Buy now' must not come out of it as if it were ours. A
firm's grade ('upgraded to Buy') is an event and is reported as the firm's (desks.market.analysts).
"""

from __future__ import annotations

from inquest.text.lexicon import entries, pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold

DISCLAIMER = "This reports what sources say. It is no investment advice, and recommends no trade."

_WORDS = entries(__name__, "advice")
_URGES = regex(_WORDS["urges"].replace("<trade>", _WORDS["trade"]))
_INSTRUCTS = pattern(__name__, "instructs")


def urges(text: str) -> bool:
    """Whether it urges its reader to trade."""
    return bool(_URGES.search(fold(text)))


def instructs(text: str) -> bool:
    """Whether it speaks to a program that reads it."""
    return bool(_INSTRUCTS.search(text[:20_000]))
