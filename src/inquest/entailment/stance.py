"""How a passage bears on a claim, without a model service: rules where they know, learned weights where they do not.

The rules (numbers, dates, names, negation, direction) give their own reasons. With what a small model read in the pair
(`meaning`) both are weighed together: the model reads what is meant, the rules what differs. Without one the rules come
first, and where none speaks a logistic regression over what they measured decides. Either is held back where it may not
decide: a passage that does not name the claim's subject cannot contradict it with much confidence. Deterministic.
"""

from __future__ import annotations

from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.entailment.combined import combined, confidence_of, measured
from inquest.entailment.dates import DateMatch
from inquest.entailment.evidence import Evidence, gather
from inquest.entailment.features import features
from inquest.entailment.found import Found, Page, judge_found
from inquest.entailment.meant import Read
from inquest.entailment.numbers import NumberMatch
from inquest.entailment.rules import rule
from inquest.entailment.ruling import Ruling, contradiction_type
from inquest.entailment.speakers import Manner
from inquest.entailment.voice import Teller
from inquest.text.meaning import Meaning
from inquest.text.sentences import Span
from inquest.text.word_weights import probabilities

__all__ = ["StanceFound", "stance_of"]

# The learned part alone never reaches what counts as a sure contradiction (0.8).
_LEARNED_CEILING = 0.79
_NAMELESS_CEILING = 0.6
_OVER_A_WEAK_RULE = 0.55
# What these rules say stands, whatever the model reads: figures, their kinds, dates and opposites it reads worst, and
# a plain 'no' to the very question needs no reading.
_DECIDES = frozenset(("answered", "bases", "measures", "numbers_differ", "dates_differ", "direction"))
# These only keep the model from reading a contradiction into what denies nothing.
_HOLD_BACK = frozenset(("one_of_several", "yes_to_a_part"))
_DOUBTED = 0.65
# The least share of the claim, by weight of its words, that one sentence must have to say anything about it.
_LEAST = 0.15


class StanceFound(NamedTuple):
    """The judgment of one pair. `span` is the sentence it rests on, as offsets into the passage.

    Whose word it rests on is told of passages that a search found.
    """

    stance: Stance
    confidence: float
    contradiction_type: ContradictionType | None
    span: Span
    reasons: tuple[str, ...]
    attributed_to: str | None = None
    """Who says so in the passage; None: the document itself."""
    party: bool = False
    """It is the word of the claim's own subject."""
    admission: bool = False
    """It is that subject's word against itself."""
    hearsay: bool = False
    """It is the word of somebody who is no authority on it."""


def stance_of(
    claim: str,
    passage: str,
    *,
    title: str = "",
    searched: bool = False,
    page: Page | None = None,
    meaning: Meaning | None = None,
    read: Read | None = None,
) -> StanceFound:
    """How the passage bears on the claim.

    `title`: of the document the passage is from, where a name may stand that the passage does not repeat. `searched`:
    the passage was found by a search, and was not put beside the claim by a person; then only rules decide, sentence by
    sentence, and it is said whose word it is. `page`: what is known of the document of a passage that was found (its
    title among it). `meaning`: what a model read in the pair; `read` asks it of
    sentences of a passage that was found. An empty claim or passage is neutral with confidence 0.
    """
    if searched or page is not None:
        return _of_found(judge_found(claim, passage, page or Page(title), read))
    evidence = gather(claim, passage, title=title)
    if evidence is None:
        return StanceFound(Stance.NEUTRAL, 0.0, None, Span(0, 0), ("There is nothing to compare.",))
    ruling = rule(evidence)
    if meaning is not None:
        return _of_both(evidence, meaning, ruling)
    found = features(evidence)
    chances = probabilities(found)
    if ruling is not None and not (ruling.weak and _sure_enough(chances)):
        return StanceFound(ruling.stance, ruling.confidence, ruling.type, ruling.sentence.span, ruling.reasons)
    answers = found["says_no"] or found["says_yes"]
    if found["coverage_best"] < _LEAST and not answers:
        return _too_little(evidence, chances)
    return _learned(evidence, chances)


def _of_both(evidence: Evidence, meaning: Meaning, ruling: Ruling | None) -> StanceFound:
    chances = combined(measured(evidence, meaning, ruling))
    stance = max(chances, key=lambda one: chances[one])
    if ruling is not None and (ruling.name in _DECIDES or (ruling.name in _HOLD_BACK and stance is Stance.CONTRADICTS)):
        confidence = ruling.confidence if ruling.stance is stance else min(ruling.confidence, _DOUBTED)
        reasons = _why(evidence, meaning, ruling, ruling.stance)
        return StanceFound(ruling.stance, round(confidence, 3), ruling.type, ruling.sentence.span, reasons)
    confidence = confidence_of(stance, chances[stance])
    kind = None
    if stance is not Stance.NEUTRAL and evidence.names.missing and not evidence.names.met:
        confidence = min(confidence, _NAMELESS_CEILING)
    if stance is Stance.CONTRADICTS:
        same = ruling is not None and ruling.stance is stance
        kind = (ruling.type if ruling is not None and same else None) or contradiction_type(evidence)
    sentence = ruling.sentence if ruling is not None and ruling.stance is stance else evidence.sentence
    return StanceFound(stance, round(confidence, 3), kind, sentence.span, _why(evidence, meaning, ruling, stance))


_SAID = {
    Stance.CONTRADICTS: "goes against the claim",
    Stance.NEUTRAL: "says neither yes nor no to the claim",
    Stance.SUPPORTS: "bears the claim out",
}


def _why(evidence: Evidence, meaning: Meaning, ruling: Ruling | None, stance: Stance) -> tuple[str, ...]:
    reasons = list(ruling.reasons) if ruling is not None and ruling.stance is stance else _met(evidence, stance)
    share = {
        Stance.CONTRADICTS: meaning.contradicts,
        Stance.NEUTRAL: meaning.neutral,
        Stance.SUPPORTS: meaning.supports,
    }
    read = max(share, key=lambda one: share[one])
    if read is stance:
        reasons.append(f"Read for its meaning, the passage {_SAID[read]} ({share[read]:.0%}).")
    elif stance is not Stance.NEUTRAL:
        reasons.append(f"Read for its meaning alone, the passage {_SAID[read]}; what differs in it decides.")
    else:
        reasons.append(f"Read for its meaning, the passage {_SAID[read]}, but not clearly enough ({share[read]:.0%}).")
    return tuple(reasons)


def _of_found(found: Found) -> StanceFound:
    voice = found.voice
    party = voice.teller is Teller.PARTY
    hearsay = voice.teller is Teller.WITNESS or (voice.manner is Manner.ALLEGES and not party)
    told = found.stance is not Stance.NEUTRAL
    return StanceFound(
        found.stance,
        round(found.confidence, 3),
        found.type,
        found.span,
        found.reasons,
        attributed_to=voice.who if told else None,
        party=told and party,
        admission=told and found.admission,
        hearsay=told and hearsay,
    )


def _too_little(evidence: Evidence, chances: dict[Stance, float]) -> StanceFound:
    """No sentence has enough of the claim to say anything about it, whatever the rest looks like."""
    share = round(100 * evidence.bearing.coverage)
    reason = f"No sentence has enough of the claim to bear on it; the best has {share} % of its words."
    confidence = round(max(0.5, chances[Stance.NEUTRAL]), 3)
    return StanceFound(Stance.NEUTRAL, confidence, None, evidence.sentence.span, (reason,))


def _sure_enough(chances: dict[Stance, float]) -> bool:
    return max(chances[Stance.SUPPORTS], chances[Stance.CONTRADICTS]) >= _OVER_A_WEAK_RULE


def _learned(evidence: Evidence, chances: dict[Stance, float]) -> StanceFound:
    stance = max(chances, key=lambda one: chances[one])
    confidence = chances[stance]
    nameless = bool(evidence.names.missing) and not evidence.names.met
    if stance is not Stance.NEUTRAL:
        confidence = min(confidence, _NAMELESS_CEILING if nameless else _LEARNED_CEILING)
    kind = contradiction_type(evidence) if stance is Stance.CONTRADICTS else None
    return StanceFound(stance, round(confidence, 3), kind, evidence.sentence.span, _reasons(evidence, stance))


def _met(evidence: Evidence, stance: Stance) -> list[str]:
    """What is met of the claim in the passage, in words."""
    words, reasons = evidence.bearing, []
    reasons.append(f"The sentence has {round(100 * words.coverage)} % of the claim's words.")
    if evidence.names.missing:
        reasons.append(f"It does not name {', '.join(evidence.names.missing[:3])}.")
    reasons += [number.reason for number in evidence.numbers if number.match is not NumberMatch.ABSENT]
    reasons += [date.reason for date in evidence.dates if date.match is not DateMatch.ABSENT]
    if words.opposed:
        reasons.append(f"The claim says '{words.opposed[0][0]}', the passage says '{words.opposed[0][1]}'.")
    elif bool(evidence.claim.negations) != bool(evidence.sentence.negations):
        reasons.append("Only one of the two is negated.")
    if evidence.sentence.refuted and stance is Stance.CONTRADICTS:
        reasons.append("The passage calls something untrue.")
    if words.alleged:
        reasons.append("The passage only reports what somebody alleges.")
    return reasons


def _reasons(evidence: Evidence, stance: Stance) -> tuple[str, ...]:
    reasons = _met(evidence, stance)
    if stance is Stance.NEUTRAL:
        reasons.append("It neither bears the claim out nor goes against it.")
    else:
        reasons.append("No rule decides this: it is judged by likeness to pairs that people have judged.")
    return tuple(reasons)
