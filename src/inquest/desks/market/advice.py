"""Text that urges to trade or addresses a machine; neither is passed on. A firm's grade ('upgraded to Buy') is an event
and is reported as the firm's (desks.market.analysts)."""

from __future__ import annotations

import re

from inquest.claims.claim_detection import INSTRUCTING
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold

DISCLAIMER = "This reports what sources say. It is no investment advice, and recommends no trade."

_TRADE = "(?:(?:buy|sell|short|invest|trad|dump|accumulat)(?:e|ing)?)"
_URGES = regex(pattern(__name__, "urges").pattern.replace("<trade>", _TRADE), re.I)


def urges(text: str) -> bool:
    """True if a text urges its reader to trade."""
    return bool(_URGES.search(fold(text)))


def instructs(text: str) -> bool:
    """True if a text addresses a program that reads it."""
    return bool(INSTRUCTING.search(text[:20_000]))


def is_unfit(text: str) -> bool:
    """True if a text must not be passed on."""
    return urges(text) or instructs(text)
