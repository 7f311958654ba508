"""Assess: one claim with all its passages. A judgement without its words in the passage is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inquest.analysts.marking import PromptBlock, ShownText, message
from inquest.analysts.prompting import instructions
from inquest.analysts.replies import AnswerPart, Chance, Line, Unusable, items, object_in
from inquest.domain.finding import ContradictionType, Stance
from inquest.kit.analyst import Judgement, Passage
from inquest.text.passages import best_passages
from inquest.text.sentences import shorten

Judged = dict[str, Judgement]
"""By passage id."""
_WHOLE = 5_000
"""Characters of a passage that are shown as they are; of a longer one the passages that bear on the claim."""
_SHORTEST_QUOTE = 8
_STANCES = {
    "supports": Stance.SUPPORTS,
    "support": Stance.SUPPORTS,
    "supported": Stance.SUPPORTS,
    "contradicts": Stance.CONTRADICTS,
    "contradict": Stance.CONTRADICTS,
    "contradicted": Stance.CONTRADICTS,
    "refutes": Stance.CONTRADICTS,
    "refuted": Stance.CONTRADICTS,
    "neutral": Stance.NEUTRAL,
}


class _Judgement(AnswerPart):
    passage: str
    stance: Line
    confidence: Chance
    quote: str | None = None
    contradiction_type: Any = None
    why: Line = ""


def shown(claim: str, passage: Passage) -> ShownText:
    """What of the passage is put before the model."""
    if len(passage.text) <= _WHOLE:
        return ShownText(passage.text)
    best = best_passages(claim, passage.text, limit=4, size=1_200)
    return ShownText(passage.text, sorted(span for span, _ in best) or None)


def ask(again: str = "") -> str:
    """The instructions."""
    return instructions("assess", again)


def question(claim: str, passages: Sequence[Passage], seen: Mapping[str, ShownText]) -> str:
    """The message."""
    blocks = [PromptBlock("claim", claim)]
    for passage in passages:
        published = passage.published.iso if passage.published else ""
        fields = (("site", passage.domain), ("published", published), ("title", passage.title))
        blocks.append(PromptBlock("passage", seen[passage.id].text, passage.id, fields))
    return message(blocks)


def answer(text: str, passages: Sequence[Passage], seen: Mapping[str, ShownText]) -> tuple[Judged, dict[str, str]]:
    """The judgements that stand, and for each passage without one the reason why.

    Raises Unusable where the answer names none of the passages.
    """
    given, _ = items(object_in(text, "judgements")["judgements"], _Judgement)
    by_id = {passage.id: passage for passage in passages}
    good: Judged = {}
    bad = {passage.id: "the answer has no judgement of this form for it" for passage in passages}
    named = [each for each in given if each.passage in by_id]
    if not named:
        raise Unusable("it judged none of the passages by the ids in the message")
    said: dict[str, _Judgement] = {}
    for each in named:
        earlier = said.setdefault(each.passage, each)
        if earlier.stance.lower() != each.stance.lower():
            bad[each.passage] = "the answer judges it twice, in different ways"
            good.pop(each.passage, None)
            continue
        if earlier is not each:
            continue
        judgement, why = _checked(each, by_id[each.passage], seen[each.passage])
        if judgement is not None:
            good[each.passage] = judgement
        bad[each.passage] = why
    return good, {passage_id: why for passage_id, why in bad.items() if passage_id not in good}


def _checked(each: _Judgement, passage: Passage, seen: ShownText) -> tuple[Judgement | None, str]:
    stance = _STANCES.get(each.stance.lower())
    why = shorten(each.why, 300)
    if stance is None:
        return None, "the answer gives it a stance that does not exist"
    if stance is Stance.NEUTRAL:
        return Judgement(
            passage_id=passage.id, stance=stance, confidence=each.confidence, reasons=(why,) if why else ()
        ), ""
    quote = (each.quote or "").strip()
    span = seen.find(quote) if len(quote) >= min(_SHORTEST_QUOTE, len(passage.text.strip())) else None
    if span is None:
        return None, "the words it rests on do not stand in the passage"
    return Judgement(
        passage_id=passage.id,
        stance=stance,
        contradiction_type=_type(each.contradiction_type) if stance is Stance.CONTRADICTS else None,
        confidence=each.confidence,
        quote=span.of(passage.text),
        start=span.start,
        end=span.end,
        reasons=(why,) if why else (),
    ), ""


def _type(value: object) -> ContradictionType:
    name = value.strip().lower() if isinstance(value, str) else ""
    return ContradictionType(name) if name in {kind.value for kind in ContradictionType} else ContradictionType.DIRECT


def unassessed(passage: Passage, model: str, why: str) -> Judgement:
    """The judgement that could not be had: it counts for nothing, on no side, and says why."""
    reason = f"Not assessed: {model} was asked twice, and {why}."
    return Judgement(passage_id=passage.id, stance=Stance.UNASSESSED, confidence=0.0, reasons=(reason,))
