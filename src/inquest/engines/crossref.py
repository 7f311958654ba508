"""Crossref: what publishers themselves say about 170 million scholarly works. No key; a contact address is polite."""

from __future__ import annotations

from typing import Any

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, day, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dig, doi_of, doi_url, each, listing, mapping, people, present, whole
from inquest.kit.refusal import refusal
from inquest.logic.dates import date_from_parts

_DATES = ("published", "issued", "published-online", "published-print", "posted")


class Crossref(Engine):
    """Scholarly works by DOI, with abstracts where the publisher deposits them."""

    spec = EngineSpec(
        name="crossref",
        title="Crossref",
        kinds=(EngineKind.SCHOLARLY,),
        homepage="https://www.crossref.org/",
        documentation="https://www.crossref.org/documentation/retrieve-metadata/rest-api/",
        limits=Limits(per_second=5, concurrency=3),
        filters_time=True,
    )

    def request(self, query: Query) -> Request:
        since, until = day(query.since), day(query.until)
        filters = [f"from-pub-date:{since}" if since else "", f"until-pub-date:{until}" if until else ""]
        parameters = {
            "query.bibliographic": words(query),
            "rows": count(query, 100),
            "filter": ",".join(part for part in filters if part),
            "mailto": self.access.contact,
        }
        return Request(url=address("https://api.crossref.org/works", parameters))

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        message = data["message"]
        if data.get("status") != "ok":
            raise refusal(self, dig(message, 0, "message") or message)
        items = [message] if data.get("message-type") == "work" else message["items"]
        return self.hits(items, lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        work = mapping(item)
        doi = doi_of(work.get("DOI"))
        dates = (date_from_parts(dig(work, name, "date-parts"), now=reply.at) for name in _DATES)
        changes = {as_text(change).lower() for change in each(work.get("updated-by"), "type")}
        return Hit(
            url=doi_url(doi, work.get("URL")),
            title=as_text(work.get("title")),
            snippet=as_text(work.get("abstract")),
            engine=self.name,
            rank=rank,
            published=next((date for date in dates if date), None),
            author=people(_name(author) for author in listing(work.get("author"))),
            publisher=as_text(work.get("container-title")) or as_text(work.get("publisher")) or None,
            language=as_text(work.get("language"))[:2].lower() or None,
            identifiers={"doi": doi} if doi else {},
            details=present(
                type=as_text(work.get("type")),
                citations=whole(work.get("is-referenced-by-count")),
                retracted=bool(changes & {"retraction", "withdrawal", "removal"}) or None,
                publisher=as_text(work.get("publisher")),
            ),
        )


def _name(author: object) -> str:
    person = mapping(author)
    return f"{as_text(person.get('given'))} {as_text(person.get('family'))}".strip() or as_text(person.get("name"))
