"""Tickers, companies, forms and figures as written in markets: read once, and a wrong company is worse than none."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.engines.market.edgar_facts import facts_in
from inquest.sources.economic_releases import country_in, of_event
from inquest.text.securities import (
    Listing,
    Ticker,
    accession_of,
    cik_of,
    eastern,
    filers_of,
    filing_url,
    form_title,
    forms_in,
    item_title,
    items_in,
    listing_named,
    parse_ticker,
    tickers_in,
    without_forms,
)


@pytest.mark.parametrize(
    ("written", "symbol", "exchange"),
    [
        ("NVDA", "NVDA", None),
        ("$nvda", "NVDA", None),
        ("BRK.B", "BRK-B", None),
        ("BRK-B.US", "BRK-B", "US"),
        ("NASDAQ: NVDA", "NVDA", "US"),
        ("LSE:VOD", "VOD", "LSE"),
        ("0700.HK", "0700", "HK"),
        ("SAP.DE", "SAP", "XETRA"),
    ],
)
def test_a_ticker_is_read_however_it_is_written(written: str, symbol: str, exchange: str | None) -> None:
    assert parse_ticker(written) == Ticker(symbol, exchange)


@pytest.mark.parametrize(
    "written", ["", "$", "two words", "A:B:C", "MARS:NVDA", ".L", "NVDA?apikey=1", "NVDA\n\x00", "é"]
)
def test_what_is_no_ticker_is_none(written: str) -> None:
    assert parse_ticker(written) is None


@given(st.from_regex(r"[A-Z]{1,6}(-[A-Z])?", fullmatch=True), st.sampled_from([None, "US", "LSE", "XETRA", "HK", "TO"]))
def test_what_is_written_for_a_service_is_read_back(symbol: str, exchange: str | None) -> None:
    ticker = Ticker(symbol, exchange)
    assert parse_ticker(ticker.with_exchange) == Ticker(symbol, exchange or "US")
    assert parse_ticker(ticker.with_suffix) == Ticker(symbol, None if exchange == "US" else exchange)


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("$BRK.B and $NVDA.", ["BRK-B", "NVDA"]),
        ("Nvidia (NASDAQ: NVDA) fell", ["NVDA"]),
        ("NVDA, AMD", ["NVDA", "AMD"]),
        ("the CEO of ING and the SEC", []),
        ("USD", []),
        ("it cost $US 5 million, or $500", []),
        ("AU$NVDA", []),
        ("nvda", []),
    ],
)
def test_only_what_is_written_as_a_ticker_is_one(text: str, symbols: list[str]) -> None:
    assert [ticker.symbol for ticker in tickers_in(text)] == symbols


APPLE, APPLE_REIT = Listing(Ticker("AAPL"), "Apple Inc.", "1"), Listing(Ticker("APLE"), "Apple Hospitality REIT", "2")
LONDON = Listing(Ticker("AAPL", "LSE"), "Apple Inc", "1")


@pytest.mark.parametrize(
    ("listings", "text", "found"),
    [
        ([APPLE_REIT, APPLE], "Apple", APPLE),
        ([APPLE_REIT, APPLE], "apple, inc", APPLE),
        ([APPLE_REIT, APPLE], "Apple Hospitality", APPLE_REIT),
        ([APPLE_REIT, APPLE], "Apple supplier accused", None),
        ([LONDON, APPLE], "Apple", APPLE),
        ([Listing(Ticker("ACMA"), "Acme Alpha"), Listing(Ticker("ACMB"), "Acme Beta")], "Acme", None),
        ([Listing(Ticker("VLMR")), Listing(Ticker("VLMR", "LSE"))], "Vellmar", Listing(Ticker("VLMR"))),
        ([Listing(Ticker("VLMR")), Listing(Ticker("ACME"))], "Vellmar", None),
    ],
)
def test_a_company_is_found_only_where_nothing_but_it_is_named(
    listings: list[Listing], text: str, found: Listing | None
) -> None:
    assert listing_named(listings, text) == found


def test_forms_are_found_and_taken_away() -> None:
    assert forms_in("Nvidia 8-K and 10-K/A filings, Form 4") == ("8-K", "10-K/A", "4")
    assert forms_in("8-Kilometre race, 110-K") == ()
    assert without_forms("latest Nvidia 8-K filings") == "Nvidia"
    assert form_title("8-K") == "8-K (current report)"
    assert form_title("10-K/A") == "10-K/A (annual report, amended)"
    assert form_title("XYZ") == "XYZ"


def test_items_of_an_8k_have_names() -> None:
    assert items_in("2.02,9.01") == ("2.02", "9.01")
    assert items_in("Item 1.05: incident; version 12.02.1 and 12.5") == ("1.05",)
    assert item_title("2.02") == "2.02 Results of operations and financial condition"
    assert item_title("99.99") == "99.99"


@pytest.mark.parametrize(
    ("value", "cik"),
    [
        (320193, "0000320193"), ("0000320193", "0000320193"), ("320193", "0000320193"), (0, None), (True, None),
        (-1, None), (10**11, None), ("x", None), (None, None), (1.5, None), ("²", None),
    ],
)  # fmt: skip
def test_a_cik_has_ten_digits(value: object, cik: str | None) -> None:
    assert cik_of(value) == cik


def test_filings_have_addresses() -> None:
    accession = accession_of("urn:tag:sec.gov,2008:accession-number=0000320193-24-000067")
    assert accession == "0000320193-24-000067"
    assert accession_of("000032019324000067") == accession
    assert accession_of("1234") is None
    folder = "https://www.sec.gov/Archives/edgar/data/320193/000032019324000067/"
    assert filing_url("0000320193", accession, "xsl/doc4.xml") == folder + "xsl/doc4.xml"
    assert filing_url("0000320193", accession) == folder + "0000320193-24-000067-index.htm"
    assert filing_url("0000320193", accession, "a b<.htm") == folder + "a%20b%3C.htm"


def test_filers_are_told_apart() -> None:
    [a, b] = filers_of(["BERKSHIRE  INC  (BRK-A, BRK-B)  (CIK 0001067983)"])
    assert (a.ticker, b.ticker, a.name, b.key) == (Ticker("BRK-A"), Ticker("BRK-B"), "BERKSHIRE INC", "0001067983")
    [plain] = filers_of(["Quay (Holdings) Ltd"])
    assert plain == Listing(None, "Quay (Holdings) Ltd", "")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2026-01-14 16:05:00", "2026-01-14T16:05:00-05:00"),
        ("2026-08-27 16:05:00", "2026-08-27T16:05:00-04:00"),
        ("2026-03-08 01:59:59", "2026-03-08T01:59:59-05:00"),
        ("2026-11-01 01:00:00", "2026-11-01T01:00:00-04:00"),
        ("2026-08-27T16:05:00.000Z", "2026-08-27T16:05:00.000Z"),
        ("2026-08-27", "2026-08-27"),
        ("2026-13-45 99:00:00", "2026-13-45 99:00:00"),
    ],
)
def test_a_wall_clock_in_new_york_keeps_the_law(written: str, meant: str) -> None:
    assert eastern(written) == meant


@given(st.text(max_size=80))
def test_any_text_can_be_asked(text: str) -> None:
    for ticker in tickers_in(text):
        assert re.fullmatch(r"[A-Z0-9]+(-[A-Z]+)?", ticker.symbol)
        assert parse_ticker(ticker.with_exchange)
    assert without_forms(text) == " ".join(without_forms(text).split())
    assert all(re.fullmatch(r"\d{10}", listing.key) for listing in filers_of([text]) if listing.key)
    eastern(text)


ROWS = [
    {"end": "2024-12-31", "val": 1, "accn": "0009900123-26-000001"},
    {"end": "2025-12-31", "val": 2, "accn": "0009900123-26-000001"},
    {"end": "2024-12-31", "val": 1, "accn": "0009900123-25-000001"},
]
FACTS = {
    "us-gaap": {
        "Revenues": {"label": "Revenues", "units": {"USD": [*ROWS, "spoilt"]}},
        "Goodwill": {"label": "Goodwill", "units": {"USD": ROWS[:1]}},
    }
}


def test_of_a_filing_the_latest_period_of_each_figure_is_kept() -> None:
    assert [(fact.accession[-9:], fact.end) for fact in facts_in(FACTS)] == [
        ("26-000001", "2025-12-31"),
        ("25-000001", "2024-12-31"),
    ]


def test_figures_of_which_none_can_be_read_are_no_empty_answer() -> None:
    with pytest.raises(ValueError):
        facts_in({"us-gaap": {"Revenues": {"units": {"USD": [1, {"end": 5}]}}}})
    assert facts_in({}) == []


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("US inflation", "US"), ("inflation in the United States", "US"), ("German GDP", "DE"),
        ("UK retail sales", "GB"),
        ("is it raining", None), ("IT spending", None), ("US and China trade", None), ("", None),
        ("euro zone CPI", "EU"),
    ],
)  # fmt: skip
def test_a_calendar_is_asked_for_the_one_country_that_is_named(text: str, country: str | None) -> None:
    assert country_in(text) == country


def test_an_event_is_known_by_a_word_of_its_own() -> None:
    assert of_event("US: Inflation Rate (yoy)", "US inflation")
    assert of_event("US: Inflation Rate (yoy)", "American CPI figures")
    assert of_event("EU: GDP Growth Rate", "gross domestic product of the euro area")
    assert not of_event("US: Interest Rate Decision", "inflation rate")
