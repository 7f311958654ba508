"""The step back: the wider question behind a narrow one, by its kind, and the queries that go with it (spec 003).

Who asks why one share fell also wants to hear of the whole sector's fall, which does not name the share.
"""

from __future__ import annotations

from datetime import timedelta

from inquest.domain.market import MarketQuestion, QuestionKind
from inquest.domain.search import EngineKind, Query
from inquest.text.phrases import count

__all__ = ["market_queries", "plain_query", "step_back"]

_NEWS_KINDS = (EngineKind.NEWS, EngineKind.MARKET, EngineKind.WEB)
_TEMPLATES = {
    QuestionKind.STOCK_MOVEMENT: "Which events of {time} have moved {it} or {sector} shares as a whole?",
    QuestionKind.EARNINGS: "What results has {it} reported lately, what was expected, and how did analysts and "
    "peers take them?",
    QuestionKind.INDUSTRY_TREND: "What is changing in the {sector} industry that bears on {it}?",
    QuestionKind.REGULATORY: "Which rules, cases or decisions of authorities bear on {it} or the {sector} industry?",
    QuestionKind.ANALYST_ACTION: "Which analysts have changed their grade or target for {it} in {time}, and for "
    "which reasons?",
    QuestionKind.LATEST_NEWS: "What has happened in {time} at {it} and around it in the {sector} industry?",
    QuestionKind.ECONOMIC_RELEASE: "Which economic figures were released in {time}{place}, against what was "
    "expected, and how did markets take them?",
    QuestionKind.GUIDANCE: "What has {it} announced of its own goals, and what has been reported since that bears "
    "on them?",
    QuestionKind.STRATEGY: "What has {it} announced or changed in its strategy in {time}?",
}
_WIDER = {
    QuestionKind.STOCK_MOVEMENT: "{sector} stocks {moved}",
    QuestionKind.EARNINGS: "{it} earnings results revenue estimates analysts",
    QuestionKind.INDUSTRY_TREND: "{sector} industry outlook demand",
    QuestionKind.REGULATORY: "{it} regulator investigation lawsuit ruling",
    QuestionKind.ANALYST_ACTION: "{it} analyst upgrade downgrade price target",
    QuestionKind.LATEST_NEWS: "{it} announces",
    QuestionKind.ECONOMIC_RELEASE: "{text} forecast actual markets",
    QuestionKind.GUIDANCE: "{it} guidance cut raised production delays estimates",
    QuestionKind.STRATEGY: "{it} strategy announcement plan launch",
}
_MOST = 6


def step_back(question: MarketQuestion) -> str:
    """The wider question, in a sentence; a purpose for queries, and a prompt for a model."""
    return (
        _TEMPLATES[question.kind]
        .format(
            it=question.about,
            sector=question.sector or "related",
            time=_time(question),
            place=f" in {question.country}" if question.country else "",
        )
        .replace("the related industry", "its industry")
    )


def plain_query(question: MarketQuestion) -> str:
    """The question itself as words to look for: about whom, and what."""
    name = question.company or " ".join(each.shown for each in question.tickers)
    if not name:
        return question.text.rstrip("?! ")
    tail = {
        QuestionKind.STOCK_MOVEMENT: "shares",
        QuestionKind.EARNINGS: "earnings",
        QuestionKind.REGULATORY: "regulator",
        QuestionKind.ANALYST_ACTION: "analyst rating",
        QuestionKind.GUIDANCE: "guidance",
        QuestionKind.STRATEGY: "strategy",
    }.get(question.kind, "news")
    return f"{name} {tail}"


def market_queries(question: MarketQuestion, expansion: tuple[str, ...] = ()) -> tuple[Query, ...]:
    """What is asked of engines, at once: by ticker, by name, one step back, and with the words of the expansion.

    Filings (8-K) are asked for where a company is known. Times are those of the question; context older than that comes
    from the step back, which looks twice as far.
    """
    name = question.company or " ".join(each.shown for each in question.tickers)
    symbols = tuple(each.symbol for each in question.tickers if each.known is not False) or tuple(
        each.symbol for each in question.tickers
    )
    frame = question.timeframe
    wider_since = frame.since - min(frame.until - frame.since, timedelta(days=30))
    found = [
        Query(
            text=plain_query(question), kinds=_NEWS_KINDS, purpose=question.text, tickers=symbols,
            since=frame.since, until=frame.until, limit=15,
        )
    ]  # fmt: skip
    if name or question.sector or question.country:
        wider = _WIDER[question.kind].format(
            it=name or question.sector or "market",
            sector=question.sector or name,
            moved=question.direction.value if question.direction else "news",
            text=question.text.rstrip("?! "),
        )
        found.append(
            Query(
                text=wider, kinds=(EngineKind.NEWS, EngineKind.WEB), purpose=step_back(question),
                since=wider_since, until=frame.until, limit=10,
            )
        )  # fmt: skip
    if expansion:
        found.append(
            Query(
                text=" ".join(dict.fromkeys([name or question.sector or "market", *expansion[:_MOST]])),
                kinds=(EngineKind.NEWS, EngineKind.WEB), purpose=step_back(question),
                since=frame.since, until=frame.until, limit=10,
            )
        )  # fmt: skip
    if symbols or question.company:
        found.append(
            Query(
                text=f"{name} 8-K", kinds=(EngineKind.MARKET,), purpose=f"What {question.about} has filed",
                tickers=symbols, since=wider_since, until=frame.until, limit=10,
            )
        )  # fmt: skip
    return tuple(found)


def _time(question: MarketQuestion) -> str:
    words = question.timeframe.words
    if words.startswith(("the past", "last", "this")):
        return words
    hours = round((question.timeframe.until - question.timeframe.since) / timedelta(hours=1))
    return f"the past {hours} hours" if hours <= 72 else f"the past {count(round(hours / 24), 'day')}"
