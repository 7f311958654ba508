"""Assess: one claim with all its passages. A judgement whose quote is not in the passage is rejected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field

from inquest.analysts.marking import PromptBlock, ShownText, joined, message, one_line
from inquest.analysts.prompts import instructions, prompt_file
from inquest.analysts.replies import AnswerPart, Chance, Line, Listed, Named, Unusable, choices, kept, parse
from inquest.domain.finding import ContradictionType, Mode, Reading, Speaker, SpeakerKind, Stance
from inquest.domain.value import grouped
from inquest.entailment.windows import Likeness
from inquest.kit.analyst import Passage
from inquest.retrieval.near_passages import NearSentence, language_of, scored_sentences, terms_of
from inquest.text.sentences import Span, fold, shorten

Judged = dict[str, Reading]
"""Judgements by passage id."""
_ROOM, _LEAST_ROOM = 9_500, 2_500
"""Total characters of the passages of a call up to which each is shown whole. Above that, only the sentences most
relevant to the claim are shown, and fewer if pages state it in its own words, because the deciding sentences are then
easy to tell from the rest. Of 1,048 sentences that decide a claim in six simulated worlds, 1,015 are shown (1,012 with
the same room for every claim)."""
_SAID, _SAID_PLAINLY, _PAGES = 1.0, 1.2, 5
"""Scores between which the room shrinks, and the number of pages: the score is the mean of the best sentences of the
pages that state the claim most clearly."""
_DAY, _TITLE = 10, 100
"""Characters of a day as written, and maximum characters of a title."""
_OF_THE_TITLE = 0.6
"""Share of a title's words in the sentences shown from its page at which the title adds nothing."""
_ROWS, _OF_ROWS = 6, 500
"""Maximum rows of a passage's tables that are spelled out with their headers, and their characters."""
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


_SPEAKER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"kind": {"type": "string", "enum": [str(kind) for kind in SpeakerKind]}, "name": {"type": "string"}},
}


class _Judgement(AnswerPart):
    # A small model leaves out what a schema does not require, and an answer without the quote is requested again.
    model_config = ConfigDict(json_schema_extra={"required": ["passage", "stance", "quote", "confidence"]})

    passage: str
    stance: Annotated[Line, choices("supports", "contradicts", "neutral")]
    quote: str | None = None
    confidence: Chance
    contradiction_type: Annotated[Named[ContradictionType] | None, choices(*ContradictionType)] = None
    why: Line = ""
    speaker: Annotated[Any, Field(json_schema_extra=_SPEAKER_SCHEMA)] = None
    mode: Annotated[Named[Mode] | None, choices(*Mode)] = None
    first_hand: bool | None = None
    against_self: bool | None = None
    covers: Annotated[Any, Field(json_schema_extra={"type": "array", "items": {"type": "integer"}})] = None
    as_of: Annotated[str, Field(pattern=r"^(\d{4}(-\d\d(-\d\d)?)?)?$")] = ""


class Answer(AnswerPart):
    """The judgements of a claim's passages."""

    about_words: bool | None = None
    judgements: Listed[_Judgement]


def packed(claim: str, passages: Sequence[Passage], likeness: Likeness | None = None) -> dict[str, ShownText]:
    """The text shown to the model in one call, by passage id: whole passages if there is room; otherwise the best
    sentence of each, and the best of all the others. `likeness`: the similarity of sentences to the claim in meaning;
    None: they are chosen by words and figures alone. A passage in a language other than the claim's shares no words
    with it and stays whole."""
    size = sum(len(each.text) for each in passages)
    if size <= _LEAST_ROOM:
        return {each.id: ShownText(each.text) for each in passages}
    spoken = language_of(claim)
    readable = [each for each in passages if spoken is None or language_of(each.text) in (None, spoken)]
    every = scored_sentences(claim, readable, likeness)
    room = _room(every)
    if size <= room:
        return {each.id: ShownText(each.text) for each in passages}
    chosen = _chosen(every, room * len(readable) // len(passages))
    return {
        each.id: ShownText(each.text, joined(each.text, chosen.get(each.id, [])))
        if each in readable
        else ShownText(each.text)
        for each in passages
    }


def _room(every: Sequence[NearSentence]) -> int:
    """Maximum characters of the sentences shown, if all passages are in the claim's language."""
    best: dict[str, float] = {}
    for each in every:
        best[each.page] = max(each.score, best.get(each.page, 0.0))
    mean = sum(sorted(best.values(), reverse=True)[:_PAGES]) / _PAGES
    share = min(1.0, max(0.0, (mean - _SAID) / (_SAID_PLAINLY - _SAID)))
    return round(_ROOM - (_ROOM - _LEAST_ROOM) * share)


def _chosen(every: Sequence[NearSentence], room: int) -> dict[str, list[Span]]:
    """The sentences shown from each passage, by its id, best first."""
    best = sorted(every, key=lambda each: -each.rank)
    best_of = {each.passage: each for each in reversed(best)}
    kept = dict.fromkeys(best_of.values())
    used = sum(each.span.end - each.span.start for each in kept)
    for each in best:
        if used >= room:
            break
        if each not in kept:
            kept[each] = None
            used += each.span.end - each.span.start
    return grouped((each.passage, each.span) for each in kept)


class Asked(NamedTuple):
    """A claim put to the model."""

    claim: str
    statements: tuple[str, ...] = ()
    """Its statements, if it makes several."""


def ask(asked: Asked, again: str = "") -> str:
    """The instructions."""
    return instructions("assess", again, covers=f"\n{prompt_file('covers')}" if asked.statements else "")


def question(asked: Asked, passages: Sequence[Passage], seen: Mapping[str, ShownText]) -> str:
    """The message. The origin of a page is given with the first of its passages, and its title if it adds something."""
    blocks = [PromptBlock("claim", asked.claim)]
    if asked.statements:
        numbered = "\n".join(f"{number}. {one_line(each)}" for number, each in enumerate(asked.statements, 1))
        blocks.append(PromptBlock("statements", numbered))
    page = ""
    for passage in passages:
        text = seen[passage.id].text
        date = passage.published.iso[:_DAY] if passage.published else ""
        fields = (("site", passage.domain), ("date", date), ("title", _title_beside(text, passage.title)))
        same = bool(page) and passage.snapshot == page
        rows = (("rows", _rows_on(asked.claim, passage)),) if passage.rows else ()
        blocks.append(PromptBlock("passage", text, passage.id, (*(() if same else fields), *rows)))
        page = passage.snapshot
    return message(blocks)


def _rows_on(claim: str, passage: Passage) -> str:
    """The rows of the passage's tables with most of the claim's words, each cell with its headers."""
    wanted = terms_of(claim)
    best = sorted(passage.rows, key=lambda row: (-len(wanted & terms_of(row.text)), row.start))
    return one_line(" / ".join(row.text for row in best[:_ROWS]), _OF_ROWS)


def _title_beside(text: str, title: str) -> str:
    """The title; none if most of its words are in the sentences shown from the page."""
    named = terms_of(title)
    return "" if named and len(named & terms_of(text)) > _OF_THE_TITLE * len(named) else one_line(title, _TITLE)


def answer(text: str, passages: Sequence[Passage], seen: Mapping[str, ShownText]) -> tuple[Judged, dict[str, str]]:
    """The valid judgements, and for each passage without one the reason why.

    In a truncated answer, those before the break are valid. Raises Unusable if the answer names none of the passages.
    """
    found = parse(text, Answer)
    given, _ = kept(found.judgements)
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
            good[each.passage] = judgement.model_copy(update={"about_words": found.about_words})
        bad[each.passage] = why
    return good, {passage_id: why for passage_id, why in bad.items() if passage_id not in good}


def _checked(each: _Judgement, passage: Passage, seen: ShownText) -> tuple[Reading | None, str]:
    stance = _STANCES.get(each.stance.lower())
    why = shorten(each.why, 300)
    if stance is None:
        return None, "the answer gives it a stance that does not exist"
    if stance is Stance.NEUTRAL:
        return Reading(
            passage_id=passage.id, stance=stance, confidence=each.confidence, reasons=(why,) if why else ()
        ), ""
    quote = (each.quote or "").strip()
    long_enough = len(quote) >= min(_SHORTEST_QUOTE, len(passage.text.strip()))
    span = (seen.find(quote) or seen.nearest(quote)) if long_enough else None
    if span is None:
        return None, "the words it rests on do not stand in the passage"
    contradicts = stance is Stance.CONTRADICTS
    return Reading(
        passage_id=passage.id,
        stance=stance,
        contradiction_type=(each.contradiction_type or ContradictionType.DIRECT) if contradicts else None,
        confidence=each.confidence,
        quote=span.of(passage.text),
        start=span.start,
        end=span.end,
        reasons=(why,) if why else (),
        speaker=_speaker(each.speaker, passage),
        mode=each.mode,
        first_hand=each.first_hand,
        against_self=each.against_self,
        covers=_numbers(each.covers),
        as_of=each.as_of,
    ), ""


def _speaker(given: object, passage: Passage) -> Speaker | None:
    """The speaker, if of a known kind; a name that is not in the page's text is rejected. Of a party's the beginning
    that is there is kept ('Corvane' for 'Corvane Biotics' or 'Ada Holt (Corvane Biotics)'): without a name, a party is
    the page itself."""
    if not isinstance(given, dict):
        return None
    kind, name = str(given.get("kind")).strip().lower().replace(" ", "_"), given.get("name")
    name = one_line(name, _TITLE) if isinstance(name, str) else ""
    there = f"{passage.text}\n{passage.lead}\n{passage.title}"
    names = [name, *(_beginnings(name) if kind == SpeakerKind.PARTY else ())]
    kept = next((each for each in names if _stands(each, there)), "")
    return Speaker(kind=SpeakerKind(kind), name=kept) if kind in set(SpeakerKind) else None


def _beginnings(name: str) -> Iterator[str]:
    """The beginnings of a name, longest first; of whom somebody speaks for, in brackets, before his own."""
    own, _, behind = name.partition("(")
    for part in (behind.rstrip(" )"), own):
        words = part.split()
        yield from (" ".join(words[:length]) for length in range(len(words), 0, -1))


def _stands(name: str, text: str) -> bool:
    terms = set(terms_of(name))
    return (bool(terms) and terms <= set(terms_of(text))) or fold(name) in fold(text)


def _numbers(given: object) -> tuple[int, ...]:
    """Numbers of statements, each once; anything else is left out."""
    listed = given if isinstance(given, list) else [given]
    return tuple(dict.fromkeys(each for each in listed if type(each) is int and each > 0))


def unassessed(passage: Passage, model: str, why: str) -> Reading:
    """A placeholder for a missing judgement: it counts for neither side and gives the reason."""
    reason = f"Not assessed: {model} was asked twice, and {why}."
    return Reading(passage_id=passage.id, stance=Stance.UNASSESSED, confidence=0.0, reasons=(reason,))
