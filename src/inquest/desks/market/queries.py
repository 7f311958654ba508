"""Queries and their engines: the question itself, one step back, words of a hypothetical article, filings (spec 003).

No name, number or date of the hypothetical article becomes part of a query, because it is not a reported fact.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from itertools import zip_longest

from inquest.claims.press_words import VERB_FORM
from inquest.desks.market.events import events_in
from inquest.desks.market.questions import direction_in, focus_of
from inquest.domain.market import MarketQuestion, QuestionKind
from inquest.domain.search import EngineKind, Query
from inquest.text.entities import names
from inquest.text.lexicon import entries
from inquest.text.phrases import count
from inquest.text.securities import forms_in
from inquest.text.sentences import STOP_WORDS, fold, stem, words
from inquest.text.vocabulary import rarity

LISTS = "edgar_submissions"
"""The engine with the list of companies and tickers, and a company's newest filings."""
FILINGS_ENGINES = frozenset(("edgar", "edgar_submissions", "edgar_current"))
_PRICES = frozenset(("eodhd_quote", "fmp_quote"))
PRIMARY = frozenset(("tavily",))
"""Web engines of the specification, which get the question itself whenever they are ready."""
_BY_COMPANY = frozenset(("fmp", "fmp_press_releases", "fmp_grades"))
"""Engines with data by ticker only, without data on a country or the whole market."""
_GRADES = "fmp_grades"
_CALENDAR, _GAZETTE, _FACTS = "eodhd_calendar", "federal_register", "edgar_facts"
_WEEK = timedelta(days=7)
_MOST_TERMS = 8
_MOST_IN_A_QUERY = 6
_FIRST = 15
"""Limit of leads if the query is the question itself or the company's name."""
_A_YEAR_OF_REPORTS = timedelta(days=400)
_PERIODIC = frozenset((QuestionKind.GUIDANCE, QuestionKind.STRATEGY, QuestionKind.EARNINGS))
"""Kinds of question for which annual and quarterly reports are searched."""
_STEP_BACK, _ABOUT = entries(__name__, "step_back"), entries(__name__, "about")


def step_back(question: MarketQuestion) -> str:
    """The wider question as a sentence, also the purpose of queries."""
    if question.step_back:
        return question.step_back
    wider = _STEP_BACK[question.kind].format(
        it=question.about,
        sector=question.sector or "related",
        time=_time(question),
        place=f" in {question.country}" if question.country else "",
    )
    return wider.replace("the related industry", "its industry")


def market_queries(question: MarketQuestion, expansion: tuple[str, ...] = ()) -> tuple[Query, ...]:
    """The queries, sent at once: the question, the company's news, one step back, the expansion, and filings if there
    is a company. The period is the question's, but for a company at least a week, because the cause of a move may have
    been reported days before."""
    name = _name(question)
    frame = question.timeframe
    since = min(frame.since, frame.until - _WEEK) if name else frame.since
    known = tuple(each.symbol for each in question.tickers if each.known is not False)
    symbols = known or tuple(each.symbol for each in question.tickers)

    def query(text: str, *kinds: EngineKind, purpose: str = "", begins: datetime = since) -> Query:
        return Query(text=text, kinds=kinds, purpose=purpose or wide, since=begins, until=frame.until)

    wide = step_back(question)
    first = query(_plain(question, name), EngineKind.NEWS, EngineKind.MARKET, EngineKind.WEB, purpose=question.text)
    found = [first.model_copy(update={"tickers": symbols, "limit": _FIRST})]
    if name:
        news = query(name, EngineKind.NEWS, purpose=f"What is reported of {question.about}")
        found.append(news.model_copy(update={"limit": _FIRST}))
    if wider := _wider(question, name):
        found.append(query(wider, EngineKind.NEWS))
    if expansion:
        start = name or question.sector or "market"
        text = " ".join(dict.fromkeys([start, *expansion[:_MOST_IN_A_QUERY]]))
        found.append(query(text, EngineKind.NEWS, EngineKind.WEB))
    forms = [("8-K", since)] if name else []
    if name and (question.kind in _PERIODIC or "liquidity" in events_in(question.text)):
        forms.append(("10-K 10-Q", question.now - _A_YEAR_OF_REPORTS))
    for form, begins in forms:
        filed = query(f"{name} {form}", EngineKind.MARKET, purpose=f"What {question.about} has filed", begins=begins)
        found.append(filed.model_copy(update={"tickers": symbols}))
    return tuple({(each.text, each.kinds): each for each in reversed(found)}.values())[::-1]


def _name(question: MarketQuestion) -> str:
    return question.company or " ".join(each.shown for each in question.tickers)


def _plain(question: MarketQuestion, name: str) -> str:
    """The question as search words: the company and the subject."""
    if not name:
        return question.text.rstrip("?! ")
    focus = focus_of(question)
    spelled = dict.fromkeys(span.of(question.text) for span in words(question.text))
    about = [word for word in spelled if stem(word) in focus and fold(word) not in fold(name)]
    if question.kind is QuestionKind.STOCK_MOVEMENT or not about:
        return f"{name} {_about(question)[0]}"
    return f"{name} {' '.join(about[:_MOST_IN_A_QUERY])}"


def _wider(question: MarketQuestion, name: str) -> str:
    """Search words one step back; '' if absent."""
    if question.peers:
        return " ".join((*question.peers, question.sector)).strip()
    if question.kind is QuestionKind.STOCK_MOVEMENT and question.sector:
        return f"{question.sector} stocks {question.direction.value if question.direction else 'news'}"
    if question.kind is QuestionKind.STOCK_MOVEMENT:
        return f"{name} analysts downgrade upgrade price target" if name else ""
    start = name or question.sector or question.country
    return f"{start} {' '.join(_about(question)[:4])}" if start else ""


def _about(question: MarketQuestion) -> tuple[str, ...]:
    return tuple(_ABOUT[question.kind].split("|"))


def _time(question: MarketQuestion) -> str:
    hours = round((question.timeframe.until - question.timeframe.since) / timedelta(hours=1))
    return f"the past {hours} hours" if hours <= 72 else f"the past {count(round(hours / 24), 'day')}"


def goes_to(engine: str, query: Query, question: MarketQuestion) -> bool:
    """True if an engine with a fitting kind is sent this query: calls of market engines have small limits.

    Registers of filings get queries for filings only, calendars economic figures only, and gazettes decisions of an
    authority. Engines that are not named here get every query that fits their kinds.
    """
    filings = bool(forms_in(query.text))
    company = bool(question.tickers or question.company)
    if engine in FILINGS_ENGINES or filings:
        return engine in FILINGS_ENGINES and filings
    if engine == _CALENDAR:
        return question.kind is QuestionKind.ECONOMIC_RELEASE
    if engine == _GAZETTE:
        return question.kind is QuestionKind.REGULATORY or (company and query.text == _name(question))
    if engine in _PRICES | _BY_COMPANY:
        return company
    return engine != _FACTS  # its figures have no text to quote


def can_replace(engine: str, query: Query, question: MarketQuestion, *, out: str) -> bool:
    """True if the engine can replace one that is `out`: prices for prices, filings for filings, news for news."""
    same = all((engine in each) == (out in each) for each in (_PRICES, FILINGS_ENGINES))
    special = {_CALENDAR, _GAZETTE, _FACTS, _GRADES}
    return same and engine not in special and out not in special and goes_to(engine, query, question)


def expansion_terms(question: MarketQuestion) -> tuple[str, ...]:
    """The usual subjects of articles that answer such a question, without a model."""
    leaning = _ABOUT[question.direction].split("|") if question.direction else []
    mixed = (term for row in zip_longest([question.sector], leaning, _about(question)) for term in row if term)
    return tuple(dict.fromkeys(mixed))[:_MOST_TERMS]


def article_terms(article: str, question: MarketQuestion, *, most: int = _MOST_TERMS) -> tuple[str, ...]:
    """The themes of a hypothetical article (HyDE), weightiest first (TF-IDF): no verbs, names, numbers, words of price
    moves or words of the question. The article is never shown as a fact."""
    spelled = [span.of(article) for span in words(article)]
    # A word that also appears in small letters is not a name, though it may begin a sentence.
    small = {word for word in spelled if word.islower()}
    named = {fold(word) for name in names(article) for word in name.text.split()} - small
    asked = {stem(span.of(text)) for text in (question.text, question.about) for span in words(text)}
    found: Counter[str] = Counter()
    first: dict[str, str] = {}
    for word in spelled:
        plain, root = fold(word), stem(word)
        informative = len(plain) > 3 and plain.isalpha() and plain not in STOP_WORDS and not VERB_FORM.fullmatch(plain)
        if informative and plain not in named and root not in asked and direction_in(plain) is None:
            found[root] += 1
            first.setdefault(root, plain)
    ranked = sorted(first, key=lambda root: -found[root] * rarity(root))
    return tuple(first[root] for root in ranked[: max(0, most)])
