"""What a fact-check's own rating says of a claim: the page has looked into that very claim, and says so to machines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from inquest.claims.sameness import parse_statement, same_statement
from inquest.domain.assessment import Verdict
from inquest.domain.finding import ContradictionType, Stance
from inquest.domain.leads import ClaimReview
from inquest.domain.reasons import Reason
from inquest.entailment.features import Evidence
from inquest.kit.analyst import Passage
from inquest.text.sentences import Span

_RULED = 0.85
"""Confidence of a ruling that is declared, as of one that a passage states in words (`entailment.stance`)."""
_SENTENCE = 4
"""Words from which a ruling is understood alone."""
_STANCES = {Verdict.CONTRADICTED.value: Stance.CONTRADICTS, Verdict.VERIFIED.value: Stance.SUPPORTS}
"""Of a rating in between it cannot be told which part of the claim is so."""


@dataclass(frozen=True)
class Ruling:
    """How a page rates a claim. `span`: the words of the passage that state it; None: they stand elsewhere on it."""

    stance: Stance
    span: Span | None
    confidence: float = _RULED

    @property
    def type(self) -> ContradictionType | None:
        """Of a contradiction: direct."""
        return ContradictionType.DIRECT if self.stance is Stance.CONTRADICTS else None

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """That the page calls the claim false, or true."""
        return (Reason(code=f"entailment.called_{'false' if self.stance is Stance.CONTRADICTS else 'true'}"),)


def ruling_of(claim: str, passage: Passage, evidence: Evidence) -> Ruling | None:
    """The rating by the passage's page of the same statement (`claims.sameness`): the same words, names, figures, days
    and direction. None where the page declares none, or one in between, or several that differ."""
    if not passage.reviews:
        return None
    asked = parse_statement(claim)
    same = [each for each in passage.reviews if same_statement(parse_statement(each.claim), asked)]
    stances = {_STANCES.get(each.verdict or "") for each in same}
    stance = stances.pop() if len(stances) == 1 else None
    return Ruling(stance, _stated(same[0], evidence)) if stance else None


def _stated(review: ClaimReview, evidence: Evidence) -> Span | None:
    """The sentence with the rating's own words, as they are written there: 'False' with its capital. One that is no
    more than the rating is quoted with the sentence before it, or after it where none is before."""
    rating = review.rating.strip()
    if not rating:
        return None
    words = re.compile(rf"(?<!\w){re.escape(rating)}(?!\w)")
    statements = evidence.reading.statements
    for place, each in enumerate(statements):
        if words.search(each.text):
            beside = each
            if len(each.text.split()) < _SENTENCE:
                beside = statements[place - 1] if place else statements[min(1, len(statements) - 1)]
            return Span(min(beside.span.start, each.span.start), max(beside.span.end, each.span.end))
    return None
