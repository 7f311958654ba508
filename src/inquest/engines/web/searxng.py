"""SearXNG: a metasearch engine that users run themselves, with JSON output enabled."""

from __future__ import annotations

from inquest.domain.errors import EngineKeyRefused, EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import spoken
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, listing, mapping, number, present, web_url
from inquest.text.dates import date_first
from inquest.text.sentences import shorten

_CATEGORIES = {EngineKind.NEWS: "news", EngineKind.SCHOLARLY: "science", EngineKind.WEB: "general"}


class SearXNG(Engine):
    """The engines of the instance. Its time filter, which only knows 'the last day' and the like, is not used."""

    spec = EngineSpec(
        name="searxng",
        title="SearXNG",
        kinds=(EngineKind.WEB, EngineKind.NEWS, EngineKind.SCHOLARLY),
        url_setting="INQUEST_SEARXNG_URL",
        homepage="https://docs.searxng.org/",
        documentation="https://docs.searxng.org/dev/search_api.html",
        limits=Limits(per_second=2, concurrency=2),
        filters_domains=True,
        filters_language=True,
    )

    def request(self, query: Query) -> Request:
        base = (self.access.url or "http://localhost:8888").split("?")[0].rstrip("/").removesuffix("/search")
        categories = [_CATEGORIES[kind] for kind in query.kinds if kind in _CATEGORIES]
        parameters = {
            "q": spoken(query),
            "format": "json",
            "language": query.language,
            "categories": ",".join(categories),
        }
        return self.get(f"{base}/search", parameters)

    def check(self, reply: Reply) -> None:
        if reply.status == 403:
            raise EngineKeyRefused(
                self.name,
                "SearXNG refused the request (403).",
                advice="Its settings.yml must list json under search: formats, and its limiter must allow Inquest.",
            )
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if data.get("error"):
            raise self.refusal(data["error"])
        if data["results"] == [] and data.get("unresponsive_engines"):
            # No results without a working engine do not mean 'nothing found'.
            mute = ", ".join(as_text(dig(pair, 0)) for pair in listing(data["unresponsive_engines"]))
            raise EngineUnavailable(self.name, f"None of the engines behind SearXNG responded ({shorten(mute, 150)}).")
        return self.hits(data["results"], lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        shown, snippet = date_first(as_text(fields.get("content")), now=reply.at)
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=snippet,
            published=dated(fields, "publishedDate", "pubdate", now=reply.at) or shown,
            author=as_text(fields.get("author")) or None,
            score=number(fields.get("score")),
            details=present(engines=[as_text(name) for name in listing(fields.get("engines"))]),
        )
