"""The Federal Register: rules, proposed rules, notices and presidential documents of the United States. No key."""

from __future__ import annotations

from inquest.domain.search import EngineKind, Filing, Hit, Query
from inquest.kit.dialect import count, day, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, first_text, listed, listing, mapping, people, present, web_url

_NAMES = ("name", "raw_name")


class FederalRegister(Engine):
    """Rules, proposals and announcements of agencies of the United States since 1994."""

    spec = EngineSpec(
        name="federal_register",
        title="Federal Register",
        kinds=(EngineKind.MARKET,),
        homepage="https://www.federalregister.gov/",
        documentation="https://www.federalregister.gov/developers/documentation/api/v1",
        # No limit is published.
        limits=Limits(per_second=2, concurrency=2),
        filters_time=True,
    )
    refused_in = (("message",), ("errors", "conditions"), ("error",))

    def request(self, query: Query) -> Request:
        parameters = {
            "conditions[term]": words(query),
            "conditions[publication_date][gte]": day(query.since),
            "conditions[publication_date][lte]": day(query.until),
            "per_page": count(query, 1000),
            "order": "relevance",
        }
        return self.get("https://www.federalregister.gov/api/v1/documents.json", parameters)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "results" not in data and "count" not in data:
            raise self.refusal(data.get("message") or data.get("error"))
        if "results" not in data and data["count"] != 0:
            raise ValueError("a count without its results")
        return self.hits(listed(data.get("results")), lambda item: self._hit(mapping(item), reply))

    def _hit(self, fields: Fields, reply: Reply) -> Hit:
        url, identifier = web_url(fields.get("html_url")), as_text(fields.get("document_number"))
        agencies = people(first_text(*map(mapping(each).get, _NAMES)) for each in listing(fields.get("agencies")))
        published = dated(fields, "publication_date", now=reply.at)
        filing = Filing(
            form=as_text(fields.get("type")), id=identifier, filer=agencies, filer_id=agencies, filed=published
        )
        return Hit(
            url=url,
            title=as_text(fields.get("title")),
            snippet=first_text(fields.get("abstract"), fields.get("excerpts")),
            published=published,
            publisher="Federal Register",
            author=agencies,
            identifiers={"federal_register": identifier} if identifier else {},
            details=present(pdf=as_text(fields.get("pdf_url"))),
            filing=filing if identifier else None,
        )
