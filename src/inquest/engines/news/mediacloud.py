"""Media Cloud: an academic archive of the world's online news since 2008, in many languages; needs a free key.

It returns titles, outlets and dates of stories, without text. Without dates a call searches all years.
"""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, hosts, language_of, quoted_keywords
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, first_text, mapping, present, web_url


class MediaCloud(Engine):
    """News stories with all words of the query, newest first."""

    spec = EngineSpec(
        name="mediacloud",
        title="Media Cloud",
        kinds=(EngineKind.NEWS,),
        key="MEDIACLOUD_API_KEY",
        homepage="https://www.mediacloud.org/",
        documentation="https://github.com/mediacloud/api-client",
        # 4,000 calls a week, counted here by the day: www.mediacloud.org/documentation. No other rate is published.
        limits=Limits(per_second=0.5, per_day=570, concurrency=1),
        filters_time=True,
        filters_domains=True,
        filters_language=True,
    )
    refused_in = (("note",), ("detail",))  # an exhausted quota is a 400

    def request(self, query: Query) -> Request:
        parameters = {
            "q": _query(query),
            # Both ends are required.
            "start": day(query.since) or "2008-01-01",
            "end": day(query.until) or "2099-12-31",
            "p": "onlinenews-mediacloud",
            "page_size": count(query, 1000),
        }
        headers = (("authorization", f"Token {self.access.key}"),)
        return self.get("https://search.mediacloud.org/api/search/story-list", parameters, headers)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "stories" not in data:
            raise self.refusal(data.get("note") or data.get("detail") or data.get("error"))
        return self.hits(data["stories"], lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        return Hit(
            url=web_url(fields.get("url")),
            title=as_text(fields.get("title")),
            published=dated(fields, "publish_date", now=reply.at),
            publisher=first_text(fields.get("media_name"), fields.get("media_url")) or None,
            language=language_of(fields.get("language")),
            # The date of its crawler, which no publisher can change afterwards.
            details=present(seen=as_text(fields.get("indexed_date"))),
        )


def _query(query: Query) -> str:
    """Write words and fields in Elasticsearch's syntax: words with punctuation must be quoted."""
    wanted = " AND ".join(quoted_keywords(query))
    language = language_of(query.language)
    domains, unwanted = " OR ".join(hosts(query.domains)), " OR ".join(hosts(query.exclude_domains))
    fields = (
        f"({wanted})" if wanted else "",
        f"canonical_domain:({domains})" if domains else "",
        f"language:{language}" if language else "",
        f"NOT canonical_domain:({unwanted})" if unwanted else "",
    )
    return " AND ".join(field for field in fields if field) or "*"
