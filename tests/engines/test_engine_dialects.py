"""Each engine's own requests and replies: operators, endpoints, redirects, dates, marks."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from inquest.domain.errors import EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.engine import EngineAccess
from inquest.kit.exchange import Reply, Request
from tests.engines.recorded_replies import ACCESS, ENGINES, NOW, recorded
from tests.engines.recorded_replies import sent as sent_in

SINCE, UNTIL = datetime(2024, 3, 5, tzinfo=UTC), datetime(2024, 6, 7, tzinfo=UTC)


def asked(name: str, query: Query, access: EngineAccess = ACCESS) -> tuple[Request, dict[str, str]]:
    request = ENGINES[name](access).request(query)
    return request, sent_in(request)


def test_a_phrase_and_domains_become_operators() -> None:
    query = Query(text='harbour "fine"', exact=True, domains=("a.example", "b.example"), exclude_domains=("c.example",))
    for name in ("google_news", "bing_news", "brave", "serpapi", "searxng"):
        _, sent = asked(name, query)
        assert sent["q"].startswith('"harbour fine" (site:a.example OR site:b.example) -site:c.example')
    _, sent = asked("brave", Query(text="harbour", domains=("a.example) OR (secret",)))
    assert sent["q"] == "harbour", "what is no domain cannot become an operator"


def test_google_news_asks_the_edition_of_the_language_and_between_days() -> None:
    _, sent = asked("google_news", Query(text="Hafen", language="de", since=SINCE, until=UNTIL))
    assert (sent["hl"], sent["gl"], sent["ceid"]) == ("de", "DE", "DE:de")
    assert sent["q"] == "Hafen after:2024-03-05 before:2024-06-07"


def test_google_news_decodes_the_old_links_and_marks_the_new() -> None:
    hits = recorded("google_news")
    assert hits[0].url.startswith("https://www.vellmar-courier.example/2024/03/05/harbour-fine?aaa")
    assert hits[1].url == "https://harbour.example.org/permits"
    assert "unresolved" not in hits[1].details
    assert hits[5].url.startswith("https://news.google.com/rss/articles/")
    assert hits[5].details == {
        "publisher_url": "https://port-vellmar.example",
        "publisher_domain": "port-vellmar.example",
        "unresolved": True,
    }
    assert hits[5].title == "Port of Vellmar answers its critics"
    assert hits[5].snippet == "", "a headline said again is no snippet"


def test_duckduckgo_posts_its_form_unwraps_and_leaves_advertisements_out() -> None:
    request, _ = asked("duckduckgo", Query(text="harbour", since=SINCE, language="de"))
    assert request.method == "POST"
    assert parse_qs((request.body or b"").decode()) == {
        "q": ["harbour"],
        "kl": ["de-de"],
        "df": ["2024-03-05..2099-12-31"],
    }
    hits = recorded("duckduckgo")
    assert hits[2].url == "https://reefwatch.example.net/plume?id=12"
    assert hits[0].published is not None
    assert hits[0].published.iso == "2024-03-05"
    assert not any("advert" in hit.title.lower() or "Dredgers" in hit.title for hit in hits)


def test_bing_news_unwraps_its_click_counter() -> None:
    hits = recorded("bing_news")
    assert hits[0].url == "https://www.vellmar-courier.example/2024/03/05/harbour-fine"
    assert hits[0].publisher == "Vellmar Courier"


def test_gdelt_writes_its_operators_and_gives_the_past_a_beginning() -> None:
    query = Query(text="is the eco-harbour at risk?", domains=("a.example",), language="fr", until=UNTIL)
    _, sent = asked("gdelt", query)
    assert sent["query"] == '"eco-harbour" risk domainis:a.example sourcelang:french'
    assert (sent["startdatetime"], sent["enddatetime"]) == ("20170101000000", "20240607000000")
    _, sent = asked("gdelt", Query(text="the reef in it", exact=True))
    assert (sent["query"], sent["startdatetime"]) == ('"the reef in it"', "20170101000000"), (
        "not its last 3 months alone"
    )


def test_gdelt_puts_nothing_short_in_quotes_which_it_refuses() -> None:
    assert asked("gdelt", Query(text="co-op $6.1 harbour"))[1]["query"] == "harbour"
    assert asked("gdelt", Query(text="EPA", exact=True))[1]["query"] == "EPA"


def test_gdelt_reads_titles_with_stray_backslashes() -> None:
    hits = recorded("gdelt")
    assert "Sand\\, silt \\& the law: the Vellmar case" in [hit.title for hit in hits]
    assert {hit.language for hit in hits} == {"en", "fr", "de"}
    assert hits[5].published is None


def test_wikipedia_asks_the_edition_of_the_language_and_spells_addresses() -> None:
    assert urlsplit(asked("wikipedia", Query(text="Hafen", language="de"))[0].url).hostname == "de.wikipedia.org"
    assert urlsplit(asked("wikipedia", Query(text="x", language="evil.example/"))[0].url).hostname == "en.wikipedia.org"
    urls = [hit.url.removeprefix("https://en.wikipedia.org/wiki/") for hit in recorded("wikipedia")]
    assert urls[1] == "Vellmar_(port)"
    assert urls[3] == "What_is_silt%3F"
    assert urls[5] == "AC/DC_converter,_Vellmar"
    assert urls[7:] == ["Gr%C3%B6%C3%9Fe_von_H%C3%A4fen", "Sand_%26_silt", "100%25_sand"]
    assert recorded("wikipedia")[0].snippet.endswith('"Vellmar"')


def test_polite_services_are_told_whom_to_write_to() -> None:
    for name in ("crossref", "openalex"):
        assert asked(name, Query(text="x"))[1]["mailto"] == "desk@newsroom.example"
        assert "mailto" not in asked(name, Query(text="x"), EngineAccess())[1]


def test_crossref_tells_retractions_authors_and_the_precision_of_dates() -> None:
    hits = recorded("crossref")
    assert [hit.published.iso if hit.published else None for hit in hits[:5]] == [
        "2020", "2021-02", "2022-03-03", "2023", None,
    ]  # fmt: skip
    assert hits[3].details["retracted"] is True
    assert "retracted" not in hits[2].details
    assert hits[2].author == "Vellmar Reef Working Group"
    assert hits[0].identifiers == {"doi": "10.5555/vellmar.0"}
    assert hits[0].snippet.startswith("Abstract The harbour authority was fined")
    assert "CO2" in hits[0].snippet


def test_openalex_puts_abstracts_together_and_knows_how_exactly_a_date_is_known() -> None:
    hits = recorded("openalex")
    assert hits[1].snippet == "Permits allow 40,000 cubic metres a year; records show 61,000."
    assert hits[1].published is not None
    assert hits[1].published.iso == "2024", "the first of January stands for a year"
    assert hits[3].details["retracted"] is True
    assert hits[4].url == "https://tides.example.com/fishers-losses", "without a DOI, where the work stands"
    assert hits[0].url == recorded("crossref")[0].url, "two engines' hits on one work are seen to be one"


def test_openalex_answers_without_its_key_and_sends_it_where_there_is_one() -> None:
    assert ENGINES["openalex"]().lacks() is None
    billed = [ENGINES["openalex"](EngineAccess(key=key)).usd_per_call for key in (ACCESS.key, None)]
    assert billed == [0.001, 0.0], "without a key there is nobody to bill"
    with_key, without = (asked("openalex", Query(text="x"), EngineAccess(key=key))[0] for key in (ACCESS.key, None))
    assert with_key.headers == (("authorization", f"Bearer {ACCESS.key}"),)
    assert without.headers == ()
    assert with_key.url == without.url, "one question, so that a replay without the key finds the reply"


def test_arxiv_joins_terms_and_dates() -> None:
    _, sent = asked("arxiv", Query(text="the silt of harbours", since=SINCE, until=UNTIL))
    assert sent["search_query"] == "all:silt AND all:harbours AND submittedDate:[202403050000 TO 202406070000]"
    hit = recorded("arxiv")[1]
    assert hit.identifiers == {"arxiv": "2403.01001", "doi": "10.5555/vellmar.1"}
    assert (hit.url, hit.author) == ("https://arxiv.org/abs/2403.01001v2", "Ada Example, Ben Example")
    assert hit.snippet.endswith("With a < b.")


def test_wayback_takes_an_address_and_gives_captures_earliest_first_each_once() -> None:
    _, sent = asked("wayback", Query(text="port-vellmar.example/permits?x=1&y=2", since=SINCE))
    assert sent["url"] == "https://port-vellmar.example/permits?x=1&y=2"
    assert sent["from"] == "20240305000000"
    for file in ("results", "results_table"):
        hits = recorded("wayback", file)
        stamps = [str(hit.details["timestamp"]) for hit in hits]
        assert stamps == sorted(stamps)
        assert len(hits) == 9, "the repeated capture once, the capture of a 404 not at all"
        assert hits[0].published is not None
        assert hits[0].published.how == "archive"
        assert hits[0].url == f"https://web.archive.org/web/{stamps[0]}/https://port-vellmar.example/"
        assert hits[0].details["raw_url"] == f"https://web.archive.org/web/{stamps[0]}id_/https://port-vellmar.example/"


def test_tavily_asks_for_news_only_where_the_query_does() -> None:
    for kinds, topic in (((EngineKind.NEWS,), "news"), ((EngineKind.NEWS, EngineKind.WEB), "general"), ((), "general")):
        request, _ = asked("tavily", Query(text="x", kinds=kinds, since=SINCE, until=UNTIL, domains=("a.example",)))
        body: dict[str, Any] = json.loads(request.body or b"")
        assert body["topic"] == topic
        assert (body["start_date"], body["end_date"], body["include_domains"]) == (
            "2024-03-05", "2024-06-07", ["a.example"],
        )  # fmt: skip
        assert ("authorization", f"Bearer {ACCESS.key}") in request.headers


def test_brave_has_an_endpoint_for_news_and_takes_fifty_words() -> None:
    news, _ = asked("brave", Query(text="x", kinds=(EngineKind.NEWS,)))
    assert urlsplit(news.url).path == "/res/v1/news/search"
    _, sent = asked("brave", Query(text="word " * 500, since=SINCE))
    assert len(sent["q"]) <= 400
    assert len(sent["q"].split()) <= 50
    assert sent["freshness"] == "2024-03-05to2099-12-31"
    assert "freshness" not in asked("brave", Query(text="x"))[1]
    published = recorded("brave")[0].published
    assert published is not None
    assert published.iso == "2026-07-12", "'3 days ago' counts from the reply"


def test_serpapi_is_google_and_serpapi_bing_is_bing() -> None:
    _, google = asked("serpapi", Query(text="x", since=SINCE))
    assert (google["engine"], google["tbs"]) == ("google", "cdr:1,cd_min:03/05/2024,cd_max:")
    assert asked("serpapi", Query(text="x", kinds=(EngineKind.NEWS,)))[1]["tbm"] == "nws"
    assert asked("serpapi_bing", Query(text="x"))[1]["engine"] == "bing"
    assert asked("serpapi_bing", Query(text="x", kinds=(EngineKind.NEWS,)))[1]["engine"] == "bing_news"
    news = recorded("serpapi", "results_news")
    assert len(news) == 10, "a story's articles are hits of their own"
    assert news[0].publisher == "Vellmar Courier"
    assert [hit.published.iso for hit in news[2:4] if hit.published] == ["2024-03-05T07:00:00Z", "2026-07-15T09:00:00Z"]


@pytest.mark.parametrize(
    "url",
    [
        "http://searx.example:8888",
        "http://searx.example:8888/search",
    ],
)
def test_searxng_is_asked_at_the_address_given(url: str) -> None:
    request, sent = asked("searxng", Query(text="x", kinds=(EngineKind.NEWS,)), EngineAccess(url=url))
    assert request.url.startswith("http://searx.example:8888/search?")
    assert (sent["format"], sent["categories"]) == ("json", "news")


def test_collections_are_asked_one_by_one_and_interleaved_by_score() -> None:
    engine = ENGINES["collection"](EngineAccess(collections=("one", "My files/2")))
    flow = engine.search(Query(text="reef", limit=3, until=UNTIL))

    def reply(request: Request, *scores: float) -> Reply:
        results = [
            {
                "id": f"{score}",
                "url": f"https://a.example/{score}",
                "title": "t",
                "score": score,
                "snapshot": "sha256:" + "0" * 64,
            }
            for score in scores
        ]
        return Reply(url=request.url, status=200, body=json.dumps({"results": results}).encode(), at=NOW)

    first = next(flow)
    second = flow.send(reply(first, 9, 5, 1))
    assert first.url == "collection://one/search?q=reef&limit=3&until=2024-06-07T00%3A00%3A00%2B00%3A00"
    assert second.url.startswith("collection://My%20files%2F2/search?")
    with pytest.raises(StopIteration) as end:
        flow.send(reply(second, 7, 2))
    hits: list[Hit] = end.value.value
    assert [(hit.rank, hit.score, hit.details["collection"]) for hit in hits] == [
        (1, 9.0, "one"), (2, 7.0, "My files/2"), (3, 5.0, "one"),
    ]  # fmt: skip


def test_a_collection_that_does_not_exist_is_named() -> None:
    engine = ENGINES["collection"](EngineAccess(collections=("velmar",)))
    flow = engine.search(Query(text="reef"))
    request = next(flow)
    with pytest.raises(EngineUnavailable, match="velmar"):
        flow.send(Reply(url=request.url, status=404, body=b"", at=NOW))


def test_a_document_of_ones_own_keeps_its_snapshot_and_the_precision_of_its_date() -> None:
    hits = recorded("collection")
    assert hits[0].snapshot == "sha256:" + "0" * 64
    assert [hit.published.iso if hit.published else None for hit in hits[:4]] == [
        "2024-03-05", "2024-03", None, "2024-04-02T09:30:00Z",
    ]  # fmt: skip


def test_no_engines_behind_searxng_is_an_outage_and_not_nothing_found() -> None:
    with pytest.raises(EngineUnavailable, match="google, brave"):
        recorded("searxng", "unavailable_all_engines_mute")


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("no", "nb"),
        ("ja", "jp"),
        ("pt", None),
    ],
)
def test_brave_is_asked_for_a_language_as_it_spells_it(language: str | None, written: str | None) -> None:
    _, parameters = asked("brave", Query(text="harbour", language=language))
    assert parameters.get("search_lang") == written
