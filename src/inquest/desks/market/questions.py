"""Parse a question to the market desk: its company, kind, form of answer and period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from inquest.claims.yes_no import statement_of
from inquest.desks.market.events import forms, sector_in
from inquest.desks.market.subjects import Named, named_as, named_in
from inquest.desks.market.timeframes import timeframe_of
from inquest.domain.errors import InputError
from inquest.domain.market import Asks, MarketQuestion, MarketReading, MarketRequest, PriceDirection, QuestionKind
from inquest.sources.economic_releases import country_in
from inquest.text.lexicon import pattern, word_set
from inquest.text.phrases import capitalised
from inquest.text.quantities import Dimension, quantities
from inquest.text.regex import regex
from inquest.text.securities import Listing, forms_in, tickers_in
from inquest.text.sentences import content_words, fold

_LONGEST = 2_000
NO_ADVICE_NOTE = "What to do with shares is not answered here: the answer says what sources report, and no more."
_ECONOMY, _NEWS, _TRADE_ADVICE, _AUXILIARY = (
    pattern(__name__, name) for name in ("economy", "news", "trade_advice", "auxiliary")
)
_MOVED = pattern("inquest.desks.market.events", "moved")
_MOVING = word_set(__name__, "things_that_move")
_ASKING = frozenset(stem for word in word_set(__name__, "asked_with") for stem in content_words(word))
_WHY = regex(r"\b(?:why|what(?:'s| is| has| was)? (?:caus|driv|mov|behind|happen)\w*|reasons? for|explain)\b")
_SHARES = regex(r"\b(?:stocks?|shares?|share price|price|trading|ticker|market cap)\b")
_SOON = regex(r"\b(?:today|now|yesterday|tonight|this week|after hours|pre-?market)\b")
_HALTED = regex(r"\bwhy\b.*\b(?:halted|volatile|moving|moved)\b")
_BEHIND = 3
"""Words after a word of movement that may name what moved: 'cut its dividend'."""
_A_MONTH = 30
_USUAL_DAYS = {
    QuestionKind.STOCK_MOVEMENT: 2,
    QuestionKind.EARNINGS: 7,
    QuestionKind.INDUSTRY_TREND: 30,
    QuestionKind.REGULATORY: 30,
    QuestionKind.ANALYST_ACTION: 7,
    QuestionKind.LATEST_NEWS: 2,
    QuestionKind.ECONOMIC_RELEASE: 7,
    QuestionKind.GUIDANCE: 90,
    QuestionKind.STRATEGY: 90,
}
_NOTHING_GIVEN = MarketRequest()
_NOT_READ = MarketReading()


def read_question(
    text: str,
    now: datetime,
    given: MarketRequest = _NOTHING_GIVEN,
    *,
    listings: Sequence[Listing] = (),
    reading: MarketReading = _NOT_READ,
) -> MarketQuestion:
    """Parse a question. `now`: the reference of 'today'; `listings`: the known companies, if any; `reading`: a model's
    reading, which takes precedence over the rules, as the user's options do over both.

    Raises InputError if the question is empty, not in Latin letters or longer than 2,000 characters, or a given ticker
    is invalid.
    """
    asked = " ".join(text.split())
    if not asked:
        raise InputError("There is no question.", advice='Ask one, like "Why is NVDA down today?".')
    if not (re.search(r"[A-Za-z]{2}", asked) or tickers_in(asked) or given.tickers or given.company):
        raise InputError(
            "The question has no English word: the market desk answers questions in English.",
            advice='Ask in English, like "Why is NVDA down today?".',
        )
    if len(asked) > _LONGEST:
        shorter = f"Ask in at most {_LONGEST:,} characters."
        raise InputError(f"The question is {len(asked):,} characters long.", advice=shorter)
    by_model = reading.kind is not None and not (given.tickers or given.company)
    named = named_as(reading, listings) if by_model else named_in(asked, given.tickers, listings, given.company)
    about_a_company = bool(named.tickers or named.company)
    kind, why = _kind_of(asked, about_a_company=about_a_company)
    if reading.kind is not None:
        kind, why = reading.kind, "as the model reads it"
    elif kind is QuestionKind.LATEST_NEWS and about_a_company and forms_in(asked):
        kind, why = QuestionKind.STRATEGY, "it names a filing"
    if kind is QuestionKind.ECONOMIC_RELEASE and not named.tickers:
        named = named._replace(company="", notes=())  # 'the Fed' is no company
    if given.upstream is not None and given.upstream.agent == "business_analyst" and kind is QuestionKind.LATEST_NEWS:
        kind, why = QuestionKind.STRATEGY, "the confidence of an answer from filings was too low"
    advice = bool(_TRADE_ADVICE.search(fold(asked)))
    sector = given.sector or reading.sector or sector_in(asked) or sector_in(named.company)
    moves = kind is QuestionKind.STOCK_MOVEMENT
    asks = asks_of(asked)
    return MarketQuestion(
        text=asked,
        tickers=named.tickers,
        company=named.company,
        sector=sector,
        kind=kind,
        timeframe=timeframe_of(asked, now, _usual(kind, asks)),
        now=now,
        direction=direction_in(asked) if moves else None,
        change_percent=change_in(asked) if moves else None,
        country=country_in(asked) if kind is QuestionKind.ECONOMIC_RELEASE else None,
        upstream=given.upstream,
        wants_advice=advice,
        asks=asks,
        step_back=reading.step_back,
        peers=reading.peers,
        claim=claim_of(asked) if asks is Asks.WHETHER and not advice else "",
        notes=tuple(dict.fromkeys(_notes(named, advice, bool(sector or about_a_company), kind))),
        reasons=(f"{kind.value.replace('_', ' ')}: {why}", *(f"{each.shown}: {each.how}" for each in named.tickers)),
    )


def _usual(kind: QuestionKind, asks: Asks) -> timedelta:
    """The default period: 24 to 48 hours for breaking news, up to the age at which quarterly accounts are stale for
    questions on filings, and a month for a question on one subject."""
    if kind is QuestionKind.LATEST_NEWS and asks is not Asks.WHAT:
        return timedelta(days=_A_MONTH)
    return timedelta(days=_USUAL_DAYS[kind])


def _notes(named: Named, advice: bool, about: bool, kind: QuestionKind) -> list[str]:
    notes = [*named.notes, *([NO_ADVICE_NOTE] if advice else [])]
    if not about and kind is not QuestionKind.ECONOMIC_RELEASE:
        notes.append("The question names no company, ticker or sector, so that it is asked of the market as a whole.")
    return notes


def _kind_of(text: str, *, about_a_company: bool) -> tuple[QuestionKind, str]:
    """The kind of a question, with the reason. `about_a_company`: it names a company or a ticker."""
    plain = fold(text)
    economy, news = _ECONOMY.search(plain), _NEWS.search(plain)
    if economy and not about_a_company:
        where = country_in(text)
        return QuestionKind.ECONOMIC_RELEASE, f"it names {economy.group()!r}{f' of {where}' if where else ''}"
    if _asks_about_a_move(text, plain, about_a_company):
        return QuestionKind.STOCK_MOVEMENT, "it asks why a price moved"
    for kind, words in forms("kinds").items():
        if found := words.search(plain):
            return QuestionKind(kind), f"it says {found.group()!r}"
    if economy and not news:
        return QuestionKind.ECONOMIC_RELEASE, f"it names {economy.group()!r}"
    reason = f"it says {news.group()!r}" if news else "nothing in it says what kind of news is wanted"
    return QuestionKind.LATEST_NEWS, reason


def _asks_about_a_move(text: str, plain: str, about_a_company: bool) -> bool:
    """True for 'why is it down today', which is about a share; not for 'why is demand for chips falling', which is
    about an industry, or 'why did X cut its dividend'."""
    if _HALTED.search(plain):
        return True
    moved = _MOVED.search(plain)
    if moved is None or direction_in(text) is None:
        return False
    shares, soon = bool(_SHARES.search(plain)), bool(_SOON.search(plain))
    behind = plain[moved.end() :].split()[:_BEHIND]
    of_something = not _MOVING.isdisjoint(re.findall(r"\w+", f"{plain[: moved.start()]} {' '.join(behind)}"))
    of_price = shares or (not of_something if about_a_company else soon)
    return of_price and (bool(_WHY.search(plain)) or soon or change_in(text) is not None)


def direction_in(text: str) -> PriceDirection | None:
    """The direction of a price in a text; None for neither or both."""
    found = {PriceDirection.UP if match["up"] else PriceDirection.DOWN for match in _MOVED.finditer(fold(text))}
    return found.pop() if len(found) == 1 else None


def change_in(text: str) -> float | None:
    """The one percentage in a text; None if absent, or several."""
    shares = [each for each in quantities(text) if each.dimension is Dimension.SHARE and not each.spelled]
    return abs(shares[0].value) if len(shares) == 1 else None


def asks_of(text: str) -> Asks:
    """The form of answer that the beginning of the last question asks for."""
    sentence = fold(_last_sentence(text))
    asks = next((name for name, form in forms("asks").items() if form.match(sentence)), None)
    if asks is not None:
        return Asks(asks)
    return Asks.WHETHER if _AUXILIARY.match(sentence) and text.rstrip().endswith("?") else Asks.WHAT


def claim_of(text: str) -> str:
    """The statement in a yes-or-no question: 'X has filed for bankruptcy.' for 'Has X filed for bankruptcy?' and
    'Hasn't X ...?', without the auxiliary if the end of the subject is unclear; '' for other questions."""
    match = _AUXILIARY.match(_last_sentence(text))
    if match is None:
        return ""
    return statement_of(f"{match['aux']} {match['rest']}?") or f"{capitalised(match['rest'])}."


def _last_sentence(text: str) -> str:
    return [part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part][-1]


def focus_of(question: MarketQuestion) -> frozenset[str]:
    """The stems of the question's words, without the company, the ticker and words such as 'news' or 'today'."""
    about = {fold(each.shown) for each in question.tickers} | set(content_words(question.about))
    return frozenset(content_words(question.text)) - about - _ASKING
