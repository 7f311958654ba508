"""Leads: each document once, the best first, every factor to be seen, and never by chance."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Precision, Published
from inquest.domain.search import Hit
from inquest.logic.ranking import Freshness, RankedHit, freshness_of, noise_of, rank_hits
from inquest.logic.tiers import rate, rating_of

_NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


def a_hit(url: str, rank: int = 1, engine: str = "one", **more: object) -> Hit:
    return Hit.model_validate({"url": url, "rank": rank, "engine": engine, "title": "Dye in the river"} | more)


def ranked(*hits: Hit, topic: str = "dye in the river", **more: object) -> list[RankedHit]:
    return rank_hits(hits, topic=topic, rate=rate, **more)  # type: ignore[arg-type]


def urls(leads: list[RankedHit]) -> list[str]:
    return [lead.hit.url for lead in leads]


def test_one_document_is_one_lead_however_its_address_is_spelt() -> None:
    spellings = ["https://a.example/x?utm_source=y", "http://www.a.example/x/", "HTTPS://A.example/x#part"]
    (lead,) = ranked(*(a_hit(url, rank) for rank, url in enumerate(spellings, 1)))
    assert len(lead.hits) == 3


def test_one_doi_is_one_lead_in_any_case() -> None:
    (lead,) = ranked(
        a_hit("https://publisher.example/1", identifiers={"doi": "10.1/ABC"}),
        a_hit("https://index.example/2", 2, identifiers={"doi": "10.1/abc"}),
    )
    assert {hit.url for hit in lead.hits} == {"https://publisher.example/1", "https://index.example/2"}


def test_a_hit_that_shows_two_leads_to_be_one_joins_them() -> None:
    (lead,) = ranked(
        a_hit("https://publisher.example/1"),
        a_hit("https://index.example/2", 2, identifiers={"doi": "10.1/abc"}),
        a_hit("https://publisher.example/1", 3, "two", identifiers={"doi": "10.1/abc"}),
        a_hit("https://index.example/2", 4, "two"),
    )
    assert len(lead.hits) == 4


def test_what_several_engines_find_comes_before_what_one_finds() -> None:
    leads = ranked(
        a_hit("https://a.example/only", 1, "one"),
        a_hit("https://b.example/both", 2, "one"),
        a_hit("https://b.example/both", 2, "two"),
    )
    assert urls(leads) == ["https://b.example/both", "https://a.example/only"]
    assert leads[0].fusion == 1.0


def test_of_equal_leads_the_better_publisher_comes_first() -> None:
    leads = ranked(a_hit("https://medium.com/@x/1"), a_hit("https://www.propublica.org/1"))
    assert urls(leads)[0] == "https://www.propublica.org/1"
    assert leads[0].credibility > leads[1].credibility


def test_what_has_nothing_to_do_with_the_topic_comes_last() -> None:
    leads = ranked(a_hit("https://a.example/1", 1, title="Recipes for spring"), a_hit("https://b.example/2", 3))
    assert urls(leads)[0] == "https://b.example/2"
    assert leads[1].relevance == 0


def test_the_score_is_the_product_of_its_factors() -> None:
    (lead,) = ranked(
        a_hit(
            "https://www.reuters.com/",
            published=Published(at=_NOW - timedelta(hours=3), precision=Precision.TIME),
        ),
        as_of=_NOW,
        freshness=Freshness.MARKET,
    )
    fit = min(1.0, 2 * lead.relevance)
    expected = (lead.fusion + fit) / 2 * lead.credibility * lead.freshness * (1 - lead.noise)
    assert lead.score == pytest.approx(expected)
    assert (lead.freshness, lead.noise) == (0.9, 0.5)


@pytest.mark.parametrize(
    ("hours", "left"), [(-1, 1.0), (0.5, 1.0), (3, 0.9), (20, 0.7), (100, 0.4), (200, 0.1), (None, 0.1)]
)
def test_age_takes_away_what_the_market_desk_s_table_says(hours: float | None, left: float) -> None:
    published = None if hours is None else Published(at=_NOW - timedelta(hours=hours), precision=Precision.TIME)
    assert freshness_of(published, _NOW, Freshness.MARKET) == left


def test_a_day_without_an_hour_counts_as_its_last_moment() -> None:
    day = Published(at=datetime(2024, 5, 1, tzinfo=UTC), precision=Precision.DAY)
    assert freshness_of(day, _NOW, Freshness.MARKET) == 1.0


def test_age_does_not_matter_to_an_inquiry() -> None:
    old = Published(at=datetime(1999, 1, 1, tzinfo=UTC))
    assert freshness_of(old, _NOW, Freshness.ANY) == freshness_of(None, None, Freshness.NEWS) == 1.0


@pytest.mark.parametrize(
    ("hit", "noisy"),
    [
        (a_hit("https://a.example/"), True),
        (a_hit("https://a.example/tag/river"), True),
        (a_hit("https://a.example/search?q=dye"), True),
        (a_hit("https://a.example/x", title="You won’t believe what the mill did"), True),
        (a_hit("https://a.example/x", details={"sponsored": True}), True),
        (a_hit("https://a.example/x", title="", snippet=""), True),
        (a_hit("https://a.example/2024/05/dye-in-the-river"), False),
        (a_hit("https://a.example/?id=42"), False),
        (a_hit("https://a.example/", snapshot="sha256:1"), False),
        (a_hit("https://a.example/topics/water/2024/dye-in-the-river"), False),
        (a_hit("https://a.example/x", title="Why the county did not believe its engineer"), False),
    ],
)
def test_noise_is_known_by_its_form_and_says_why(hit: Hit, noisy: bool) -> None:
    noise, reasons = noise_of(hit)
    assert (noise > 0) == noisy == bool(reasons)


def test_one_site_does_not_fill_the_list() -> None:
    leads = ranked(*(a_hit(f"https://a.example/{n}", n) for n in range(1, 8)), a_hit("https://b.example/1", 8))
    assert urls(leads).index("https://b.example/1") < 4


def test_beyond_the_cap_a_site_s_leads_come_last_and_none_is_lost() -> None:
    leads = ranked(
        *(a_hit(f"https://a.example/{n}", n) for n in range(1, 6)),
        a_hit("https://b.example/1", 40, title="Recipes"),
        per_domain=2,
    )
    assert [url.split("/")[2] for url in urls(leads)] == ["a.example"] * 2 + ["b.example"] + ["a.example"] * 3


_HITS = st.builds(
    lambda page, rank, engine, doi: a_hit(
        f"https://{page % 3}.example/{page}", rank, engine, identifiers={"doi": doi} if doi else {}
    ),
    st.integers(0, 8),
    st.integers(1, 10),
    st.sampled_from(["one", "two"]),
    st.sampled_from(["", "10.1/a", "10.1/b"]),
)


@given(st.lists(_HITS, max_size=12), st.integers())
def test_the_order_of_the_hits_changes_nothing_and_none_is_lost(hits: list[Hit], seed: int) -> None:
    shuffled = list(hits)
    random.Random(seed).shuffle(shuffled)
    first, second = ranked(*hits), ranked(*shuffled)
    assert urls(first) == urls(second)
    assert [lead.score for lead in first] == pytest.approx([lead.score for lead in second])
    assert sum(len(lead.hits) for lead in first) == len(hits)


@given(st.lists(_HITS, max_size=12), st.integers(0, 100))
def test_every_score_lies_between_nothing_and_one(hits: list[Hit], worth: int) -> None:
    leads = rank_hits(hits, topic="dye", rate=lambda url: rating_of(url, worth, ["test"]))
    assert all(0 <= lead.score <= 1 and 0 < lead.fusion <= 1 for lead in leads)
