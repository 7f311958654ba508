"""How a passage bears on a claim, without a model service: rules where they know, learned weights where they do not.

The rules (numbers, dates, names, negation, direction) come first and give their own reasons. Where none speaks, a
logistic regression over what they measured decides, and is held back where it may not decide: a passage that does not
name the claim's subject cannot contradict it with much confidence. Deterministic.
"""

from __future__ import annotations

from typing import NamedTuple

from inquest.domain.finding import ContradictionType, Stance
from inquest.logic.stance_dates import DateMatch
from inquest.logic.stance_evidence import Evidence, gather
from inquest.logic.stance_features import features
from inquest.logic.stance_found import Found, Page, judge_found
from inquest.logic.stance_numbers import NumberMatch
from inquest.logic.stance_rules import rule
from inquest.logic.stance_ruling import contradiction_type
from inquest.logic.stance_speakers import Manner
from inquest.logic.stance_voice import Teller
from inquest.logic.stance_weights import probabilities
from inquest.logic.text import Span

__all__ = ["StanceFound", "stance_of"]

# The learned part alone never reaches what counts as a sure contradiction (0.8).
_LEARNED_CEILING = 0.79
_NAMELESS_CEILING = 0.6
_OVER_A_WEAK_RULE = 0.55
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
    claim: str, passage: str, *, title: str = "", searched: bool = False, page: Page | None = None
) -> StanceFound:
    """How the passage bears on the claim.

    `title`: of the document the passage is from, where a name may stand that the passage does not repeat. `searched`:
    the passage was found by a search, and was not put beside the claim by a person; then only rules decide, sentence by
    sentence, and it is said whose word it is. `page`: what is known of the document of a passage that was found (its
    title among it). An empty claim or passage is neutral with confidence 0.
    """
    if searched or page is not None:
        return _of_found(judge_found(claim, passage, page or Page(title)))
    evidence = gather(claim, passage, title=title)
    if evidence is None:
        return StanceFound(Stance.NEUTRAL, 0.0, None, Span(0, 0), ("There is nothing to compare.",))
    measured = features(evidence)
    chances = probabilities(measured)
    ruling = rule(evidence)
    if ruling is not None and not (ruling.weak and _sure_enough(chances)):
        return StanceFound(ruling.stance, ruling.confidence, ruling.type, ruling.sentence.span, ruling.reasons)
    answers = measured["says_no"] or measured["says_yes"]
    if measured["coverage_best"] < _LEAST and not answers:
        return _too_little(evidence, chances)
    return _learned(evidence, chances)


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
        attributed_to=(voice.name or None) if told else None,
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


def _reasons(evidence: Evidence, stance: Stance) -> tuple[str, ...]:
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
    if stance is Stance.NEUTRAL:
        reasons.append("It neither bears the claim out nor goes against it.")
    else:
        reasons.append("No rule decides this: it is judged by likeness to pairs that people have judged.")
    return tuple(reasons)
