"""The registrable domain is the one that tldextract finds in the same list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tldextract import TLDExtract

from inquest.text.urls import under_public_suffix

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


LABEL = st.sampled_from(
    ["a", "www", "co", "com", "uk", "jp", "kawasaki", "city", "ck", "xn--p1ai", "museum", "no", "x1"]
)


@given(st.lists(LABEL, min_size=1, max_size=5))
def test_whatever_labels_it_has(labels: list[str]) -> None:
    host = ".".join(labels)
    assert under_public_suffix(host) == LIBRARY(host).top_domain_under_public_suffix
