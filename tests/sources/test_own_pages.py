"""The publisher of a page: a company's own domain, an aggregator's origin, a page that declares itself satire, an
owner."""

from __future__ import annotations

import pytest

from inquest.domain.document import Document
from inquest.domain.source import Category
from inquest.sources.originals import origin_named_by
from inquest.sources.owners import own_domains
from inquest.sources.tiers import rate, rate_document

ARTICLE = "The council voted on Tuesday to repair the bridge, according to its minutes. " * 40


@pytest.mark.parametrize(
    ("company", "domain"),
    [
        ("Vonovia SE", "vonovia.de"),
        ("Deutsche Telekom AG", "deutsche-telekom.de"),
        ("Alder Mill A/S", "aldermill.dk"),
        ("Alder Mill Holdings plc", "aldermill.co.uk"),
        ("Volkswagen AG", "volkswagen-group.com"),
    ],
)
def test_a_company_s_domains_follow_from_its_whole_name(company: str, domain: str) -> None:
    assert domain in own_domains(company)


@pytest.mark.parametrize(
    ("company", "domain"),
    [
        ("Guardian Media plc", "theguardian.com"),
        ("Alder Corp", "alder.de"),
        ("Alder Mill plc", "alder.com"),
        ("ING Group", "ing.com"),
    ],
)
def test_they_hit_nobody_else(company: str, domain: str) -> None:
    assert domain not in own_domains(company)


def shown(url: str = "https://news.yahoo.com/x-1.html", **more: object) -> Document:
    return Document.model_validate({"snapshot": "sha256:0", "url": url, "text": ARTICLE} | more)


@pytest.mark.parametrize(
    ("document", "origin"),
    [
        (shown(canonical_url="https://www.reuters.com/world/x"), "https://www.reuters.com/world/x"),
        (shown("https://www.google.com/url?q=https://alder.example/a"), "https://alder.example/a"),
    ],
)
def test_an_aggregator_s_origin_is_whom_its_page_names(document: Document, origin: str) -> None:
    found = origin_named_by(document)
    assert found is not None
    url, part = found
    assert url == origin
    assert part


@pytest.mark.parametrize(
    "document",
    [
        shown(),
        shown(canonical_url="https://news.yahoo.com/x-1.html"),
        shown(canonical_url="javascript:alert(1)"),
        shown(canonical_url="https://www.msn.com/x"),
        shown("https://[bad"),
    ],
)
def test_where_no_origin_is_named_there_is_none(document: Document) -> None:
    assert origin_named_by(document) is None


@pytest.mark.parametrize(
    ("title", "notice"),
    [
        ("Satire: Mayor elected by ducks", ""),
        ("Mayor elected by ducks", "This website is a work of satire and parody."),
        ("Mayor elected by ducks", "All stories published here are entirely fictional."),
    ],
)
def test_a_page_that_says_it_is_satire_is(title: str, notice: str) -> None:
    rating = rate_document("https://duckpost.example/x", title=title, text=ARTICLE + notice)
    assert (rating.category, rating.tier, rating.stars) == (Category.SATIRE, 4, 1)
    assert "satire by its own account" in rating.reasons[-1]


@pytest.mark.parametrize(
    ("url", "notice"),
    [
        ("https://www.nytimes.com/x", "This website is a work of satire, its owner told the court."),
        ("https://alder.example/x", "The duke wrote satire. The film is a parody."),
    ],
)
def test_a_page_about_satire_is_not(url: str, notice: str) -> None:
    assert rate_document(url, title="On satire", text=ARTICLE + notice).category != Category.SATIRE


def test_an_owner_is_known_in_one_spelling_also_where_the_worth_is_not() -> None:
    rating = rate("https://www.meadvilletribune.com/news")
    assert (rating.known, rating.owner, rating.tier) == (False, "CNHI", 4)
    assert rating.reasons[-1] == "it belongs to CNHI"
    for one, other in (("elmundo.es", "corriere.it"), ("ft.com", "asia.nikkei.com"), ("news24.com", "netwerk24.com")):
        assert rate(one).owner == rate(other).owner is not None
