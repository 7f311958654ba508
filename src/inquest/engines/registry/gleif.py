"""GLEIF: the index of Legal Entity Identifiers, with companies' present and former names. No key.

Based on the service's documentation.
"""

from __future__ import annotations

from collections.abc import Generator

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig
from inquest.kit.rows import LegalEntity, ask_for_entities, entities_in, in_order, register_query, row_hit


class Gleif(Engine):
    """Companies by name, LEI or ISIN, each with its former names and its successor."""

    spec = EngineSpec(
        name="gleif",
        title="GLEIF",
        kinds=(EngineKind.REGISTRY,),
        homepage="https://www.gleif.org/",
        documentation="https://www.gleif.org/en/lei-data/gleif-api",
        limits=Limits(per_second=1, concurrency=1),
        terms="CC0 1.0 (gleif.org/en/meta/lei-data-terms-of-use). Source: GLEIF",
    )

    def request(self, query: Query) -> Request:
        return ask_for_entities(register_query(query).company)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        subject = register_query(query)
        reply = yield ask_for_entities(subject.company)
        found = self.parsed(reply, lambda reply: entities_in(reply, subject.company, subject.country))
        return in_order(self.hits(found, lambda each: self._hit(each, reply)), query.limit)

    def parse(self, reply: Reply) -> list[Hit]:
        return self.hits(entities_in(reply, ""), lambda each: self._hit(each, reply))

    def _hit(self, entity: LegalEntity, reply: Reply) -> Hit:
        legal, registration = entity.attributes.get("entity"), entity.attributes.get("registration")
        fields = {
            "company": ("legal name", entity.name),
            "number": ("LEI", entity.lei),
            "names": ("other names", ", ".join(f"{name} ({kind})" for name, kind in entity.others)),
            "country": ("jurisdiction", as_text(dig(legal, "jurisdiction"))),
            "status": ("entity status", as_text(dig(legal, "status"))),
            "registration": ("registration status", as_text(dig(registration, "status"))),
            "successor": ("successor", ", ".join(" ".join(filter(None, each)) for each in entity.successors)),
            "filed": ("last update", as_text(dig(registration, "lastUpdateDate"))[:10]),
        }
        url = f"https://api.gleif.org/api/v1/lei-records/{entity.lei}"
        day = dated(registration, "lastUpdateDate", now=reply.at)
        return row_hit(self, reply, url=url, fields=fields, dated=day)
