"""Parse a question to the market desk: its company, kind, form of answer and period, and whether it needs current news
(spec 003).

Days are those of New York, where US shares are traded, Monday to Friday; holidays are not considered. The words of the
routing rule are those of the specification, as whole words: 'know' is not 'now'. A move ('up', 'down') needs news only
if it is of today, and then a word for today is in the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from math import isfinite
from zoneinfo import ZoneInfo

from inquest.claims.standalone import statement_of
from inquest.desks.market.events import forms, says, sector_in, urges
from inquest.desks.market.subjects import named_as, named_in
from inquest.domain.document import Precision
from inquest.domain.errors import InputError
from inquest.domain.market import (
    Asks,
    MarketQuestion,
    MarketReading,
    MarketRequest,
    PriceDirection,
    QuestionKind,
    Timeframe,
)
from inquest.domain.reasons import Reason, in_words, noted
from inquest.sources.economic_releases import country_in
from inquest.text.dates import WEEKDAYS, utc
from inquest.text.languages import detect_language
from inquest.text.lexicon import any_of, pattern, word_set
from inquest.text.moments import Moment, moments
from inquest.text.phrases import capitalised
from inquest.text.quantities import Dimension, quantities
from inquest.text.regex import regex
from inquest.text.securities import Listing, forms_in, tickers_in
from inquest.text.sentences import content_words, fold
from inquest.text.units import WORD_NUMBERS

_NEW_YORK = ZoneInfo("America/New_York")
_CLOSES = time(16)
"""The end of the regular session; extended hours are not counted."""
_SATURDAY, _DAY = 5, timedelta(days=1)
_UNITS = {"hour": timedelta(hours=1), "day": _DAY, "week": timedelta(days=7), "month": timedelta(days=30),
          "quarter": timedelta(days=91), "year": timedelta(days=365)}  # fmt: skip
_NUMBERS = WORD_NUMBERS | {"few": 3}
_COUNTED = regex(
    rf"\b(?:past|last|previous|recent)\s+(?:(?P<n>\d{{1,3}}|{'|'.join(_NUMBERS)})\s*-?\s*)?"
    r"(?P<unit>hour|day|week|month|quarter|year)(?P<many>s?)\b",
    re.I,
)
_TODAY = regex(r"\b(?:today(?:['’]s)?|now|currently|tonight|this (?:morning|afternoon|evening)|intraday)\b", re.I)
_BARE_WEEKDAY = regex(rf"(?<!last )(?<!next )(?<!this )(?<!on )\b(?={'|'.join(WEEKDAYS)})", re.I)
_IT_IS_SO = regex(r"it (?:true|so|correct|right) that ", re.I)
_OF_ACCOUNTS = regex(r"\b(?:Q[1-4]|quarter|H[12]|half|FY|fiscal)\b", re.I)
_BETWEEN = regex(r"\bbetween\b|\bfrom\b.{1,40}\b(?:to|until|till)\b", re.I)
_MOST = timedelta(days=3650)


def new_york(moment: datetime) -> datetime:
    """Convert a moment to the time of New York; without an offset it is taken as UTC."""
    return utc(moment).astimezone(_NEW_YORK)


def last_trading_day(day: date) -> date:
    """That day or, at a weekend, the Friday before it."""
    return day - _DAY * max(0, day.weekday() - _SATURDAY + 1)


def day_begins(day: date, at: time = time.min) -> datetime:
    """Midnight (or another hour) in New York on that day, in UTC."""
    return utc(datetime.combine(day, at, _NEW_YORK))


def before_session(now: datetime) -> datetime:
    """The time from which news may have moved a share 'today': the close before today's session, or the last one."""
    session = last_trading_day(new_york(now).date())
    return day_begins(last_trading_day(session - _DAY), _CLOSES)


def _spoken(text: str, now: datetime) -> Iterator[tuple[datetime, datetime, Reason]]:
    """The past periods in a question, counted back from `now`, most exact first."""
    today = new_york(now).date()
    for match in _COUNTED.finditer(text):
        unit, count = match["unit"].lower(), (match["n"] or ("few" if match["many"] else "1")).lower()
        if match["n"] or match["many"] or unit in ("hour", "day", "quarter"):
            back = min(_MOST, max(1, int(count) if count.isdigit() else _NUMBERS[count]) * _UNITS[unit])
            hours = unit == "hour"
            yield now - back, now, says("past_hours", number=back // _UNITS["hour"]) if hours else _past(back)
    text = _BARE_WEEKDAY.sub("last ", text)
    named = [each for each in moments(text, today) if _is_period(each, text, today)]
    if named:
        first, last = named[0], named[-1] if _BETWEEN.search(text) else named[0]
        begins = day_begins(first.start)
        if last.end >= today or (last is first and first.order in ("since", "after")):
            yield begins, now, says("since_date", **_dates(first.start))
        else:
            words = says("on_date" if first.start == last.end else "from_to", **_dates(first.start, last.end))
            yield begins, day_begins(last.end + _DAY), words
    if _TODAY.search(text):
        yield min(before_session(now), now - _DAY), now, says("today", **_dates(today))


def _past(back: timedelta) -> Reason:
    return says("past_hours", number=back.days * 24) if back.days <= 2 else says("past_days", number=back.days)


def _is_period(moment: Moment, text: str, today: date) -> bool:
    """True for a past period of news: 'in 2023', but not '2026 deliveries' or 'Q3 2026'; today is a session."""
    if moment.start > today or moment.start == moment.end == today or _OF_ACCOUNTS.search(moment.span.of(text)):
        return False
    ends = moment.precision is not Precision.YEAR or moment.end < today
    return ends or moment.relative or moment.order in ("since", "after")


def _dates(day: date, until: date | None = None) -> dict[str, str]:
    return {"date": day.isoformat(), "until": (until or day).isoformat()}


_CRAG_THRESHOLD = 0.5
"""Below this confidence an answer from filings needs news to supplement it (spec 003)."""
_NEEDED, _NOT_NOW = any_of(__name__, "needed"), any_of(__name__, "not_now")


def route_query(query: str) -> bool:
    """True if a question needs the market desk: it is about the present, or asks for news."""
    plain = " ".join(fold(query).replace("’", "'").split())
    return bool(_NEEDED.search(_NOT_NOW.sub(" ", plain)))


def is_crag_fallback_needed(score: float) -> bool:
    """True if an answer with this confidence needs news to supplement it: below 0.5. Raises InputError outside 0 to
    1."""
    if isinstance(score, bool) or not isinstance(score, int | float) or not isfinite(score) or not 0 <= score <= 1:
        raise InputError(
            f"Invalid confidence {score!r}: expected a number from 0 to 1.",
            advice="Give the unchanged score of the answer from filings, between 0 and 1.",
        )
    return score < _CRAG_THRESHOLD


_LONGEST = 2_000
_SENTENCE = 4
"""Words from which the language is detected: fewer may be names."""
_ECONOMY, _NEWS, _AUXILIARY = (pattern(__name__, name) for name in ("economy", "news", "auxiliary"))
_MOVED = pattern("inquest.desks.market.events", "moved")
_MOVING = word_set(__name__, "things_that_move")
_ASKING = frozenset(stem for word in word_set(__name__, "asked_with") for stem in content_words(word))
_WHY = regex(r"\b(?:why|what(?:'s| is| has| was)? (?:caus|driv|mov|behind|happen)\w*|reasons? for|explain)\b")
_SHARES = regex(r"\b(?:stocks?|shares?|share price|price|trading|ticker|market cap)\b")
_SOON = regex(r"\b(?:today|now|yesterday|tonight|this week|after hours|pre-?market)\b")
_HALTED = regex(r"\bwhy\b.*\b(?:halted|volatile|moving|moved)\b")
_BEHIND = 3
"""Words after a verb of movement that may name the thing that moved: 'cut its dividend'."""
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


def _is_foreign(asked: str) -> bool:
    """Return True for a sentence surely in another language; detection loads slowly, so English questions skip it."""
    is_asked = any(form.search(fold(asked)) for form in (_AUXILIARY, *forms("asks").values()))
    return len(asked.split()) >= _SENTENCE and not is_asked and detect_language(asked) not in (None, "en")


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

    Raises InputError if the question is empty, not in English or longer than 2,000 characters, or a given ticker
    is invalid.
    """
    asked = " ".join(text.split())
    if not asked:
        raise InputError("There is no question.", advice='Ask one, like "Why is NVDA down today?".')
    foreign = reading is _NOT_READ and _is_foreign(asked)
    if not ((re.search(r"[A-Za-z]{2}", asked) and not foreign) or tickers_in(asked) or given.tickers or given.company):
        raise InputError(
            "The question is not in English: the market desk answers questions in English.",
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
        named = named._replace(company="", notes=())  # 'the Fed' is not a company
    if given.upstream is not None and given.upstream.agent == "business_analyst" and kind is QuestionKind.LATEST_NEWS:
        kind, why = QuestionKind.STRATEGY, "the confidence of an answer from filings was too low"
    advice = urges(asked)
    sector = given.sector or reading.sector or sector_in(asked) or sector_in(named.company)
    moves = kind is QuestionKind.STOCK_MOVEMENT
    asks = asks_of(asked)
    of_one_subject = kind is QuestionKind.LATEST_NEWS and asks is not Asks.WHAT
    usual = timedelta(days=_A_MONTH if of_one_subject else _USUAL_DAYS[kind])
    since, until, words = next(_spoken(asked, utc(now)), (utc(now) - usual, utc(now), _past(usual)))
    notes = [*named.notes, *([says("not_on_shares")] if advice else [])]
    if not (sector or about_a_company) and kind is not QuestionKind.ECONOMIC_RELEASE:
        notes.append(says("no_subject"))
    return MarketQuestion(
        text=asked,
        tickers=named.tickers,
        company=named.company,
        sector=sector,
        kind=kind,
        timeframe=Timeframe(since=since, until=until, words=in_words(words), words_code=words),
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
        **noted(notes),
        reasons=(f"{kind.value.replace('_', ' ')}: {why}", *(f"{each.shown}: {each.how}" for each in named.tickers)),
    )


def _kind_of(text: str, *, about_a_company: bool) -> tuple[QuestionKind, str]:
    """The kind of a question, with the reason. `about_a_company`: the question names a company or a ticker."""
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
    two = any(form.match(part) for part in sentence.split(" and ")[1:] for form in forms("asks").values())
    return Asks.WHETHER if _AUXILIARY.match(sentence) and sentence.endswith("?") and not two else Asks.WHAT


def claim_of(text: str) -> str:
    """The statement in a yes-or-no question: 'X has filed for bankruptcy.' for 'Has X filed for bankruptcy?' and
    'Hasn't X ...?', without the auxiliary if the end of the subject is unclear; '' for other questions."""
    match = _AUXILIARY.match(_last_sentence(text))
    if match is None:
        return ""
    if asserted := _IT_IS_SO.match(match["rest"]):
        return f"{capitalised(match['rest'][asserted.end() :])}."
    return statement_of(f"{match['aux']} {match['rest']}?") or f"{capitalised(match['rest'])}."


def _last_sentence(text: str) -> str:
    return [part for part in re.split(r"(?<=[.!?])\s+", text.strip()) if part][-1]


def focus_of(question: MarketQuestion) -> frozenset[str]:
    """The stems of the question's words, without the company, the ticker, dates, units and words such as 'news'."""
    about = {fold(each.shown) for each in question.tickers} | set(content_words(question.about))
    about |= {stem for each in moments(question.text) for stem in content_words(each.span.of(question.text))}
    about |= {stem for each in quantities(question.text) for stem in content_words(each.text) if stem.isalpha()}
    return frozenset(content_words(question.text)) - about - _ASKING
