"""Climate TRACE: independent estimates of emissions, asset by asset, with the owners of each. No key.

Based on the documentation of the service (version 7). It names the owners of an asset, but not their shares.
"""

from __future__ import annotations

from collections.abc import Generator

from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, listed, mapping, number, whole
from inquest.kit.rows import in_order, register_query, row_hit
from inquest.text.company_names import company_name, without_legal_form
from inquest.text.units import EMISSIONS

_API = "https://api.climatetrace.org/v7"
_MOST_OWNERS = 3


class ClimateTrace(Engine):
    """The assets of an owner, those with the highest emissions first."""

    spec = EngineSpec(
        name="climate_trace",
        title="Climate TRACE",
        kinds=(EngineKind.REGISTRY,),
        homepage="https://climatetrace.org/",
        documentation="https://api.climatetrace.org/v7/docs",
        limits=Limits(per_second=1, concurrency=1),
        terms="CC BY 4.0. Source: Climate TRACE (climatetrace.org)",
    )

    def request(self, query: Query) -> Request:
        company = without_legal_form(register_query(query).company)
        return self.get(f"{_API}/owners", {"name": company})

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        subject, found = register_query(query), list[Hit]()
        reply = yield self.request(query)
        # It answers 404 if no owner has the name.
        owners = {} if reply.status == 404 else self.parsed(reply, lambda reply: _owners(reply, subject.company))
        for key, owner in list(owners.items())[:_MOST_OWNERS]:
            parameters = {"ownerIds": key, "year": max(subject.years, default=None), "gas": "co2e_100yr", "limit": 100}
            reply = yield self.get(f"{_API}/sources", parameters)
            found += self.parsed(reply, lambda reply: self._rows(reply, owner))  # noqa: B023
        return in_order(found, query.limit)

    def parse(self, reply: Reply) -> list[Hit]:
        return self._rows(reply, "any owner")

    def _rows(self, reply: Reply, owner: str) -> list[Hit]:
        return self.hits(listed(reply.json()), lambda item: self._row(mapping(item), owner, reply))

    def _row(self, item: Fields, owner: str, reply: Reply) -> Hit:
        key, name, year = as_text(item.get("id")), as_text(item.get("name")), whole(item.get("year"))
        quantity, gas = number(item.get("emissionsQuantity")), as_text(item.get("gas"))
        if not key or not name or year is None or quantity is None:
            raise ValueError("an asset without a name, year or quantity")
        fields = {
            "company": ("owner", owner),
            "asset": ("asset", name),
            "sector": ("sector", as_text(item.get("subsector"))),
            "country": ("country", as_text(item.get("country"))),
            "measure": ("figure", f"{EMISSIONS} ({gas})"),
            "value": ("value", f"{quantity:.0f} t CO2e" if gas.startswith("co2e") else f"{quantity:.0f} t"),
            "period": ("period", f"{year}-01-01/{year}-12-31"),
            "scope": ("scope", "direct emissions of the whole asset (Scope 1), estimated; owner's share not given"),
        }
        url = address(f"{_API}/sources/{key}", {"start": year, "end": year, "gas": gas})
        return row_hit(self, reply, url=url, fields=fields, dated=dated(item, "year", now=reply.at))


def _owners(reply: Reply, company: str) -> dict[str, str]:
    """Return the owners with the company's name in any spelling, by key."""
    items = [mapping(item) for item in reply.json()]
    if items and not any(as_text(item.get("name")) for item in items):
        raise ValueError("owners without names")
    meant = company_name(company)
    named = {as_text(item.get("id")): as_text(item.get("name")) for item in items if as_text(item.get("id"))}
    return {key: name for key, name in named.items() if meant.is_of(company_name(name))}
