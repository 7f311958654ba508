"""Brave Search, with its own index; needs a key."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, language_of, spoken, with_key
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, mapping, web_url

# Its language codes; it refuses others with 422.
_AS_ISO = "ar bg bn cs da de en es et fi fr he hi hr hu is it ko lt lv ms nl pl ro ru sk sl sr sv th tr uk vi"
_LANGUAGES = {code: code for code in _AS_ISO.split()} | {"ja": "jp", "no": "nb", "zh": "zh-hans"}


class Brave(Engine):
    """The web, or the news index if the query is for news only."""

    spec = EngineSpec(
        name="brave",
        title="Brave Search",
        kinds=(EngineKind.WEB, EngineKind.NEWS),
        key="BRAVE_API_KEY",
        homepage="https://search.brave.com/",
        documentation="https://api-dashboard.search.brave.com/app/documentation/web-search/get-started",
        # The smallest plan; larger ones allow up to 50 a second: brave.com/search/api.
        limits=Limits(per_second=1, concurrency=1),
        # $5 per 1,000 requests: brave.com/search/api.
        usd_per_call=0.005,
        filters_time=True,
        filters_domains=True,
        filters_language=True,
    )
    # Invalid keys and invalid queries are both answered with 422.
    refused_in = (("error", "code"), ("error", "detail"))

    def request(self, query: Query) -> Request:
        news = query.kinds == (EngineKind.NEWS,)
        since, until = day(query.since) or "1990-01-01", day(query.until) or "2099-12-31"
        parameters = {
            # It accepts at most 400 characters and 50 words.
            "q": " ".join(spoken(query, limit=300).split()[:50])[:400],
            "count": count(query, 50 if news else 20),
            "search_lang": _LANGUAGES.get((query.language or "").lower()[:2]),
            "freshness": f"{since}to{until}" if query.since or query.until else None,
            "text_decorations": "false",
            "result_filter": None if news else "web,news",
        }
        url = f"https://api.search.brave.com/res/v1/{'news' if news else 'web'}/search"
        request = self.get(url, parameters, (("accept", "application/json"),))
        return with_key(request, self.access.key, "x-subscription-token")

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        error = data.get("error") or dig(data, "errors", 0)
        if error or data.get("type") == "ErrorResponse":
            raise self.refusal(dig(error, "code"), dig(error, "detail"))
        # A kind without results is left out.
        parts = [data] if "results" in data else [data[name] for name in ("web", "news") if data.get(name)]
        if not parts and data.get("type") not in ("search", "news"):
            raise ValueError("neither results nor an empty search")
        lists = [found for part in parts if isinstance(found := dig(part, "results"), list)]
        if parts and not lists:
            raise ValueError("no list of results")
        items = [item for found in lists for item in found]
        return self.hits(items, lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("description")),
            published=dated(fields, "page_age", "age", now=reply.at),
            publisher=as_text(dig(fields, "profile", "name")) or as_text(dig(fields, "meta_url", "hostname")) or None,
            language=language_of(fields.get("language")),
        )
