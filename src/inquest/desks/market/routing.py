"""Which questions need the news of the hour, when an answer from filings is too weak, and what other desks hand on.

The words are those of the routing rule of spec 003, but as whole words: 'know' is not 'now', 'upgrade' is not 'up',
'downtown' is not 'down' and a 'reporter' is no 'report'. They stand in `words.toml`.
"""

from __future__ import annotations

import re
from functools import cache
from math import isfinite
from typing import NamedTuple

from inquest.desks.market.words import table
from inquest.domain.errors import InputError
from inquest.domain.market import Upstream
from inquest.text.sentences import fold

__all__ = [
    "CRAG_THRESHOLD",
    "Handed",
    "Routing",
    "from_filings",
    "from_forensics",
    "from_narrative",
    "is_crag_fallback_needed",
    "route_query",
    "routing_of",
]

CRAG_THRESHOLD = 0.5
"""Below this confidence an answer from filings needs news beside it (spec 003)."""
_DRIFT = 0.3
"""From this much change of tone between two calls on (0 to 1), news is asked for a confirmation."""
_SOON = frozenset(("today", "today's", "now", "right now"))


class Routing(NamedTuple):
    """Whether the market desk is needed, and why."""

    needed: bool
    reasons: tuple[str, ...]
    cautions: tuple[str, ...] = ()
    """What another desk could answer better; it takes nothing from `needed`."""


class Handed(NamedTuple):
    """A question that another desk hands on."""

    text: str
    upstream: Upstream


def routing_of(query: str) -> Routing:
    """Whether a question needs the news of the hour: it says so by time, by a movement now, or by asking for news."""
    plain = " ".join(fold(query).replace("’", "'").split())
    plain = re.sub(rf"\b(?:{_words()['not_now']})\b", " ", plain)
    soon, moving, asked = (_found(name, plain) for name in ("real_time", "movement", "news"))
    reasons = [f"it asks about the present: {_shown(soon)}"] if soon else []
    if moving and _SOON & set(soon):
        reasons.append(f"it asks about a movement of today: {_shown(moving)}")
    if asked:
        reasons.append(f"it asks for news: {_shown(asked)}")
    elsewhere = table("words")["unsuitable"]
    assert isinstance(elsewhere, list)
    cautions = tuple(row["because"] for row in elsewhere if re.search(rf"\b(?:{row['words']})\b", plain))
    if reasons:
        return Routing(True, tuple(reasons), cautions)
    only = f"it speaks of a movement ({_shown(moving)}), but not of today" if moving else ""
    return Routing(False, (only or "nothing in it asks for what is new",), cautions)


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


def from_filings(query: str, company: str, score: float) -> Handed | None:
    """The answer from filings was too weak (below 0.5): the question with what is recent. None: it was good enough.

    Raises InputError where the score is no number from 0 to 1.
    """
    if not is_crag_fallback_needed(score):
        return None
    asked = query.strip().rstrip("?!.")
    if not asked:
        raise InputError("There is no question to hand on.", advice="Give the question that the filings left open.")
    about = "" if company.lower() in asked.lower() else f" ({company})"
    why = f"The answer from filings had a confidence of {score:.2f}, below {CRAG_THRESHOLD}."
    return Handed(f"{asked}{about}: latest developments", Upstream(agent="business_analyst", reason=why, score=score))


def from_narrative(company: str, drift: float, topic: str = "") -> Handed | None:
    """The tone of a company's own statements has drifted; `drift` 0 (none) to 1. None: too little of it.

    Raises InputError where the drift is no number from 0 to 1.
    """
    is_crag_fallback_needed(drift)  # the same check of a number from 0 to 1
    if drift < _DRIFT:
        return None
    what = f" on {topic.strip()}" if topic.strip() else ""
    reason = f"What {company} says{what} has changed in tone ({drift:.2f} of 1)."
    return Handed(f"Latest news on {company}{what}", Upstream(agent="insider_sentiment", reason=reason))


def from_forensics(company: str, flag: str) -> Handed:
    """The figures of a company raise a flag: is there news of an investigation, a restatement, a resignation?"""
    named = flag.strip().rstrip(".")
    if not company.strip() or not named:
        raise InputError("A flag needs a company and what it is.", advice="Give both, like ('Volta', 'accruals').")
    reason = f"A check of the figures of {company} raised: {named}."
    text = f"Latest news on {company}: investigation, restatement, auditor or resignation"
    return Handed(text, Upstream(agent="quantitative", reason=reason))


def _found(name: str, plain: str) -> tuple[str, ...]:
    ordered = sorted(_words()[name].split("|"), key=len, reverse=True)
    form = rf"(?<![\w-])(?:{'|'.join(map(re.escape, ordered))})(?![\w-])"
    return tuple(dict.fromkeys(re.findall(form, plain)))


def _shown(words: tuple[str, ...]) -> str:
    return ", ".join(f"'{word}'" for word in words)


@cache
def _words() -> dict[str, str]:
    rows = table("words")["routing"]
    assert isinstance(rows, dict)
    return {name: "".join(line.strip() for line in str(words).splitlines()) for name, words in rows.items()}
