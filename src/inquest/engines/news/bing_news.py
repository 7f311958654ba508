"""Bing News as RSS: no key. (Bing's search API was retired; this feed was not.)"""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import country_of, spoken
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import web_url
from inquest.sources.originals import bing_target
from inquest.text.dates import parse_date
from inquest.text.markup import Element, child_text, children, plain, xml_root


class BingNews(Engine):
    """News by Bing, without redirects. Its recency filter is not used; dates are filtered afterwards."""

    spec = EngineSpec(
        name="bing_news",
        title="Bing News",
        kinds=(EngineKind.NEWS,),
        homepage="https://www.bing.com/news",
        documentation="https://www.bing.com/news/search?q=news&format=rss",
        # No limit is published.
        limits=Limits(per_second=1, concurrency=1),
        filters_domains=True,
        filters_language=True,
    )

    def request(self, query: Query) -> Request:
        parameters: dict[str, str | int | None] = {"q": spoken(query), "format": "rss"}
        if query.language:
            language, country = country_of(query.language)
            parameters |= {"setlang": language, "mkt": f"{language}-{country}"}
        return self.get("https://www.bing.com/news/search", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        channel = children(xml_root(reply.body), "channel")
        return self.hits(children(channel[0], "item"), lambda item: self._hit(item, reply))

    def _hit(self, item: Element, reply: Reply) -> Hit:
        return Hit(
            url=web_url(bing_target(web_url(child_text(item, "link")))),
            title=plain(child_text(item, "title")),
            snippet=plain(child_text(item, "description")),
            published=parse_date(child_text(item, "pubDate"), now=reply.at, how="feed"),
            publisher=plain(child_text(item, "Source")) or None,
        )
