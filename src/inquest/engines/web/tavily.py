"""Tavily: web and news search made for research programs; needs a key."""

from __future__ import annotations

import json
from typing import Any

from inquest.domain.errors import EngineQuota
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, hosts, secrets, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dig, mapping, number, web_url
from inquest.kit.refusal import explained, refusal
from inquest.text.dates import parse_date


class Tavily(Engine):
    """The web, or only news where the query asks for news only. Its snippets are extracts of the page."""

    spec = EngineSpec(
        name="tavily",
        title="Tavily",
        kinds=(EngineKind.WEB, EngineKind.NEWS),
        key="TAVILY_API_KEY",
        homepage="https://tavily.com/",
        documentation="https://docs.tavily.com/documentation/api-reference/endpoint/search",
        # 1,000 a minute with a production key (100 with a development key): docs.tavily.com/documentation/rate-limits.
        # 32 at once and 16 a second are 992 in the busiest minute.
        limits=Limits(per_second=16, burst=32, concurrency=32),
        # One credit for a basic search at $0.008, pay as you go: docs.tavily.com/documentation/api-credits.
        usd_per_call=0.008,
        filters_time=True,
        filters_domains=True,
    )

    def request(self, query: Query) -> Request:
        key = self.access.key or ""
        body: dict[str, Any] = {
            "query": words(query),
            "topic": "news" if query.kinds == (EngineKind.NEWS,) else "general",
            "search_depth": "basic",
            "max_results": count(query, 20),
        }
        filters = {
            "start_date": day(query.since),
            "end_date": day(query.until),
            "include_domains": hosts(query.domains),
            "exclude_domains": hosts(query.exclude_domains),
        }
        body |= {name: value for name, value in filters.items() if value}
        return Request(
            url="https://api.tavily.com/search",
            method="POST",
            headers=(("authorization", f"Bearer {key}"), ("content-type", "application/json")),
            body=json.dumps(body).encode("ascii"),
            secrets=secrets(key),
        )

    def check(self, reply: Reply) -> None:
        if reply.status in (432, 433):  # Tavily's own: the key's, the plan's or the spending limit is reached
            raise EngineQuota(self.name, f"Tavily says that a limit of the plan is reached ({reply.status}).")
        explained(self, reply, ("detail", "error"), ("detail",), ("detail", 0, "msg"), ("error",))
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        said = dig(data, "detail", "error") or data.get("detail") or dig(data, "error", "message") or data.get("error")
        if said:
            raise refusal(self, said)
        return self.hits(data["results"], lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        fields = mapping(item)
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("content")),
            engine=self.name,
            rank=rank,
            published=parse_date(fields.get("published_date"), now=reply.at),
            score=number(fields.get("score")),
        )
