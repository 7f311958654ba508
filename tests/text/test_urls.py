"""When two addresses are one."""

from __future__ import annotations

import pytest

from inquest.text.urls import comparison_key

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
