"""What a rule of the stance judgment says, and which of the four kinds a contradiction is."""

from __future__ import annotations

import re
from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.dates import DateMatch
from inquest.entailment.evidence import Evidence
from inquest.entailment.numbers import NumberMatch
from inquest.entailment.reading import SentenceReading

__all__ = ["OMISSION", "Ruling", "contradiction_type"]


OMISSION = re.compile(
    r"\b(?:omit(?:s|ted|ting)?|left out|leav(?:es|ing) out|fail(?:s|ed) to (?:mention|disclose|include|report)|without "
    r"mentioning|did not (?:mention|disclose|include|report)|not disclosed|undisclosed|excluding|excludes|excluded|"
    r"not includ(?:ed|e|ing)|conceal(?:s|ed)?|only part of|does not count)\b",
    re.I,
)
_CONTEXT = re.compile(
    r"\b(?:out of context|misleading|cherry.?pick\w*|but only|mostly because|merely because|due only to|"
    r"largely because|exaggerat\w+|overstat\w+|selective\w*)\b",
    re.I,
)
# Words that turn a statement, and as often only join two.
_TURNS = re.compile(r"\b(?:in fact|however|although)\b", re.I)
_GRANTED = 0.5
"""Share of the claim's words in a sentence that grants the claim before it turns it."""


class Ruling(NamedTuple):
    """What a rule says, on which sentence it rests, and how often it is right (0 to 1)."""

    stance: Stance
    confidence: float
    reasons: tuple[str, ...]
    sentence: SentenceReading
    type: ContradictionType | None = None
    name: str = ""
    """Which rule spoke; for measuring."""
    weak: bool = False
    """It only says that nothing is known, and gives way to the learned part where that is fairly sure."""


def _grants(evidence: Evidence) -> bool:
    """Whether the sentence first says what the claim says: without that there is no context to be turned."""
    sentence, words = evidence.sentence, evidence.bearing
    plain = not (sentence.refuted or words.opposed or words.denied_by)
    return plain and words.coverage >= _GRANTED and bool(evidence.claim.negations) == bool(sentence.negations)


def contradiction_type(evidence: Evidence) -> ContradictionType:
    """Which of the four kinds a contradiction is."""
    text = evidence.sentence.text
    if OMISSION.search(text) and not OMISSION.search(evidence.claim.text):
        return ContradictionType.OMISSION
    if _CONTEXT.search(text) or (_TURNS.search(text) and _grants(evidence)):
        return ContradictionType.CONTEXTUAL
    others = [date for date in evidence.dates if date.match is DateMatch.OTHER]
    if others and not any(number.match is NumberMatch.DIFFERS for number in evidence.numbers):
        return ContradictionType.TIMELINE
    return ContradictionType.DIRECT
