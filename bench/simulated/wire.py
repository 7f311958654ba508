"""The replies of search services for the pages of a world, each in its own format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from email.utils import format_datetime
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape, quoteattr

from bench.simulated.worlds import Page, World

__all__ = ["ENGINES", "Answer", "query_of"]

Answer = tuple[str, bytes]
"""Content type and body."""


def _json(value: object) -> Answer:
    return "application/json", json.dumps(value).encode()


def _snippet(page: Page) -> str:
    return page.sentences[0] if page.sentences else page.title


def _tavily(world: World, asked: Mapping[str, str], body: bytes) -> Answer:
    query = json.loads(body)
    found = world.found(query["query"], query.get("max_results", 10))
    return _json(
        {
            "query": query["query"],
            "answer": None,
            "results": [
                {"url": page.url, "title": page.title, "content": _snippet(page), "score": round(0.95 - n * 0.03, 2)}
                for n, page in enumerate(found)
            ],
            "response_time": 0.5,
        }
    )


def _brave(world: World, asked: Mapping[str, str], body: bytes) -> Answer:
    found = world.found(asked["q"], int(asked.get("count", "10")))
    results = [
        {
            "title": page.title,
            "url": page.url,
            "description": _snippet(page),
            "page_age": f"{page.published:%Y-%m-%dT%H:%M:%S}",
            "language": "en",
        }
        for page in found
    ]
    return _json({"type": "search", "query": {"original": asked["q"]}, "web": {"type": "search", "results": results}})


def _serpapi(world: World, asked: Mapping[str, str], body: bytes) -> Answer:
    found = world.found(asked["q"], 10)
    results = [
        {
            "position": n,
            "title": page.title,
            "link": page.url,
            "snippet": _snippet(page),
            "date": f"{page.published:%b %d, %Y}",
        }
        for n, page in enumerate(found, 1)
    ]
    return _json({"search_metadata": {"status": "Success"}, "organic_results": results})


def _searxng(world: World, asked: Mapping[str, str], body: bytes) -> Answer:
    found = world.found(asked["q"], 10)
    results = [
        {
            "url": page.url,
            "title": page.title,
            "content": _snippet(page),
            "publishedDate": page.published.isoformat(),
            "engines": ["simulated"],
            "score": 1.0,
        }
        for page in found
    ]
    return _json({"query": asked["q"], "number_of_results": len(found), "results": results, "unresponsive_engines": []})


def _google_news(world: World, asked: Mapping[str, str], body: bytes) -> Answer:
    items = "".join(
        f"<item><title>{escape(page.title)} - {page.host}</title><link>{escape(page.url)}</link>"
        f"<pubDate>{format_datetime(page.published, usegmt=True)}</pubDate>"
        f"<description>{escape(page.title)}</description>"
        f"<source url={quoteattr('https://' + page.host)}>{page.host}</source></item>"
        for page in world.found(asked["q"], 20)
    )
    rss = (
        f'<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>News</title>{items}</channel></rss>'
    )
    return "application/xml; charset=utf-8", rss.encode()


def _gdelt(world: World, asked: Mapping[str, str], body: bytes) -> Answer:
    articles = [
        {
            "url": page.url,
            "title": page.title,
            "seendate": f"{page.published:%Y%m%dT%H%M%SZ}",
            "domain": page.host,
            "language": "English",
            "sourcecountry": "Nowhere",
        }
        for page in world.found(asked["query"], int(asked.get("maxrecords", "10")))
    ]
    return _json({"articles": articles} if articles else {})


def _wikipedia(world: World, asked: Mapping[str, str], body: bytes) -> Answer:
    return _json({"batchcomplete": True, "query": {"searchinfo": {"totalhits": 0}, "search": []}})


def _crossref(world: World, asked: Mapping[str, str], body: bytes) -> Answer:
    message = {"total-results": 0, "items-per-page": 10, "items": []}
    return _json({"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message})


ENGINES: Mapping[str, Callable[[World, Mapping[str, str], bytes], Answer]] = {
    "api.tavily.com": _tavily,
    "api.search.brave.com": _brave,
    "serpapi.com": _serpapi,
    "searx.press.example": _searxng,
    "news.google.com": _google_news,
    "api.gdeltproject.org": _gdelt,
    "en.wikipedia.org": _wikipedia,
    "api.crossref.org": _crossref,
}
"""Reply functions by host."""


def query_of(target: str) -> dict[str, str]:
    """The parameters of a request, the first of each name."""
    return {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
