"""Names made to be mistaken for others: never rated as the original, while honest names are left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.source import Category
from inquest.sources.look_alikes import look_alike, shown_domain
from inquest.sources.tiers import rate


@pytest.mark.parametrize(
    ("url", "original"),
    [
        ("https://rеuters.com/world", "reuters.com"),  # Cyrillic е
        ("https://www.xn--ruters-3of.com/", "reuters.com"),  # the same in its encoded form
        ("https://аррӏе.com", "apple.com"),  # Cyrillic throughout
        ("https://elpaís.com", "elpais.com"),
        ("https://paypa1.com", "paypal.com"),
        ("https://reuters.com.co", "reuters.com"),
        ("https://politifact.news", "politifact.com"),
        ("https://reuters-news.info", "reuters.com"),
        ("https://cnn-trending.com", "cnn.com"),
        ("https://the-guardian.com", "theguardian.com"),
        ("https://reutersnews.com", "reuters.com"),
        ("https://reutres.com", "reuters.com"),
        ("https://www.reuters.com.evil.example/investigates", "reuters.com"),
    ],
)
def test_a_borrowed_name_is_told_and_gets_nothing_of_the_original(url: str, original: str) -> None:
    rating = rate(url)
    assert (rating.known, rating.category, rating.tier, rating.stars) == (True, Category.LOOK_ALIKE, 4, 1)
    assert rating.reasons[0].endswith(f"looks like {original} but is not")
    assert rating.owner is None


def test_the_name_is_shown_as_it_is_read_and_as_it_travels_and_mixed_alphabets_are_told() -> None:
    assert rate("https://xn--ruters-3of.com").reasons[0].startswith("rеuters.com (xn--ruters-3of.com): ")
    assert shown_domain("xn--zz.example") == "xn--zz.example"
    rating = rate("https://nоbodyknоws.com")  # Cyrillic о
    assert rating.reasons[0].endswith("mixes alphabets, as forged names do")


@pytest.mark.parametrize(
    "url",
    [
        "https://www.reuters.com",
        "https://президент.рф",
        "https://лента-news.com",
        "https://日本news.com",
        "https://google.com.br",
        "https://reuters.co.uk",
        "https://nbc29.com",
        "https://politics.co.uk",
        "https://thomson-reuters.com",
        "https://notreuters.com",
        "https://ftm.eu",
        "https://nobody-knows.example",
        "https://evil.example/reuters.com",
        "https://reuters.com@evil.example/",
        "http://127.0.0.1/",
        "",
    ],
)
def test_honest_names_and_unrelated_ones_are_left_alone(url: str) -> None:
    assert look_alike(url) is None


def test_hardly_any_publisher_that_others_rate_well_is_accused(shared: Path) -> None:
    lines = (shared / "data/ratings/domain_pc1.jsonl").read_text("utf-8").splitlines()
    rated = [(each["domain"], each["pc1"]) for each in map(json.loads, lines)]
    assert [domain for domain, consensus in rated if consensus > 0.6 and look_alike(domain)] == []


@given(st.text(max_size=40))
def test_any_text_is_looked_at_without_an_error(text: str) -> None:
    look_alike(text)
    look_alike(f"https://{text}.com/")
