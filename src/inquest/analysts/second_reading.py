"""A second reading of doubtful assessments: the sentence with its neighbours only.

A single assessment can decide a verdict. If its confidence is low, or the same words were given two stances, the model
is asked again with a smaller window. The reading with more confidence counts; if both disagree with the same
confidence, neither does.
"""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.finding import Stance
from inquest.domain.reading import Reading
from inquest.domain.reasons import Reason, in_words
from inquest.kit.analyst import Passage
from inquest.text.sentences import Span, sentences

_SURE = 0.8
"""Confidence that needs no second reading: that with which one witness verifies a claim."""
_BESIDE = 1
"""Sentences on either side in the second reading."""
_DECIDED = (Stance.SUPPORTS, Stance.CONTRADICTS)


def doubtful(found: Sequence[Reading]) -> tuple[int, ...]:
    """Return the indices of a claim's assessments that need a second reading."""
    stances: dict[str, set[Stance]] = {}
    for each in found:
        if each.stance in _DECIDED:
            stances.setdefault(_words(each), set()).add(each.stance)
    return tuple(
        place
        for place, each in enumerate(found)
        if each.stance in _DECIDED and (each.confidence < _SURE or len(stances[_words(each)]) > 1)
    )


def _words(judgement: Reading) -> str:
    return " ".join(judgement.quote.casefold().split())


def window_of(passage: Passage, judgement: Reading) -> Passage:
    """Cut the passage to the sentences of an assessment and their neighbours."""
    spans = sentences(passage.text)
    inside = [n for n, span in enumerate(spans) if span.end > judgement.start and span.start < judgement.end]
    if not inside:
        return passage
    first, last = spans[max(0, inside[0] - _BESIDE)], spans[min(len(spans) - 1, inside[-1] + _BESIDE)]
    window = Span(first.start, last.end)
    return passage.model_copy(update={"text": window.of(passage.text), "start": passage.start + window.start})


def settled(first: Reading, second: Reading, passage: Passage, window: Passage) -> Reading:
    """Return the result of two readings, with offsets into `passage`: the one with more confidence, or neutral if they
    disagree with the same confidence."""
    if second.stance is Stance.UNASSESSED:
        return first
    moved = window.start - passage.start
    placed = second if not second.quote else second.model_copy(
        update={"start": second.start + moved, "end": second.end + moved}
    )  # fmt: skip
    if placed.confidence > first.confidence or (
        placed.stance is first.stance and placed.confidence == first.confidence
    ):
        return placed
    if placed.stance is first.stance or placed.confidence < first.confidence:
        return first
    why = Reason(code="entailment.read_twice")
    return first.model_copy(
        update={
            "stance": Stance.NEUTRAL,
            "contradiction_type": None,
            "reasons": (*first.reasons, in_words(why)),
            "reason_codes": (*first.reason_codes, why),
        }
    )
