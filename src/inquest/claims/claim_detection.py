"""Which sentences state something that can be checked, how much they are worth checking, and of what type they are."""

from __future__ import annotations

import re
from collections.abc import Callable

from inquest.claims.environmental import is_environmental_claim
from inquest.claims.scoring import Scored, claim_reason, scored, table
from inquest.domain.claim import ClaimType
from inquest.text.entities import names
from inquest.text.lexicon import pattern
from inquest.text.moments import moments
from inquest.text.polarity import hedges
from inquest.text.quantities import quantities
from inquest.text.regex import regex
from inquest.text.sentences import ASKING, words

_FLAGS = re.IGNORECASE

ACTIONS = pattern(__name__, "actions")
IMPERATIVE = pattern(__name__, "imperative")
BOILERPLATE = pattern(__name__, "boilerplate")
INSTRUCTING = pattern(__name__, "instructing")
"""A page that speaks to the machine that reads it (X8)."""
LEGAL = pattern(__name__, "legal")
PLANS = pattern(__name__, "plans")
"""What is aimed at, in words that say so."""
INTENDING = regex(r"\b(?:will|shall|is\s+to|are\s+to|expects?\s+to)\b", _FLAGS)
NOT_ASSERTED = pattern(__name__, "not_asserted")
"""Put there to be checked or answered; the page does not say that it is so."""
SITES = pattern(__name__, "sites")


_SHORT, _LONG = 6, 45
"""Words. Shorter says too little to be found again, longer says more than one thing."""
_QUOTED = regex(r"[\"“][^\"”]*[\"”]")
_VERB = pattern(__name__, "verb")
_YEAR = regex(r"\b(?:1[89]|20)\d\d\b")
_BASE = 0.1
_ENDS = (".", "!", "…", ".”", '."', ".’", ".'", ")", "”", '"')


def check_worth(sentence: str) -> Scored:
    """How much a sentence is worth checking, 0 to 1, and why: what speaks for it (figures, dates, names, actions) less
    what speaks against (opinion, first person, hedges, questions, appeals, furniture of the page)."""
    text = sentence.strip()
    why_not = next((why for applies, why in _NO_STATEMENT if applies(text)), "")
    if why_not:
        return Scored(0.0, (claim_reason(why_not),))
    unquoted = _QUOTED.sub(" ", text)
    figures = sum(not (each.spelled and each.value < 3) for each in quantities(text))
    named = sum(name.sure for name in names(text))
    length = len(words(text))
    facts: dict[str, float | str] = {
        "figures": figures > 0,
        "more_figures": max(0, figures - 1),
        "date": bool(moments(text)) or bool(_YEAR.search(text)),
        "names": named > 0,
        "more_names": max(0, named - 1),
        "action": bool(ACTIONS.search(unquoted)),
        "short": length < _SHORT,
        "long": length > _LONG,
        "heading": not text.endswith(_ENDS),
        "no_verb": not _VERB.search(unquoted),
        "hedges": bool(hedges(unquoted)),
        "conditional": text.startswith("If "),
    }
    sum_ = scored(table("sentence"), facts, unquoted)
    return sum_._replace(score=round(min(1.0, max(0.0, _BASE + sum_.score)), 3))


_NO_STATEMENT: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda text: not text, "empty"),
    (INSTRUCTING.search, "to_machines"),
    (BOILERPLATE.search, "of_the_page"),
    (lambda text: text.endswith(ASKING), "question"),
    (NOT_ASSERTED.match, "to_be_checked"),
    (IMPERATIVE.match, "instruction"),
    (lambda text: len(words(text)) < 4, "too_short"),
)
"""What is no statement at all, each with the code of its reason."""


_TYPES: tuple[tuple[Callable[[str], object], ClaimType], ...] = (
    (PLANS.search, ClaimType.STRATEGIC),
    (LEGAL.search, ClaimType.LEGAL_GOVERNANCE),
    (INTENDING.search, ClaimType.STRATEGIC),
    (lambda text: any(not each.spelled for each in quantities(text)), ClaimType.QUANTITATIVE),
    (is_environmental_claim, ClaimType.ENVIRONMENTAL),
    (SITES.search, ClaimType.GEOGRAPHIC),
    (lambda text: ACTIONS.search(text) and (moments(text) or any(name.sure for name in names(text))), ClaimType.EVENT),
)


def claim_type(text: str) -> ClaimType:
    """What kind of statement it is: the first that applies of plan, law, figure, environment, place and event."""
    return next((kind for applies, kind in _TYPES if applies(text)), ClaimType.STATEMENT)
