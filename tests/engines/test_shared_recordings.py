"""The engines with real replies of the real services, if these recordings are available."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from inquest.domain.search import Hit
from inquest.kit.discover import engines
from inquest.kit.engine import EngineAccess
from inquest.kit.exchange import Reply

ENGINES = engines("inquest.engines")
# file (by its beginning): number of hits, and the minimum numbers with a date and with a snippet
EXPECTED = {
    "arxiv/id_0000": (0, 0, 0),
    "arxiv/q_testing": (15, 15, 15),
    "bing_news/bing_news": (2, 2, 2),
    "brave/brave_search": (17, 13, 17),
    "crossref/test_works_field_queries": (20, 20, 15),
    "crossref/test_works_field_query_publisher": (20, 20, 19),
    "datacite/test_arxiv": (1, 1, 1),
    "edgar/TestEntityClassification": (11, 11, 11),
    "federal_register/federal_register": (5, 5, 5),
    "google_factcheck/claims_search": (4, 2, 4),
    "google_news/google_news": (92, 92, 1),
    "mastodon/test_search.": (0, 0, 0),
    "mastodon/test_search_1": (0, 0, 0),
    "openalex/test_another_book": (1, 1, 0),
    "openalex/test_blog": (1, 1, 1),
    "reddit/TestSubreddit_test_search_1": (6, 6, 6),
    "searxng/searxng": (5, 2, 4),
    "semantic_scholar/test_search_paper.": (100, 0, 0),  # only titles were requested
    "semantic_scholar/test_search_paper_bulk": (1000, 0, 0),  # not even titles
    "tavily/test_basic": (5, 0, 5),
    "wayback/test_search.": (1, 1, 1),
    "wayback/test_search_does": (15, 15, 15),
    "wikipedia/TestVcrWikiSearch_test_default": (10, 10, 10),
    "wikipedia/TestVcrWikiSearch_test_enable": (10, 10, 10),
    "x/test_asyncclient_search_all": (10, 10, 10),
    "x/test_client_search_recent": (10, 10, 10),
}


def recordings(shared: Path) -> list[Path]:
    return sorted(path for path in (shared / "recordings").glob("*/*.json") if path.parent.name in ENGINES)


def parsed(path: Path) -> list[Hit]:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    response, body = recorded["response"], recorded["response"]["body"]
    engine = ENGINES[path.parent.name](EngineAccess(key="k" * 20, url="https://searx.example"))
    reply = Reply(
        url=recorded["request"]["url"],
        status=response["status"],
        headers=(("content-type", response["content_type"]),),
        body=(body if isinstance(body, str) else json.dumps(body)).encode(),
        at=datetime(2026, 7, 15, tzinfo=UTC),
    )
    return engine.parsed(reply, engine.parse)


@pytest.mark.parametrize("beginning", EXPECTED)
def test_a_real_reply_gives_all_it_holds(shared: Path, beginning: str) -> None:
    [path] = [path for path in recordings(shared) if f"{path.parent.name}/{path.name}".startswith(beginning)]
    hits, (count, dated, told) = parsed(path), EXPECTED[beginning]
    assert len(hits) == count
    assert sum(1 for hit in hits if hit.published) >= dated
    assert sum(1 for hit in hits if hit.snippet) >= told
    assert all(hit.title or "_bulk" in beginning for hit in hits)
    assert all(urlsplit(hit.url).scheme in ("http", "https") for hit in hits)
    assert not any("<" in hit.title and ">" in hit.title for hit in hits)
    assert [hit.rank for hit in hits] == list(range(1, count + 1))


def test_what_real_replies_say_of_their_works(shared: Path) -> None:
    crossref = parsed(next(path for path in recordings(shared) if path.name == "test_works_field_queries.json"))[0]
    assert crossref.identifiers == {"doi": "10.1111/ele.14024"}
    assert crossref.published is not None
    assert crossref.published.iso[:4] == "2022"
    assert crossref.author == "Carl Boettiger"
    openalex = parsed(next(path for path in recordings(shared) if path.name == "test_blog_post.json"))[0]
    assert openalex.snippet.startswith("Newsletters have been around forever")
    news = parsed(next(path for path in recordings(shared) if path.name == "google_news.json"))
    assert all(hit.publisher and hit.details["publisher_domain"] for hit in news)
    captures = parsed(next(path for path in recordings(shared) if path.name.startswith("test_search_does")))
    assert [hit.details["timestamp"] for hit in captures] == sorted(str(hit.details["timestamp"]) for hit in captures)


def test_every_real_reply_is_expected(shared: Path) -> None:
    for path in recordings(shared):
        if path.name.startswith("TestCorrespondenceFromFiling"):
            continue  # a filing itself and its page, which are not replies to a search
        assert any(f"{path.parent.name}/{path.name}".startswith(beginning) for beginning in EXPECTED), path
