"""Engines of the tables of registers on this machine: rows by the name or number of a company."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import ClassVar
from urllib.parse import urlsplit

from inquest.domain.errors import EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.engine import Engine, EngineSpec, Limits, ranked
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, mapping
from inquest.kit.rows import (
    LegalEntity,
    ask_for_entities,
    entities_in,
    joined,
    of_successor,
    register_query,
    unsure,
    value_in,
)
from inquest.sources.economic_releases import country_called
from inquest.text.company_names import company_name
from inquest.text.regex import regex

_NUMBERED = regex(r"[A-Z]{2,4}[ -]?\d+")
"""A project's number, as opposed to a company's name."""
_spec = partial(
    EngineSpec, kinds=(EngineKind.REGISTRY, EngineKind.TABLE), limits=Limits(per_second=1000, concurrency=8)
)


class _Table(Engine):
    """A table on this machine. A company without a row under its name is looked up at GLEIF, and found by its LEI or by
    its other legal names, present and former; one that no longer exists leads to the rows of its successor, marked as
    such. Rows of a company that may be another one are marked too, and are used if there are no others. If GLEIF does
    not answer, the search fails, as a row may be missed."""

    of_companies: ClassVar[bool] = True

    def lacks(self) -> str | None:
        missing = f"needs its table: run `inquest registries update {self.name}`"
        return None if self.name in self.access.tables else missing

    def request(self, query: Query) -> Request:
        return self._rows_of(register_query(query).company, query)

    def _rows_of(self, company: str, query: Query) -> Request:
        wanted = {
            "q": company,
            "first": " ".join(register_query(query).numbers),
            "limit": max(1, min(query.limit, 100)),
        }
        return self.get(f"registry://{self.name}/rows", wanted)

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        subject = register_query(query)
        found = self.parsed((yield self.request(query)), self.parse)
        found = self._in_country(found, {subject.country} - {""})
        sure = [each for each in found if not each.details["unsure"]]
        if not sure and self.of_companies and not _NUMBERED.fullmatch(subject.company):
            sure = yield from self._under_other_names(subject.company, query)
        if not sure and self.of_companies:
            sure = [unsure(each, subject.company) for each in found]
        return ranked(sure[: query.limit])

    def _in_country(self, hits: Sequence[Hit], countries: Collection[str]) -> list[Hit]:
        """Return the rows, without those of companies in other countries."""
        return [each for each in hits if not countries or country_called(value_in(each, "seat")) in ("", *countries)]

    def _under_other_names(self, company: str, query: Query) -> Generator[Request, Reply, list[Hit]]:
        """Return the rows of a company under its LEI or another legal name, else those of its successor; none if GLEIF
        knows several of the name."""
        entities = yield from self._entities(company, register_query(query).country)
        if len(entities) != 1:
            return []
        entity = entities[0]
        if found := (yield from self._rows_under(entity, company, query)):
            return [joined(each, entity) for each in found]
        for successor in (yield from self._entities(entity.successor)) if entity.successor else ():
            found = yield from self._rows_under(successor, "", query)
            return [of_successor(each, successor, entity) for each in found]
        return []

    def _rows_under(self, entity: LegalEntity, asked: str, query: Query) -> Generator[Request, Reply, list[Hit]]:
        """Return the rows of a record's LEI, else of one of its legal names other than the queried name."""
        if found := self.parsed((yield self._rows_of(entity.lei, query)), self.parse):
            return found
        for name in dict.fromkeys((entity.name, *entity.former)):
            if company_name(name).is_of(company_name(asked)):
                continue
            rows = self.parsed((yield self._rows_of(name, query)), self.parse)
            mine = [each for each in rows if not each.details["unsure"] and value_in(each, "lei") in ("", entity.lei)]
            found = self._in_country(mine, entity.countries)
            # A name that another company also has, or has had, does not identify a company.
            if found and [each.lei for each in (yield from self._entities(name))] == [entity.lei]:
                return found
        return []

    def _entities(self, company: str, country: str = "") -> Generator[Request, Reply, list[LegalEntity]]:
        """Return GLEIF's records of a name."""
        reply = yield ask_for_entities(company)
        return self.parsed(reply, lambda reply: entities_in(reply, company, country))

    def check(self, reply: Reply) -> None:
        with suppress(ValueError):
            if reply.status in (400, 404) and (why := as_text(mapping(reply.json()).get("error"))):
                raise EngineUnavailable(self.name, why)
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        of_table = {name: as_text(data.get(name)) for name in ("table", "retrieved_at")}

        def hit(item: object) -> Hit:
            row = mapping(item)
            snapshot, url = as_text(row.get("snapshot")), as_text(row.get("url"))
            if not re.fullmatch("sha256:[0-9a-f]{64}", snapshot) or not urlsplit(url).scheme:
                raise ValueError("a row without an address or snapshot")
            fields = {as_text(meaning): as_text(each) for meaning, each in mapping(row.get("fields")).items()}
            return Hit(
                url=url,
                title=as_text(row.get("title")),
                snippet=as_text(row.get("snippet")),
                published=dated(row, "date", now=reply.at, how="file"),
                snapshot=snapshot,
                details={
                    "registry": self.name,
                    **of_table,
                    **{name: as_text(row.get(name)) for name in ("form", "register", "attribution")},
                    "fields": fields,
                    "unsure": as_text(row.get("unsure")),
                },
            )

        return self.hits(data["rows"], hit)


class Offsets(_Table):
    """OffsetsDB, by CarbonPlan: rows of credits and projects of the large offset registries, found by beneficiary,
    account, proponent, or a project's name or number."""

    spec = _spec(
        name="offsets",
        title="OffsetsDB",
        homepage="https://carbonplan.org/research/offsets-db",
        documentation="https://offsets-db-data.readthedocs.io/en/latest/data-access.html",
        terms="CarbonPlan's Terms of Data Access (github.com/carbonplan/offsets-db-data), or those of the file's "
        "registry. Source: CarbonPlan (2024) “OffsetsDB” https://carbonplan.org/research/offsets-db",
    )


class SBTi(_Table):
    """The target dashboard of the Science Based Targets initiative: companies, found by name, LEI or ISIN."""

    spec = _spec(
        name="sbti",
        title="SBTi target dashboard",
        homepage="https://sciencebasedtargets.org/target-dashboard",
        documentation="https://sciencebasedtargets.org/target-dashboard",
        terms="The initiative's terms of use (sciencebasedtargets.org/terms-of-use). "
        "Source: Science Based Targets initiative, target dashboard",
    )


class Eutl(_Table):
    """The EU Union Registry: verified emissions, allowances and surrendered allowances of installations by year, found
    by an installation's name or permit. Based on documentation."""

    of_companies = False
    spec = _spec(
        name="eutl",
        title="EU Union Registry (EUTL)",
        homepage="https://union-registry-data.ec.europa.eu/report/welcome",
        documentation="https://climate.ec.europa.eu/eu-action/carbon-markets/eu-emissions-trading-system-eu-ets/union-registry_en",
        terms="CC BY 4.0 (Commission Decision 2011/833/EU). Source: European Commission, Union Registry",
    )
