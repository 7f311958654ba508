"""Google News' RSS search: no key. Its links are redirects; the old form contains the article's address and is decoded.

Only Google can resolve the present form (an inner id that begins with `AU_yqL`), and its terms do not offer that. Such
a hit keeps the redirect, is marked `unresolved` and has the publisher's address.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from inquest.domain.errors import EngineQuota, EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import country_of, day, spoken
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import present, web_url
from inquest.sources.originals import google_news_target
from inquest.text.dates import parse_date
from inquest.text.markup import Element, child_text, children, plain, xml_root
from inquest.text.urls import is_web_url, registrable_domain


class GoogleNews(Engine):
    """News by Google: up to 100 articles a query, in the edition of the query's language."""

    spec = EngineSpec(
        name="google_news",
        title="Google News",
        kinds=(EngineKind.NEWS,),
        homepage="https://news.google.com/",
        documentation="https://support.google.com/news/publisher-center/answer/9606710",
        # No limit is published; it blocks higher rates as automated traffic.
        limits=Limits(per_second=0.5, concurrency=1),
        filters_time=True,
        filters_domains=True,
        filters_language=True,
    )

    def request(self, query: Query) -> Request:
        language, country = country_of(query.language)
        since = f"after:{day(query.since)}" if query.since else ""
        until = f"before:{day(query.until)}" if query.until else ""
        parameters = {
            "q": " ".join(filter(None, (spoken(query), since, until))),
            "hl": "en-US" if language == "en" else language,
            "gl": country,
            "ceid": f"{country}:{language}",
        }
        return self.get("https://news.google.com/rss/search", parameters)

    def check(self, reply: Reply) -> None:
        host, path = urlsplit(reply.url).hostname or "", urlsplit(reply.url).path
        if host.startswith("consent.google."):
            raise EngineUnavailable(self.name, "Google News shows its consent page instead of results.")
        if path.startswith("/sorry") or b"unusual traffic" in reply.body[:20_000]:
            raise EngineQuota(self.name, "Google News is blocking this address as a bot.", advice="Try again later.")
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        channel = children(xml_root(reply.body), "channel")
        return self.hits(children(channel[0], "item"), lambda item: self._hit(item, reply))

    def _hit(self, item: Element, reply: Reply) -> Hit:
        link = web_url(child_text(item, "link"))
        target, publisher = google_news_target(link), plain(child_text(item, "source"))
        home = next((url for source in children(item, "source") if is_web_url(url := str(source.get("url")))), "")
        title = plain(child_text(item, "title")).removesuffix(f" - {publisher}")
        described = plain(child_text(item, "description")).removeprefix(title).strip().removeprefix(publisher)
        return Hit(
            url=web_url(target or link),
            title=title,
            snippet=described.strip(),
            published=parse_date(child_text(item, "pubDate"), now=reply.at, how="feed"),
            publisher=publisher or None,
            details=present(
                publisher_url=home, publisher_domain=registrable_domain(home), unresolved=not target or None
            ),
        )
