"""A second reading of what a model is not sure of: the sentence alone, with its neighbours.

One judgment of a model can decide a verdict. Where it gives one with little confidence, or gives the same words two
stances, it is asked again with another, smaller window; the surer of both readings is taken, and of two as sure none.
"""

from __future__ import annotations

from collections.abc import Sequence

from inquest.domain.finding import Stance
from inquest.domain.reading import Reading
from inquest.domain.reasons import Reason, in_words
from inquest.kit.analyst import Passage
from inquest.text.sentences import Span, sentences

_SURE = 0.8
"""Confidence from which a model's judgment is not asked about again: the one from which a witness verifies alone."""
_BESIDE = 1
"""Sentences on either side that the second reading has."""
_DECIDED = (Stance.SUPPORTS, Stance.CONTRADICTS)


def doubtful(found: Sequence[Reading]) -> tuple[int, ...]:
    """The places of the judgments of one claim that are read a second time."""
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
    """The passage, cut to the sentences that a judgment rests on and those beside them."""
    spans = sentences(passage.text)
    inside = [n for n, span in enumerate(spans) if span.end > judgement.start and span.start < judgement.end]
    if not inside:
        return passage
    first, last = spans[max(0, inside[0] - _BESIDE)], spans[min(len(spans) - 1, inside[-1] + _BESIDE)]
    window = Span(first.start, last.end)
    return passage.model_copy(update={"text": window.of(passage.text), "start": passage.start + window.start})


def settled(first: Reading, second: Reading, passage: Passage, window: Passage) -> Reading:
    """What two readings come to, with offsets into `passage`. Agree or not, the surer is
    taken, and of two that disagree and are as sure, none."""
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
