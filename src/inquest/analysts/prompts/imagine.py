"""Imagine: an invented article that real ones are looked for by. Nobody reads it, and it is no evidence of anything."""

from __future__ import annotations

from pydantic import ValidationError

from inquest.analysts.marking import PromptBlock, message
from inquest.analysts.prompting import instructions
from inquest.analysts.replies import AnswerPart, Line, Unusable, object_in

_AT_MOST = 2_000
_WANTED_AT_MOST = 3_000
_SHORTEST = 40


class _Article(AnswerPart):
    article: Line


def ask(again: str = "") -> str:
    """The instructions."""
    return instructions("imagine", again)


def question(wanted: str) -> str:
    """The message."""
    return message([PromptBlock("wanted", wanted[:_WANTED_AT_MOST])])


def answer(text: str) -> str:
    """The article, cut where it is too long. Raises Unusable where there is none."""
    try:
        found = _Article.model_validate(object_in(text, "article"))
    except ValidationError as error:
        raise Unusable("the article was missing or no text") from error
    if len(found.article) < _SHORTEST:
        raise Unusable("the article was too short")
    return found.article[:_AT_MOST]
