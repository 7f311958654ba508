"""Data from engines' tables in addition to pages: attributed to the engines, for the requested period."""

from __future__ import annotations

import pytest

from inquest.desks.market.filings import exhibits_of
from inquest.desks.market.notes import filing_notes, price_notes, release_notes
from inquest.desks.market.queries import market_queries
from inquest.domain.document import Document
from inquest.domain.reasons import sentences
from inquest.domain.search import Figure, Filing
from tests.desks.market.market_parts import about_quarvane, ask, hit, hours_ago

TITLES = {"fmp_quote": "FMP quotes", "edgar_current": "SEC EDGAR latest filings", "eodhd_calendar": "EODHD calendar"}


def price(hours: float) -> Figure:
    return Figure(subject="QVRN.US", name="price", value=41.2, at=hours_ago(hours))


def test_a_price_is_told_with_its_time_and_engine_and_only_of_the_time_asked_about() -> None:
    (said,) = sentences(price_notes(about_quarvane(), [hit("q", engine="fmp_quote", figures=(price(1),))], TITLES))
    assert said.startswith("QVRN was at 41.2 at 17:00 UTC on 19 November 2026 (FMP quotes")
    (said,) = sentences(price_notes(about_quarvane(), [hit("q", engine="fmp_quote", figures=(price(-240),))], TITLES))
    assert "41.2" not in said and "not from the time asked about" in said


def test_a_class_of_shares_is_written_as_people_write_it_and_asked_for_as_engines_do() -> None:
    question = ask("What is new at QVR.B?")
    assert [each.symbol for each in question.tickers] == ["QVR-B"] and question.about == "QVR.B"
    of_class = price(1).model_copy(update={"subject": "QVR-B.US"})
    (said,) = sentences(price_notes(question, [hit("q", engine="fmp_quote", figures=(of_class,))], TITLES))
    assert said.startswith("QVR.B was at")
    queries = market_queries(question)
    assert queries[0].text.startswith("QVR.B ") and queries[0].tickers == ("QVR-B",)


def test_a_listing_elsewhere_keeps_its_own_form() -> None:
    (ticker,) = ask("Why is it down today?", tickers=("QVR-B.ST",)).tickers
    assert ticker.shown == "QVR-B.ST"


def test_who_read_an_exhibit_has_read_of_the_filing() -> None:
    folder = "https://www.sec.gov/Archives/edgar/data/1/000000000026000001"
    filing = Filing(form="8-K", id="0000000000-26-000001", filer="Quarvane", filer_id="1", filed=hours_ago(20))
    listed = hit("Quarvane: 8-K", f"{folder}/qvrn.htm", engine="edgar_current", filing=filing)
    assert filing_notes(about_quarvane(), [listed], [f"{folder}/ex99-1.htm"], TITLES) == ()
    assert filing_notes(about_quarvane(), [listed], [f"{folder[:-1]}2/ex99-1.htm"], TITLES)


def test_a_release_is_told_with_what_was_expected_and_none_that_is_still_to_come() -> None:
    out = Figure(subject="US", name="Inflation Rate (yoy)", value=2.6, forecast=2.8, previous=2.9, at=hours_ago(30))
    due = out.model_copy(update={"value": None, "at": hours_ago(-300)})
    found = [hit("US: Inflation Rate", engine="eodhd_calendar", figures=(each,)) for each in (out, due)]
    (said,) = sentences(release_notes(ask("What did US CPI inflation come in at?"), found, TITLES))
    assert "2.6 (expected 2.8, before 2.9), released" in said and "EODHD calendar" in said


def test_a_filing_that_nobody_read_is_told_and_one_that_was_read_is_not() -> None:
    filing = Filing(form="8-K", id="0001-26-1", filer="Quarvane", filer_id="1", filed=hours_ago(20))
    listed = hit("Quarvane: 8-K (current report)", "https://sec.example/1", engine="edgar_current", filing=filing)
    (said,) = sentences(filing_notes(about_quarvane(), [listed, listed], [], TITLES))
    assert said.startswith("Filed 18 November 2026: Quarvane: 8-K") and "the document was not read" in said
    assert filing_notes(about_quarvane(), [listed], ["https://sec.example/1"], TITLES) == ()
    late = listed.model_copy(update={"filing": filing.model_copy(update={"filed": hours_ago(-48)})})
    assert filing_notes(about_quarvane(), [late], [], TITLES) == ()


FOLDER = "https://www.sec.gov/Archives/edgar/data/1999999/000199999926000081/"
REFERS = "FORM 8-K\n\nA copy of the press release is furnished as Exhibit 99.1 to this report."


def report(*links: str, text: str = REFERS) -> Document:
    return Document(
        snapshot="sha256:8k", url=f"{FOLDER}qvrn-20261119.htm", title="qvrn-20261119", text=text, links=links
    )


@pytest.mark.parametrize(
    "name", ["a8-kex991.htm", "d123456dex991.htm", "exhibit_99-1.htm", "qvrn-ex99_1.htm", "ex-991.htm"]
)
def test_it_is_known_by_how_filers_name_its_file(name: str) -> None:
    assert exhibits_of(report(f"{FOLDER}qvrn-20261119.htm", FOLDER + name)) == (FOLDER + name,)


@pytest.mark.parametrize(
    "link",
    [
        "https://elsewhere.example/ex99-1.htm",
        "https://www.sec.gov/Archives/edgar/data/1999999/000199999926000001/ex99-1.htm",
        f"{FOLDER}ex10-1.htm",
        f"{FOLDER}index1999.htm",
    ],
)
def test_no_other_link_of_a_report_is_followed(link: str) -> None:
    assert not exhibits_of(report(link))


def test_only_a_current_report_that_refers_to_it_has_one_and_at_most_two_are_read() -> None:
    link = f"{FOLDER}ex99-1.htm"
    assert not exhibits_of(report(link, text="FORM 8-K\n\nThe chief executive has resigned."))
    assert not exhibits_of(report(link, text=REFERS.replace("FORM 8-K", "FORM 10-K")))
    assert len(exhibits_of(report(*(f"{FOLDER}ex99-{number}.htm" for number in range(1, 6))))) == 2
