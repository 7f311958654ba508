"""A question to the market desk, read: kind, tickers, company, sector, stretch of time, and what it does not say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from inquest.desks.market.kinds import ADVICE_ASKED, change_in, direction_in, kind_of
from inquest.desks.market.sectors import sector_in
from inquest.desks.market.tickers import named_in
from inquest.desks.market.timeframes import timeframe_of
from inquest.domain.errors import InputError
from inquest.domain.market import FilingStatement, MarketQuestion, QuestionKind, Upstream
from inquest.sources.economic_releases import country_in
from inquest.text.securities import Listing, parse_ticker
from inquest.text.sentences import fold

__all__ = ["NO_ADVICE_NOTE", "read_question", "widened"]

_LONGEST = 2_000
NO_ADVICE_NOTE = "What to do with shares is not answered here: the answer says what sources report, and no more."


def read_question(
    text: str,
    now: datetime,
    *,
    tickers: Sequence[str] = (),
    company: str = "",
    sector: str = "",
    listings: Sequence[Listing] = (),
    filings: Sequence[FilingStatement] = (),
    upstream: Upstream | None = None,
) -> MarketQuestion:
    """Read a question. `now` is what 'today' is counted from; `tickers`, `company` and `sector` are what the user gave
    beside the text; `listings` the companies that the house knows (none: nothing is looked up).

    Raises InputError where there is no question, it is longer than 2,000 characters, or a given ticker is not written
    as one.
    """
    asked = " ".join(text.split())
    if not asked:
        raise InputError("There is no question.", advice='Ask one, like "Why is NVDA down today?".')
    if len(asked) > _LONGEST:
        raise InputError(
            f"The question is {len(asked):,} characters long.", advice=f"Ask in at most {_LONGEST:,} characters."
        )
    named = named_in(asked, tickers, listings, company)
    about_a_company = bool(named.tickers or named.company)
    kind, why = kind_of(asked, about_a_company=about_a_company)
    if kind is QuestionKind.ECONOMIC_RELEASE and not named.tickers:
        named = named._replace(company="", notes=())  # 'the Fed' is no company
    if upstream is not None and upstream.agent == "business_analyst" and kind is QuestionKind.LATEST_NEWS:
        kind, why = QuestionKind.STRATEGY, "an answer from filings was too weak to stand alone"
    abroad = [
        each for each in named.tickers if (parsed := parse_ticker(each.symbol)) and parsed.exchange not in (None, "US")
    ]
    notes = list(named.notes)
    if ADVICE_ASKED.search(fold(asked)):
        notes.append(NO_ADVICE_NOTE)
    if not about_a_company and not sector and not sector_in(asked) and kind not in (QuestionKind.ECONOMIC_RELEASE,):
        notes.append("The question names no company, ticker or sector, so that it is asked of the market as a whole.")
    timeframe = timeframe_of(asked, now, kind, us_market=not abroad)
    return MarketQuestion(
        text=asked,
        tickers=named.tickers,
        company=named.company,
        sector=sector or sector_in(asked) or sector_in(named.company),
        kind=kind,
        timeframe=timeframe,
        now=now,
        filings=tuple(filings),
        direction=direction_in(asked) if kind is QuestionKind.STOCK_MOVEMENT else None,
        change_percent=change_in(asked) if kind is QuestionKind.STOCK_MOVEMENT else None,
        country=country_in(asked) if kind is QuestionKind.ECONOMIC_RELEASE else None,
        upstream=upstream,
        wants_advice=bool(ADVICE_ASKED.search(fold(asked))),
        notes=(*dict.fromkeys(notes),),
        reasons=(f"{kind.value.replace('_', ' ')}: {why}", *(f"{each.shown}: {each.how}" for each in named.tickers)),
    )


def widened(question: MarketQuestion) -> MarketQuestion | None:
    """The question with the past seven days as its time, to be asked again where nothing newer was found (spec 003,
    scenario 1, looks back a week); None where it asks for as much already, or for a time that has ended."""
    frame = question.timeframe
    week = question.now - timedelta(days=7)
    if frame.until < question.now or frame.since <= week:
        return None
    wider = frame.model_copy(update={"since": week, "words": "the past 7 days"})
    return question.model_copy(update={"timeframe": wider})
