"""Claims about what somebody said: that a statement was made, admitted, withdrawn or denied.

Such a claim is borne out by whoever tells of the same act, and gone against by whoever says that it did not happen.
What passages say about the matter itself bears on the statement, not on whether it was made.
"""

from __future__ import annotations

import re

from inquest.entailment.reading import SentenceReading
from inquest.text.passages import stems

__all__ = ["denies_the_charge_alone", "is_about_a_statement", "says_it_again"]

_ACT = (
    r"(?:admit|conced|acknowledg|withdr[ae]w(?!als?\b|n?\s+(?:[\d.,]+|(?:less|more|fewer)\b))|retract|disown|den(?:y|ies|ied)|repudiat|apologi[sz]|"
    r"correct(?:s|ed) (?:its|his|her|their)|t(?:old|ells) \w+(?: \w+)? (?:that|since))\w*"
)
_STATEMENT = re.compile(
    rf"\b{_ACT}\b|\b(?:statement|account|assertion|claim|denial)\b.{{0,120}}\b(?:wrong|false|untrue|withdrawn|retracted)\b|"
    r"\bsays? (?:now )?that (?:this|that|it) (?:was|is) (?:wrong|false|untrue)\b",
    re.IGNORECASE | re.DOTALL,
)
_AGAIN = 0.9
"""Share of the claim's words in one sentence from which the sentence says the claim again."""


_CHARGED = re.compile(
    r"\b(?:charged|accused|indicted|sued|convicted|sentenced|fined|penali[sz]ed|ordered|ruled|found\s+guilty|arrested|"
    r"prosecut\w+|alleg(?:e|es|ed))\b",
    re.IGNORECASE,
)
_CHARGE = re.compile(
    r"\b(?:disput|den|reject|contest|challeng|appeal)\w*\s+(?:against\s+)?(?:the|all|these|those|its|his|her|their|any|both)\s+"
    r"(?:\w+\s+)?(?:charges?|allegations?|accusations?|claims?|indictment|law\s?suit|suit|verdict|ruling|judge?ment|sentence|"
    r"conviction|fine|penalty|order|decision)\b",
    re.IGNORECASE,
)


def denies_the_charge_alone(claim: str, sentence: str) -> bool:
    """Whether the claim is that somebody was charged, fined or sentenced, and the sentence denies what was laid to him:
    who disputes a charge says that it was made."""
    return bool(_CHARGED.search(claim) and _CHARGE.search(sentence))


def is_about_a_statement(claim: str) -> bool:
    """Whether the claim is that somebody said, admitted, withdrew or denied something."""
    return _STATEMENT.search(claim) is not None


def says_it_again(claim: SentenceReading, sentence: SentenceReading, *, whenever: bool = False) -> bool:
    """Whether the sentence has nearly all words of the claim, the same figures and as many negations: it can't go
    against it. `whenever`: the claim's dates need not be among them ('on Thursday' may be '22 May')."""
    dates = {stem for moment in claim.moments for stem in stems(moment.span.of(claim.text))} if whenever else set()
    wanted = claim.bag - dates
    if not wanted or len(wanted & sentence.bag) < _AGAIN * len(wanted):
        return False
    if len(claim.negations) != len(sentence.negations):
        return False
    figures = {(each.value, each.unit) for each in sentence.quantities}
    return all((each.value, each.unit) in figures for each in claim.quantities)
