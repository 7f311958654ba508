"""Which of two events came first, and where a limit lies, as a claim and a statement have it."""

from __future__ import annotations

import re

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.meant import Bearing
from inquest.entailment.opposites import sets_a_limit
from inquest.entailment.pair import Pair
from inquest.entailment.predicates import same_word
from inquest.text.passages import stems
from inquest.text.quantities import Relation, compare, shown

__all__ = ["about_limit_set", "about_order"]

_SAYS_IT, _TOLD_NUMBER = 0.7, 0.45
"""Shares of the claim that a statement must say, and that it must tell with those beside it."""
_BEFORE_OR_AFTER = re.compile(r"\b(?P<which>before|after)\s+(?P<event>(?:the|its|their|an?)\s+[^.;,]{3,60})", re.I)


def about_order(pair: Pair) -> Bearing | None:
    """'Before the parliament asked' and 'three months after the parliament had asked': one of the two."""
    wanted, told = _BEFORE_OR_AFTER.search(pair.claim.text), _BEFORE_OR_AFTER.search(pair.sentence.text)
    if wanted is None or told is None or pair.said < _SAYS_IT or pair.claim.negations or pair.sentence.negations:
        return None
    if wanted["which"].lower() == told["which"].lower():
        return None
    mine, theirs = stems(wanted["event"]), stems(told["event"])
    if not mine or not any(same_word(one, other) for one in mine[:2] for other in theirs):
        return None
    reason = f"The claim has it '{_short(wanted)}', the passage '{_short(told)}'."
    return Bearing(Stance.CONTRADICTS, 0.72, (reason,), ContradictionType.TIMELINE)


def _short(match: re.Match[str]) -> str:
    return " ".join(match.group().split())[:60]


def about_limit_set(pair: Pair) -> Bearing | None:
    """Both say where a limit lies: 'allows 250', 'shall not exceed 250', 'sets a maximum of 250'."""
    if pair.told < _TOLD_NUMBER or len(pair.claim.quantities) != 1:
        return None
    (quantity,) = pair.claim.quantities
    if not sets_a_limit(pair.claim.text, quantity.span):
        return None
    for found in pair.sentence.quantities:
        if not sets_a_limit(pair.sentence.text, found.span):
            continue
        if compare(quantity, found).relation is Relation.SAME:
            return Bearing(Stance.SUPPORTS, 0.72, (f"Both set the limit at {shown(quantity)}.",))
    return None
