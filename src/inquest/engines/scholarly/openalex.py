"""OpenAlex: an open index of 270 million works. A free key raises the daily search limit."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import count, day, language_of, with_key, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, doi_of, each, mapping, people, uninverted, whole
from inquest.kit.scholarly import scholarly_hit, year_if_new_year
from inquest.sources.works import made_work


class OpenAlex(Engine):
    """Scholarly works, with abstracts restored from OpenAlex's index of words."""

    spec = EngineSpec(
        name="openalex",
        title="OpenAlex",
        kinds=(EngineKind.SCHOLARLY,),
        key="OPENALEX_API_KEY",
        key_optional=True,
        homepage="https://openalex.org/",
        documentation="https://developers.openalex.org/",
        limits=Limits(per_second=5, concurrency=3),
        # $1 per 1,000 searches, developers.openalex.org/guides/authentication; less a free allowance.
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
        # With the key in a header, a case recorded with a key can be replayed without one.
        return with_key(self.get("https://api.openalex.org/works", parameters), self.access.key)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "error" in data:
            raise self.refusal(data.get("message") or data["error"])
        # A look-up of one work returns the work itself.
        items = data["results"] if "results" in data or "authorships" not in data else [data]
        return self.hits(items, lambda item: self._hit(mapping(item), reply))

    def _hit(self, work: Fields, reply: Reply) -> Hit:
        doi, key = doi_of(work.get("doi")), as_text(work.get("id")).rpartition("/")[2]
        place = mapping(work.get("primary_location"))
        kind, title = as_text(work.get("type")), as_text(work.get("display_name")) or as_text(work.get("title"))
        source = mapping(place.get("source"))
        venue, form = as_text(source.get("display_name")) or as_text(place.get("raw_source_name")), source.get("type")
        described = made_work(
            as_text(work.get("type_crossref")) or as_text(place.get("raw_type")),
            kind,
            subtype=kind,
            title=title,
            doi=doi,
            venue=venue,
            journal=form == "journal" if form else None,
            reviewed=f"in {venue}, which DOAJ lists" if source.get("is_in_doaj") is True else None,
            retracted=work.get("is_retracted") is True,
            citations=whole(work.get("cited_by_count")),
            open_access_url=as_text(dig(work, "open_access", "oa_url")) or None,
        )
        return scholarly_hit(
            described,
            title=title,
            otherwise=place.get("landing_page_url") or work.get("id"),
            snippet=uninverted(work.get("abstract_inverted_index")),
            published=year_if_new_year(dated(work, "publication_date", "publication_year", now=reply.at)),
            author=people(each(work.get("authorships"), "author", "display_name")),
            language=as_text(work.get("language"))[:2] or None,
            numbers={"openalex": key, "pmid": as_text(dig(work, "ids", "pmid")).rpartition("/")[2]},
        )
