"""Market: what a question to the market desk means, a wider one, and an article to find real ones by."""

from __future__ import annotations

from typing import Any

from inquest.analysts.marking import PromptBlock, message
from inquest.analysts.prompting import instructions
from inquest.analysts.replies import AnswerPart, Unusable, object_in
from inquest.domain.market import MarketReading, QuestionKind
from inquest.text.securities import parse_ticker

_QUESTION_AT_MOST, _ARTICLE_AT_MOST = 3_000, 2_000
_SHORTEST_ARTICLE = 40
_NAME, _SENTENCE = 80, 300
_PEERS = 3


class _Reply(AnswerPart):
    company: Any = ""
    ticker: Any = ""
    sector: Any = ""
    peers: Any = ()
    kind: Any = ""
    step_back: Any = ""
    article: Any = ""


def ask(again: str = "") -> str:
    """The instructions."""
    return instructions("market", again, kinds=", ".join(QuestionKind))


def question(text: str) -> str:
    """The message."""
    return message([PromptBlock("question", text[:_QUESTION_AT_MOST])])


def answer(text: str) -> MarketReading:
    """The reading; a field of another type or length is left empty. Raises Unusable where there is no article."""
    found = _Reply.model_validate(object_in(text, "article"))
    article = _line(found.article, _ARTICLE_AT_MOST, cut=True)
    if len(article) < _SHORTEST_ARTICLE:
        raise Unusable("the article was missing or too short")
    peers = found.peers if isinstance(found.peers, list) else []
    ticker, step_back = _line(found.ticker, _NAME), _line(found.step_back, _SENTENCE)
    return MarketReading(
        company=_line(found.company, _NAME),
        ticker=ticker if ticker and parse_ticker(ticker) else "",
        sector=_line(found.sector, _NAME).lower(),
        peers=tuple(name for each in peers if (name := _line(each, _NAME)))[:_PEERS],
        kind=next((kind for kind in QuestionKind if kind == found.kind), None),
        step_back=step_back if step_back.endswith("?") else "",
        article=article,
    )


def _line(given: object, most: int, *, cut: bool = False) -> str:
    """The text on one line; '' for what is no text, a placeholder, or too long."""
    line = " ".join(given.split()) if isinstance(given, str) else ""
    if not line.strip(" .?") or (len(line) > most and not cut):
        return ""
    return line[:most]
