"""Whether two sums that are paid are one payment: a penalty is no compensation, and what a chemist is awarded is not
what the state is owed. Two payments of one payer may both be true, whatever their sums."""

from __future__ import annotations

import re
from decimal import Decimal

from inquest.entailment.party import is_authority
from inquest.entailment.predicates import same_word
from inquest.entailment.reading import SentenceReading
from inquest.text.passages import stems
from inquest.text.quantities import Dimension, Quantity
from inquest.text.sentences import Span

__all__ = ["is_telling", "other_payment", "same_payment"]

_KINDS = {
    "penalty": re.compile(r"\b(?:penalt\w+|fine[sd]?|sanctions?)\b", re.I),
    "compensation": re.compile(r"\b(?:compensation|damages|redress|restitution)\b", re.I),
    "pay": re.compile(r"\b(?:salar\w+|bonus\w*|severance|wages?|pensions?)\b", re.I),
    "tax": re.compile(r"\b(?:tax(?:es)?|levy|levies|royalt\w+)\b", re.I),
    "dividend": re.compile(r"\bdividends?\b", re.I),
    "costs": re.compile(r"\b(?:legal|court)\s+(?:costs|fees)\b", re.I),
    "gift": re.compile(r"\bdonat\w+\b", re.I),
}
_BESIDE_A_SUM = 45
"""Characters on either side of a sum in which it is said what kind of payment it is."""
_BEGINS = (
    r"(?=an?\s|the\s|its\s|their\s|his\s|her\s|two\s|three\s|four\s|five\s|six\s|some\s|several\s|former\s|each\s|every\s|"
    r"(?-i:[A-Z])|(?:residents|families|workers|employees|staff|victims|customers|clients|shareholders|investors|farmers|"
    r"patients|tenants|relatives|neighbours|neighbors|suppliers|creditors)\b)"
)
"""How one begins who is paid: 'to a chemist', and not 'to settle'."""
_WHO = rf"{_BEGINS}(?P<who>(?:[^\W\d_][\w'’.&-]*\s*){{1,5}})"
_TO_WHOM = re.compile(rf"\s*(?:each\s+)?(?:in\s+\w+\s+)?to\s+(?:each\s+of\s+)?{_WHO}", re.I)
"""'86,000 euros to a chemist', '2 million in damages to three families'."""
_PAID_WHOM = re.compile(
    rf"\b(?:pa(?:y|ys|id|ying)|award(?:s|ed|ing)?|owe[sd]?|g[ai]ve[sn]?|grant(?:s|ed)?|compensat\w+)\s+(?!an?\s+[^,]*\bof\s)"
    rf"{_WHO}(?:about|around|some|more\s+than|at\s+least|up\s+to|nearly|almost)?\s*[€$£¥]?\s*$",
    re.I,
)
"""'Must pay Edda Marsh 86,000 euros', 'awarded a chemist 86,000 euros'."""
_ENDS = re.compile(
    r"\b(?:who|which|that|for|over|in|on|at|after|by|from|because|within|and|as|with|of|to|when|under)\b.*", re.I
)
_PUBLIC = re.compile(
    r"\b(?:treasury|state|exchequer|fisc|budget|fund|funds|city|town|county|region|republic|union|eu|council|municipality|"
    r"customs|revenue|irs|sec|ftc|doj|crown|public)\b",
    re.I,
)
_TWO_DIGITS = 10


def other_payment(
    claim: SentenceReading, mine: Quantity, sentence: SentenceReading, theirs: Quantity, *, same_sum: bool = False
) -> bool:
    """Both sums are paid, and not for the same, or not to the same. A claim that does not say who is paid is of another
    payment than one to a person or a private body. Of the same sum, only another kind of payment tells."""
    if mine.dimension is not Dimension.MONEY:
        return False
    one, other = _kinds(claim.text, mine.span), _kinds(sentence.text, theirs.span)
    if one and other:
        return not one & other
    if same_sum:
        return False
    here, there = _payee(claim.text, mine.span), _payee(sentence.text, theirs.span)
    if not there or is_authority(there) or _PUBLIC.search(there):
        return False
    told = stems(here) if here else claim.bag
    return not any(same_word(term, wanted) for term in stems(there) for wanted in told)


def same_payment(claim: SentenceReading, mine: Quantity, sentence: SentenceReading, theirs: Quantity | None) -> bool:
    """Both sums are of one kind of payment: a fine."""
    if theirs is None or mine.dimension is not Dimension.MONEY:
        return False
    return bool(_kinds(claim.text, mine.span) & _kinds(sentence.text, theirs.span))


def is_telling(quantity: Quantity) -> bool:
    """A sum of two digits or more (2.4 million, not 2 million), which two matters hardly ever share."""
    if quantity.dimension is not Dimension.MONEY or not quantity.low or quantity.low != quantity.high:
        return False
    digits = Decimal(str(quantity.low)).normalize().as_tuple().digits
    return int("".join(map(str, digits))) > _TWO_DIGITS


def _payee(text: str, place: Span) -> str:
    """Who is paid, as far as the words beside the sum say it; '' where they do not."""
    found = _TO_WHOM.match(text, place.end) or _PAID_WHOM.search(text[: place.start])
    return _ENDS.sub("", found["who"]).strip() if found else ""


def _kinds(text: str, place: Span) -> frozenset[str]:
    beside = text[max(0, place.start - _BESIDE_A_SUM) : place.end + _BESIDE_A_SUM]
    return frozenset(kind for kind, words in _KINDS.items() if words.search(beside))
