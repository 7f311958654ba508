"""EPA Envirofacts: greenhouse gases (GHGRP) and toxic releases (TRI) of facilities in the United States, by parent
company and year. No key.

Based on the documentation (epa.gov/enviro/envirofacts-data-service-api); no reply has been recorded. A facility's
figure is the sum of its rows, and the hit lists the summands. A facility with an unreadable row has no figure; one
without rows is 'not registered', never zero.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterable, Mapping
from functools import partial
from urllib.parse import quote

from inquest.domain.search import EngineKind, Hit, Query
from inquest.domain.value import grouped
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, mapping, number, whole
from inquest.kit.rows import in_order, register_query, row_hit
from inquest.text.company_names import company_name, without_legal_form
from inquest.text.regex import regex
from inquest.text.units import EMISSIONS

_API = "https://data.epa.gov/dmapservice"
_MOST_SITES, _MOST_ROWS = 25, 1000
_SHARE = regex(r"\s*\([\d.]+\s*%\)\s*$")
_TERMS = "Public domain (17 U.S.C. 105); as reported to EPA by facilities. Source: US EPA, Envirofacts"
_BIOGENIC = "8"
"""CO2 from biomass, which the program's totals exclude."""
_spec = partial(
    EngineSpec,
    kinds=(EngineKind.REGISTRY,),
    documentation="https://www.epa.gov/enviro/envirofacts-data-service-api",
    limits=Limits(per_second=1, concurrency=1, timeout=60),
    terms=_TERMS,
)


class _Envirofacts(Engine):
    """Requests a company's facilities, then their rows of the newest year or that of the query."""

    sites: str
    """The path of the facilities, with placeholders for the parent company and the year."""
    amounts: str
    """The path of their rows, with a placeholder for the keys of the facilities."""
    key: str

    def request(self, query: Query) -> Request:
        subject = register_query(query)
        named = quote(without_legal_form(subject.company).upper() or "-", safe="", errors="replace")
        year = f"/{self.year}/equals/{max(subject.years)}" if subject.years else ""
        return Request(url=f"{_API}/{self.sites.format(named=named, year=year)}/1:{_MOST_ROWS}/JSON")

    year = "year"

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        reply = yield self.request(query)
        sites = self.parsed(reply, lambda reply: self._sites(reply, register_query(query).company))
        if not sites:
            return []
        keys = ",".join(quote(key, safe="") for key in sites)
        newest = max(as_text(site[self.year]) for site in sites.values())
        reply = yield Request(url=f"{_API}/{self.amounts.format(keys=keys, year=newest)}/1:{_MOST_ROWS}/JSON")
        return in_order(self.parsed(reply, lambda reply: self._rows(reply, sites)), query.limit)

    def parse(self, reply: Reply) -> list[Hit]:
        return self._rows(reply, self._sites(reply, ""))

    @abstractmethod
    def parents(self, site: Fields) -> list[str]:
        """Return the names of a facility's owners."""

    @abstractmethod
    def row(self, site: Fields, amounts: list[Fields], reply: Reply) -> Hit | None:
        """Build the hit of a facility's figure; None: no figure."""

    def _sites(self, reply: Reply, company: str) -> dict[str, Fields]:
        """Return the facilities of the newest year owned by a company of this name in any spelling; all for ''."""
        items, meant = _items(reply), company_name(company)
        owned = []
        for item in items:
            names = self.parents(item)
            mine = [name for name in names if not company or meant.is_of(company_name(name))]
            if mine and as_text(item.get(self.key)) and whole(item.get(self.year)) is not None:
                owned.append({**item, "owner": mine[0]})
        if items and not any(as_text(item.get(self.key)) and self.parents(item) for item in items):
            raise ValueError("facilities without a number or owner")
        newest = max((as_text(each[self.year]) for each in owned), default="")
        kept = {as_text(each[self.key]): each for each in owned if as_text(each[self.year]) == newest or not company}
        return dict(list(kept.items())[:_MOST_SITES])

    def _rows(self, reply: Reply, sites: Mapping[str, Fields]) -> list[Hit]:
        items = _items(reply)
        if len(items) >= _MOST_ROWS:
            raise ValueError("incomplete rows, so that a sum would be too small")
        of = grouped((as_text(item.get(self.key)), item) for item in items)
        if items and not of.keys() & sites.keys():
            raise ValueError("rows of other facilities")
        pairs = [(site, of[key]) for key, site in sites.items() if key in of]
        return self.hits(pairs, lambda pair: self.row(*pair, reply))

    def figure(self, fields: dict[str, tuple[str, str]], key: str, year: int, reply: Reply) -> Hit:
        fields["period"] = ("period", f"{year}-01-01/{year}-12-31")
        url = f"{_API}/{self.amounts.format(keys=quote(key, safe=''), year=year)}/JSON"
        return row_hit(self, reply, url=url, fields=fields, dated=dated({"y": year}, "y", now=reply.at))


class Ghgrp(_Envirofacts):
    """Direct emissions of the facilities of a parent company, by the Greenhouse Gas Reporting Program."""

    spec = _spec(name="ghgrp", title="EPA GHGRP", homepage="https://ghgdata.epa.gov/")
    sites = "ghg.pub_dim_facility/parent_company/contains/{named}{year}"
    amounts = (
        "ghg.pub_facts_sector_ghg_emission/facility_id/in/{keys}/year/equals/{year}/join/ghg.pub_dim_sector/"
        "sector_type/equals/E"
    )
    key = "facility_id"

    def parents(self, site: Fields) -> list[str]:
        return [
            name for each in as_text(site.get("parent_company")).split(";") if (name := _SHARE.sub("", each).strip())
        ]

    def row(self, site: Fields, amounts: list[Fields], reply: Reply) -> Hit | None:
        year = whole(site.get("year"))
        if year is None or any(as_text(each.get("sector_type")) not in ("E", "S") for each in amounts):
            raise ValueError("a row without a year, or of an unknown type of sector")
        # A supplier's products are burnt by other companies.
        own = [each for each in amounts if each["sector_type"] == "E" and as_text(each.get("gas_id")) != _BIOGENIC]
        if not own:
            return None
        fields = {
            "company": ("parent company", as_text(site.get("owner"))),
            "asset": ("facility", as_text(site.get("facility_name"))),
            "state": ("state", as_text(site.get("state"))),
            "measure": ("figure", f"{EMISSIONS} (CO2e)"),
            "value": ("value", f"{_total(own, 'co2e_emission'):.0f} t CO2e"),
            "sum": ("sum of", _summands(own, "gas_id", "co2e_emission")),
            "owners": ("parent_company", as_text(site.get("parent_company"))),
            "scope": ("scope", "direct emissions of the whole facility (Scope 1) as reported, biogenic CO2 left out"),
        }
        return self.figure(fields, as_text(site[self.key]), year, reply)


class Tri(_Envirofacts):
    """Releases of a chemical by the facilities of a parent company, by the Toxics Release Inventory."""

    spec = _spec(name="tri", title="EPA TRI", homepage="https://enviro.epa.gov/")
    sites = "tri.tri_facility/standardized_parent_company/contains/{named}/join/tri.tri_reporting_form{year}"
    amounts = "tri.tri_release_qty/doc_ctrl_num/in/{keys}"
    key, year = "doc_ctrl_num", "reporting_year"

    def parents(self, site: Fields) -> list[str]:
        return [name for each in ("standardized_parent_company", "parent_co_name") if (name := as_text(site.get(each)))]

    def row(self, site: Fields, amounts: list[Fields], reply: Reply) -> Hit | None:
        year, chemical = whole(site.get("reporting_year")), as_text(site.get("cas_chem_name"))
        own = [each for each in amounts if as_text(each.get("release_na")) in ("", "0")]
        if year is None or not chemical:
            raise ValueError("a form without a year or chemical")
        if not own:  # the short form has no quantities
            return None
        unit = "g" if as_text(site.get("tri_chem_id")) == "N150" else "lb"  # dioxins
        fields = {
            "company": ("parent company", as_text(site.get("owner"))),
            "asset": ("facility", as_text(site.get("facility_name"))),
            "state": ("state", as_text(site.get("state_abbr"))),
            "measure": ("figure", f"on-site releases of {chemical}"),
            "value": ("value", f"{_total(own, 'total_release'):g} {unit}"),
            "sum": ("sum of", _summands(own, "environmental_medium", "total_release")),
            "filing": ("form", as_text(site[self.key])),
            "scope": ("scope", "on-site releases of the whole facility to air, water and land, as reported"),
        }
        return self.figure(fields, as_text(site[self.key]), year, reply)


def _items(reply: Reply) -> list[Fields]:
    data = reply.json()
    if not isinstance(data, list) or (data and not any(isinstance(item, dict) for item in data)):
        raise TypeError("no list of rows")
    return [mapping(item) for item in data]


def _total(rows: Iterable[Fields], name: str) -> float:
    amounts = [number(row.get(name)) for row in rows]
    if any(amount is None or amount < 0 for amount in amounts):
        raise ValueError("a quantity that is missing or negative")
    return sum(amount for amount in amounts if amount is not None)


def _summands(rows: Iterable[Fields], by: str, name: str) -> str:
    return " + ".join(f"{as_text(row.get(name))} ({by} {as_text(row.get(by))})" for row in rows)
