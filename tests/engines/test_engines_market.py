"""Filings, figures, prices and news of companies: the requests to each service, and the results of its replies."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota
from inquest.domain.search import Query
from inquest.kit.engine import EngineAccess
from inquest.kit.exchange import Reply
from tests.engines.recorded_replies import ACCESS, ENGINES, driven, recorded, recorded_reply, reply, sent

SINCE, UNTIL = datetime(2026, 3, 5, tzinfo=UTC), datetime(2026, 6, 17, tzinfo=UTC)
COMPANIES = {
    "0": {"cik_str": 9900123, "ticker": "VLMR", "title": "Vellmar Dredging Corp"},
    "1": {"cik_str": 9900456, "ticker": "BRK-B", "title": "Harrow Quay Inc"},
    "2": {"cik_str": 9900789, "ticker": "T", "title": "Tidewater Example"},
}


# EDGAR


def test_the_sec_is_told_who_asks() -> None:
    [request] = [ENGINES["edgar"](ACCESS).request(Query(text="dredging"))]
    assert request.headers == (("User-Agent", "Inquest desk@newsroom.example"),)
    assert ENGINES["edgar"]().request(Query(text="dredging")).headers == ()


def test_a_refusal_of_the_sec_says_what_it_wants() -> None:
    with pytest.raises(EngineKeyRefused, match="refused") as caught:
        driven("edgar", Query(text="dredging"), recorded_reply("edgar", "key_undeclared"), access=EngineAccess())
    assert "INQUEST_CONTACT" in caught.value.advice
    with pytest.raises(EngineQuota):
        driven("edgar", Query(text="dredging"), recorded_reply("edgar", "quota_rate"))


def test_words_forms_and_days_are_searched_in_the_text_of_filings() -> None:
    query = Query(text="the sediment plume in a 10-K", since=SINCE)
    parameters = sent(ENGINES["edgar"](ACCESS).request(query))
    assert parameters == {
        "q": "sediment plume", "forms": "10-K", "dateRange": "custom", "startdt": "2026-03-05", "enddt": "2099-12-31",
    }  # fmt: skip
    assert sent(ENGINES["edgar"](ACCESS).request(Query(text="sediment plume", exact=True)))["q"] == '"sediment plume"'


def test_a_ticker_becomes_the_number_of_its_company() -> None:
    asked, hits = driven("edgar", Query(text="plume", tickers=("BRK.B",)), reply(COMPANIES), recorded_reply("edgar"))
    assert asked[0].url == "https://www.sec.gov/files/company_tickers.json"
    assert (sent(asked[1])["ciks"], sent(asked[1])["q"]) == ("0009900456", "plume")
    assert len(hits) == 10
    asked, _ = driven("edgar", Query(text="$VLMR 8-K"), reply(COMPANIES), recorded_reply("edgar"))
    assert sent(asked[1]) == {"ciks": "0009900123", "forms": "8-K"}


@pytest.mark.parametrize("name", ["edgar", "edgar_submissions", "edgar_current", "edgar_facts"])
def test_a_ticker_that_the_sec_does_not_know_is_nothing_found(name: str) -> None:
    for ticker in ("NONE", "T.TO"):  # AT&T's symbol is another company's in Toronto
        asked, hits = driven(name, Query(text=ticker, tickers=(ticker,)), reply(COMPANIES))
        assert (len(asked), hits) == (1, [])


def test_a_filing_found_says_what_it_is() -> None:
    first = recorded("edgar")[0]
    assert first.url == "https://www.sec.gov/Archives/edgar/data/9900123/000990012326000001/vlmr-202600.htm"
    assert first.title == "Vellmar Dredging Corp: 8-K (current report), EX-99.1, Release: dredging permit"
    assert first.snippet.startswith("2.02 Results of operations and financial condition; 9.01")
    assert first.filing is not None
    assert (first.filing.form, first.filing.items, first.filing.tickers) == (
        "8-K",
        ("2.02", "9.01"),
        ("VLMR", "VLMR-B"),
    )
    assert (first.filing.filer_id, first.filing.id) == ("0009900123", "0009900123-26-000001")
    assert first.published is not None
    assert first.published.iso == "2026-01-10"


def test_submissions_are_a_companys_newest_filings_by_form_and_time() -> None:
    table = recorded_reply("edgar_submissions")
    asked, hits = driven("edgar_submissions", Query(text="Vellmar Dredging"), reply(COMPANIES), table)
    assert asked[1].url == "https://data.sec.gov/submissions/CIK0009900123.json"
    assert len(hits) == 10
    assert hits[9].url.endswith("/0009900123-26-000010-index.htm"), "a filing without a main document has its list"
    _, hits = driven("edgar_submissions", Query(text="$VLMR 8-K", until=UNTIL), reply(COMPANIES), table)
    assert [(hit.rank, hit.filing.form) for hit in hits if hit.filing] == [(1, "8-K/A"), (2, "8-K")]
    asked, _ = driven("edgar_submissions", Query(text="CIK 9900123"), table)
    assert asked[0].url.endswith("CIK0009900123.json"), "whose number is known need not be looked up"


def test_the_feed_is_read_once_for_each_filing() -> None:
    hits = recorded("edgar_current")
    assert len(hits) == 10
    assert hits[1].title == "Harrow Quay & Sons Inc.: 8-K (current report)"
    assert hits[0].filing is not None
    assert hits[0].filing.items == ("2.02", "9.01")
    assert hits[0].published is not None
    assert hits[0].published.iso == "2026-07-15T11:59:07Z"


def test_the_feed_of_one_company_holds_only_its_own() -> None:
    asked, hits = driven("edgar_current", Query(text="BRK.B 10-Q"), recorded_reply("edgar_current"))
    assert sent(asked[0])["company"] == "BRK.B", "capitals beside other words are no ticker"
    asked, hits = driven(
        "edgar_current", Query(text="10-Q", tickers=("BRK.B",)), reply(COMPANIES), recorded_reply("edgar_current")
    )
    assert (sent(asked[1])["CIK"], sent(asked[1])["type"]) == ("0009900456", "10-Q")
    assert hits == []


def _feed_of_one(cik: str) -> Reply:
    filing = (
        "<entry><title>8-K - Vellmar Dredging Corp ({cik}) (Filer)</title>"
        '<link rel="alternate" href="https://www.sec.gov/Archives/edgar/data/9900123/000990012326000001/'
        '0009900123-26-000001-index.htm"/><summary type="html">Filed: 2026-06-20 Item 2.02: Results</summary>'
        "<updated>2026-06-20T16:31:07-04:00</updated></entry>"
    )
    return reply(f'<feed xmlns="http://www.w3.org/2005/Atom">{filing.format(cik=cik)}</feed>')


def test_a_filing_of_the_feed_leads_to_its_main_document_and_not_to_the_list_of_its_files() -> None:
    query = Query(text="8-K", tickers=("VLMR",))
    asked, (hit,) = driven(
        "edgar_current", query, reply(COMPANIES), _feed_of_one("0009900123"), recorded_reply("edgar_submissions")
    )
    assert asked[2].url == "https://data.sec.gov/submissions/CIK0009900123.json"
    number = "0009900123-26-000001"
    (listed,) = (each for each in recorded("edgar_submissions") if each.filing and each.filing.id == number)
    assert hit.url == listed.url and "index" not in hit.url


@pytest.mark.parametrize("register", [reply("out of order", 503), reply({"filings": []}), reply("no JSON")])
def test_where_the_register_is_out_the_filing_stays_as_the_feed_has_it(register: Reply) -> None:
    query = Query(text="8-K", tickers=("VLMR",))
    _, (hit,) = driven("edgar_current", query, reply(COMPANIES), _feed_of_one("0009900123"), register)
    assert hit.url.endswith("0009900123-26-000001-index.htm")


def test_figures_of_accounts_stand_with_the_filing_that_reports_them() -> None:
    hits = recorded("edgar_facts")
    assert [hit.filing.form for hit in hits[:2] if hit.filing] == ["10-Q", "10-K"]
    annual = {figure.name: figure for figure in hits[1].figures}
    assert annual["us-gaap:Revenues"].value == 19_000_000
    assert annual["us-gaap:Revenues"].period == "2025-01-01/2025-12-31"
    assert annual["us-gaap:NetIncomeLoss"].value == -250_000
    assert annual["us-gaap:NetIncomeLoss"].unit == "USD"
    assert "Revenues 19,000,000 USD" in hits[1].snippet


def test_figures_that_are_asked_for_by_name_are_those_given() -> None:
    query = Query(text="goodwill", tickers=("VLMR",))
    _, hits = driven("edgar_facts", query, reply(COMPANIES), recorded_reply("edgar_facts"))
    assert [figure.name for hit in hits for figure in hit.figures] == ["us-gaap:Goodwill"]


def test_a_company_without_figures_is_nothing_found() -> None:
    _, hits = driven("edgar_facts", Query(text="VLMR"), reply(COMPANIES), reply("<Error/>", 404))
    assert hits == []


# Federal Register


def test_a_document_of_the_register_names_its_agencies_and_its_kind() -> None:
    hits = recorded("federal_register")
    assert hits[0].filing is not None
    assert (hits[0].filing.form, hits[0].filing.id) == ("Rule", "2026-07000")
    assert hits[0].author == "Harbours Department, BUREAU OF MUD"
    assert hits[3].snippet == "... the Vellmar credit agreement ..."


# FMP


def test_news_is_asked_with_every_symbol_in_one_call() -> None:
    query = Query(text="results", tickers=("vlmr", "BRK.B", "VOD.LSE"), until=UNTIL, limit=5)
    asked, hits = driven("fmp", query, recorded_reply("fmp"))
    assert asked[0].url.startswith("https://financialmodelingprep.com/stable/news/stock?symbols=VLMR%2CBRK-B%2CVOD.L&")
    # Without a start the service looks back three months from today, and finds nothing earlier.
    assert (sent(asked[0])["from"], sent(asked[0])["to"]) == ("2025-06-17", "2026-06-17")
    assert len(hits) == 5


def test_a_name_is_looked_up_and_one_that_is_nobodys_finds_nothing() -> None:
    known = reply(
        [{"symbol": "VLMR.L", "name": "Vellmar Dredging plc"}, {"symbol": "VLMR", "name": "Vellmar Dredging"}]
    )
    asked, _ = driven("fmp_quote", Query(text="Vellmar Dredging"), known, recorded_reply("fmp_quote"))
    assert sent(asked[0])["query"] == "Vellmar Dredging"
    assert sent(asked[1])["symbol"] == "VLMR"
    assert driven("fmp", Query(text="Vellmar polluted the reef"), known)[1] == [], "never another company's news"


@pytest.mark.parametrize(
    "moved",
    [
        recorded_reply("fmp", "key_legacy"),
        reply("not here", 404),
        reply({"Error Message": "Legacy Endpoint : no longer supported"}),
    ],
)
def test_where_a_path_is_closed_the_older_one_is_asked(moved: Reply) -> None:
    asked, hits = driven(
        "fmp_press_releases", Query(text="VLMR"), moved, recorded_reply("fmp_press_releases", "results_v3")
    )
    assert urlsplit(asked[1].url).path == "/api/v3/press-releases/VLMR"
    assert [(hit.title, hit.details["press_release"]) for hit in hits] == [
        ("Vellmar Dredging reports first quarter", True),
    ]
    asked, _ = driven("fmp_grades", Query(text="VLMR"), moved, moved, recorded_reply("fmp_grades"))
    assert [urlsplit(each.url).path for each in asked] == [
        "/stable/grades-news",
        "/stable/grades",
        "/api/v4/upgrades-downgrades",
    ]


def test_where_every_path_is_closed_the_newest_ones_refusal_is_told() -> None:
    with pytest.raises(EngineKeyRefused, match="current subscription"):
        driven("fmp", Query(text="VLMR"), recorded_reply("fmp", "key_premium"), recorded_reply("fmp", "key_legacy"))


def test_a_grade_is_a_figure_in_words() -> None:
    first, plain = recorded("fmp_grades")[0], recorded("fmp_grades", "results_plain")[0]
    for hit in (first, plain):
        [grade] = hit.figures
        assert (grade.subject, grade.name, grade.text, grade.previous_text) == ("VLMR", "grade", "Buy", "Hold")
        assert grade.by == "Harrow Securities"
    assert first.url == "https://grades.example/0"
    assert plain.title == "VLMR: Harrow Securities upgrade Buy"


def test_two_firms_grades_in_one_article_are_two_hits() -> None:
    row = {"symbol": "VLMR", "newsURL": "https://grades.example/0", "newsTitle": "Two cut it", "newGrade": "Sell"}
    rows = [row | {"gradingCompany": firm} for firm in ("Halden Ross", "Pike Street", "Pike Street")]
    _, hits = driven("fmp_grades", Query(text="VLMR"), reply(rows))
    assert [figure.by for hit in hits for figure in hit.figures] == ["Halden Ross", "Pike Street"]


@pytest.mark.parametrize("file", ["results", "results_v3"])
def test_a_quote_is_figures_on_the_symbols_page(file: str) -> None:
    hit = recorded("fmp_quote", file)[0]
    figures = {figure.name: figure.value for figure in hit.figures}
    assert (figures["price"], figures["change_percent"], figures["previous_close"]) == (12.5, -1.25, 12.66)
    assert hit.url == "https://financialmodelingprep.com/financial-summary/VLMR"
    assert hit.published is not None
    assert hit.published.iso == "2026-07-14T20:00:01Z"


# EODHD


def test_news_is_asked_by_ticker_or_else_by_subject() -> None:
    asked, _ = driven("eodhd", Query(text="results", tickers=("BRK.B", "VOD.L")), recorded_reply("eodhd"))
    assert sent(asked[0])["s"] == "BRK-B.US,VOD.LSE"
    asked, hits = driven("eodhd", Query(text="Harbour Dredging"), recorded_reply("eodhd"))
    assert sent(asked[0])["t"] == "harbour dredging"
    assert hits[0].details["tickers"] == ["VLMR.US", "VLM.F"]
    assert hits[0].details["sentiment"] == 0.9


def test_prices_are_asked_in_one_call_and_a_name_is_looked_up() -> None:
    asked, _ = driven("eodhd_quote", Query(text="VLMR, VOD.L"), recorded_reply("eodhd_quote"))
    assert (urlsplit(asked[0].url).path, sent(asked[0])["s"]) == ("/api/real-time/VLMR.US", "VOD.LSE")
    known = reply([{"Code": "VLMR", "Exchange": "US", "Name": "Vellmar Dredging Corp"}])
    asked, hits = driven(
        "eodhd_quote", Query(text="Vellmar Dredging"), known, recorded_reply("eodhd_quote", "results_one")
    )
    assert [urlsplit(each.url).path for each in asked] == ["/api/search/Vellmar%20Dredging", "/api/real-time/VLMR.US"]
    assert hits[0].url == "https://eodhd.com/financial-summary/VLMR.US"


@pytest.mark.parametrize("file", ["empty_not_available", "empty_unknown"])
def test_a_ticker_that_eodhd_does_not_know_is_nothing_found(file: str) -> None:
    assert driven("eodhd_quote", Query(text="VLMX"), recorded_reply("eodhd_quote", file))[1] == []


def test_the_calendar_gives_what_was_expected_and_what_came() -> None:
    asked, hits = driven("eodhd_calendar", Query(text="US inflation", since=SINCE), recorded_reply("eodhd_calendar"))
    assert (sent(asked[0])["country"], sent(asked[0])["from"]) == ("US", "2026-03-05")
    assert [hit.title for hit in hits] == ["US: Inflation Rate (yoy), Jun", "US: Inflation Rate (mom), Jun"]
    [figure] = hits[0].figures
    assert (figure.value, figure.forecast, figure.previous, figure.period) == (2.7, 2.6, 0.7, "Jun")
    assert hits[0].snippet == "actual 2.7; expected 2.6; before 0.7"


@pytest.mark.parametrize("name", ["fmp", "fmp_press_releases", "fmp_grades", "fmp_quote", "eodhd", "eodhd_quote"])
def test_an_error_inside_a_200_is_an_error_in_whichever_call(name: str) -> None:
    for body in ({"message": "Invalid API key"}, {"error": "You exceeded your daily limit"}, "Limit Reach", {}):
        for query in (Query(text="VLMR"), Query(text="Vellmar Dredging")):
            with pytest.raises(EngineError):
                driven(name, query, reply(body))


# The available real replies


def test_a_list_of_companies_without_any_is_a_failure() -> None:
    bodies: tuple[Any, ...] = ({}, {"0": {"ticker": "X"}}, [], "<html>")
    for body in bodies:
        with pytest.raises(EngineFormat):
            driven("edgar_submissions", Query(text="VLMR"), reply(body))


def test_the_register_is_asked_by_term_and_days() -> None:
    query = Query(text="harbour dredging", since=SINCE, until=UNTIL, limit=20)
    assert sent(ENGINES["federal_register"]().request(query)) == {
        "conditions[term]": "harbour dredging", "conditions[publication_date][gte]": "2026-03-05",
        "conditions[publication_date][lte]": "2026-06-17", "per_page": "20", "order": "relevance",
    }  # fmt: skip


def test_a_real_list_of_submissions_gives_all_it_holds(shared: Path) -> None:
    [path] = (shared / "recordings" / "edgar").glob("TestEntityClassification*")
    recording = json.loads(path.read_text(encoding="utf-8"))
    engine = ENGINES["edgar_submissions"]()
    hits = engine.parsed(reply(recording["response"]["body"]), engine.parse)
    assert len(hits) == 11
    assert all(hit.published and hit.filing and hit.filing.form in ("3", "4") for hit in hits)
    assert hits[0].url.endswith("/1718179/000122520825001759/xslF345X05/doc4.xml")


def test_other_things_of_edgar_are_no_answer_of_a_search(shared: Path) -> None:
    for path in (shared / "recordings" / "edgar").glob("TestCorrespondence*"):
        engine, recording = ENGINES["edgar"](), json.loads(path.read_text(encoding="utf-8"))
        with pytest.raises(EngineFormat):
            engine.parsed(reply(recording["response"]["body"]), engine.parse)
