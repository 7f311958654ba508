"""Tavily: web and news search for research programs; needs a key."""

from __future__ import annotations

from inquest.domain.errors import EngineQuota
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, hosts, json_post, with_key, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dig, mapping, number, web_url
from inquest.text.dates import parse_date


class Tavily(Engine):
    """The web, or news if the query is for news only. Its snippets are extracts of the page."""

    spec = EngineSpec(
        name="tavily",
        title="Tavily",
        kinds=(EngineKind.WEB, EngineKind.NEWS),
        key="TAVILY_API_KEY",
        homepage="https://tavily.com/",
        documentation="https://docs.tavily.com/documentation/api-reference/endpoint/search",
        # 1,000 a minute with a production key (100 with a development key): docs.tavily.com/documentation/rate-limits.
        # 32 at once and 16 a second are at most 992 in a minute.
        limits=Limits(per_second=16, burst=32, concurrency=32),
        # One credit for a basic search at $0.008, pay as you go: docs.tavily.com/documentation/api-credits.
        usd_per_call=0.008,
        filters_time=True,
        filters_domains=True,
    )
    refused_in = (("detail", "error"), ("detail",), ("detail", 0, "msg"), ("error",))

    def request(self, query: Query) -> Request:
        body = {
            "query": words(query),
            "topic": "news" if query.kinds == (EngineKind.NEWS,) else "general",
            "search_depth": "basic",
            "max_results": count(query, 20),
            "start_date": day(query.since),
            "end_date": day(query.until),
            "include_domains": hosts(query.domains),
            "exclude_domains": hosts(query.exclude_domains),
        }
        return with_key(json_post("https://api.tavily.com/search", body), self.access.key)

    def check(self, reply: Reply) -> None:
        if reply.status in (432, 433):  # Tavily's own statuses for limits of the key, the plan or spending
            raise EngineQuota(self.name, f"Tavily says that a limit of the plan has been reached ({reply.status}).")
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        error = dig(data, "detail", "error") or data.get("detail") or dig(data, "error", "message") or data.get("error")
        if error:
            raise self.refusal(error)
        return self.hits(data["results"], lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("content")),
            published=parse_date(fields.get("published_date"), now=reply.at),
            score=number(fields.get("score")),
        )
