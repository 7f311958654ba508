"""Engines of the tables of registers on this machine: rows by the name or number of a company."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from inquest.domain.errors import EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, mapping
from inquest.kit.rows import register_query


def _spec(name: str, title: str, homepage: str, documentation: str) -> EngineSpec:
    return EngineSpec(
        name=name,
        title=title,
        kinds=(EngineKind.REGISTRY, EngineKind.TABLE),
        homepage=homepage,
        documentation=documentation,
        limits=Limits(per_second=1000, concurrency=8),
    )


class _Table(Engine):
    """A table on this machine."""

    def lacks(self) -> str | None:
        missing = f"needs its table: run `inquest registries update {self.name}`"
        return None if self.name in self.access.tables else missing

    def request(self, query: Query) -> Request:
        parameters = {"q": register_query(query).company, "limit": max(1, min(query.limit, 100))}
        return self.get(f"registry://{self.name}/rows", parameters)

    def check(self, reply: Reply) -> None:
        if reply.status == 404:
            raise EngineUnavailable(
                self.name,
                f"The table of {self.spec.title} is not on this machine.",
                advice=f"Get it with: inquest registries update {self.name}",
            )
        super().check(reply)

    def parse(self, reply: Reply) -> list[Hit]:
        data = reply.json()
        table = {"registry": self.name, **{name: as_text(data.get(name)) for name in ("table", "retrieved_at")}}

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
                details={**table, "form": as_text(row.get("form")), "fields": fields},
            )

        return self.hits(data["rows"], hit)


class Offsets(_Table):
    """OffsetsDB, by CarbonPlan: rows of credits and projects of the large offset registries, found by beneficiary,
    account, proponent, or a project's name or number."""

    spec = _spec(
        "offsets",
        "OffsetsDB",
        "https://carbonplan.org/research/offsets-db",
        "https://offsets-db-data.readthedocs.io/en/latest/data-access.html",
    )


class SBTi(_Table):
    """The target dashboard of the Science Based Targets initiative: companies, found by name, LEI or ISIN."""

    spec = _spec(
        "sbti",
        "SBTi target dashboard",
        "https://sciencebasedtargets.org/target-dashboard",
        "https://sciencebasedtargets.org/target-dashboard",
    )


class Eutl(_Table):
    """The EU Union Registry: verified emissions, allowances and surrendered allowances of installations by year, found
    by an installation's name or permit. Written from documentation."""

    spec = _spec(
        "eutl",
        "EU Union Registry (EUTL)",
        "https://union-registry-data.ec.europa.eu/report/welcome",
        "https://climate.ec.europa.eu/eu-action/carbon-markets/eu-emissions-trading-system-eu-ets/union-registry_en",
    )
