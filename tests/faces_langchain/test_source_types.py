"""The source type of a lead, and the words by which a type is requested."""

from __future__ import annotations

import pytest

from inquest.domain.search import EngineKind, Filing, Hit, Post, Work
from inquest.sources.source_types import SOURCE_TYPES, known_type, source_type_of
from inquest.sources.tiers import rate


def lead(url: str, title: str = "", **more: object) -> Hit:
    return Hit.model_validate({"url": url, "title": title, "engine": "alpha", "rank": 1, **more})


@pytest.mark.parametrize(
    ("hit", "kinds", "said"),
    [
        (lead("https://www.reuters.com/business/x"), (EngineKind.WEB,), "news"),
        (lead("https://www.prnewswire.com/x"), (EngineKind.NEWS,), "press_release"),
        (lead("https://nobody-knows.example/x"), (EngineKind.NEWS,), "news"),
        (lead("https://nobody-knows.example/x"), (EngineKind.WEB,), "web"),
        (lead("https://nobody-knows.example/x"), (EngineKind.WEB, EngineKind.NEWS), "web"),
        (lead("https://nobody-knows.example/x", "Cement: sector average per tonne"), (EngineKind.WEB,), "benchmark"),
        (lead("https://doi.org/10.1/x", work=Work(type="journal-article")), (EngineKind.SCHOLARLY,), "academic"),
        (lead("https://doi.org/10.1/x", work=Work(type="standard")), (EngineKind.SCHOLARLY,), "standard"),
        (lead("https://x.example/1", post=Post(network="mastodon", id="1")), (EngineKind.SOCIAL,), "social"),
        (lead("https://sec.gov/1", filing=Filing(form="8-K", id="1")), (EngineKind.MARKET,), "filing"),
    ],
)
def test_the_kind_follows_from_the_lead_its_publisher_or_its_engine(
    hit: Hit, kinds: tuple[EngineKind, ...], said: str
) -> None:
    assert source_type_of(hit, rate(hit.url), kinds) == said


@pytest.mark.parametrize(
    ("word", "name"),
    [("News", "news"), ("press releases", "press_release"), ("Standards", "standard"), ("peer-reviewed", "academic"),
     ("registries", "standard"), ("CDP", "benchmark"), ("gossip", None), ("", None)],
)  # fmt: skip
def test_other_words_for_a_kind_are_known(word: str, name: str | None) -> None:
    assert known_type(word) == name


def test_every_kind_that_can_be_asked_for_can_be_found_and_fits_something() -> None:
    for name, each in SOURCE_TYPES.items():
        assert each.kinds and each.fits and known_type(name) == name
