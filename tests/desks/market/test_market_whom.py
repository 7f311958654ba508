"""The engine for each query, and the engines that can replace another."""

from __future__ import annotations

import pytest

from inquest.desks.market.queries import can_replace, goes_to
from inquest.desks.market.subjects import named_by_leads, spoken_name, subject_of
from inquest.domain.search import EngineKind, Hit, Query
from inquest.text.securities import Listing, Ticker
from tests.desks.market.market_parts import about_quarvane, ask

NEWS = Query(text="Quarvane shares", kinds=(EngineKind.NEWS, EngineKind.MARKET))
FILED = Query(text="Quarvane 8-K", kinds=(EngineKind.MARKET,))


@pytest.mark.parametrize(
    ("out", "other", "query", "can"),
    [
        ("fmp", "eodhd", NEWS, True),
        ("fmp", "eodhd_quote", NEWS, False),
        ("fmp", "edgar_current", NEWS, False),
        ("fmp_quote", "eodhd_quote", NEWS, True),
        ("fmp_quote", "eodhd", NEWS, False),
        ("fmp_grades", "eodhd", NEWS, False),
        ("edgar_current", "edgar_submissions", FILED, True),
        ("edgar_current", "tavily", FILED, False),
    ],
)
def test_news_stand_in_for_news_and_prices_for_prices(out: str, other: str, query: Query, can: bool) -> None:
    assert can_replace(other, query, about_quarvane(), out=out) is can


def test_what_is_filed_under_a_ticker_is_not_asked_about_an_economy() -> None:
    question = ask("What did US CPI inflation come in at?")
    assert not goes_to("fmp", NEWS, question) and not goes_to("eodhd_quote", NEWS, question)
    assert goes_to("eodhd_calendar", NEWS, question) and goes_to("tavily", NEWS, question)


@pytest.mark.parametrize(
    ("registered", "symbol", "said"),
    [
        ("NVIDIA CORP", "NVDA", "Nvidia"),
        ("BERKSHIRE HATHAWAY INC", "BRK-B", "Berkshire Hathaway"),
        ("AT&T INC.", "T", "AT&T"),
        ("BANK OF AMERICA CORP /DE/", "BAC", "Bank of America"),
        ("INC", "X", "Inc"),
    ],
)
def test_a_registers_name_is_said_as_people_say_it(registered: str, symbol: str, said: str) -> None:
    assert spoken_name(registered, symbol) == said


def test_a_company_that_shares_the_first_words_of_a_name_is_another() -> None:
    question = ask("Why is VALE down?", listings=(Listing(Ticker("VALE", "US"), "Lenn Vale Charging Inc.", "1"),))
    subject = subject_of(question)
    miner = "Shares of Lenn Vale Mining Corp. dropped. Lenn Vale Mining stopped work at its project."
    assert subject.is_about_another("Lenn Vale Mining falls", miner)
    assert subject.names_other("Lenn Vale Mining Corp. dropped 31 per cent in Toronto.")
    own = "Lenn Vale Charging Inc. closed lower. Lenn Vale Chief Executive Ann Lee spoke. Lenn Vale fell."
    assert not subject.is_about_another("Lenn Vale falls", own)
    assert not subject.names_other("Lenn Vale Charging Inc. closed at $9 on Wednesday.")
    assert subject.is_named("Lenn Vale fell by a third.")


@pytest.mark.parametrize(
    ("text", "another"),
    [
        ("The lamp maker Quarvane Lighting lost nine percent. Quarvane Lighting has its seat in Eindhoven.", True),
        ("The lamp maker Quarvane Lighting lost nine percent, a week after Quarvane fell.", False),
        ("The new pump, called Quarvane Sol, was shown by Quarvane Chief Executive Ann Lee.", False),
        ("A pump by Quarvane Medical is sold in Eindhoven with lamps by Quarvane Lighting.", False),
    ],
)
def test_a_page_whose_every_such_name_goes_on_with_another_common_word_is_about_another(
    text: str, another: bool
) -> None:
    question = ask("Why is QRVM down?", listings=(Listing(Ticker("QRVM", "US"), "Quarvane Medical Inc.", "1"),))
    assert subject_of(question).is_about_another("Winstwaarschuwing", text) is another


def test_a_title_that_ends_with_the_company_s_name_does_not_go_on_with_the_first_name_of_the_text() -> None:
    subject = subject_of(about_quarvane())
    assert not subject.is_about_another("Lenn Group Denies It Bids for Quarvane", "Lenn Group said it made no offer.")


def test_whom_somebody_pays_is_not_whom_the_question_is_about() -> None:
    assert (
        ask("Did Corvane Water Works agree to repay 61 million dollars to Brockmark?").company == "Corvane Water Works"
    )
    assert ask("Did the chair of Brockmark resign?").company == "Brockmark"
    assert ask("Has BaFin cleared the Brockmark offer?").company == "Brockmark"
    assert ask("What does the Brockmark 8-K of March 3 say?").company == "Brockmark"


def test_a_company_of_one_word_has_the_registered_name_that_most_leads_give_it() -> None:
    titles = ("Brockmark Sensorik AG accepts an offer", "Brockmark Sensorik AG: ad hoc", "Brockmark Brewery Ltd. sells")
    hits = [Hit(url=f"https://a.example/{n}", title=title, engine="e", rank=1) for n, title in enumerate(titles)]
    question = ask("Why did Brockmark jump?")
    assert not subject_of(question).is_about_another("Ad hoc", "Brockmark Sensorik AG has an offer.")
    named = named_by_leads(question, hits)
    assert named.company == "Brockmark Sensorik"
    assert subject_of(named).is_about_another("Brewery", "Brockmark Brewery Ltd. sells beer. Brockmark Brewery grew.")
    assert named_by_leads(question, hits[1:]).company == "Brockmark"
