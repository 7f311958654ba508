"""Serper: Google's result pages as JSON; needs a key. A query for news only uses its news search."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, country_of, google_range, json_post, spoken, with_key
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, listed, mapping, web_url

_RESULTS = ("organic", "news", "topStories")


class Serper(Engine):
    """The web and news by Google."""

    spec = EngineSpec(
        name="serper",
        title="Google (Serper)",
        kinds=(EngineKind.WEB, EngineKind.NEWS),
        key="SERPER_API_KEY",
        homepage="https://serper.dev/",
        documentation="https://serper.dev/playground",
        # 50 queries a second and $50 for 50,000 credits in the smallest package: serper.dev.
        limits=Limits(per_second=50, concurrency=50),
        usd_per_call=0.001,
        filters_time=True,
        filters_domains=True,
        filters_language=True,
    )
    refused_in = (("message",),)  # exhausted credits are a 400

    def request(self, query: Query) -> Request:
        kind = "news" if query.kinds == (EngineKind.NEWS,) else "search"
        language, country = country_of(query.language)
        body = {
            "q": spoken(query),
            "num": count(query, 10),  # more than ten results cost two credits, and `usd_per_call` is the price of one
            "hl": language if query.language else None,
            "gl": country.lower() if query.language else None,
            "tbs": google_range(query),
        }
        return with_key(json_post(f"https://google.serper.dev/{kind}", body), self.access.key, "x-api-key")

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if not {*_RESULTS, "searchParameters"} & data.keys():
            raise self.refusal(data.get("message") or data.get("error"))
        items = [item for name in _RESULTS for item in listed(data.get(name))]
        return self.hits(items, lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        return Hit(
            url=web_url(fields.get("link")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("snippet")),
            published=dated(fields, "date", now=reply.at, month_first=True),
            publisher=as_text(fields.get("source")) or None,
        )
