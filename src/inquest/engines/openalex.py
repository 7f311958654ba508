"""OpenAlex: an open index of 270 million works with citations, retractions and open copies.

It answers a little without a key (since February 2026, for some searches a day); a free one lifts that.
"""

from __future__ import annotations

from typing import Any

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, day, language_of, secrets, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, doi_of, doi_url, each, mapping, people, present, uninverted, whole
from inquest.kit.refusal import refusal
from inquest.logic.dates import at_precision


class OpenAlex(Engine):
    """Scholarly works, their abstracts put together again from OpenAlex's index of words."""

    spec = EngineSpec(
        name="openalex",
        title="OpenAlex",
        kinds=(EngineKind.SCHOLARLY,),
        key="OPENALEX_API_KEY",
        key_optional=True,
        homepage="https://openalex.org/",
        documentation="https://developers.openalex.org/",
        limits=Limits(per_second=5, concurrency=3),
        # $1 per 1,000 searches, developers.openalex.org/guides/authentication; a free allowance comes off first.
        usd_per_call=0.001,
        filters_time=True,
        filters_language=True,
    )

    def request(self, query: Query) -> Request:
        filters = {"from_publication_date": day(query.since), "to_publication_date": day(query.until)}
        filters["language"] = language_of(query.language)
        parameters = {
            "search": words(query),
            "per-page": count(query, 100),
            "filter": ",".join(f"{name}:{value}" for name, value in filters.items() if value),
            "mailto": self.access.contact,
        }
        # The key goes into a header, so that a case recorded with one and replayed without asks the same question.
        key = self.access.key
        headers = (("authorization", f"Bearer {key}"),) if key else ()
        return Request(url=address("https://api.openalex.org/works", parameters), headers=headers, secrets=secrets(key))

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "error" in data:
            raise refusal(self, data.get("message") or data["error"])
        # A look-up of one work answers with the work itself.
        items = data["results"] if "results" in data or "authorships" not in data else [data]
        return self.hits(items, lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        work = mapping(item)
        doi, key = doi_of(work.get("doi")), as_text(work.get("id")).rpartition("/")[2]
        place = mapping(work.get("primary_location"))
        published = dated(work, "publication_date", "publication_year", now=reply.at)
        if published and published.at.month == published.at.day == 1:
            published = at_precision(published, "year")  # it writes the first of January where it knows the year only
        return Hit(
            url=doi_url(doi, place.get("landing_page_url") or work.get("id")),
            title=as_text(work.get("display_name")) or as_text(work.get("title")),
            snippet=uninverted(work.get("abstract_inverted_index")),
            engine=self.name,
            rank=rank,
            published=published,
            author=people(each(work.get("authorships"), "author", "display_name")),
            publisher=as_text(dig(place, "source", "display_name")) or as_text(place.get("raw_source_name")) or None,
            language=as_text(work.get("language"))[:2] or None,
            identifiers={name: value for name, value in (("doi", doi), ("openalex", key)) if value},
            details=present(
                type=as_text(work.get("type")),
                citations=whole(work.get("cited_by_count")),
                retracted=True if work.get("is_retracted") is True else None,
                open_access_url=as_text(dig(work, "open_access", "oa_url")),
            ),
        )
