"""Which sentences state something that can be checked, how much they are worth checking, and of what type they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from inquest.claims.claim_words import (
    ACTIONS,
    BOILERPLATE,
    COMPARING,
    FIRST_PERSON,
    IMPERATIVE,
    INSTRUCTING,
    INTENDING,
    LEGAL,
    NOT_ASSERTED,
    OPINION,
    PLANS,
    SITES,
)
from inquest.claims.environmental import is_environmental_claim
from inquest.domain.claim import ClaimType
from inquest.text.entities import names
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.polarity import hedges
from inquest.text.quantities import quantities
from inquest.text.sentences import words

__all__ = ["CheckWorth", "check_worth", "claim_type"]

_SHORT, _LONG = 6, 45
"""Words. Shorter says too little to be found again, longer says more than one thing."""
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_WHOLLY_QUOTED = re.compile(r"^[\"“‘][^\"”]{20,}[\"”’]?(?:\s|,|$)")
_VERB = pattern(__name__, "verb")


class CheckWorth(NamedTuple):
    """How much a sentence is worth checking, 0 to 1, and why."""

    score: float
    reasons: tuple[str, ...]


def check_worth(sentence: str) -> CheckWorth:
    """What speaks for checking (figures, dates, names, deeds) less what speaks against (opinion, first person, hedges,
    questions, appeals, furniture of the page)."""
    text = sentence.strip()
    why_not = _not_a_statement(text)
    if why_not:
        return CheckWorth(0.0, (why_not,))
    unquoted = _QUOTED.sub(" ", text)
    gains: list[tuple[float, str]] = []
    figures = [each for each in quantities(text) if not (each.spelled and each.value < 3)]
    if figures:
        gains.append((0.28 + 0.05 * min(2, len(figures) - 1), "it gives a figure"))
    if moments(text) or re.search(r"\b(?:1[89]|20)\d\d\b", text):
        gains.append((0.1, "it gives a date"))
    named = [name for name in names(text) if name.sure]
    if named:
        gains.append((0.14 + 0.05 * min(2, len(named) - 1), "it names somebody"))
    if ACTIONS.search(unquoted):
        gains.append((0.22, "something was done"))
    if COMPARING.search(unquoted):
        gains.append((0.06, "it compares"))
    score = 0.1 + sum(gain for gain, _ in gains)
    reasons = [reason for _, reason in gains]
    for applies, loss, reason in _losses(text, unquoted):
        if applies:
            score -= loss
            reasons.append(reason)
    return CheckWorth(round(min(1.0, max(0.0, score)), 3), tuple(reasons))


_NO_STATEMENT: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda text: not text, "it is empty"),
    (INSTRUCTING.search, "it speaks to the machine that reads it"),
    (BOILERPLATE.search, "it belongs to the page, not to the story"),
    (lambda text: text.endswith("?"), "it is a question"),
    (NOT_ASSERTED.match, "it is put to be checked, not stated"),
    (IMPERATIVE.match, "it tells the reader to do something"),
    (lambda text: len(words(text)) < 4, "it is too short"),
)
"""What is no statement at all, each with the reason that is given for it."""


def _not_a_statement(text: str) -> str:
    return next((why for applies, why in _NO_STATEMENT if applies(text)), "")


def _losses(text: str, unquoted: str) -> tuple[tuple[bool, float, str], ...]:
    length = len(words(text))
    is_heading = not text.endswith((".", "!", "…", ".”", '."', ".’", ".'", ")", "”", '"'))
    return (
        (length < _SHORT, 0.3, "it is short"),
        (length > _LONG, 0.2, "it is long"),
        (is_heading, 0.3, "it is a heading or a fragment"),
        (not _VERB.search(unquoted), 0.2, "it has no verb"),
        (bool(FIRST_PERSON.search(unquoted)), 0.3, "it is in the first person"),
        (bool(_WHOLLY_QUOTED.match(text)), 0.25, "it is somebody's own words"),
        (bool(OPINION.search(unquoted)), 0.15, "it judges"),
        (bool(hedges(unquoted)), 0.08, "it hedges"),
        (text.startswith("If "), 0.15, "it is conditional"),
        (text.count('"') % 2 == 1 or text.count("“") != text.count("”"), 0.35, "it is cut out of a quotation"),
        (text.endswith("!"), 0.2, "it exclaims"),
        (text.count(";") + text.count("|") + text.count("•") > 2, 0.25, "it is a list"),
    )


_TYPES: tuple[tuple[Callable[[str], object], ClaimType], ...] = (
    (PLANS.search, ClaimType.STRATEGIC),
    (LEGAL.search, ClaimType.LEGAL_GOVERNANCE),
    (INTENDING.search, ClaimType.STRATEGIC),
    (lambda text: any(not each.spelled for each in quantities(text)), ClaimType.QUANTITATIVE),
    (is_environmental_claim, ClaimType.ENVIRONMENTAL),
    (SITES.search, ClaimType.GEOGRAPHIC),
    (lambda text: ACTIONS.search(text) and (moments(text) or _names_somebody(text)), ClaimType.EVENT),
)


def claim_type(text: str) -> ClaimType:
    """What kind of statement it is: the first that applies of plan, law, figure, environment, place and event."""
    return next((kind for applies, kind in _TYPES if applies(text)), ClaimType.STATEMENT)


def _names_somebody(text: str) -> bool:
    return any(name.sure for name in names(text))
