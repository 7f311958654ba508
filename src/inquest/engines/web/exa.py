"""Exa: search by meaning; needs a key. Its snippets are extracts of the page."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, hosts, json_post, with_key, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, first_text, listing, mapping, number, people, texts, web_url
from inquest.text.sentences import shorten

_LONGEST = 2000


class Exa(Engine):
    """The web, or news if the query is for news only."""

    spec = EngineSpec(
        name="exa",
        title="Exa",
        kinds=(EngineKind.WEB, EngineKind.NEWS),
        key="EXA_API_KEY",
        homepage="https://exa.ai/",
        documentation="https://exa.ai/docs/reference/search",
        # 10 queries a second: exa.ai/docs/reference/rate-limits.
        limits=Limits(per_second=10, concurrency=10),
        # $7 per 1,000 searches of ten results with their extracts: exa.ai/docs/reference/pricing.
        usd_per_call=0.007,
        filters_time=True,
        filters_domains=True,
    )
    refused_in = (("tag",), ("error",), ("message",))

    def request(self, query: Query) -> Request:
        body = {
            "query": words(query),
            "type": "auto",
            "numResults": count(query, 10),  # more results cost more than `usd_per_call`
            "contents": {"highlights": True},
            "category": "news" if query.kinds == (EngineKind.NEWS,) else None,
            "startPublishedDate": f"{day(query.since)}T00:00:00.000Z" if query.since else None,
            "endPublishedDate": f"{day(query.until)}T23:59:59.999Z" if query.until else None,
            "includeDomains": hosts(query.domains),
            "excludeDomains": hosts(query.exclude_domains),
        }
        return with_key(json_post("https://api.exa.ai/search", body), self.access.key, "x-api-key")

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "results" not in data:
            raise self.refusal(data.get("tag"), data.get("error") or data.get("message"))
        return self.hits(data["results"], lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        extracts = " … ".join(texts(listing(fields.get("highlights"))))
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=shorten(first_text(extracts, fields.get("summary"), fields.get("text")), _LONGEST),
            published=dated(fields, "publishedDate", now=reply.at),
            author=people([fields.get("author")]),
            score=number(fields.get("score")),
        )
