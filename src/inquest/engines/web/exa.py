"""Exa: a search engine by meaning, made for programs; needs a key. Its snippets are extracts of the page."""

from __future__ import annotations

import json
from typing import Any

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, hosts, secrets, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, listing, mapping, number, people, web_url
from inquest.kit.refusal import refusal
from inquest.text.sentences import shorten

_LONGEST = 2000


class Exa(Engine):
    """The web, or news where the query asks for news only."""

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
        from_recordings=False,
    )
    refused_in = (("tag",), ("error",), ("message",))

    def request(self, query: Query) -> Request:
        key = self.access.key or ""
        body: dict[str, Any] = {
            "query": words(query),
            "type": "auto",
            "numResults": count(query, 10),  # each one more costs more than the price of a call says
            "contents": {"highlights": True},
        }
        filters = {
            "category": "news" if query.kinds == (EngineKind.NEWS,) else None,
            "startPublishedDate": f"{day(query.since)}T00:00:00.000Z" if query.since else None,
            "endPublishedDate": f"{day(query.until)}T23:59:59.999Z" if query.until else None,
            "includeDomains": hosts(query.domains),
            "excludeDomains": hosts(query.exclude_domains),
        }
        body |= {name: value for name, value in filters.items() if value}
        return Request(
            url="https://api.exa.ai/search",
            method="POST",
            headers=(("x-api-key", key), ("content-type", "application/json")),
            body=json.dumps(body).encode("ascii"),
            secrets=secrets(key),
        )

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "results" not in data:
            raise refusal(self, f"{as_text(data.get('tag'))}: {as_text(data.get('error') or data.get('message'))}")
        return self.hits(data["results"], lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        fields = mapping(item)
        extracts = " … ".join(filter(None, map(as_text, listing(fields.get("highlights")))))
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=shorten(extracts or as_text(fields.get("summary")) or as_text(fields.get("text")), _LONGEST),
            engine=self.name,
            rank=rank,
            published=dated(fields, "publishedDate", now=reply.at),
            author=people([fields.get("author")]),
            score=number(fields.get("score")),
        )
