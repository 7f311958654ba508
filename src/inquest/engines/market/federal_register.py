"""The Federal Register: rules, proposed rules, notices and presidential documents of the United States. No key."""

from __future__ import annotations

from typing import Any

from inquest.domain.leads import Filing
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address, count, day, words
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, listed, listing, mapping, people, present, web_url
from inquest.kit.refusal import refusal


class FederalRegister(Engine):
    """What agencies of the United States rule, propose and announce, since 1994."""

    spec = EngineSpec(
        name="federal_register",
        title="Federal Register",
        kinds=(EngineKind.MARKET,),
        homepage="https://www.federalregister.gov/",
        documentation="https://www.federalregister.gov/developers/documentation/api/v1",
        # No figure is published: as many as a person at a keyboard.
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
        return Request(url=address("https://www.federalregister.gov/api/v1/documents.json", parameters))

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        if "results" not in data and "count" not in data:
            raise refusal(self, data.get("message") or data.get("error"))
        if "results" not in data and data["count"] != 0:
            raise ValueError("a count without its results")
        return self.hits(listed(data.get("results")), lambda item, rank: self._hit(item, rank, reply))

    def _hit(self, item: Any, rank: int, reply: Reply) -> Hit:
        fields = mapping(item)
        url, identifier = web_url(fields.get("html_url")), as_text(fields.get("document_number"))
        agencies = people(_named(agency) for agency in listing(fields.get("agencies")))
        published = dated(fields, "publication_date", now=reply.at)
        filing = Filing(
            form=as_text(fields.get("type")), id=identifier, filer=agencies, filer_id=agencies, filed=published
        )
        return Hit(
            url=url,
            title=as_text(fields.get("title")),
            snippet=as_text(fields.get("abstract")) or as_text(fields.get("excerpts")),
            engine=self.name,
            rank=rank,
            published=published,
            publisher="Federal Register",
            author=agencies,
            identifiers={"federal_register": identifier} if identifier else {},
            details=present(pdf=as_text(fields.get("pdf_url"))),
            filing=filing if identifier else None,
        )


def _named(agency: object) -> str:
    fields = mapping(agency)
    return as_text(fields.get("name")) or as_text(fields.get("raw_name"))
