"""What the desk asks of whom: the question itself, one step back, the words of an imagined article, filings (spec 003).

No name, number or date of an imagined article goes into a query: a search must not go after facts that nobody has
reported.
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
"""The engine that lists companies with their tickers, and a company's newest filings."""
FILINGS_ENGINES = frozenset(("edgar", "edgar_submissions", "edgar_current"))
_PRICES = frozenset(("eodhd_quote", "fmp_quote"))
PRIMARY = frozenset(("tavily",))
"""Of the engines of the web, those that the specification names: asked the question itself wherever they are ready."""
_BY_COMPANY = frozenset(("fmp", "fmp_press_releases", "fmp_grades"))
"""What these know is filed under a ticker: they have nothing on a country's figures or on the market as a whole."""
_GRADES = "fmp_grades"
_CALENDAR, _GAZETTE, _FACTS = "eodhd_calendar", "federal_register", "edgar_facts"
_WEEK = timedelta(days=7)
_MOST_TERMS = 8
_MOST_IN_A_QUERY = 6
_FIRST = 15
"""Leads that are asked for where the question itself, or the company's name, is the query."""
_A_YEAR_OF_REPORTS = timedelta(days=400)
_PERIODIC = frozenset((QuestionKind.GUIDANCE, QuestionKind.STRATEGY, QuestionKind.EARNINGS))
"""Kinds of question to which annual and quarterly reports say something."""
_STEP_BACK, _ABOUT = entries(__name__, "step_back"), entries(__name__, "about")


def step_back(question: MarketQuestion) -> str:
    """The wider question, in a sentence; a purpose for queries."""
    if question.step_back:
        return question.step_back
    said = _STEP_BACK[question.kind].format(
        it=question.about,
        sector=question.sector or "related",
        time=_time(question),
        place=f" in {question.country}" if question.country else "",
    )
    return said.replace("the related industry", "its industry")


def market_queries(question: MarketQuestion, expansion: tuple[str, ...] = ()) -> tuple[Query, ...]:
    """What is asked of engines, at once: what is asked about, the company's news of the week, one step back, what the
    expansion adds, and filings where a company is known. Times are those of the question, and no less than a week: what
    moves a share may have been reported days before.
    """
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
    if symbols or question.company:
        forms = [("8-K", since)]
        if question.kind in _PERIODIC or "liquidity" in events_in(question.text):
            forms.append(("10-K 10-Q", question.now - _A_YEAR_OF_REPORTS))
        for form, begins in forms:
            filed = query(
                f"{name} {form}", EngineKind.MARKET, purpose=f"What {question.about} has filed", begins=begins
            )
            found.append(filed.model_copy(update={"tickers": symbols}))
    return tuple({(each.text, each.kinds): each for each in reversed(found)}.values())[::-1]


def _name(question: MarketQuestion) -> str:
    return question.company or " ".join(each.shown for each in question.tickers)


def _plain(question: MarketQuestion, name: str) -> str:
    """The question itself as words to look for: about whom, and what."""
    if not name:
        return question.text.rstrip("?! ")
    focus = focus_of(question)
    said = [span.of(question.text) for span in words(question.text)]
    about = [word for word in dict.fromkeys(said) if stem(word) in focus and fold(word) not in fold(name)]
    if question.kind is QuestionKind.STOCK_MOVEMENT or not about:
        return f"{name} {_about(question)[0]}"
    return f"{name} {' '.join(about[:_MOST_IN_A_QUERY])}"


def _wider(question: MarketQuestion, name: str) -> str:
    """One step back; '' where there is nothing to step back to."""
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
    spoken = question.timeframe.words
    if spoken.startswith(("the past", "last", "this")):
        return spoken
    hours = round((question.timeframe.until - question.timeframe.since) / timedelta(hours=1))
    return f"the past {hours} hours" if hours <= 72 else f"the past {count(round(hours / 24), 'day')}"


# Who is asked what: each call of an engine of markets counts against a small limit.


def goes_to(engine: str, query: Query, question: MarketQuestion) -> bool:
    """Whether the engine is asked this query, as far as its kinds fit.

    Registers of filings are asked for filings alone, calendars for economic figures alone, and gazettes for what an
    authority decided. An engine that no line here names is asked whatever its kinds fit.
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
    return engine != _FACTS  # its figures have periods and no words: nothing of it can be quoted


def can_replace(engine: str, query: Query, question: MarketQuestion, *, out: str) -> bool:
    """Whether the engine can answer a query in the place of one that is `out`: prices for prices, filings for filings,
    news for news; nobody else has a calendar, the gazette or analysts' grades."""
    same = all((engine in each) == (out in each) for each in (_PRICES, FILINGS_ENGINES))
    special = {_CALENDAR, _GAZETTE, _FACTS, _GRADES}
    return same and engine not in special and out not in special and goes_to(engine, query, question)


# The hypothetical article (HyDE): it helps to find real ones, and is never shown as a fact.


def expansion_terms(question: MarketQuestion) -> tuple[str, ...]:
    """What articles that answer such a question are commonly about; without a model."""
    leaning = _ABOUT[question.direction].split("|") if question.direction else []
    mixed = (term for row in zip_longest([question.sector], leaning, _about(question)) for term in row if term)
    return tuple(dict.fromkeys(mixed))[:_MOST_TERMS]


def article_terms(article: str, question: MarketQuestion, *, most: int = _MOST_TERMS) -> tuple[str, ...]:
    """The themes of a hypothetical article, the weightiest first (TF-IDF): what it does not do or measure but speaks
    of; no names, no numbers, no words of moving prices or of the question."""
    spelled = [span.of(article) for span in words(article)]
    # A word that also appears in small letters is no name, though it may begin a sentence.
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
