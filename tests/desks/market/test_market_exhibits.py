"""The press release of a current report is found where the report only refers to it, and nowhere but beside it."""

from __future__ import annotations

import pytest

from inquest.desks.market.filings import exhibits_of
from inquest.domain.document import Document

FOLDER = "https://www.sec.gov/Archives/edgar/data/1999999/000199999926000081/"
REFERS = "FORM 8-K\n\nA copy of the press release is furnished as Exhibit 99.1 to this report."


def report(*links: str, text: str = REFERS) -> Document:
    return Document(
        snapshot="sha256:8k", url=f"{FOLDER}qvrn-20261119.htm", title="qvrn-20261119", text=text, links=links
    )


@pytest.mark.parametrize(
    "name", ["ex99-1.htm", "a8-kex991.htm", "d123456dex991.htm", "exhibit_99-1.htm", "qvrn-ex99_1.htm", "ex-991.htm"]
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


def test_only_a_current_report_that_refers_to_it_has_one() -> None:
    link = f"{FOLDER}ex99-1.htm"
    assert not exhibits_of(report(link, text="FORM 8-K\n\nThe chief executive has resigned."))
    assert not exhibits_of(report(link, text=REFERS.replace("FORM 8-K", "FORM 10-K")))


def test_at_most_two_are_read() -> None:
    assert len(exhibits_of(report(*(f"{FOLDER}ex99-{number}.htm" for number in range(1, 6))))) == 2
