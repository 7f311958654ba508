"""Special features of the engines for web and news: their operators, filters and formats, and hostile replies."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from inquest.domain.errors import EngineError, EngineFormat, EngineKeyRefused, EngineQuota, EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.engine import Engine, EngineAccess
from inquest.kit.exchange import Reply, Request
from tests.engines.recorded_replies import ACCESS, ENGINES, NOW, recorded, recorded_reply
from tests.engines.recorded_replies import sent as sent_in

SINCE, UNTIL = datetime(2024, 3, 5, tzinfo=UTC), datetime(2024, 6, 7, tzinfo=UTC)
NEWS = (EngineKind.NEWS,)


def engine(name: str) -> Engine:
    return ENGINES[name](ACCESS)


def asked(name: str, **query: Any) -> tuple[Request, dict[str, Any]]:
    """The request, and its data: the parameters of its address, or its JSON body."""
    request = engine(name).request(Query(**({"text": "harbour"} | query)))
    if request.body:
        return request, json.loads(request.body)
    return request, sent_in(request)


def refused(name: str, file: str) -> EngineError:
    with pytest.raises(EngineError) as caught:
        recorded(name, file)
    return caught.value


def dates(hits: list[Hit]) -> list[str | None]:
    return [hit.published.iso if hit.published else None for hit in hits]


# Google


def test_google_is_asked_through_the_users_own_search_engine() -> None:
    _, sent = asked("google", since=SINCE, domains=("a.example",), language="de", limit=50)
    assert (sent["key"], sent["cx"], sent["num"]) == (ACCESS.key, "0a1b2c:vellmar", "10")
    assert (sent["q"], sent["lr"], sent["gl"]) == ("harbour site:a.example", "lang_de", "de")
    assert sent["sort"] == "date:r:20240305:20991231", "both ends, since a range has two"
    assert "sort" not in asked("google")[1]


def test_google_takes_the_date_from_the_page_or_from_where_the_snippet_begins() -> None:
    hits = recorded("google")
    assert dates(hits)[:3] == ["2024-03-05T09:15:00Z", "2024-03-05", None]
    assert hits[1].snippet == "Permits allow 40,000 cubic metres a year; records show 61,000."
    assert (hits[0].publisher, hits[0].author, hits[0].language) == ("Vellmar Courier", "Ada Example", "en")
    assert hits[1].publisher == "harbour.example.org"


def test_serper_has_an_endpoint_for_news_and_writes_dates_as_americans_do() -> None:
    assert asked("serper", kinds=NEWS)[0].url == "https://google.serper.dev/news"
    request, sent = asked("serper", since=SINCE, until=UNTIL, language="fr", limit=40)
    assert request.url == "https://google.serper.dev/search"
    assert sent == {
        "q": "harbour", "num": 10, "hl": "fr", "gl": "fr", "tbs": "cdr:1,cd_min:03/05/2024,cd_max:06/07/2024",
    }  # fmt: skip


def test_serper_gives_top_stories_after_the_results_and_no_question_as_a_hit() -> None:
    hits = recorded("serper")
    assert [hits[-1].title, hits[-1].publisher] == ["Harbour fine stands", "Tides Weekly"]
    assert len(hits) == 11
    assert dates(hits)[:3] == ["2024-03-05", None, "2026-07-15T10:00:00Z"]


# Publishers and archives of news


def test_newsapi_is_asked_for_what_is_relevant_in_a_language_it_knows() -> None:
    request, sent = asked("newsapi", since=SINCE, until=UNTIL, language="de", domains=("a.example", "b.example"))
    assert (sent["from"], sent["to"], sent["language"]) == ("2024-03-05T00:00:00", "2024-06-07T00:00:00", "de")
    assert (sent["domains"], sent["sortBy"]) == ("a.example,b.example", "relevancy")
    assert "language" not in asked("newsapi", language="ja")[1]
    assert str(ACCESS.key) not in request.url, "the key travels in a header, which no log of addresses holds"


def test_newsapi_leaves_withdrawn_articles_out_and_its_own_counts_of_characters() -> None:
    hits = recorded("newsapi")
    assert len(hits) == 10, "the eleventh was withdrawn"
    assert hits[0].snippet.endswith("The court will sit again in autumn…")
    assert [hit.author for hit in hits[:4]] == ["Ada Example", None, None, "Ben Example, Cleo Example"]
    assert hits[0].details == {"newsapi_source": "vellmar-courier"}


def test_newsapi_tells_a_plan_that_does_not_reach_back_from_a_wrong_key_and_a_used_up_one() -> None:
    assert "plan" in refused("newsapi", "key_426").sentence
    assert "NEWSAPI_API_KEY" in refused("newsapi", "key_401").advice
    assert isinstance(refused("newsapi", "quota_error_in_200"), EngineQuota), "'apiKeyExhausted' names the key, too"


def test_guardian_gives_the_trail_as_plain_text_and_which_paper_it_is() -> None:
    _, sent = asked("guardian", since=SINCE, until=UNTIL, exact=True, limit=80)
    assert (sent["q"], sent["from-date"], sent["to-date"], sent["page-size"]) == (
        '"harbour"', "2024-03-05", "2024-06-07", "50",
    )  # fmt: skip
    hits = recorded("guardian")
    assert hits[0].snippet.startswith("Exclusive: The harbour authority")
    assert (hits[0].publisher, hits[1].publisher) == ("The Observer", "theguardian.com")
    assert (hits[3].author, hits[6].details["kind"]) == (None, "liveblog")
    assert (hits[7].title, hits[7].snippet) == ("Vellmar council votes on harbour extension", ""), "without any fields"


def test_nytimes_is_read_in_its_present_form_and_in_the_older() -> None:
    present, older = recorded("nytimes"), recorded("nytimes", "results_older")
    assert [hit.url for hit in present] == [hit.url for hit in older]
    assert [hit.title for hit in present] == [hit.title for hit in older]
    assert present[0].author == "Ada Example and Ben Example"
    assert present[2].snippet.endswith("(snippet)"), "where there is no abstract"
    assert [hit.author for hit in older[:6]] == [
        "Ada EXAMPLE, Ben EXAMPLE", None, "Ada EXAMPLE, Ben EXAMPLE", "THE ASSOCIATED TIDES",
        "Ada EXAMPLE, Ben EXAMPLE", "REUTERS-ON-SEA",
    ]  # fmt: skip
    assert older[6].snippet.startswith("VELLMAR — From the first")
    assert dates(older)[0] == "2014-03-05T10:15:00Z"


def test_mediacloud_writes_fields_and_both_ends_of_time() -> None:
    _, sent = asked("mediacloud", text="the e-mail about harbours", domains=("a.example", "b.example"), language="de")
    assert sent["q"] == '("e-mail" AND harbours) AND canonical_domain:(a.example OR b.example) AND language:de'
    assert (sent["start"], sent["end"]) == ("2008-01-01", "2099-12-31")
    _, sent = asked("mediacloud", exact=True, text="the harbour", exclude_domains=("c.example",), until=UNTIL)
    assert sent["q"] == '("the harbour") AND NOT canonical_domain:(c.example)'
    assert sent["end"] == "2024-06-07"


# Engines made for programs


def test_exa_filters_by_itself_and_asks_for_no_more_than_its_price_holds() -> None:
    _, sent = asked("exa", kinds=NEWS, since=SINCE, until=UNTIL, domains=("a.example",), limit=30)
    assert sent == {
        "query": "harbour",
        "type": "auto",
        "numResults": 10,
        "contents": {"highlights": True},
        "category": "news",
        "startPublishedDate": "2024-03-05T00:00:00.000Z",
        "endPublishedDate": "2024-06-07T23:59:59.999Z",
        "includeDomains": ["a.example"],
    }


def test_jina_is_asked_for_results_without_pages_and_without_a_second_try() -> None:
    request, sent = asked("jina", language="de", domains=("a.example",), limit=30)
    assert sent == {"q": "harbour site:a.example", "num": "20", "hl": "de", "gl": "DE", "fallback": "false"}
    assert {("accept", "application/json"), ("x-respond-with", "no-content")} <= set(request.headers)


def test_jinas_error_for_nothing_found_is_nothing_found_and_its_other_errors_are_errors() -> None:
    assert recorded("jina", "empty_422") == []
    assert isinstance(refused("jina", "format_422"), EngineFormat)
    page = replace(recorded_reply("jina", "empty_422"), body=b"<html>422</html>")
    with pytest.raises(EngineFormat):
        engine("jina").parsed(page, engine("jina").parse)


# Refusals


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (400, '{"error": {"message": "API key not valid."}}', EngineKeyRefused),
        (400, '{"error": {"message": "Quota exceeded for quota metric Queries."}}', EngineQuota),
        (400, '{"error": {"message": "The backend timed out."}}', EngineUnavailable),
        (400, '{"error": 5}', EngineFormat),
        (400, "[" * 100_000, EngineFormat),
        (403, '{"error": {"message": "Daily limit exceeded."}}', EngineQuota),
        (429, '{"error": {"message": "API key not valid."}}', EngineQuota),
        (503, '{"error": {"message": "Quota exceeded."}}', EngineUnavailable),
    ],
)
def test_a_status_that_may_mean_anything_is_told_by_its_words(status: int, body: str, error: type[EngineError]) -> None:
    reply = Reply(url="https://service.example/", status=status, body=body.encode(), at=NOW)
    with pytest.raises(EngineError) as caught:
        engine("google").parsed(reply, engine("google").parse)
    assert type(caught.value) is error


def test_the_words_of_a_refusal_are_shown_without_the_key() -> None:
    body = json.dumps({"error": {"message": f"The search engine is not one of {ACCESS.key}"}}).encode()
    with pytest.raises(EngineFormat, match=r"did not accept the request: The search engine is not one of \*\*\*"):
        engine("google").parsed(Reply(url="https://a.example/", status=400, body=body, at=NOW), engine("google").parse)


# Hostile replies


def test_brave_gives_the_web_where_its_news_are_malformed_and_raises_where_both_are() -> None:
    reply, whole = recorded_reply("brave"), recorded("brave")
    data = json.loads(reply.body)
    data["news"] = "closed"
    hits = engine("brave").parsed(replace(reply, body=json.dumps(data).encode()), engine("brave").parse)
    assert 0 < len(hits) < len(whole)
    data["web"] = {"type": "search"}
    with pytest.raises(EngineFormat):
        engine("brave").parsed(replace(reply, body=json.dumps(data).encode()), engine("brave").parse)


def test_google_lacks_its_search_engine_until_it_is_named() -> None:
    lacking = ENGINES["google"](EngineAccess(key="a-key")).lacks()
    assert lacking is not None
    assert "GOOGLE_CSE_ID" in lacking
    assert engine("google").lacks() is None


def test_mediacloud_says_when_it_saw_a_story() -> None:
    hits = recorded("mediacloud")
    assert hits[0].details == {"seen": "2024-03-06T04:05:06.789012"}
    assert dates(hits)[:1] + dates(hits)[5:6] == ["2024-03-05", None]
    assert [hit.language for hit in hits[:4]] == ["en", "de", None, None]


def test_exa_gives_extracts_or_else_what_there_is() -> None:
    hits = recorded("exa")
    assert hits[0].snippet.endswith("the regulator said. … The regulator [...] declined to comment.")
    assert hits[4].snippet.startswith("Catches fell by a third")
    assert hits[5].snippet == "The port says that it kept to every condition of its licence."
    assert hits[0].score == 0.9
