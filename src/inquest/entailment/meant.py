"""What a model reads in a claim and a statement where the rules have nothing to say, and where the two disagree.

Most of what a search brings says nothing to the claim, and a model of this size is surest where it is wrong about that.
So it is asked only where the statement speaks of the subject, time and numbers of the claim, and then it must be sure.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.amounts import AmountMatch
from inquest.entailment.pair import LEANS, Pair, another_stage, without_its_cause
from inquest.entailment.ruling import contradiction_type
from inquest.text.meaning import Meaning

__all__ = ["Bearing", "Read", "doubted", "is_headline", "meant"]

Read = Callable[[str, str], Meaning | None]
"""What a model reads in claim and text; None where there is no model."""

_TOLD = 0.4
"""Share of the claim that statement and neighbours must tell before the model is asked."""
_SURE_OF_SUPPORT = 0.9
_SURE_AGAINST = 0.93
_SURE_OF_THE_OPPOSITE = 0.9
_NEARLY_REPEATS = 0.9
_BORNE_OUT, _GONE_AGAINST = 0.66, 0.62
"""Confidence of what only the model says: below what the rules say."""
_BESIDE = 300
"""Characters of what stands before that a leaning statement is read with."""
_LONGEST = 200
"""Characters of a headline, at most."""
_ENDED = re.compile(r"[.!?…:;][\s\"'”’»)\]]*$")


class Bearing(NamedTuple):
    """What a statement comes to for the claim. Neutral bearings carry why they are no more than that."""

    stance: Stance
    confidence: float
    reasons: tuple[str, ...]
    type: ContradictionType | None = None
    said: float = 0.0
    """Share of what the claim says that stands in the statement, 0 to 1."""
    either_or: bool = False
    """Where it contradicts the claim, one of the two must be so: what is untrue of it bears the claim out."""
    restates: bool = False
    """It has the claim's matter and nothing that differs: enough for what is then called true or untrue."""
    by_negation: bool = False
    """A negation on one side is all that speaks for it."""


def is_headline(text: str) -> bool:
    """Whether it is written as headlines are: one line without a stop at its end."""
    stripped = text.strip()
    return 0 < len(stripped) <= _LONGEST and "\n" not in stripped and not _ENDED.search(stripped)


def meant(pair: Pair, read: Read) -> Bearing | None:
    """What the model says of a pair on which no rule spoke; None where it may not speak or is not sure."""
    if pair.told < _TOLD or pair.time or another_stage(pair):
        return None
    if any(number.match is not AmountMatch.SAME for number in pair.numbers):
        return None
    if pair.claim.moments and not pair.same_time:
        return None
    headline = is_headline(pair.claim.text)
    if headline and pair.evidence.names.met:
        return None  # an event's headline is held against more than this (`stance_headlines`)
    meaning = read(pair.claim.text, _text(pair))
    if meaning is None:
        return None
    if meaning.supports >= _SURE_OF_SUPPORT and not without_its_cause(pair):
        reason = f"Read for its meaning, the passage bears the claim out ({meaning.supports:.0%})."
        return Bearing(Stance.SUPPORTS, _BORNE_OUT, (reason,))
    # Two headlines of one event have few words in common, and read as if they were opposed; figures are for the rules.
    if meaning.contradicts >= _SURE_AGAINST and not pair.numbers and not headline:
        reason = f"Read for its meaning, the passage goes against the claim ({meaning.contradicts:.0%})."
        return Bearing(Stance.CONTRADICTS, _GONE_AGAINST, (reason,), contradiction_type(pair.evidence))
    return None


def doubted(bearing: Bearing, pair: Pair, read: Read) -> Bearing:
    """What a rule found, or neither yes nor no where the model is sure of the opposite: then a person should look."""
    if bearing.stance is Stance.NEUTRAL or any(number.match is AmountMatch.DIFFERS for number in pair.numbers):
        return bearing
    if bearing.stance is Stance.SUPPORTS and pair.said >= _NEARLY_REPEATS:
        return bearing  # whatever a model reads: no sentence goes against what it repeats
    meaning = read(pair.claim.text, _text(pair))
    if meaning is None:
        return bearing
    if bearing.by_negation and meaning.contradicts < max(meaning.neutral, meaning.supports):
        # A 'no' on one side only is the weakest of signs: the two may speak of different things in the same words.
        reason = f"Read for its meaning, the passage does not go against the claim ({meaning.contradicts:.0%})."
        return bearing._replace(stance=Stance.NEUTRAL, confidence=0.5, type=None, reasons=(*bearing.reasons, reason))
    opposite = meaning.contradicts if bearing.stance is Stance.SUPPORTS else meaning.supports
    if opposite < _SURE_OF_THE_OPPOSITE:
        return bearing
    says = "goes against the claim" if bearing.stance is Stance.SUPPORTS else "bears the claim out"
    reason = f"Read for its meaning, the passage {says} ({opposite:.0%}); by its words it does the opposite."
    return bearing._replace(stance=Stance.NEUTRAL, confidence=0.5, type=None, reasons=(*bearing.reasons, reason))


def _text(pair: Pair) -> str:
    statement = pair.sentence.text
    if LEANS.match(statement) and pair.around.before:
        return f"{pair.around.before[-_BESIDE:]} {statement}"
    return statement
