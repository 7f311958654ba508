"""NewsAPI: articles of some 150,000 news sites and blogs, the last month's with a key that is free; needs a key."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from inquest.domain.errors import EngineKeyRefused
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, hosts, secrets, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, mapping, people, present, web_url
from inquest.kit.refusal import explained, refusal
from inquest.text.dates import utc
from inquest.text.regex import regex

_LANGUAGES = frozenset("ar de en es fr he it nl no pt ru sv ud zh".split())
_CUT = regex(r"\s*(?:…|\.\.\.)?\s*\[\+\d+ chars\]$")
_WITHDRAWN = "[Removed]"
"""How it titles an article that its publisher took back; the address then leads to removed.com."""


class NewsApi(Engine):
    """News articles, most relevant first."""

    spec = EngineSpec(
        name="newsapi",
        title="NewsAPI",
        kinds=(EngineKind.NEWS,),
        key="NEWSAPI_API_KEY",
        homepage="https://newsapi.org/",
        documentation="https://newsapi.org/docs/endpoints/everything",
        # A developer's key, which is free: 100 requests a day, at most 50 in 12 hours: newsapi.org/pricing.
        limits=Limits(per_second=1, per_day=100, concurrency=2),
        filters_time=True,
        filters_domains=True,
        filters_language=True,
        from_recordings=False,
    )

    def request(self, query: Query) -> Request:
        key, language = self.access.key or "", (query.language or "").lower()[:2]
        parameters = {
            "q": words(query),  # it takes 500 characters, encoding not counted
            "from": _moment(query.since),
            "to": _moment(query.until),
            "domains": ",".join(hosts(query.domains)),
            "excludeDomains": ",".join(hosts(query.exclude_domains)),
            "language": language if language in _LANGUAGES else None,
            "sortBy": "relevancy",
            "pageSize": count(query, 100),
        }
        url = address("https://newsapi.org/v2/everything", parameters)
        return Request(url=url, headers=(("x-api-key", key),), secrets=secrets(key))

    def check(self, reply: Reply) -> None:
        if reply.status == 426:  # 'upgrade required': the question reaches further back than the plan
            advice = "Ask for the last month only, or take a plan of NewsAPI that goes further back."
            raise EngineKeyRefused(self.name, "NewsAPI says that the key's plan does not allow this.", advice=advice)
        explained(self, reply, ("code",), ("message",))
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if data.get("status") == "error" or "articles" not in data:
            raise refusal(self, f"{as_text(data.get('code'))}: {as_text(data.get('message'))}")
        return self.hits(data["articles"], lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit | None:
        fields = mapping(item)
        if fields.get("title") == _WITHDRAWN:
            return None
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("description")) or _CUT.sub("…", as_text(fields.get("content"))),
            engine=self.name,
            rank=rank,
            published=dated(fields, "publishedAt", now=reply.at),
            author=people([fields.get("author")]),
            publisher=as_text(dig(fields, "source", "name")) or None,
            details=present(newsapi_source=as_text(dig(fields, "source", "id"))),
        )


def _moment(moment: datetime | None) -> str | None:
    """With its time: a bare day would mean the midnight with which it begins."""
    return f"{utc(moment):%Y-%m-%dT%H:%M:%S}" if moment else None
