"""Serper: Google's result pages as JSON; needs a key. A query for news only goes to its news search."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, country_of, secrets, spoken
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, listed, mapping, web_url
from inquest.kit.refusal import refusal
from inquest.text.dates import utc

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
        # 50 queries a second, and $50 for 50,000 credits, with the smallest of its packages: serper.dev.
        limits=Limits(per_second=50, concurrency=50),
        usd_per_call=0.001,
        filters_time=True,
        filters_domains=True,
        filters_language=True,
        from_recordings=False,
    )
    refused_in = (("message",),)  # credits that are used up are a 400

    def request(self, query: Query) -> Request:
        key, kind = self.access.key or "", "news" if query.kinds == (EngineKind.NEWS,) else "search"
        language, country = country_of(query.language)
        # More than ten results are two credits, which the price of a call does not say.
        body: dict[str, Any] = {"q": spoken(query), "num": count(query, 10)}
        if query.language:
            body |= {"hl": language, "gl": country.lower()}
        if query.since or query.until:
            body["tbs"] = f"cdr:1,cd_min:{_american(query.since)},cd_max:{_american(query.until)}"
        return Request(
            url=f"https://google.serper.dev/{kind}",
            method="POST",
            headers=(("x-api-key", key), ("content-type", "application/json")),
            body=json.dumps(body).encode("ascii"),
            secrets=secrets(key),
        )

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if not {*_RESULTS, "searchParameters"} & data.keys():
            raise refusal(self, data.get("message") or data.get("error"))
        items = [item for name in _RESULTS for item in listed(data.get(name))]
        return self.hits(items, lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        fields = mapping(item)
        return Hit(
            url=web_url(fields.get("link")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("snippet")),
            engine=self.name,
            rank=rank,
            published=dated(fields, "date", now=reply.at, month_first=True),
            publisher=as_text(fields.get("source")) or None,
        )


def _american(moment: datetime | None) -> str:
    return f"{utc(moment):%m/%d/%Y}" if moment else ""
