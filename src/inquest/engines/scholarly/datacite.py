"""DataCite: preprints (including arXiv's), data, reports and theses with DOIs from repositories. No key."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, quoted_keywords
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, doi_of, full_name, listing, mapping, people, whole
from inquest.kit.scholarly import scholarly_hit
from inquest.sources.works import made_work
from inquest.text.dates import parse_date, utc
from inquest.text.urls import arxiv_of

_DATES = ("Issued", "Available", "Submitted", "Created")
_SAME = ("IsVersionOf", "IsPreviousVersionOf", "IsNewVersionOf", "IsIdenticalTo", "IsPreprintOf")


class DataCite(Engine):
    """Preprints, data sets, reports and theses in repositories."""

    spec = EngineSpec(
        name="datacite",
        title="DataCite",
        kinds=(EngineKind.SCHOLARLY,),
        homepage="https://datacite.org/",
        documentation="https://support.datacite.org/docs/api",
        limits=Limits(per_second=5, concurrency=3),  # 3,000 in five minutes: support.datacite.org/docs/rate-limit
        filters_time=True,
    )

    def request(self, query: Query) -> Request:
        since, until = (utc(moment).year if moment else "*" for moment in (query.since, query.until))
        terms = quoted_keywords(query, plain=False, most=8)
        terms += [f"publicationYear:[{since} TO {until}]"] if query.since or query.until else []
        parameters = {"query": " AND ".join(terms), "page[size]": count(query, 100), "sort": "relevance"}
        return self.get("https://api.datacite.org/dois", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "errors" in data:
            raise self.refusal(dig(data, "errors", 0, "title") or dig(data, "errors", 0, "detail") or data["errors"])
        found = data["data"]
        return self.hits([found] if isinstance(found, dict) else found, lambda item: self._hit(item, reply))

    def _hit(self, item: object, reply: Reply) -> Hit:
        work = mapping(mapping(item)["attributes"])
        doi, title = doi_of(work.get("doi")), as_text(dig(work, "titles", 0, "title"))
        publisher = as_text(work.get("publisher")) or as_text(dig(work, "publisher", "name"))
        general, own = as_text(dig(work, "types", "resourceTypeGeneral")), as_text(dig(work, "types", "resourceType"))
        related = [mapping(each) for each in listing(work.get("relatedIdentifiers"))]
        same = [doi_of(each.get("relatedIdentifier")) for each in related if each.get("relationType") in _SAME]
        version = next((each for each in same if each and each != doi), None)
        described = made_work(
            *((general, own) if general not in ("", "Text", "Other") else (own or general,)),
            title=title,
            doi=doi,
            venue=as_text(dig(work, "container", "title")) or publisher,
            journal=bool(dig(work, "container", "title")),
            citations=whole(work.get("citationCount")) or None,
            preprint_of=version if general == "Preprint" else None,
        )
        stamps = {as_text(dig(d, "dateType")): dig(d, "date") for d in listing(work.get("dates"))}
        dates = [date for name in _DATES if (date := parse_date(stamps.get(name), now=reply.at))]
        texts = {
            as_text(dig(t, "descriptionType")): as_text(dig(t, "description"))
            for t in listing(work.get("descriptions"))
        }
        return scholarly_hit(
            described,
            title=title,
            otherwise=work.get("url"),
            snippet=texts.get("Abstract") or next(iter(texts.values()), ""),
            published=max(dates, key=lambda d: d.precision in ("day", "time"), default=None)
            or dated(work, "publicationYear", now=reply.at),
            author=people(full_name(each, "givenName", "familyName", "name") for each in listing(work.get("creators"))),
            language=as_text(work.get("language"))[:2].lower() or None,
            numbers={"arxiv": arxiv_of(doi), "version_of": version},
        )
