"""A claim's numbers held against a passage's: which agree, which differ, and whether they are about the same thing."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from inquest.entailment.reading import Reading, SentenceReading
from inquest.text.passages import stems
from inquest.text.quantities import Dimension, Quantity, Relation, compare, shown
from inquest.text.word_weights import rarity

__all__ = ["NumberEvidence", "NumberMatch", "number_evidence"]

# A table read as one sentence has hundreds of numbers; every one with every one would take minutes.
_OF_A_CLAIM = 12
_OF_A_SENTENCE = 100


class NumberMatch(StrEnum):
    """How one number of the claim fares in the passage."""

    SAME = "same"
    DIFFERS = "differs"
    ABSENT = "absent"


class NumberEvidence(NamedTuple):
    """One number of the claim and the passage's number nearest to it in meaning."""

    claim: Quantity
    match: NumberMatch
    context: float
    """Share of the claim's other words, by weight, that stand in the same sentence, 0 to 1."""
    nearby: float
    """Share of the words next to the claim's number that stand next to the passage's."""
    sentence: SentenceReading | None = None
    passage: Quantity | None = None

    @property
    def reason(self) -> str:
        """As a person would say it."""
        if self.passage is None:
            return f"The passage does not give the claim's number ({shown(self.claim)})."
        if self.match is NumberMatch.SAME:
            return f"Both say {shown(self.claim)}." if _alike(self.claim, self.passage) else (
                f"The claim's {shown(self.claim)} agrees with the passage's {shown(self.passage)}."
            )  # fmt: skip
        return f"The claim says {shown(self.claim)}, the passage says {shown(self.passage)}."


def _alike(one: Quantity, other: Quantity) -> bool:
    return shown(one) == shown(other)


def number_evidence(
    claim: SentenceReading, passage: Reading, name_stems: frozenset[str] = frozenset()
) -> tuple[NumberEvidence, ...]:
    """For each number of the claim, the best match in the passage: an agreeing number anywhere first, else the
    differing number whose sentence has most of the claim's words. `name_stems`: those of the claim's names, which are
    looked for by themselves and are no context."""
    found = []
    for quantity in claim.quantities[:_OF_A_CLAIM]:
        own = set(stems(quantity.text))
        others = claim.bag - own - set(quantity.nouns) - name_stems
        weight = sum(rarity(term) for term in others)
        near = claim.around(quantity.span)
        best = NumberEvidence(quantity, NumberMatch.ABSENT, 0.0, 0.0)
        for sentence in passage.sentences:
            if sentence.asks:
                continue
            context = sum(rarity(term) for term in others & sentence.bag) / weight if others else 0.0
            for candidate in sentence.quantities[:_OF_A_SENTENCE]:
                relation = _relation(quantity, candidate)
                if relation is Relation.NOT_COMPARABLE:
                    continue
                beside = sentence.around(candidate.span)
                nearby = len(near & beside) / len(near) if near else 0.0
                match = NumberMatch.SAME if relation is Relation.SAME else NumberMatch.DIFFERS
                option = NumberEvidence(quantity, match, context, nearby, sentence, candidate)
                if _rank(option) > _rank(best):
                    best = option
        found.append(best)
    return tuple(_not_another(one, found) for one in found)


def _not_another(one: NumberEvidence, found: list[NumberEvidence]) -> NumberEvidence:
    """'558 were killed and 201 died' beside '201 died': the passage's 201 is the claim's own 201, and no other 558."""
    if one.match is not NumberMatch.DIFFERS or one.passage is None:
        return one
    own = any(other.match is NumberMatch.SAME and other.passage == one.passage for other in found)
    return NumberEvidence(one.claim, NumberMatch.ABSENT, 0.0, 0.0) if own else one


def _relation(claim: Quantity, passage: Quantity) -> Relation:
    if claim.dimension is passage.dimension is Dimension.COUNT:
        # The very same large count is hardly ever of something else, whatever noun stands behind it; and a count that
        # does not say what it counts agrees only by being the same.
        if claim.low == passage.low and claim.high == passage.high and (claim.low >= 20 or not passage.nouns):
            return Relation.SAME
        if not (claim.nouns and passage.nouns):
            return Relation.NOT_COMPARABLE
    return compare(claim, passage).relation


def _rank(evidence: NumberEvidence) -> tuple[bool, bool, float]:
    present = evidence.match is not NumberMatch.ABSENT
    # An agreeing number in a sentence about something else says less than a differing one in the right sentence.
    same = evidence.match is NumberMatch.SAME and evidence.context >= 0.15
    return (present, same, evidence.context + evidence.nearby)
