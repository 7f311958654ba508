"""Whether a question needs the news of the hour, and whether an answer from filings is too weak to stand alone.

The words are those of the routing rule of spec 003, but as whole words: 'know' is not 'now', 'upgrade' is not 'up',
'downtown' is not 'down' and a 'reporter' is no 'report'.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import NamedTuple

from inquest.domain.errors import InputError
from inquest.text.sentences import fold

__all__ = ["CRAG_THRESHOLD", "Routing", "is_crag_fallback_needed", "route_query", "routing_of"]

CRAG_THRESHOLD = 0.5
"""Below this confidence an answer from filings needs news beside it (spec 003)."""

_REAL_TIME = (
    "today|today's|now|currently|current|latest|recent|recently|breaking|this week|this month|just announced|"
    "yesterday|yesterday's|tonight|this morning|this afternoon|right now"
)
_MOVEMENT = (
    "up|down|fall|falls|falling|fell|rise|rises|rising|rose|surge|surges|surging|surged|plunge|plunges|plunging|plunged|"
    "rally|rallies|rallying|rallied|drop|drops|dropping|dropped|climb|climbs|climbing|climbed|tank|tanks|tanking|tanked"
)
_NEWS = (
    "news|announcement|announcements|headline|headlines|report|reports|development|developments|update|updates|"
    "press release|press releases"
)
_SOON = frozenset(("today", "today's", "now", "right now"))
# 'As of now' and 'until now' are of this hour; 'now' in these is not.
_NOT_NOW = re.compile(r"\b(?:by now|every now and then|now and then|now and again)\b")
_UNSUITABLE = (
    (
        re.compile(r"\b(?:calculate|compute|ratio|dcf|discounted cash flow|wacc|eps growth rate|cagr)\b"),
        "it asks for a calculation, which is the quantitative desk's",
    ),
    (re.compile(r"\bsuppl(?:y chain|iers? of|ier graph)\b"), "the supply chain graph may know more of it"),
    (
        re.compile(r"\b(?:historical(?:ly)?|history of|over the (?:last|past) (?:decade|\w+ years))\b"),
        "it asks about more than a month ago, of which filings know more",
    ),
)


class Routing(NamedTuple):
    """Whether the market desk is needed, and why."""

    needed: bool
    reasons: tuple[str, ...]
    cautions: tuple[str, ...] = ()
    """What another desk could answer better; it takes nothing from `needed`."""


def routing_of(query: str) -> Routing:
    """Whether a question needs the news of the hour: it says so by time, by a movement now, or by asking for news."""
    plain = _NOT_NOW.sub(" ", " ".join(fold(query).replace("’", "'").split()))
    soon = _found(_REAL_TIME, plain)
    moving = _found(_MOVEMENT, plain)
    asked = _found(_NEWS, plain)
    reasons = [f"it asks about the present: {_shown(soon)}"] if soon else []
    if moving and _SOON & set(soon):
        reasons.append(f"it asks about a movement of today: {_shown(moving)}")
    if asked:
        reasons.append(f"it asks for news: {_shown(asked)}")
    cautions = tuple(why for form, why in _UNSUITABLE if form.search(plain))
    if not reasons:
        only = f"it speaks of a movement ({_shown(moving)}), but not of today" if moving else ""
        return Routing(False, (only or "nothing in it asks for what is new",), cautions)
    return Routing(True, tuple(reasons), cautions)


def route_query(query: str) -> bool:
    """Whether a question needs the market desk; `routing_of` says why."""
    return routing_of(query).needed


def is_crag_fallback_needed(score: float) -> bool:
    """Whether an answer from filings with this confidence needs news beside it: below 0.5.

    Raises InputError where the score is no number from 0 to 1.
    """
    if isinstance(score, bool) or not isinstance(score, int | float) or not isfinite(score) or not 0 <= score <= 1:
        raise InputError(
            f"A confidence is a number from 0 to 1, and {score!r} is none.",
            advice="Give the score of the answer from filings as it is, between 0 and 1.",
        )
    return score < CRAG_THRESHOLD


def _found(words: str, plain: str) -> tuple[str, ...]:
    ordered = sorted(words.split("|"), key=len, reverse=True)
    form = rf"(?<![\w-])(?:{'|'.join(map(re.escape, ordered))})(?![\w-])"
    return tuple(dict.fromkeys(re.findall(form, plain)))


def _shown(words: tuple[str, ...]) -> str:
    return ", ".join(f"'{word}'" for word in words)
