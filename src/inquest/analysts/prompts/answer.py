"""Answer: a question about a finished case, answered from passages of its pages. An answer counts if it has a quote
from its passage, and no figure that is missing from its quotes."""

from __future__ import annotations

from functools import partial

from inquest.analysts.marking import PromptBlock, ShownText, message
from inquest.analysts.prompts import instructions
from inquest.analysts.prompts.merge import figures
from inquest.analysts.replies import AnswerPart, Line, Listed, Unusable, kept, parse
from inquest.domain.drafts import AnswerQuote
from inquest.kit.analyst import AnswerDraft, AnswerMaterial
from inquest.text.phrases import ended, one_stop
from inquest.text.sentences import shorten

_CLAIMS, _QUOTES = 30, 4
_LONGEST, _WHY = 900, 300
"""Maximum characters of an answer, and of the reason for giving no answer."""


class _Quote(AnswerPart):
    passage: Line
    quote: str


class Answer(AnswerPart):
    """The answer to a question."""

    answer: Line
    quotes: Listed[_Quote] = []
    why: Line = ""


ask = partial(instructions, "answer")
"""The instructions, and after an unusable answer the reason why it was unusable."""


def question(material: AnswerMaterial) -> str:
    """The message."""
    blocks = [
        PromptBlock("topic", material.topic),
        PromptBlock("question", material.question, fields=(("asked before", material.before),)),
    ]
    blocks += [
        PromptBlock("claim", text, fields=(("verdict", verdict),)) for text, verdict in material.checked[:_CLAIMS]
    ]
    for each in material.passages:
        fields = (
            ("title", each.title),
            ("source", each.domain),
            ("published", each.published.iso if each.published else ""),
        )
        blocks.append(PromptBlock("passage", each.text, each.id, fields))
    return message(blocks)


def answer(text: str, material: AnswerMaterial) -> AnswerDraft:
    """The answer with the quotes found in their passages. Raises Unusable if none is found, or if a figure in the
    answer appears in none of them."""
    found = parse(text, Answer)
    if not found.answer:
        return AnswerDraft(why=ended(shorten(found.why, _WHY)) if found.why else "no passage says it.")
    passages = {each.id: each for each in material.passages}
    quotes: dict[AnswerQuote, None] = {}
    for each in kept(found.quotes)[0]:
        if (passage := passages.get(each.passage)) is not None:
            shown = ShownText(passage.text)
            if span := shown.find(each.quote) or shown.nearest(each.quote):
                start, quote = passage.start + span.start, span.of(passage.text)
                quotes[AnswerQuote(snapshot=passage.snapshot, start=start, quote=quote)] = None
    if not quotes:
        raise Unusable("no quote of it stands in its passage")
    known = figures(" ".join((material.question, *(each.quote for each in quotes))))
    if not figures(found.answer) <= known:
        raise Unusable("a figure of the answer stands in none of its quotes")
    return AnswerDraft(text=one_stop(shorten(found.answer, _LONGEST)), quotes=tuple(quotes)[:_QUOTES])
