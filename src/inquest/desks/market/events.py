"""Kinds of event in the news of companies, grave statements, movements of shares, and text that must not be passed on.

A grave statement needs two independent sources or is marked as coming from a single source (spec 003). Text that urges
to trade or addresses a machine is left out; a firm's grade ('upgraded to Buy') is an event and is reported as the
firm's.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from inquest.claims.claim_detection import INSTRUCTING
from inquest.domain.market import Critical
from inquest.domain.reasons import Catalogue
from inquest.text.lexicon import entries, pattern
from inquest.text.quantities import Dimension, Quantity, quantities
from inquest.text.regex import regex
from inquest.text.sentences import fold

says = Catalogue("market")
BIG_MOVE = 5.0
"""Percent within a day from which a movement is to be confirmed by a second source."""
MOVE, SECTOR = "move", "sector"
"""The names of the events 'the share moved' and 'its industry or the market moved'."""
ONCE = frozenset(("bankruptcy", "restatement", "guidance", "results", "rating"))
"""Kinds that a company has at most once in a week, so that two reports of one are about the same event."""
WEAK = frozenset(("regulation", "deal", "business", SECTOR))
"""Kinds with common words, which mean little in a sentence that does not name the company."""
_GRAVE = {
    "bankruptcy": Critical.BANKRUPTCY,
    "fraud": Critical.FRAUD,
    "restatement": Critical.RESTATEMENT,
    "delisting": Critical.DELISTING,
    "investigation": Critical.INVESTIGATION,
    "cyber": Critical.CYBER_INCIDENT,
    "recall": Critical.RECALL,
    "departure": Critical.RESIGNATION,
}
_TO_SHARES = regex(r"\b(?:shares?|stocks?|share price|market value|market cap\w*|adrs?|adss?)\b")
_CLOSED = regex(r"\bclosed (?:at|up|down)\b|\bone-day (?:loss|gain|drop)\b|\b(?:end|finish)(?:ed)? at [$€£]\d")
_MOVED, _CUT, _DENIED = (pattern(__name__, name) for name in ("moved", "cut", "denied"))
_NEAR_BEFORE, _NEAR_AFTER = 40, 30


@cache
def forms(section: str) -> dict[str, re.Pattern[str]]:
    """The patterns of a section of `words.toml` by name, for whole words, ignoring case."""
    found = entries(__name__, section)
    return {name: regex(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE) for name, words in found.items()}


def sector_in(text: str) -> str:
    """The first sector in a question or a company's name; '' if absent."""
    hits = [(match.start(), name) for name, form in forms("sectors").items() if (match := form.search(text))]
    return min(hits, key=lambda hit: hit[0])[1] if hits else ""


@lru_cache(maxsize=4096)
def events_in(sentence: str) -> tuple[str, ...]:
    """The names of the kinds of event in a sentence, in the order of the table; a move of shares first."""
    plain = fold(sentence)
    found = tuple(name for name, form in forms("event_words").items() if form.search(plain))
    return (MOVE, *found) if _is_move(plain) else found


def is_denied(sentence: str) -> bool:
    """True for a denial: that something did not happen, or that a report of it is false."""
    return bool(_DENIED.search(sentence))


def critical_in(sentence: str) -> tuple[Critical, ...]:
    """The kinds of grave statement in a sentence; a denied one counts as well."""
    named = events_in(sentence)
    found = [_GRAVE[name] for name in named if name in _GRAVE]
    if "guidance" in named and _CUT.search(sentence):
        found.append(Critical.GUIDANCE_CUT)
    if any(abs(each.value) >= BIG_MOVE for each in moves_in(sentence)):
        found.append(Critical.BIG_MOVE)
    return tuple(found)


def moves_in(sentence: str) -> tuple[Quantity, ...]:
    """Moves of shares in a sentence, in percent ('27 percent', 'more than a quarter')."""
    plain = fold(sentence)
    if not _is_move(plain):
        return ()
    return tuple(
        each
        for each in quantities(sentence)
        if each.dimension is Dimension.SHARE
        and (near := plain[max(0, each.span.start - _NEAR_BEFORE) : each.span.end + _NEAR_AFTER])
        and (_MOVED.search(near) or _CLOSED.search(near))
    )


def _is_move(plain: str) -> bool:
    return bool(_CLOSED.search(plain) or (_TO_SHARES.search(plain) and _MOVED.search(plain)))


DISCLAIMER = says("no_advice")

_TRADE = "(?:(?:buy|sell|short|invest|trad|dump|accumulat)(?:e|ing)?)"
_URGES = regex(pattern(__name__, "urges").pattern.replace("<trade>", _TRADE), re.I)


def urges(text: str) -> bool:
    """True if a text urges its reader to trade."""
    return bool(_URGES.search(fold(text)))


def is_unfit(text: str) -> bool:
    """True if a text must not be passed on: it urges to trade, or addresses a program that reads it."""
    return urges(text) or bool(INSTRUCTING.search(text[:20_000]))
