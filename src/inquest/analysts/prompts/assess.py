"""Assess: one claim with all its passages. A judgement without its words in the passage is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from inquest.analysts.marking import PromptBlock, ShownText, message, one_line
from inquest.analysts.prompting import instructions
from inquest.analysts.replies import AnswerPart, Chance, Line, Unusable, items, object_in
from inquest.domain.finding import ContradictionType, Stance
from inquest.kit.analyst import Judgement, Passage
from inquest.text.languages import detect_language
from inquest.text.passages import best_passages, stems
from inquest.text.quantities import quantities
from inquest.text.sentences import Span, sentences, shorten

Judged = dict[str, Judgement]
"""By passage id."""
_WHOLE = 5_000
"""Characters of a passage that are shown as they are; of a longer one the passages that bear on the claim."""
_ROOM = 6_000
"""Characters of all passages of a call up to which each is shown whole. Beyond it those that share least with the claim
are shown in excerpts: of the simulated world they keep 184 of 185 sentences that decide a claim."""
_OPENING, _WINDOWS, _WINDOW = 150, 4, 200
"""Of an excerpt: characters of its opening sentences, and number and characters of the windows around the sentences
with most of the claim."""
_FIGURES = 400
"""Characters of further sentences with figures in an excerpt."""
_DAY, _TITLE = 10, 160
"""Characters of a day as it is written, and of a title at most."""
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


def packed(claim: str, passages: Sequence[Passage]) -> dict[str, ShownText]:
    """By passage id, what is put before the model in one call: whole passages while there is room, and excerpts of
    those that share least with the claim where there is not. A passage in another language than the claim's shares no
    words with it and stays whole."""
    shown = {passage.id: _whole(claim, passage) for passage in passages}
    over = sum(len(each.text) for each in shown.values()) - _ROOM
    if over <= 0:
        return shown
    wanted, spoken = set(stems(claim)), _language(claim)
    readable = [each for each in passages if spoken is None or _language(each.text) in (None, spoken)]
    for passage in sorted(readable, key=lambda each: len(wanted.intersection(stems(each.text)))):
        if over <= 0:
            break
        excerpt = _excerpt(claim, passage.text)
        over -= len(shown[passage.id].text) - len(excerpt.text)
        shown[passage.id] = excerpt
    return shown


def _whole(claim: str, passage: Passage) -> ShownText:
    if len(passage.text) <= _WHOLE:
        return ShownText(passage.text)
    best = best_passages(claim, passage.text, limit=4, size=1_200)
    return ShownText(passage.text, sorted(span for span, _ in best) or None)


def _excerpt(claim: str, text: str) -> ShownText:
    """The opening of a passage, its windows with most of the claim and, for a claim with a figure, its first sentences
    with figures: another value is often given in other words. The whole of a passage that is no longer than these."""
    if len(text) <= _OPENING + _WINDOW:
        return ShownText(text)
    said = sentences(text)
    opening = Span(0, max((each.end for each in said if each.end <= _OPENING), default=_OPENING))
    found = [span for span, _ in best_passages(claim, text, limit=_WINDOWS, size=_WINDOW)]
    if quantities(claim):
        found += _with_figures(text, said, [opening, *found])
    return ShownText(text, _joined(text, [opening, *found]))


def _with_figures(text: str, said: Sequence[Span], shown: Sequence[Span]) -> list[Span]:
    """The first sentences that have a figure and are not shown, as many as there is room for."""
    places = [each.span.start for each in quantities(text)]
    found, room = [], _FIGURES
    for each in said:
        if any(span.start <= each.start and each.end <= span.end for span in shown) or each.end - each.start > room:
            continue
        if any(each.start <= place < each.end for place in places):
            room -= each.end - each.start
            found.append(each)
    return found


def _joined(text: str, spans: Sequence[Span]) -> list[Span]:
    """In order, those between which nothing else stands as one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if not joined or text[joined[-1].end : span.start].strip():
            joined.append(span)
        else:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
    return joined


@lru_cache(maxsize=512)
def _language(text: str) -> str | None:
    """Remembered: the same passages are put before the model for one claim after another."""
    return detect_language(text)


def ask(again: str = "") -> str:
    """The instructions."""
    return instructions("assess", again)


def question(claim: str, passages: Sequence[Passage], seen: Mapping[str, ShownText]) -> str:
    """The message. Where a page is from is said with the first of its passages."""
    blocks = [PromptBlock("claim", claim)]
    page = ""
    for passage in passages:
        published = passage.published.iso[:_DAY] if passage.published else ""
        fields = (("site", passage.domain), ("published", published), ("title", one_line(passage.title, _TITLE)))
        same = bool(page) and passage.snapshot == page
        blocks.append(PromptBlock("passage", seen[passage.id].text, passage.id, () if same else fields))
        page = passage.snapshot
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
    long_enough = len(quote) >= min(_SHORTEST_QUOTE, len(passage.text.strip()))
    span = (seen.find(quote) or seen.nearest(quote)) if long_enough else None
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
