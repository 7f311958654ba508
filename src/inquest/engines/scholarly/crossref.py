"""Crossref: publishers' own metadata of 170 million scholarly works. No key; it asks for a contact address."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dig, doi_of, full_name, listing, mapping, people, whole
from inquest.kit.scholarly import scholarly_hit
from inquest.sources.works import crossref_notices, made_work
from inquest.text.dates import date_from_parts

_LINKS = ("is-preprint-of", "has-preprint", "is-version-of")
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
        filters = {"from-pub-date": day(query.since), "until-pub-date": day(query.until)}
        parameters = {
            "query.bibliographic": words(query),
            "rows": count(query, 100),
            "filter": ",".join(f"{name}:{value}" for name, value in filters.items() if value),
            "mailto": self.access.contact,
        }
        return self.get("https://api.crossref.org/works", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        message = data["message"]
        if data.get("status") != "ok":
            raise self.refusal(dig(message, 0, "message") or message)
        items = [message] if data.get("message-type") == "work" else message["items"]
        return self.hits(items, lambda item: self._hit(mapping(item), reply))

    def _hit(self, work: Fields, reply: Reply) -> Hit:
        doi = doi_of(work.get("DOI"))
        dates = (date_from_parts(dig(work, name, "date-parts"), now=reply.at) for name in _DATES)
        title, venue = as_text(work.get("title")), as_text(work.get("container-title"))
        # `updated-by` is on the work that was retracted, `update-to` on the notice.
        linked = {name: doi_of(dig(work, "relation", name, 0, "id")) for name in _LINKS}
        described = made_work(
            as_text(work.get("type")),
            subtype=as_text(work.get("subtype")),
            title=title,
            doi=doi,
            venue=venue or as_text(dig(work, "institution", 0, "name")),
            notices=crossref_notices(work.get("updated-by"))
            + crossref_notices(work.get("update-to"), own=doi, to_self=True),
            notice_of=crossref_notices(work.get("update-to"), own=doi),
            reviewed="its review reports are published" if dig(work, "relation", "has-review", 0) else None,
            citations=whole(work.get("is-referenced-by-count")),
            preprint_of=linked["is-preprint-of"],
        )
        return scholarly_hit(
            described,
            title=title,
            otherwise=work.get("URL"),
            snippet=as_text(work.get("abstract")),
            published=next((date for date in dates if date), None),
            author=people(full_name(author, "given", "family", "name") for author in listing(work.get("author"))),
            publisher=as_text(work.get("publisher")),
            language=as_text(work.get("language"))[:2].lower() or None,
            numbers={"preprint": linked["has-preprint"], "version_of": linked["is-version-of"]},
            details={"publisher": as_text(work.get("publisher"))},
        )
