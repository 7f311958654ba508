"""Brave Search: an index of its own; needs a key."""

from __future__ import annotations

from typing import Any

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, day, language_of, secrets, spoken
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, mapping, web_url
from inquest.kit.refusal import refusal

# Languages as it spells them; another value is refused with 422.
_AS_ISO = "ar bg bn cs da de en es et fi fr he hi hr hu is it ko lt lv ms nl pl ro ru sk sl sr sv th tr uk vi"
_LANGUAGES = {code: code for code in _AS_ISO.split()} | {"ja": "jp", "no": "nb", "zh": "zh-hans"}


class Brave(Engine):
    """The web, or the news index where the query asks for news only."""

    spec = EngineSpec(
        name="brave",
        title="Brave Search",
        kinds=(EngineKind.WEB, EngineKind.NEWS),
        key="BRAVE_API_KEY",
        homepage="https://search.brave.com/",
        documentation="https://api-dashboard.search.brave.com/app/documentation/web-search/get-started",
        # What every plan allows; larger ones allow up to 50 a second: brave.com/search/api.
        limits=Limits(per_second=1, concurrency=1),
        # $5 per 1,000 requests: brave.com/search/api.
        usd_per_call=0.005,
        filters_time=True,
        filters_domains=True,
        filters_language=True,
    )
    # A key that is not valid is answered with 422, and so is a query that is not.
    refused_in = (("error", "code"), ("error", "detail"))

    def request(self, query: Query) -> Request:
        key, news = self.access.key or "", query.kinds == (EngineKind.NEWS,)
        since, until = day(query.since) or "1990-01-01", day(query.until) or "2099-12-31"
        parameters = {
            # 400 characters and 50 words are the most it takes.
            "q": " ".join(spoken(query, limit=300).split()[:50])[:400],
            "count": count(query, 50 if news else 20),
            "search_lang": _LANGUAGES.get((query.language or "").lower()[:2]),
            "freshness": f"{since}to{until}" if query.since or query.until else None,
            "text_decorations": "false",
            "result_filter": None if news else "web,news",
        }
        return Request(
            url=address(f"https://api.search.brave.com/res/v1/{'news' if news else 'web'}/search", parameters),
            headers=(("accept", "application/json"), ("x-subscription-token", key)),
            secrets=secrets(key),
        )

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        error = data.get("error") or dig(data, "errors", 0)
        if error or data.get("type") == "ErrorResponse":
            raise refusal(self, f"{as_text(dig(error, 'code'))}: {as_text(dig(error, 'detail'))}")
        # Where it found nothing of a kind, that kind is left out.
        parts = [data] if "results" in data else [data[name] for name in ("web", "news") if data.get(name)]
        if not parts and data.get("type") not in ("search", "news"):
            raise ValueError("neither results nor a search without any")
        lists = [found for part in parts if isinstance(found := dig(part, "results"), list)]
        if parts and not lists:
            raise ValueError("no list of results")
        items = [item for found in lists for item in found]
        return self.hits(items, lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        fields = mapping(item)
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("description")),
            engine=self.name,
            rank=rank,
            published=dated(fields, "page_age", "age", now=reply.at),
            publisher=as_text(dig(fields, "profile", "name")) or as_text(dig(fields, "meta_url", "hostname")) or None,
            language=language_of(fields.get("language")),
        )
