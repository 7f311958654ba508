"""When two addresses are the same, and all spellings of DOIs and arXiv numbers."""

from __future__ import annotations

import pytest
from tldextract import TLDExtract

from inquest.text.urls import (
    arxiv_of,
    clean,
    comparison_key,
    doi_in_address,
    doi_of,
    preprint_server,
    preprint_venue,
    under_public_suffix,
    versionless,
)

ARTICLE = "https://www.paper.example/2026/09/town-bans-drivers-over-75/"


@pytest.mark.parametrize(
    "url",
    [
        "http://paper.example/2026/09/town-bans-drivers-over-75",
        f"{ARTICLE}amp/",
        f"{ARTICLE}?amp=1",
        f"{ARTICLE}?outputType=amp",
        "https://amp.paper.example/2026/09/town-bans-drivers-over-75",
    ],
)
def test_an_article_and_its_amp_version_are_one(url: str) -> None:
    assert comparison_key(url) == comparison_key(ARTICLE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://shop.example/products/amp", "https://shop.example/products"),
        ("https://paper.example/a?id=1", "https://paper.example/a?id=2"),
        ("https://paper.example/a?amp=valve", "https://paper.example/a"),
    ],
)
def test_pages_of_their_own_are_not(one: str, other: str) -> None:
    assert comparison_key(one) != comparison_key(other)


LIBRARY = TLDExtract(suffix_list_urls=(), cache_dir=None)
HOSTS = [
    "news.bbc.co.uk", "bbc.co.uk", "co.uk", "uk", "example.com", "a.b.c.example.com", "www.ck", "foo.ck", "a.foo.ck",
    "city.kawasaki.jp", "x.city.kawasaki.jp", "a.b.kawasaki.jp", "localhost", "127.0.0.1", "[::1]", "nowhere.invalid",
    "user.github.io", "xn--e1afmkfd.xn--p1ai", "www.xn--55qx5d.cn", "gov.uk", "ons.gov.uk", "deep.parliament.uk", "",
    "press.example", "a..com", "com", "arpa", "x.y.pg", "1.2.3.4.5",
]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_it_is_the_library_s(host: str) -> None:
    assert under_public_suffix(host) == LIBRARY(host).top_domain_under_public_suffix


@pytest.mark.parametrize(
    "written",
    [
        "10.5555/Vellmar.1", "https://doi.org/10.5555/vellmar.1", "http://dx.doi.org/10.5555/VELLMAR.1",
        "doi:10.5555/vellmar.1", "DOI: 10.5555/vellmar.1", "doi.org/10.5555/vellmar.1", "info:doi/10.5555/vellmar.1",
        "https://doi.org/10.5555%2Fvellmar.1", " 10.5555/vellmar.1 ",
    ],
)  # fmt: skip
def test_a_doi_is_one_however_it_is_written(written: str) -> None:
    assert doi_of(written) == "10.5555/vellmar.1"


@pytest.mark.parametrize("other", ["", "vellmar", "10.5555", "11.5555/x", "10.5555/a b", None, 10.5555, "x" * 5000])
def test_what_is_no_doi_is_none(other: object) -> None:
    assert doi_of(other) is None


@pytest.mark.parametrize(
    ("doi", "same"),
    [
        ("10.21203/rs.3.rs-123/v2", "10.21203/rs.3.rs-123"),
        ("10.12688/f1000research.1234.2", "10.12688/f1000research.1234"),
        ("10.7554/eLife.86532.2", "10.7554/elife.86532"),
        ("10.7554/elife.12345.001", "10.7554/elife.12345.001"),
        ("10.5555/vellmar.2", "10.5555/vellmar.2"),
        ("10.5555/paper-v2", "10.5555/paper-v2"),
    ],
)
def test_versions_come_off_only_where_the_server_writes_them(doi: str, same: str) -> None:
    assert versionless(doi) == same


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("2403.01004", "2403.01004"), ("2403.01004v3", "2403.01004"), ("arXiv:2403.01004", "2403.01004"),
        ("https://arxiv.org/abs/2403.01004v2", "2403.01004"), ("http://arxiv.org/pdf/2403.01004v2.pdf", "2403.01004"),
        ("10.48550/arXiv.2403.01004", "2403.01004"), ("hep-th/9901001v2", "hep-th/9901001"),
        ("math.GT/0309136", "math.gt/0309136"), ("10.5555/2403.01004", None), ("2403", None), (None, None),
    ],
)  # fmt: skip
def test_an_arxiv_number_is_one_however_it_is_written(written: object, number: str | None) -> None:
    assert arxiv_of(written) == number


def test_preprint_servers_are_known_by_doi_and_name() -> None:
    assert preprint_server("10.1101/2024.03.05.123456") == "bioRxiv or medRxiv"
    assert preprint_server("10.1101/gr.123456.120") is None, "Cold Spring Harbor's journals have the same prefix"
    assert preprint_venue("SSRN Electronic Journal"), "which calls itself a journal and is none"
    assert preprint_venue("arXiv (Cornell University)")
    assert not preprint_venue("Journal of Preprint Studies")
    assert not preprint_venue("Nature")


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://journals.example/doi/10.1111/1365-2664.14977", "10.1111/1365-2664.14977"),
        ("https://journals.example/doi/full/10.1111/1365-2664.14977?download=1", "10.1111/1365-2664.14977"),
        ("https://press.example/article/10.1093/ije/dyab123/full", "10.1093/ije/dyab123"),
        ("https://doi.org/10.1111/1365-2664.14977", "10.1111/1365-2664.14977"),
        ("https://journals.example/news/2010.12/story", None),
    ],
)
def test_the_doi_in_a_publishers_address(url: str, doi: str | None) -> None:
    assert doi_in_address(url) == doi


@pytest.mark.parametrize(
    ("url", "inner"),
    [
        ("https://www.google.com/url?q=https://a.example/x?y%3D1&sa=D&source=editors", "https://a.example/x?y=1"),
        (
            "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fx&data=05",
            "https://a.example/x",
        ),
        ("https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2Fx&h=AT1", "https://a.example/x"),
        ("https://www.google.com/url?q=javascript:alert(1)", "https://www.google.com/url?q=javascript:alert(1)"),
        ("https://a.example/url?q=https://b.example/", "https://a.example/url?q=https://b.example/"),
    ],
)
def test_a_link_through_a_service_that_only_leads_on_is_the_address_behind_it(url: str, inner: str) -> None:
    assert clean(url) == inner
