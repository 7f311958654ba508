"""The Guardian's Open Platform: its articles and The Observer's since 1999; needs a free key."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, mapping, people, present, web_url


class Guardian(Engine):
    """Articles and live blogs of one publisher, most relevant first."""

    spec = EngineSpec(
        name="guardian",
        title="The Guardian",
        kinds=(EngineKind.NEWS,),
        key="GUARDIAN_API_KEY",
        homepage="https://open-platform.theguardian.com/",
        documentation="https://open-platform.theguardian.com/documentation/search",
        # A developer key allows one call a second, 500 a day: open-platform.theguardian.com/access.
        limits=Limits(per_second=1, per_day=500, concurrency=1),
        filters_time=True,
    )
    refused_in = (("response", "message"), ("message",))

    def request(self, query: Query) -> Request:
        parameters = {
            "q": words(query),
            "from-date": day(query.since),
            "to-date": day(query.until),
            "order-by": "relevance",
            "page-size": count(query, 50),
            "show-fields": "headline,trailText,byline,publication,wordcount",
            "api-key": self.access.key,
        }
        return self.get("https://content.guardianapis.com/search", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        response = mapping(data.get("response"))
        if "results" not in response or response.get("status") not in ("ok", None):
            raise self.refusal(response.get("message") or data.get("message"))
        return self.hits(response["results"], lambda item: self._hit(item, reply))

    def _hit(self, item: object, reply: Reply) -> Hit:
        outer, fields = mapping(item), mapping(dig(item, "fields"))
        return Hit(
            url=web_url(outer.get("webUrl")),
            title=as_text(fields.get("headline")) or as_text(outer.get("webTitle")),
            snippet=as_text(fields.get("trailText")) or as_text(fields.get("standfirst")),
            published=dated(outer, "webPublicationDate", now=reply.at),
            author=people([fields.get("byline")]),
            publisher=as_text(fields.get("publication")) or "The Guardian",
            language="en",
            details=present(kind=as_text(outer.get("type")), section=as_text(outer.get("sectionName"))),
        )
