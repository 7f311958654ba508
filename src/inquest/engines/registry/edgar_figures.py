"""EDGAR's company facts as rows: each figure of a company's accounts with its unit, period and filing. No key.

Based on the service's documentation; `market/edgar_facts.py` has the same figures by filing.
"""

from __future__ import annotations

from collections.abc import Generator
from urllib.parse import quote

from inquest.domain.search import EngineKind, Hit, Query
from inquest.engines.market.edgar_facts import COMPANY_FACTS, Fact, facts_in
from inquest.kit.dialect import address
from inquest.kit.engine import EngineSpec
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, number
from inquest.kit.filings import SEC_DOCUMENTATION, SEC_LIMITS, SecEngine
from inquest.kit.rows import RegisterQuery, in_order, register_query, row_hit
from inquest.text.securities import cik_of
from inquest.text.units import filed_as

_CONCEPT = "https://data.sec.gov/api/xbrl/companyconcept"


class EdgarFigures(SecEngine):
    """The figures of a company's accounts, newest first."""

    spec = EngineSpec(
        name="edgar_figures",
        title="SEC EDGAR",
        kinds=(EngineKind.REGISTRY,),
        homepage="https://www.sec.gov/edgar/search/",
        documentation=SEC_DOCUMENTATION,
        limits=SEC_LIMITS,
        terms="Public domain; at most ten requests a second (sec.gov/os/accessing-edgar-data). Source: SEC EDGAR",
    )

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        subject = register_query(query)
        named = query.model_copy(update={"text": subject.company})
        found = yield from self.of_companies(named, COMPANY_FACTS, lambda reply: self._rows(reply, subject))
        return in_order(found, query.limit)

    def parse(self, reply: Reply) -> list[Hit]:
        return self._rows(reply, register_query(Query(text="")))

    def _rows(self, reply: Reply, subject: RegisterQuery) -> list[Hit]:
        data = reply.json()
        cik, company = cik_of(data.get("cik")) or "", as_text(data.get("entityName"))
        facts = [each for each in facts_in(data["facts"], concepts=subject.concepts) if subject.meets(each.end)]
        newest = sorted(facts, key=lambda each: (each.end, as_text(each.row.get("filed"))), reverse=True)
        return self.hits(newest, lambda each: self._row(each, cik, company, reply))

    def _row(self, fact: Fact, cik: str, company: str, reply: Reply) -> Hit:
        row, concept = fact.row, as_text(fact.concept)
        if not cik or number(row.get("val")) is None:
            raise ValueError("a figure without a company or value")
        fields = {
            "company": ("company", company),
            "number": ("CIK", cik),
            "measure": ("figure", f"{filed_as(concept)} ({concept})"),
            "value": ("value", f"{as_text(row.get('val'))} {as_text(fact.unit)}"),
            "period": ("period", "/".join(filter(None, (as_text(row.get("start"))[:10], fact.end[:10])))),
            "scope": ("scope", "consolidated accounts"),
            "filing": ("filing", f"{as_text(row.get('form'))} {fact.accession}"),
        }
        place = "/".join(quote(part) for part in concept.split(":"))
        where = {"accn": fact.accession, "start": as_text(row.get("start")), "end": fact.end, "unit": fact.unit}
        url = address(f"{_CONCEPT}/CIK{cik}/{place}.json", where)
        return row_hit(self, reply, url=url, fields=fields, dated=dated(row, "filed", now=reply.at))
