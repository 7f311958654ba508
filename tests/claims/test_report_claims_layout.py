"""Claims of reports as they are printed: columns, tables, footnotes, running heads, many pages, none with text."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
import typst

from inquest.claims.parts_of_claim import parts_of
from inquest.claims.report.extraction import ReportClaims, claims_found
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import BudgetMet
from inquest.domain.reasons import sentences
from inquest.readers.pdf.reader import PdfReader

PAGE = """
#set page(width: 480pt, height: 520pt, columns: COLUMNS,
  header: [Norvane Sustainability Report 2022 #h(1fr) Environment],
  footer: context align(center, counter(page).display()))
#set text(size: 9pt)
"""
CLIMATE = """
== Climate
In 2022 the works in Harlow cut its carbon emissions by 12 % compared with the year before#footnote[Sites that were
sold in 2020 are left out.], as measured by an outside body, and it used 1,300 MWh of electricity in all of its halls.

We believe in people and in a world that is better for all of those who come after us, and so we listen.
"""
LAND = """
#colbreak(weak: true)
Norvane will cut its Scope 1 emissions by 42 % by 2030 against 2019, a target that the Science Based Targets initiative
has validated.

Since 2020 Norvane has restored 500 hectares of peatland in Kalimantan, together with the people of eleven villages
there, who own the land.
"""
PEOPLE = """
#pagebreak()
== People
At the end of 2022 Norvane employed 4,210 people, of whom 38 % were women, in nine countries of Europe and Asia.
#table(columns: (2fr, 1fr, 1fr, 1fr), [Indicator], [Unit], [2022], [2021], [Waste], [t], [310], [340],
  [Water withdrawal], [m³], [8,200], [9,100])
#pagebreak()
== Suppliers
All suppliers of cotton, 212 in number, signed the code of conduct before the end of 2022.
"""


def pdf(source: str) -> bytes:
    return typst.compile(source.encode(), timestamp=1_700_000_000)


def read(body: bytes) -> Document:
    snapshot = Snapshot(
        hash="sha256:" + hashlib.sha256(body).hexdigest(), url="https://norvane.example/report.pdf",
        final_url="https://norvane.example/report.pdf", status=200, content_type="application/pdf",
        retrieved_at=datetime(2025, 6, 1, 12, tzinfo=UTC), size=len(body),
    )  # fmt: skip
    return PdfReader().read(body, snapshot)


@pytest.fixture(scope="module", params=[1, 2], ids=["one column", "two columns"])
def printed(request: pytest.FixtureRequest) -> tuple[Document, ReportClaims]:
    document = read(pdf(PAGE.replace("COLUMNS", str(request.param)) + CLIMATE + LAND + PEOPLE))
    return document, claims_found(document, company="Norvane")


def by_word(claims: ReportClaims, word: str) -> str:
    (text,) = [claim.text for claim in claims.claims if word in claim.text]
    return text


def test_columns_running_heads_and_footnotes_leave_every_claim_whole_and_on_its_page(
    printed: tuple[Document, ReportClaims],
) -> None:
    _, claims = printed
    assert by_word(claims, "Kalimantan") == (
        "Since 2020 Norvane has restored 500 hectares of peatland in Kalimantan, together with the people of eleven "
        "villages there, who own the land."
    )
    assert by_word(claims, "Harlow").endswith("and it used 1,300 MWh of electricity in all of its halls.")
    document, claims = printed
    assert claims.claims
    for claim in claims.claims:
        assert document.text[claim.start : claim.end] == claim.quote
        assert claim.page == document.page_of(claim.start)
    document, claims = printed
    assert "Sustainability Report 2022" not in document.text
    assert not any("Sustainability Report" in claim.quote for claim in claims.claims)
    _, claims = printed
    assert "sold in 2020" not in by_word(claims, "Harlow")


def test_rows_of_a_printed_table_are_claims_with_unit_and_years() -> None:
    document = read(pdf(PAGE.replace("COLUMNS", "1") + CLIMATE + PEOPLE))
    claims = claims_found(document, company="Norvane")
    assert by_word(claims, "Water withdrawal") == "Norvane, Water withdrawal: 8,200 m³ in 2022, 9,100 m³ in 2021."


def test_of_eighty_pages_the_last_is_read_as_well_as_the_first() -> None:
    many = """
    #set page(width: 420pt, height: 595pt)
    #for n in range(1, 81) [
      In #(2000 + calc.rem(n, 22)) the plant number #n in Harlow cut its carbon emissions by #(calc.rem(n, 90) + 1) %
      compared with the year before, and used #(n * 13) MWh of electricity.

      We believe in people and in a world that is better for those who come after us.
      #pagebreak(weak: true)
    ]
    """
    body = pdf(many)
    pages: list[int] = []
    claims = claims_found(read(body), company="Norvane", progress=lambda page, of: pages.append(page))
    assert len(claims.claims) == 80 and {claim.page for claim in claims.claims} == set(range(1, 81))
    assert pages == list(range(1, 81))


@pytest.mark.parametrize("last", [1, 3])
def test_a_reading_that_is_stopped_ends_at_the_next_page(last: int) -> None:
    document = read(pdf("#for n in range(1, 9) [Plant #n used #(n * 13) MWh of power in 2022. #pagebreak(weak: true)]"))
    seen: list[int] = []

    def progress(page: int, pages: int) -> None:
        seen.append(page)
        if page > last:
            raise BudgetMet("cancelled", "The reading was stopped.")

    with pytest.raises(BudgetMet):
        claims_found(document, company="Norvane", progress=progress)
    assert seen == list(range(1, last + 2))


def test_one_page_with_text_among_pictures_is_read_and_the_others_are_told() -> None:
    body = pdf(
        "#rect(width: 100%, height: 80%) #pagebreak() Norvane used 130 MWh of power in 2022. #pagebreak() "
        "#rect(width: 100%, height: 80%)"
    )
    claims = claims_found(read(body), company="Norvane")
    assert [claim.page for claim in claims.claims] == [2]
    assert any("no text" in note for note in sentences(claims.notes))


def test_the_claims_of_a_real_report_are_whole_sentences_of_its_pages(shared: Path) -> None:
    document = read((shared / "data/reports/Vonovia_SR_2023.pdf").read_bytes())
    result = claims_found(document, company="Vonovia")
    assert len(result.claims) > len(document.pages)
    assert len({claim.page for claim in result.claims}) > len(document.pages) / 2
    for claim in result.claims:
        assert document.text[claim.start : claim.end] == claim.quote
        assert claim.page == document.page_of(claim.start)
        assert claim.text[:1].isupper() or claim.text[:1].isdigit()
        for part in parts_of(claim, claim.company):
            assert part.words in claim.text or part.words in claim.quote
