"""Google through its Programmable Search JSON API; needs a key and the id of a search engine from its control panel.

The service is closed to new customers and ends on 1 January 2027 (developers.google.com/custom-search/v1/overview);
`serpapi` and `serper` also search Google.
"""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, country_of, language_of, spoken, stamp
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, listed, mapping, people, web_url
from inquest.text.dates import date_first

_DATES = ("article:published_time", "og:published_time", "datepublished", "date", "dc.date", "pubdate")


class Google(Engine):
    """The web by Google, or the sites configured for the search engine."""

    spec = EngineSpec(
        name="google",
        title="Google (Programmable Search)",
        kinds=(EngineKind.WEB,),
        key="GOOGLE_API_KEY",
        account_setting="GOOGLE_CSE_ID",
        homepage="https://programmablesearchengine.google.com/",
        documentation="https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list",
        # 100 queries a minute (the console's default); 10,000 a day, of which 100 are free, then $5 per 1,000:
        # developers.google.com/custom-search/v1/overview.
        limits=Limits(per_second=1.5, per_day=10_000, concurrency=2),
        usd_per_call=0.005,
        filters_time=True,
        filters_domains=True,
        filters_language=True,
    )
    # An invalid key is a 400, an exhausted quota a 403 or 429.
    refused_in = (("error", "errors", 0, "reason"), ("error", "message"))

    def request(self, query: Query) -> Request:
        language, country = country_of(query.language)
        since, until = ((stamp(moment) or "")[:8] for moment in (query.since, query.until))
        parameters = {
            "key": self.access.key,
            "cx": self.access.account,
            "q": spoken(query),
            "num": count(query, 10),  # its maximum
            "lr": f"lang_{language}" if query.language else None,
            "hl": language if query.language else None,
            "gl": country.lower() if query.language else None,
            "sort": f"date:r:{since or '19900101'}:{until or '20991231'}" if since or until else None,
        }
        return self.get("https://customsearch.googleapis.com/customsearch/v1", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if error := data.get("error"):
            raise self.refusal(dig(error, "status"), dig(error, "message"))
        if not {"items", "searchInformation", "queries"} & data.keys():
            raise ValueError("neither results nor an empty search")
        return self.hits(listed(data.get("items")), lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        tags = mapping(dig(fields, "pagemap", "metatags", 0))
        shown, snippet = date_first(as_text(fields.get("snippet")), now=reply.at)
        return Hit(
            url=web_url(fields.get("link")),
            title=as_text(fields.get("title")),
            snippet=snippet,
            published=dated(tags, *_DATES, now=reply.at) or shown,
            author=people([tags.get("author")]),
            publisher=as_text(tags.get("og:site_name")) or as_text(fields.get("displayLink")) or None,
            language=language_of(tags.get("og:locale")),
        )
