"""A question to the market desk, read: whom it is about, of which kind it is, what it wants, and of which time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from inquest.desks.market.subjects import Named, named_as, named_in
from inquest.desks.market.timeframes import timeframe_of
from inquest.desks.market.words import Form, Table, Words, sector_in, table, word_set
from inquest.domain.errors import InputError
from inquest.domain.market import Asks, MarketQuestion, MarketReading, MarketRequest, PriceDirection, QuestionKind
from inquest.sources.economic_releases import country_in
from inquest.text.lexicon import pattern
from inquest.text.quantities import Dimension, quantities
from inquest.text.regex import regex
from inquest.text.securities import Listing, forms_in, tickers_in
from inquest.text.sentences import content_words, fold

_LONGEST = 2_000
NO_ADVICE_NOTE = "What to do with shares is not answered here: the answer says what sources report, and no more."
_SET_PHRASE = pattern(__name__, "set_phrase")
_WHY = regex(r"\b(?:why|what(?:'s| is| has| was)? (?:caus|driv|mov|behind|happen)\w*|reasons? for|explain)\b")
_SHARES = regex(r"\b(?:stocks?|shares?|share price|price|trading|ticker|market cap)\b")
_SOON = regex(r"\b(?:today|now|yesterday|tonight|this week|after hours|pre-?market)\b")
_HALTED = regex(r"\bwhy\b.*\b(?:halted|volatile|moving|moved)\b")
_AUXILIARY = pattern(__name__, "auxiliary")
_BEGINS = regex(r"(?:the\s+)?\$?[A-Z][\w&.-]*(?:\s+[A-Z][\w&.-]*)*")
_OWNED_BY_NAME = regex(r"['’]s?\s+(?:[a-z-]+\s+){0,4}?[A-Z][\w.-]*(?:\s+[A-Z][\w.-]*)*")
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


class _KindRow(NamedTuple):
    name: QuestionKind
    words: Form


class _Table(Table):
    kind: tuple[_KindRow, ...]
    asks: dict[Asks, Form]
    says: dict[str, Form]
    movement: dict[PriceDirection, Words]


def read_question(
    text: str,
    now: datetime,
    given: MarketRequest = _NOTHING_GIVEN,
    *,
    listings: Sequence[Listing] = (),
    reading: MarketReading = _NOT_READ,
) -> MarketQuestion:
    """Read a question. `now` is what 'today' is counted from; `listings`: the companies that are known (none: nothing
    is looked up); `reading`: what a model reads it as, which goes before the rules. What the user gives goes first.

    Raises InputError where there is no question or none in our letters, it is longer than 2,000 characters, or a given
    ticker is not written as one.
    """
    asked = " ".join(text.split())
    if not asked:
        raise InputError("There is no question.", advice='Ask one, like "Why is NVDA down today?".')
    if not (re.search(r"[A-Za-z]{2}", asked) or tickers_in(asked) or given.tickers or given.company):
        raise InputError(
            "The question has no word that can be read: questions to the market desk are read in English.",
            advice='Ask in English, like "Why is NVDA down today?".',
        )
    if len(asked) > _LONGEST:
        raise InputError(
            f"The question is {len(asked):,} characters long.", advice=f"Ask in at most {_LONGEST:,} characters."
        )
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
        kind, why = QuestionKind.STRATEGY, "an answer from filings was too weak to stand alone"
    advice = bool(_words().says["trade_advice"].search(fold(asked)))
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
        claim=claim_of(asked, named.company) if asks is Asks.WHETHER and not advice else "",
        notes=tuple(dict.fromkeys(_notes(named, advice, bool(sector or about_a_company), kind))),
        reasons=(f"{kind.value.replace('_', ' ')}: {why}", *(f"{each.shown}: {each.how}" for each in named.tickers)),
    )


def _usual(kind: QuestionKind, asks: Asks) -> timedelta:
    """How far back is looked where the question says nothing: 24 to 48 hours for what is breaking, up to the age at
    which quarterly accounts are stale for what filings said, and a month for one thing that is asked about."""
    if kind is QuestionKind.LATEST_NEWS and asks is not Asks.WHAT:
        return timedelta(days=_A_MONTH)
    return timedelta(days=_USUAL_DAYS[kind])


def _notes(named: Named, advice: bool, about: bool, kind: QuestionKind) -> list[str]:
    notes = [*named.notes, *([NO_ADVICE_NOTE] if advice else [])]
    if not about and kind is not QuestionKind.ECONOMIC_RELEASE:
        notes.append("The question names no company, ticker or sector, so that it is asked of the market as a whole.")
    return notes


def _kind_of(text: str, *, about_a_company: bool) -> tuple[QuestionKind, str]:
    """The kind of a question, and why. `about_a_company`: whether it names one, or a ticker."""
    plain = fold(text)
    economy, news = _words().says["economy"].search(plain), _words().says["news"].search(plain)
    if economy and not about_a_company:
        where = country_in(text)
        return QuestionKind.ECONOMIC_RELEASE, f"it names {economy.group()!r}{f' of {where}' if where else ''}"
    if why := _asks_of_a_move(text, plain, about_a_company):
        return QuestionKind.STOCK_MOVEMENT, why
    for kind, words in _words().kind:
        if found := words.search(plain):
            return kind, f"it says {found.group()!r}"
    if economy and not news:
        return QuestionKind.ECONOMIC_RELEASE, f"it names {economy.group()!r}"
    reason = f"it says {news.group()!r}" if news else "nothing in it says what kind of news is wanted"
    return QuestionKind.LATEST_NEWS, reason


def _asks_of_a_move(text: str, plain: str, about_a_company: bool) -> str:
    """Why a question is about a share's movement; '' where it is not. 'Why is demand for chips falling?' is about an
    industry, 'why is X losing customers' about its customers, 'why is it down today' about a share."""
    if _HALTED.search(plain):
        return "it asks why a price moved"
    direction = direction_in(text)
    if direction is None:
        return ""
    shares, soon = bool(_SHARES.search(plain)), bool(_SOON.search(plain))
    asks_why = bool(_WHY.search(plain)) or soon or change_in(text) is not None
    of_price = shares or (_is_of_the_company(plain, direction) if about_a_company else soon)
    return f"it asks why a price went {direction.value}" if asks_why and of_price else ""


def _is_of_the_company(plain: str, direction: PriceDirection) -> bool:
    """Whether it is the company that went up or down, and nothing that it has or loses: no word of meaning stands
    between its name and the word of movement, and no object follows."""
    words = _SET_PHRASE.sub(" ", plain).split()
    moved = _words().movement[direction]
    place = next(n for n, word in enumerate(words) if word.strip("?.!,;'\"") in moved)
    between = [word for word in words[:place] if word in word_set("things_that_move")]
    after = words[place + 1].strip("?.!,;'\"") if place + 1 < len(words) else ""
    has_object = after.isalpha() and after not in word_set("after_a_move")
    return not between and not has_object


def direction_in(text: str) -> PriceDirection | None:
    """Which way a price went, as the text says; None: it says neither, or both."""
    said = set(re.findall(r"[\w-]+", _SET_PHRASE.sub(" ", fold(text))))
    found = [each for each in PriceDirection if said & _words().movement[each]]
    return found[0] if len(found) == 1 else None


def change_in(text: str) -> float | None:
    """By how many percent, as the text says; None where it gives no percentage, or several."""
    shares = [each for each in quantities(text) if each.dimension is Dimension.SHARE and not each.spelled]
    return abs(shares[0].value) if len(shares) == 1 else None


def asks_of(text: str) -> Asks:
    """What kind of answer a question wants, by how it begins; of several sentences, the last question."""
    sentence = fold([part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part][-1])
    forms = _words().asks
    asks = next((each for each in Asks if each in forms and forms[each].match(sentence)), None)
    if asks is not None:
        return asks
    return Asks.WHETHER if _AUXILIARY.match(sentence) and text.rstrip().endswith("?") else Asks.WHAT


def claim_of(text: str, company: str) -> str:
    """The statement that a yes-or-no question asks about: of 'Has X filed for bankruptcy?', 'X has filed for
    bankruptcy.'; '' where it asks none, or where its subject cannot be known from the rest."""
    asked = [part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part][-1]
    match = _AUXILIARY.match(asked)
    if match is None:
        return ""
    aux, rest = match["aux"].lower(), match["rest"]
    end = _subject_end(rest, company)
    if end is None:
        return f"{rest[:1].upper()}{rest[1:]}."
    subject, said = rest[:end].strip(), rest[end:].strip()
    return f"{subject[:1].upper()}{subject[1:]} {aux} {'not ' if match['n'] else ''}{said}."


def _subject_end(rest: str, company: str) -> int | None:
    """Where the subject of a question ends behind its auxiliary: at the company's name, at what belongs to it ('X's
    finance chief Ann Lee'), or at a name that begins it; None where that cannot be known."""
    named = next((word for word in company.split() if len(word) > 1), "")
    at = re.search(rf"\b{re.escape(named)}(?:\s+(?:(?:and|&|of)\s+)?[A-Z][\w&.-]*)*", rest) if named else None
    if at is None or at.end() == len(rest):
        at = _BEGINS.match(rest)
    if at is None or not rest.startswith(("'", "’"), at.end()):
        return at.end() if at else None
    named_after = _OWNED_BY_NAME.match(rest, at.end())
    if named_after:
        return named_after.end()
    ends = [match.end() for match in re.finditer(r"\w+", rest) if fold(match.group()) in word_set("things_owned")]
    return max((end for end in ends if end > at.end()), default=None)


def focus_of(question: MarketQuestion) -> frozenset[str]:
    """The stems of what is asked about: its words without the company, the ticker and the words of asking."""
    about = {fold(each.shown) for each in question.tickers} | set(content_words(question.about))
    asking = {stem for word in word_set("asked_with") for stem in content_words(word)}
    return frozenset(content_words(question.text)) - about - asking


@cache
def _words() -> _Table:
    return table("words", _Table)
