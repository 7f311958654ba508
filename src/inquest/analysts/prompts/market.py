"""Market: the meaning of a question to the market desk, a wider question, and a hypothetical article to search with."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from inquest.analysts.marking import PromptBlock, message
from inquest.analysts.prompts import instructions
from inquest.analysts.replies import AnswerPart, Line, Lines, Named, Unusable, choices, parse
from inquest.domain.market import MarketReading, QuestionKind
from inquest.text.securities import parse_ticker

_QUESTION_AT_MOST, _ARTICLE_AT_MOST = 3_000, 2_000
_SHORTEST_ARTICLE = 40
_NAME, _SENTENCE = 80, 300
_PEERS = 3


class Answer(AnswerPart):
    """The meaning of the question."""

    company: Line = ""
    ticker: Line = ""
    sector: Line = ""
    peers: Lines = []
    kind: Annotated[Named[QuestionKind] | None, choices(*QuestionKind)] = None
    step_back: Line = ""
    article: Line


ask = partial(instructions, "market", kinds=", ".join(QuestionKind))
"""The instructions, and after an unusable answer the reason why it was unusable."""


def question(text: str) -> str:
    """The message."""
    return message([PromptBlock("question", text[:_QUESTION_AT_MOST])])


def answer(text: str) -> MarketReading:
    """The reading; a field of the wrong type or length is left empty. Raises Unusable if there is no article."""
    found = parse(text, Answer)
    article = _line(found.article, _ARTICLE_AT_MOST, cut=True)
    if len(article) < _SHORTEST_ARTICLE:
        raise Unusable("the article was missing or too short")
    ticker, step_back = _line(found.ticker, _NAME), _line(found.step_back, _SENTENCE)
    return MarketReading(
        company=_line(found.company, _NAME),
        ticker=ticker if ticker and parse_ticker(ticker) else "",
        sector=_line(found.sector, _NAME).lower(),
        peers=tuple(name for each in found.peers if (name := _line(each, _NAME)))[:_PEERS],
        kind=found.kind,
        step_back=step_back if step_back.endswith("?") else "",
        article=article,
    )


def _line(line: str, most: int, *, cut: bool = False) -> str:
    """The line; '' for a placeholder or an overlong line."""
    if not line.strip(" .?") or (len(line) > most and not cut):
        return ""
    return line[:most]
