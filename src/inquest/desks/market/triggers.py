"""When other desks hand a question on to the market desk, and which (spec 003, upstream triggers)."""

from __future__ import annotations

from typing import NamedTuple

from inquest.desks.market.routing import CRAG_THRESHOLD, is_crag_fallback_needed
from inquest.domain.errors import InputError
from inquest.domain.market import Upstream

__all__ = ["Handed", "from_filings", "from_forensics", "from_narrative"]

_DRIFT = 0.3
"""From this much change of tone between two calls on (0 to 1), news is asked whether it bears the change out."""


class Handed(NamedTuple):
    """A question that another desk hands on."""

    text: str
    upstream: Upstream


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
