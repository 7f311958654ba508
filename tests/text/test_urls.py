"""When two addresses are one."""

from __future__ import annotations

import pytest
from tldextract import TLDExtract

from inquest.text.urls import comparison_key, under_public_suffix

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
