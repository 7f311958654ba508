"""The HTML report: one file that loads and runs nothing, and in which every number opens a quote."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from lxml import etree
from lxml import html as lxml_html

from inquest.reports.html import html
from inquest.reports.markdown import markdown
from inquest.reports.view import ReportView
from tests.reports.made_case import HOSTILE
from tests.reports.odd_check_cases import EVERY as VIEWS

each_case = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
ALLOWED = set(
    "html head meta title style body nav main header section article h1 h2 h3 h4 p a b i q bdi br ul ol li dl dt dd "
    "div span table thead tbody tr th td blockquote mark button details summary time strong".split()
)
ATTRIBUTES = set(
    "lang charset name content http-equiv id class dir href rel style type popover popovertarget popovertargetaction "
    "role scope datetime data-name aria-label aria-labelledby aria-hidden".split()
)


def page(view: ReportView) -> lxml_html.HtmlElement:
    return lxml_html.document_fromstring(html(view))


@each_case
def test_only_the_reports_own_elements_and_attributes_are_there(view: ReportView) -> None:
    elements = list(page(view).iter(etree.Element))
    assert {str(element.tag) for element in elements} <= ALLOWED
    assert {str(name) for element in elements for name in element.attrib} <= ATTRIBUTES


@each_case
def test_nothing_is_loaded_from_anywhere(view: ReportView) -> None:
    text = html(view)
    assert "default-src 'none'" in text
    assert not re.search(r"url\(|@import|<link|srcset|\ssrc=\"", re.sub(r"<bdi>.*?</bdi>|<br>[^<]*", "", text))


@each_case
def test_links_lead_to_web_pages_or_into_the_report(view: ReportView) -> None:
    tree = page(view)
    ids = [str(element.get("id")) for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for link in tree.iter("a"):
        href = str(link.get("href"))
        assert href.startswith(("https://", "http://")) or href.removeprefix("#") in ids, href
        if href.startswith("http"):
            assert link.get("rel") == "noopener noreferrer nofollow"


@each_case
def test_every_number_opens_a_quote_that_is_there(view: ReportView) -> None:
    tree = page(view)
    cited = {str(element.get("id")) for element in tree.iter() if element.get("popover") is not None}
    assert cited == {f"cite-{citation.n}" for citation in view.case.citations}
    opened = {str(button.get("popovertarget")) for button in tree.iter("button")}
    assert opened == cited
    for citation in view.case.citations:
        finding, source = view.cited(citation)
        entry = tree.get_element_by_id(f"cite-{citation.n}").text_content()
        assert finding.snapshot in entry and f"tier {source.rating.tier}" in entry and source.domain in entry


@each_case
def test_the_contents_name_the_parts_that_are_there(view: ReportView) -> None:
    tree = page(view)
    parts = [str(section.get("id")) for section in tree.iter("section")]
    links = [str(link.get("href")) for link in tree.get_element_by_id("contents").iter("a")]
    assert [link.removesuffix("-top") for link in links] == [f"#{part}" for part in parts]


def test_hostile_words_are_text() -> None:
    title = page(VIEWS["hostile"]).find(".//h1")
    assert title is not None and title.text_content().startswith(HOSTILE[:60])
    shown = html(VIEWS["hostile"])
    assert "<script" not in shown and "onerror=alert(1)>" not in shown
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufeff\x00]", shown)


def test_an_address_that_is_no_web_address_is_shown_and_not_linked() -> None:
    tree = page(VIEWS["hostile"])
    entry = tree.get_element_by_id("S1")
    assert "javascript:alert(1)" in entry.text_content()
    assert [str(a.get("href")) for a in entry.iter("a")] == []


@pytest.mark.parametrize("form", [html, markdown])
def test_a_file_of_the_users_own_is_named_without_its_folders(form: Callable[[ReportView], str]) -> None:
    text = form(VIEWS["hostile"])
    assert "my notes.pdf" in text
    assert "secret" not in text and "/home/" not in text


def test_the_context_of_a_quote_stands_around_its_mark() -> None:
    entry = page(VIEWS["rich"]).get_element_by_id("cite-1")
    (mark,) = entry.iter("mark")
    assert mark.text_content() == "inspectors measured 412 kg a day at outfall 3"
    assert "On 2 May 2023" in entry.text_content() and "The permit allows 130 kg" in entry.text_content()
