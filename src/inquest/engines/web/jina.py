"""Jina Search: results of the large engines by Jina AI; needs a key. Requests descriptions only, without pages."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, country_of, spoken, with_key
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, first_text, mapping, web_url

_NOTHING = "No search results available"
"""The words of the error (422) for a search without results."""


class Jina(Engine):
    """The web. (Its news search costs five times as much and is not used.)"""

    spec = EngineSpec(
        name="jina",
        title="Jina Search",
        kinds=(EngineKind.WEB,),
        key="JINA_API_KEY",
        homepage="https://jina.ai/reader/",
        documentation="https://s.jina.ai/docs",
        # 100 requests a minute with a key: jina.ai/reader, rate limits.
        limits=Limits(per_second=100 / 60, concurrency=2),
        # 10,000 tokens for a search, at $50 for 1,000,000,000 and less: jina.ai/reader, pricing.
        usd_per_call=0.0005,
        filters_domains=True,
        filters_language=True,
    )
    refused_in = (("name",), ("message",))

    def request(self, query: Query) -> Request:
        language, country = country_of(query.language)
        parameters = {
            "q": spoken(query),
            "num": count(query, 20),
            "hl": language if query.language else None,
            "gl": country if query.language else None,
            # Otherwise it repeats a search without results with fewer words, and bills both.
            "fallback": "false",
        }
        headers = (("accept", "application/json"), ("x-respond-with", "no-content"))
        return with_key(self.get("https://s.jina.ai/", parameters, headers), self.access.key)

    def check(self, reply: Reply) -> None:
        if reply.status != 422 or _NOTHING.encode() not in reply.body[:2000]:
            super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        message = as_text(data.get("message"))
        if message.startswith(_NOTHING):
            return []
        if "data" not in data or data.get("code", 200) != 200:
            raise self.refusal(data.get("name"), message)
        return self.hits(data["data"], lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=first_text(fields.get("description"), fields.get("content")),
            published=dated(fields, "date", "publishedTime", now=reply.at, month_first=True),
        )
