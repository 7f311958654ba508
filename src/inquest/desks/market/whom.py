"""Which engines of markets a query of the market desk goes to: each call of theirs counts against a small limit.

Registers of filings are asked for filings alone, calendars for economic figures alone, and official gazettes for rules
alone. An engine that no line here names is asked whatever its kinds fit.
"""

from __future__ import annotations

from inquest.domain.market import MarketQuestion, QuestionKind
from inquest.domain.search import Query
from inquest.text.securities import forms_in

__all__ = ["FILINGS_ENGINES", "LISTS", "goes_to", "stands_in"]

LISTS = "edgar_submissions"
"""The engine that lists companies with their tickers, and a company's newest filings."""

FILINGS_ENGINES = frozenset(("edgar", "edgar_submissions", "edgar_current"))
_PRICES = frozenset(("eodhd_quote", "fmp_quote"))
_BY_COMPANY = frozenset(("fmp", "fmp_press_releases", "fmp_grades"))
"""What these know is filed under a ticker: they have nothing on a country's figures or on the market as a whole."""
_GRADES = "fmp_grades"
_ONLY_FOR = {
    "eodhd_calendar": frozenset((QuestionKind.ECONOMIC_RELEASE,)),
    "federal_register": frozenset((QuestionKind.REGULATORY,)),
    # Its figures have periods and no words: nothing of it can be quoted.
    "edgar_facts": frozenset[QuestionKind](),
}


def goes_to(engine: str, query: Query, question: MarketQuestion) -> bool:
    """Whether the engine is asked this query, as far as its kinds fit."""
    if engine in FILINGS_ENGINES:
        return bool(forms_in(query.text))
    if engine in _PRICES | _BY_COMPANY and not (question.tickers or question.company):
        return False
    if engine in _ONLY_FOR:
        return question.kind in _ONLY_FOR[engine] and not forms_in(query.text)
    return not forms_in(query.text)


def stands_in(engine: str, query: Query, question: MarketQuestion, *, out: str) -> bool:
    """Whether the engine can answer a query in the place of one that is `out`: prices for prices, filings for filings,
    news for news; nobody else has a calendar, the gazette or analysts' grades."""
    alike = (_PRICES, FILINGS_ENGINES)
    same = all((engine in each) == (out in each) for each in alike)
    special = {*_ONLY_FOR, _GRADES}
    return same and engine not in special and out not in special and goes_to(engine, query, question)
