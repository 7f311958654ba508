"""Leads: each document once, the best first, every factor visible, and never by chance."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Precision, Published
from inquest.domain.reasons import Reason
from inquest.domain.search import Hit
from inquest.sources.ranking import Freshness, RankedHit, local_relevance, rank_hits, reranked, text_of
from inquest.sources.tiers import rate

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


def test_a_hit_that_shows_two_leads_to_be_one_joins_them() -> None:
    (lead,) = ranked(
        a_hit("https://publisher.example/1"),
        a_hit("https://index.example/2", 2, identifiers={"doi": "10.1000/abc"}),
        a_hit("https://publisher.example/1", 3, "two", identifiers={"doi": "10.1000/abc"}),
        a_hit("https://index.example/2", 4, "two"),
    )
    assert len(lead.hits) == 4


def test_agreement_of_engines_fit_and_publisher_put_a_lead_first() -> None:
    leads = ranked(
        a_hit("https://a.example/only", 1, "one"),
        a_hit("https://b.example/both", 2, "one"),
        a_hit("https://b.example/both", 2, "two"),
    )
    assert urls(leads) == ["https://b.example/both", "https://a.example/only"]
    assert leads[0].fusion == 1.0
    leads = ranked(a_hit("https://medium.com/@x/1"), a_hit("https://www.propublica.org/1"))
    assert urls(leads)[0] == "https://www.propublica.org/1"
    assert leads[0].credibility > leads[1].credibility
    leads = ranked(a_hit("https://a.example/1", 1, title="Recipes for spring"), a_hit("https://b.example/2", 3))
    assert urls(leads)[0] == "https://b.example/2"
    assert leads[1].fit == 0


def test_the_score_is_the_product_of_its_factors() -> None:
    (lead,) = ranked(
        a_hit("https://www.reuters.com/", published=Published(at=_NOW - timedelta(hours=3), precision=Precision.TIME)),
        as_of=_NOW,
        freshness=Freshness.MARKET,
    )
    assert lead.relevance == pytest.approx((lead.fusion + lead.fit) / 2)
    assert lead.score == pytest.approx(lead.relevance * lead.credibility * lead.freshness * (1 - lead.noise))
    assert (lead.freshness, lead.noise) == (0.9, 0.5)
    assert lead.age.words == "3 h"
    assert lead.reasons == (Reason(code="pages.front_page"),)


def test_where_one_engine_knows_the_hour_and_another_the_day_the_hour_counts() -> None:
    (lead,) = ranked(
        a_hit("https://a.example/x", published=Published(at=_NOW.replace(hour=0), precision=Precision.DAY)),
        a_hit("https://a.example/x", 1, "two", published=Published(at=_NOW - timedelta(minutes=5), precision="time")),
        as_of=_NOW,
        freshness=Freshness.MARKET,
    )
    assert lead.freshness == 1.0


def test_a_reranker_s_word_counts_for_more_than_the_engines_places() -> None:
    hits = [a_hit("https://a.example/1", 1), a_hit("https://b.example/2", 9), a_hit("https://c.example/3", 2)]
    first = ranked(*hits)
    assert text_of(first[0].hit, first[0].hits) == "Dye in the river"
    scores = {"https://a.example/1": 0.1, "https://b.example/2": 0.9, "https://c.example/3": 0.2}
    relevance = reranked(first, [scores[lead.hit.url] for lead in first])
    leads = ranked(*hits, relevance=relevance)
    assert urls(leads)[0] == "https://b.example/2"
    assert leads[0].fit == 0.9 and leads[0].by_reranker


def test_a_reranker_is_believed_and_what_it_was_not_given_comes_last() -> None:
    hits = [a_hit("https://a.example/1", 1), a_hit("https://b.example/2", 1), a_hit("https://c.example/3", 1)]
    judged = ranked(*hits)[:2]
    leads = ranked(*hits, relevance=reranked(judged, [0.9, 0.3]))
    assert [lead.fit for lead in leads] == [0.9, 0.3, 0.3]
    assert [lead.by_reranker for lead in leads] == [True, True, False]
    hits = [a_hit("https://a.example/1", 1), a_hit("https://b.example/2", 1)]
    leads = ranked(*hits, relevance=reranked(ranked(*hits), [0.0, 0.0]))
    assert {lead.fit for lead in leads} == {0.0}


def test_one_site_does_not_fill_the_list() -> None:
    leads = ranked(*(a_hit(f"https://a.example/{n}", n) for n in range(1, 8)), a_hit("https://b.example/1", 8))
    assert urls(leads).index("https://b.example/1") < 4


_HITS = st.builds(
    lambda page, rank, engine, doi: a_hit(
        f"https://{page % 3}.example/{page}", rank, engine, identifiers={"doi": doi} if doi else {}
    ),
    st.integers(0, 8),
    st.integers(1, 10),
    st.sampled_from(["one", "two"]),
    st.sampled_from(["", "10.1000/a", "10.1000/b"]),
)


@given(st.lists(_HITS, max_size=12), st.integers())
def test_the_order_of_the_hits_changes_nothing_and_none_is_lost(hits: list[Hit], seed: int) -> None:
    shuffled = list(hits)
    random.Random(seed).shuffle(shuffled)
    first, second = ranked(*hits), ranked(*shuffled)
    assert urls(first) == urls(second)
    assert [lead.score for lead in first] == pytest.approx([lead.score for lead in second])
    assert sum(len(lead.hits) for lead in first) == len(hits)


def test_rare_words_and_words_together_count_more_and_repetition_wins_nothing() -> None:
    common = ["dye works", "dye trade", "dye shop", "dye fair"]
    scores = local_relevance("dye tribunal", [*common, "tribunal sits"])
    assert scores[-1] > max(scores[:-1])
    together, apart = local_relevance("solvent limit", ["the solvent limit was passed", "a limit is no solvent"])
    assert together > apart
    stuffed, whole = local_relevance("dye river fine", ["dye dye dye dye dye dye", "a fine for dye in a river"])
    assert whole > stuffed
    assert local_relevance("of the", ["dye", ""]) == [1.0, 1.0]
    assert local_relevance("dye", []) == []


@given(st.text(max_size=80), st.lists(st.text(max_size=80), min_size=1, max_size=6))
def test_the_order_of_the_candidates_changes_no_score(query: str, texts: list[str]) -> None:
    shuffled = list(reversed(texts))
    scores = dict(zip(texts, local_relevance(query, texts), strict=True))
    again = dict(zip(shuffled, local_relevance(query, shuffled), strict=True))
    assert all(abs(scores[text] - again[text]) < 1e-9 for text in texts)
