"""Recognition of a company's own statements: its own site, a release, its filings with a register."""

from __future__ import annotations

import pytest

from inquest.claims.report.company import is_filing, is_own_report, is_own_word
from inquest.domain.source import Category, Source
from inquest.kit.desk import Subject
from inquest.verdicts.judging_evidence import evidence_on
from inquest.verdicts.testimony import Standing, as_testimony
from tests.case_parts import NOON, claim, finding, source, spoken


def unknown(domain: str, publisher: str | None = None) -> Source:
    page = source("P", 4, domain=domain, category="unknown", publisher=publisher)
    return page.model_copy(update={"rating": page.rating.model_copy(update={"known": False})})


@pytest.mark.parametrize("domain", ["harlowmetals.no", "harlow-metals.example", "harlowmetalworks.com"])
def test_a_site_called_like_the_company_is_its_own(domain: str) -> None:
    assert is_own_word(unknown(domain), "Harlow Metal Works plc" if "works" in domain else "Harlow Metals plc", ())


def test_a_first_word_or_a_release_is_the_companys_own_only_where_the_page_says_so() -> None:
    assert not is_own_word(unknown("harlow.example"), "Harlow Metals", ())
    assert is_own_word(unknown("harlow.example", "Harlow Metals"), "Harlow Metals", ())
    release = source("P", 4, domain="vg-lenn.example", category="unknown", press_release=True)
    assert not is_own_word(release, "", ())
    assert is_own_word(release.model_copy(update={"title": "Harlow Metals opens a works"}), "Harlow Metals", ())


def test_a_public_bodys_own_site_is_its_word_on_itself() -> None:
    own = source("A", 2, domain="lenn.gov.uk", category="government")
    assert is_own_word(own, "City of Lenn", ())
    assert not is_own_word(own, "Lenn Glass", ()), "a works of that town is not the town"
    assert not is_own_word(source("B", 2, domain="statistics.gov.uk", category="government"), "City of Lenn", ())
    trust = source("C", 1, domain="lennhospitals.nhs.uk", category="government", publisher="Lenn Hospitals Trust")
    assert is_own_word(trust, "Lenn Hospitals Trust", ())
    assert not is_own_word(trust, "Dunmore Hospitals Trust", ())


def test_filings_are_those_that_name_the_company() -> None:
    url = "https://www.sec.gov/Archives/edgar/data/1/2/x.htm"
    filed = source(
        "F", 1, domain="sec.gov", category="regulator", url=url, summary="Harlow Metals Inc. announced results."
    )
    assert is_filing(filed, "Harlow Metals")
    assert not is_filing(filed, "Norvane")
    assert not is_filing(filed.model_copy(update={"url": "https://www.sec.gov/litigation/x.htm"}), "Harlow Metals")


@pytest.mark.parametrize(("name", "party"), [("", False), ("Harlow Metals", True)])
def test_an_auditors_we_is_not_the_companys(name: str, party: bool) -> None:
    subject = Subject(company="Harlow Metals", now=NOON)
    page = source("D", 2, domain="auditor.example", category="standards")
    said = finding("F1", "D", evidence_type="news_source", details=spoken("party", name))
    found = evidence_on(claim("Our furnaces use less."), [said], {"D": page}, subject)
    assert (as_testimony(found.witnesses[0]).standing is Standing.PARTY) is party


def test_the_we_of_whom_the_claim_is_about_is_its_own() -> None:
    subject = Subject(company="", now=NOON)
    page = source("D", 1, domain="lennhospitals.nhs.uk", category="government", publisher="Lenn Hospitals Trust")
    said = finding("F1", "D", evidence_type="news_source", details=spoken("party", ""))
    found = evidence_on(claim("The waiting list at Lenn has halved."), [said], {"D": page}, subject)
    assert as_testimony(found.witnesses[0]).standing is Standing.PARTY


@pytest.mark.parametrize(
    ("title", "category", "own"),
    [
        ("Veldoro plc: annual report 2024, extract from the management report", Category.GOVERNMENT, True),
        ("Veldoro plc - Sustainability Report 2023", Category.REGULATOR, True),
        ("Veldoro's annual report shows a hole of 3 million", Category.NEWSPAPER, False),
        ("Enforcement in 2023: annual report, chapter 4", Category.GOVERNMENT, False),
        ("Orle Glass plc: annual report 2024", Category.GOVERNMENT, False),
        ("Penalty register: Veldoro plc", Category.GOVERNMENT, False),
    ],
)
def test_a_title_that_begins_with_the_company_says_so(title: str, category: Category, own: bool) -> None:
    page = source("S1", 1)
    page = page.model_copy(update={"title": title, "rating": page.rating.model_copy(update={"category": category})})
    assert is_own_report(page, "Veldoro plc") is own
    assert not is_own_report(page, "")
