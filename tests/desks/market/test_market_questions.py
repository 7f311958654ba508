"""The reading of a question to the market desk: company, subject and time, and what remained unclear."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.desks.market.questions import (
    before_session,
    day_begins,
    focus_of,
    is_crag_fallback_needed,
    last_trading_day,
    new_york,
    route_query,
)
from inquest.domain.errors import InputError
from inquest.domain.market import MarketQuestion, PriceDirection, QuestionKind, Upstream
from tests.desks.market.market_parts import LISTINGS, NOW, ask


def symbols(question: MarketQuestion) -> list[str]:
    return [each.symbol for each in question.tickers]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Why is QVRN down today?", ["QVRN"]),
        ("What happened to $ALL?", ["ALL"]),
        ("news on NYSE: NOW", ["NOW"]),
        ("the ticker IT is down", ["IT"]),
        ("Why did ALL stock fall today?", ["ALL"]),
        ("Nowell Services (NOW) results", ["NOW"]),
        ("Anything new on HTH.B?", ["HTH-B"]),
        ("LMN.L news", ["LMN.L"]),
    ],
)
def test_a_ticker_is_found_however_it_is_written(text: str, found: list[str]) -> None:
    assert symbols(ask(text, listings=LISTINGS)) == found


@pytest.mark.parametrize(
    "text",
    [
        "Why are ALL stocks down NOW?",
        "What is new in IT today?",
        "WHY IS IT ALL DOWN NOW",
        "Did the CEO of the year resign?",
        "Is the U.S. market down?",
    ],
)
def test_a_word_is_no_ticker_without_a_sign_that_it_is_one(text: str) -> None:
    assert symbols(ask(text, listings=LISTINGS)) == []
    assert symbols(ask(text)) == []


def test_a_word_that_is_also_listed_is_said_to_have_been_read_as_a_word() -> None:
    assert any("$ALL" in note for note in ask("Why are ALL stocks down?", listings=LISTINGS).notes)


@pytest.mark.parametrize("written", ["", "two words", "A:B:C", "é", "$"])
def test_an_option_that_is_no_ticker_is_the_users_error(written: str) -> None:
    with pytest.raises(InputError, match="not a valid ticker"):
        ask("Why is it down?", tickers=[written])


def test_a_ticker_or_name_that_nobody_lists_is_said_and_still_asked_for() -> None:
    question = ask("What happened to XQZV this week?", listings=LISTINGS)
    assert [(each.symbol, each.known) for each in question.tickers] == [("XQZV", False)]
    assert any("XQZV" in note for note in question.notes)
    question = ask("news about Orlin Foundry", listings=LISTINGS)
    assert question.company == "Orlin Foundry"
    assert question.tickers == ()
    assert any("Orlin Foundry" in note for note in question.notes)


def test_the_same_letters_on_another_exchange_are_another_company() -> None:
    ticker = ask("T.TO news", listings=LISTINGS).tickers[0]
    assert ticker.symbol == "T.TO"
    assert ticker.name == ""


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("Latest news on Plumtree", "PLUM"),
        ("why is plumtree down today", "PLUM"),
        ("Why did Hathersage's shares fall?", "HTH-B"),
    ],
)
def test_a_company_is_found_by_its_name(text: str, symbol: str) -> None:
    assert symbols(ask(text, listings=LISTINGS)) == [symbol]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Why is QVRN up 8% today?", QuestionKind.STOCK_MOVEMENT),
        ("semiconductor industry trends", QuestionKind.INDUSTRY_TREND),
        ("Is there an antitrust case against QVRN?", QuestionKind.REGULATORY),
        ("Recent analyst actions on QVRN", QuestionKind.ANALYST_ACTION),
        ("What's the latest news on QVRN?", QuestionKind.LATEST_NEWS),
        ("Did the Fed cut rates?", QuestionKind.ECONOMIC_RELEASE),
        ("Is QVRN on track with production targets?", QuestionKind.GUIDANCE),
        ("What did QVRN guide for revenue?", QuestionKind.GUIDANCE),
        ("Analyze QVRN's strategy", QuestionKind.STRATEGY),
    ],
)
def test_the_kind_of_a_question_is_told_by_its_words(text: str, kind: QuestionKind) -> None:
    assert ask(text).kind is kind


def test_the_words_asked_about_are_none_of_a_date_or_a_unit() -> None:
    question = ask("Was the $140 million grant of QVRN revoked on 18 November 2026?")
    assert focus_of(question) == {"140", "grant", "revok"}


def test_direction_size_and_sector_are_the_questions_or_the_companys() -> None:
    question = ask("Why is QVRN down 5% today?")
    assert (question.direction, question.change_percent) == (PriceDirection.DOWN, 5.0)
    assert ask("What is up with QVRN going down?").direction is None
    assert ask("chip stocks falling").sector == "semiconductor"
    assert ask("Why is QVRN down?", listings=LISTINGS).sector == "semiconductor"
    assert ask("Why is QVRN down?", sector="utility").sector == "utility"


@pytest.mark.parametrize("text", ["Should I buy QVRN now?", "Is QVRN a good buy?", "Is it a good time to sell QVRN?"])
def test_a_question_for_advice_is_told_that_none_is_given(text: str) -> None:
    question = ask(text)
    assert question.wants_advice
    assert any("not answered here" in note for note in question.notes)


def test_a_weak_answer_from_filings_makes_it_a_question_of_strategy() -> None:
    handed = ask("Tell me of QVRN", upstream=Upstream(agent="business_analyst", reason="0.42", score=0.42))
    assert handed.kind is QuestionKind.STRATEGY


@pytest.mark.parametrize("text", ["", "   ", "x" * 2001])
def test_no_question_and_one_without_end_are_the_users_errors(text: str) -> None:
    with pytest.raises(InputError):
        ask(text)


@given(st.text(min_size=1, max_size=120).filter(str.strip))
def test_every_text_is_read_and_never_ends_after_now(text: str) -> None:
    frame = ask(f"News: {text}", tickers=("NVDA",), listings=LISTINGS).timeframe
    assert frame.since < frame.until <= NOW + timedelta(days=1)


@pytest.mark.parametrize("asked", ["株価はなぜ下落したのですか？", "Warum ist die Aktie von Quarvane gefallen?"])
def test_a_question_in_another_language_is_the_users_error_unless_something_says_whom_it_is_about(asked: str) -> None:
    with pytest.raises(InputError, match="English"):
        ask(asked)
    assert ask(asked, tickers=("NVDA",)).tickers[0].symbol == "NVDA"


def test_a_form_is_no_name_and_of_several_companies_one_is_answered_and_the_others_are_named() -> None:
    filing = ask("What does the latest 10-Q of Quarvane say about its cash?", listings=LISTINGS)
    assert (filing.company, filing.kind) == ("Quarvane Semiconductor", QuestionKind.STRATEGY)
    both = ask("Compare Quarvane and Plumtree", listings=LISTINGS)
    assert both.company == "Quarvane Semiconductor"
    assert any("Plumtree" in note for note in both.notes)
    unknown = ask("Compare Quarvane and Norbrook", listings=LISTINGS)
    assert any("Norbrook" in note for note in unknown.notes), "also where nobody lists it"
    assert ask("Did Tarrant & Thane cut its dividend?", listings=LISTINGS).company == "Tarrant & Thane"


# Time


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("QVRN since Monday", day_begins(date(2026, 11, 16)), NOW),
        ("QVRN on Tuesday", day_begins(date(2026, 11, 17)), day_begins(date(2026, 11, 18))),
        ("QVRN yesterday", day_begins(date(2026, 11, 18)), day_begins(date(2026, 11, 19))),
        ("QVRN last week", day_begins(date(2026, 11, 9)), day_begins(date(2026, 11, 16))),
        ("QVRN last month", day_begins(date(2026, 10, 1)), day_begins(date(2026, 11, 1))),
        ("QVRN since 4 November", day_begins(date(2026, 11, 4)), NOW),
        (
            "QVRN between 2 October 2026 and 5 November 2026",
            day_begins(date(2026, 10, 2)),
            day_begins(date(2026, 11, 6)),
        ),
        ("latest on QVRN", NOW - timedelta(hours=48), NOW),
    ],
)
def test_a_stretch_of_time_is_counted_back_from_now(text: str, since: datetime, until: datetime) -> None:
    frame = ask(text).timeframe
    assert (frame.since, frame.until) == (since, until)


def test_today_and_a_weekday_reach_back_to_the_session_or_week_before() -> None:
    assert ask("news since Thursday").timeframe.since == day_begins(date(2026, 11, 12))
    assert ask("Why is QVRN down today?").timeframe.since == NOW - timedelta(days=1)
    monday = datetime(2026, 11, 23, 15, tzinfo=UTC)
    assert ask("Why is QVRN down today?", now=monday).timeframe.since == datetime(2026, 11, 20, 21, tzinfo=UTC)


def test_a_period_of_accounts_is_no_time_to_look_for_news_in() -> None:
    usual = NOW - timedelta(days=90)
    assert ask("Is QVRN on track with 2026 production targets?").timeframe.since == usual


@given(st.datetimes(min_value=datetime(2010, 1, 1), max_value=datetime(2040, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_new_yorks_clock_is_four_or_five_hours_behind_and_its_sessions_lie_before_now(now: datetime) -> None:
    here = new_york(now)
    assert here.astimezone(UTC) == now  # in the hour that comes twice, times of two zones are never equal
    assert here.utcoffset() in (timedelta(hours=-4), timedelta(hours=-5))
    assert last_trading_day(here.date()).weekday() < 5, "no Saturday or Sunday"
    assert timedelta(0) < now - before_session(now) < timedelta(days=8)


@pytest.mark.parametrize(
    ("query", "needed"),
    [
        # The examples of the specification.
        ("Why is AAPL down today?", True),
        ("Why is NVDA up 8% today?", True),
        ("Latest news on AAPL", True),
        ("What happened to TSLA this week?", True),
        ("Recent analyst actions on NVDA", True),
        ("Analyze AAPL's strategy", False),
        ("Is TSLA on track with production targets?", False),
        # A word that contains another: 'update' asks for news, and is not 'up' today.
        ("Is there an update on the plant?", True),
        ("Do analysts know its suppliers?", False),
        ("Who supplies NOWhere Inc's upholstery downtown?", False),
    ],
)
def test_the_examples_are_routed_by_whole_words(query: str, needed: bool) -> None:
    assert route_query(query) is needed


@pytest.mark.parametrize(("score", "needed"), [(0.0, True), (0.4999, True), (0.5, False), (1, False)])
def test_below_one_half_an_answer_from_filings_needs_news(score: float, needed: bool) -> None:
    assert is_crag_fallback_needed(score) is needed


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, -0.01, 1.01, True, "0.4", None])
def test_what_is_no_confidence_is_one_clear_error(score: object) -> None:
    with pytest.raises(InputError, match="from 0 to 1") as raised:
        is_crag_fallback_needed(score)  # type: ignore[arg-type]
    assert raised.value.advice


def test_both_rules_are_found_at_the_top_of_the_library() -> None:
    import inquest

    assert inquest.route_query is route_query
    assert inquest.is_crag_fallback_needed is is_crag_fallback_needed


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Has Quarvane filed for bankruptcy?", "Quarvane has filed for bankruptcy."),
        ("Hasn't Quarvane cut its dividend?", "Quarvane has cut its dividend."),
        ("QVRN fell. Did Quarvane cut its dividend?", "Quarvane cut its dividend."),
        ("Is it true that Quarvane is leaving Odell?", "Quarvane is leaving Odell."),
        ("Should Quarvane or Plumtree merge?", "Quarvane or Plumtree merge."),
        ("Why is Quarvane down?", ""),
        ("Did Quarvane cut its outlook and how many workers will it lay off?", ""),
        ("Should I buy QVRN?", ""),
    ],
)
def test_a_yes_or_no_question_is_judged_as_a_claim_whether_it_is_negated_or_not(text: str, claim: str) -> None:
    assert ask(text, listings=LISTINGS).claim == claim
