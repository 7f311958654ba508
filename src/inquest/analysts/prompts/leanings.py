"""Leanings: the leaning of each source's coverage towards the subject."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from pydantic import BeforeValidator, Field

from inquest.analysts.marking import PromptBlock, ShownText, message
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Line, Listed, Named, Unusable, kept, parse
from inquest.domain.document import Document
from inquest.domain.drafts import LeaningDraft
from inquest.domain.report import Leaning
from inquest.domain.source import Source
from inquest.text.sentences import Span, shorten
from inquest.text.similarity import best_passages

_LEAD = 300
_EXCERPT = 250
"""Characters of a source's beginning, and of the passage most relevant to the topic."""
_HIGHEST = 10.0


class _SourceLeaning(AnswerPart):
    source: str
    leaning: Annotated[
        Named[Leaning], BeforeValidator(lambda value: str(value).lower().replace("favorable", "favourable"))
    ]
    bias: float = Field(ge=0, le=_HIGHEST)
    why: Line = ""


class Answer(AnswerPart):
    """The leaning of each source towards the subject."""

    sources: Listed[_SourceLeaning]


ask = partial(instructions, "leanings")
"""The instructions, and after an unusable answer the reason why it was unusable."""


def question(topic: str, sources: Sequence[tuple[Source, Document]]) -> str:
    """The message: the beginning of each source and its passage on the topic."""
    blocks = [PromptBlock("topic", topic)]
    for source, document in sources:
        fields = (("site", source.domain), ("title", source.title))
        blocks.append(PromptBlock("source", _shown(topic, document.text), source.id, fields))
    return message(blocks)


def _shown(topic: str, text: str) -> str:
    if len(text) <= _LEAD + _EXCERPT:
        return ShownText(text).text
    best = best_passages(topic, text[_LEAD:], limit=1, size=_EXCERPT)
    passages = sorted(Span(span.start + _LEAD, span.end + _LEAD) for span, _ in best)
    return ShownText(text, [Span(0, _LEAD), *passages]).text


def answer(text: str, sources: Sequence[tuple[Source, Document]]) -> tuple[LeaningDraft, ...]:
    """One draft for each source, in order. Raises Unusable if one is missing."""
    given, _ = kept(parse(text, Answer).sources)
    found: dict[str, LeaningDraft] = {}
    for each in given:
        if each.source not in found:
            found[each.source] = LeaningDraft(
                source_id=each.source,
                leaning=each.leaning,
                bias=round(each.bias, 1),
                reasons=(shorten(each.why, 300) or "The model gave no reason.",),
            )
    missing = [source.id for source, _ in sources if source.id not in found]
    if missing:
        raise Unusable(f"it said nothing usable of {len(missing)} of {len(sources)} sources")
    return tuple(found[source.id] for source, _ in sources)
