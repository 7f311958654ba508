"""NewsAPI: articles of some 150,000 news sites and blogs; needs a key. A free one covers the last month."""

from __future__ import annotations

from datetime import datetime

from inquest.domain.errors import EngineKeyRefused
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, hosts, with_key, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, mapping, people, present, web_url
from inquest.text.dates import utc
from inquest.text.regex import regex

_LANGUAGES = frozenset("ar de en es fr he it nl no pt ru sv ud zh".split())
_CUT = regex(r"\s*(?:…|\.\.\.)?\s*\[\+\d+ chars\]$")
_WITHDRAWN = "[Removed]"
"""The title of an article that its publisher withdrew; its address leads to removed.com."""


class NewsApi(Engine):
    """News articles, most relevant first."""

    spec = EngineSpec(
        name="newsapi",
        title="NewsAPI",
        kinds=(EngineKind.NEWS,),
        key="NEWSAPI_API_KEY",
        homepage="https://newsapi.org/",
        documentation="https://newsapi.org/docs/endpoints/everything",
        # A free developer key allows 100 requests a day, at most 50 in 12 hours: newsapi.org/pricing.
        limits=Limits(per_second=1, per_day=100, concurrency=2),
        filters_time=True,
        filters_domains=True,
        filters_language=True,
    )
    refused_in = (("code",), ("message",))

    def request(self, query: Query) -> Request:
        language = (query.language or "").lower()[:2]
        parameters = {
            "q": words(query),  # it accepts 500 characters before encoding
            "from": _moment(query.since),
            "to": _moment(query.until),
            "domains": ",".join(hosts(query.domains)),
            "excludeDomains": ",".join(hosts(query.exclude_domains)),
            "language": language if language in _LANGUAGES else None,
            "sortBy": "relevancy",
            "pageSize": count(query, 100),
        }
        return with_key(self.get("https://newsapi.org/v2/everything", parameters), self.access.key, "x-api-key")

    def check(self, reply: Reply) -> None:
        if reply.status == 426:  # 'upgrade required': the plan does not reach back that far
            advice = "Search the last month only, or choose a NewsAPI plan that reaches further back."
            raise EngineKeyRefused(self.name, "NewsAPI says that this key's plan does not allow this.", advice=advice)
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if data.get("status") == "error" or "articles" not in data:
            raise self.refusal(data.get("code"), data.get("message"))
        return self.hits(data["articles"], lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit | None:
        if fields.get("title") == _WITHDRAWN:
            return None
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("description")) or _CUT.sub("…", as_text(fields.get("content"))),
            published=dated(fields, "publishedAt", now=reply.at),
            author=people([fields.get("author")]),
            publisher=as_text(dig(fields, "source", "name")) or None,
            details=present(newsapi_source=as_text(dig(fields, "source", "id"))),
        )


def _moment(moment: datetime | None) -> str | None:
    """Return the moment with its time, as a bare day means its first midnight."""
    return f"{utc(moment):%Y-%m-%dT%H:%M:%S}" if moment else None
