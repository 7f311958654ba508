"""Which engines of markets a query of the market desk goes to: each call of theirs counts against a small limit.

Registers of filings are asked for filings alone, calendars for economic figures alone, and official gazettes for rules
alone. An engine that no line here names is asked whatever its kinds fit.
"""

from __future__ import annotations

from inquest.domain.market import MarketQuestion, QuestionKind
from inquest.domain.search import Query
from inquest.logic.market import forms_in

__all__ = ["FILINGS_ENGINES", "LISTS", "goes_to"]

LISTS = "edgar_submissions"
"""The engine that lists companies with their tickers, and a company's newest filings."""

FILINGS_ENGINES = frozenset(("edgar", "edgar_submissions", "edgar_current"))
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
    if engine in _ONLY_FOR:
        return question.kind in _ONLY_FOR[engine] and not forms_in(query.text)
    return not forms_in(query.text)
