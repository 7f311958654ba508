"""A second reading of doubtful assessments, of the sentence and its neighbours only; and passages contained in others,
which are read once.

A single assessment can decide a verdict. If its confidence is low, or the same words were given two stances, the model
is asked again with a smaller window. The reading with more confidence counts; if both disagree with the same
confidence, neither does. A passage is repeated if another one has each of its sentences word for word, and and so every
figure and negation; the other's assessment then applies to both, with the quote located in each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inquest.domain.finding import Reading, Stance
from inquest.domain.reasons import Reason, in_words
from inquest.kit.analyst import Passage
from inquest.text.grounding import ground
from inquest.text.sentences import Span, sentences

_MOST = 0.5
"""Minimum share of a longer passage that its copy must contain; a shorter copy may lack the deciding words and need a
call of its own."""


def repeated(passages: Sequence[Passage]) -> dict[str, str]:
    """Map each repeated passage to the longest passage that has all its sentences, by id."""
    kept: list[tuple[Passage, frozenset[str]]] = []
    found: dict[str, str] = {}
    for passage in sorted(passages, key=lambda each: -len(each.text)):
        said = frozenset(" ".join(span.of(passage.text).split()) for span in sentences(passage.text))
        whole = next((each for each, more in kept if said and said <= more), None)
        if whole is None:
            kept.append((passage, said))
        elif len(passage.text) >= _MOST * len(whole.text):
            found[passage.id] = whole.id
    return found


def shared(
    passages: Sequence[Passage], repeats: Mapping[str, str], judged: Mapping[str, Reading]
) -> dict[str, Reading]:
    """Return assessments of the repeated passages by id, each with its own position of the quote. No entry: the passage
    lacks the quoted words, or its longer passage could not be assessed."""
    found = {}
    for passage in passages:
        if passage.id not in repeats:
            continue
        of_whole = judged[repeats[passage.id]]
        if of_whole.stance is Stance.UNASSESSED:
            continue
        update: dict[str, str | int] = {"passage_id": passage.id}
        if of_whole.stance.decides:
            span = ground(passage.text, of_whole.quote)
            if span is None:
                continue
            update |= {"quote": span.of(passage.text), "start": span.start, "end": span.end}
        found[passage.id] = of_whole.model_copy(update=update)
    return found


_SURE = 0.8
"""Confidence at which no second reading is needed: that with which a single witness verifies a claim."""
_BESIDE = 1
"""Sentences on either side in the second reading."""


def doubtful(found: Sequence[Reading]) -> tuple[int, ...]:
    """Return the indices of a claim's assessments that need a second reading."""
    stances: dict[str, set[Stance]] = {}
    for each in found:
        if each.stance.decides:
            stances.setdefault(_words(each), set()).add(each.stance)
    return tuple(
        place
        for place, each in enumerate(found)
        if each.stance.decides and (each.confidence < _SURE or len(stances[_words(each)]) > 1)
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
