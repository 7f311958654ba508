"""The New York Times' Article Search: its articles since 1851; needs a free key.

Documents have two forms: the present one, and that before 2025 with another name for the count (`meta`), more headlines
and a byline that may be text or a list of persons.
"""

from __future__ import annotations

import re

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import stamp, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import (
    as_text,
    dated,
    dig,
    first_text,
    full_name,
    listed,
    listing,
    mapping,
    people,
    present,
    web_url,
)
from inquest.text.regex import regex

_TITLES = ("main", "default", "print_headline", "name")
_BY = regex(r"^by\s+", re.IGNORECASE)


class NYTimes(Engine):
    """Articles of one publisher, ten at a time, best first."""

    spec = EngineSpec(
        name="nytimes",
        title="The New York Times",
        kinds=(EngineKind.NEWS,),
        key="NYTIMES_API_KEY",
        homepage="https://developer.nytimes.com/",
        documentation="https://developer.nytimes.com/docs/articlesearch-product/1/overview",
        # 5 calls a minute, 500 a day: developer.nytimes.com/faq.
        limits=Limits(per_second=5 / 60, per_day=500, concurrency=1),
        filters_time=True,
    )
    refused_in = (("fault", "faultstring"), ("errors",), ("message",))

    def request(self, query: Query) -> Request:
        parameters = {
            "q": words(query),
            "begin_date": (stamp(query.since) or "")[:8],
            "end_date": (stamp(query.until) or "")[:8],
            "api-key": self.access.key,
        }
        return self.get("https://api.nytimes.com/svc/search/v2/articlesearch.json", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        response = mapping(data.get("response"))
        if "docs" not in response or as_text(data.get("status")).lower() not in ("ok", ""):
            raise self.refusal(dig(data, "fault", "faultstring") or data.get("errors") or data.get("message"))
        return self.hits(listed(response["docs"]), lambda item: self._hit(item, reply))

    def _hit(self, item: object, reply: Reply) -> Hit:
        fields, headline = mapping(item), mapping(dig(item, "headline"))
        return Hit(
            url=web_url(fields.get("web_url")),
            title=first_text(*map(headline.get, _TITLES), fields.get("headline")),
            snippet=first_text(*map(fields.get, ("abstract", "snippet", "lead_paragraph"))),
            published=dated(fields, "pub_date", now=reply.at),
            author=_byline(fields.get("byline")),
            publisher=as_text(fields.get("source")) or "The New York Times",
            details=present(
                kind=first_text(fields.get("type_of_material"), fields.get("document_type")),
                section=as_text(fields.get("section_name")),
            ),
        )


def _byline(byline: object) -> str | None:
    if text := first_text(byline, dig(byline, "original"), dig(byline, "organization")):
        return _BY.sub("", text) or None
    return people(full_name(person, "firstname", "lastname") for person in listing(dig(byline, "person")))
