"""EPA ECHO: compliance, violations, penalties and permits of facilities in the United States, and what they release. No
key.

Of a facility's name the compliance is asked (two requests); of its number what it releases (one): of the 12 digits of
the Facility Registry Service the air pollutant report, of a discharge permit the effluent chart. Names of columns,
query ids, reports and errors are those of recorded replies (mps9506/echor); the list of facilities (`get_qid`) is read
in the form of the documentation, with these columns.
"""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from collections.abc import Generator, Mapping
from datetime import datetime
from typing import Any, ClassVar

from inquest.domain.errors import EngineFormat
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import as_text, dated, dig, listed, mapping, number
from inquest.kit.refusal import refusal
from inquest.kit.rows import Asked, asked_of, in_order, row_hit
from inquest.text.company_names import company_name, without_legal_form
from inquest.text.regex import regex
from inquest.text.units import EMISSIONS

_API = "https://echodata.epa.gov/echo"
_TERMS = (
    "Public domain (17 U.S.C. 105); as reported to EPA by facilities and states. Source: US EPA, ECHO (echo.epa.gov)"
)
_UNITS = {"Pounds": "lb", "MTCO2e": "t CO2e"}
_YEARS = 10


def _spec(name: str, title: str) -> EngineSpec:
    return EngineSpec(
        name=name,
        title=title,
        kinds=(EngineKind.REGISTRY,),
        homepage="https://echo.epa.gov/",
        documentation="https://echo.epa.gov/tools/web-services",
        limits=Limits(per_second=1, concurrency=1, timeout=45),
        terms=_TERMS,
        from_recordings=False,
    )


class _Echo(Engine):
    """One of the services: a list of facilities by name, a report by number."""

    service: ClassVar[str]
    scope: ClassVar[str]
    columns: ClassVar[Mapping[str, tuple[str, int]]]
    """By meaning: a column's name, and its number in the service's metadata."""
    numbers: ClassVar[Any]
    report: ClassVar[str]

    def request(self, query: Query) -> Request:
        company = asked_of(query).company
        if self.numbers.fullmatch(company.upper()):
            return Request(url=address(f"{_API}/{self.report}", {"output": "JSON", "p_id": company.upper()}))
        return self._ask("get_facilities", p_fn=without_legal_form(company), responseset=1)

    def _ask(self, what: str, **given: object) -> Request:
        columns = ",".join(str(place) for _, place in self.columns.values())
        return Request(url=address(f"{_API}/{self.service}.{what}", {"output": "JSON", "qcolumns": columns, **given}))

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        asked = asked_of(query)
        reply = yield self.request(query)
        if self.numbers.fullmatch(asked.company.upper()):
            return in_order(self.parsed(reply, lambda reply: self.loads(reply, asked)), query.limit)
        if not (key := self.parsed(reply, self._query_id)):
            return []
        reply = yield self._ask("get_qid", qid=key, pageno=1)
        return in_order(self.parsed(reply, lambda reply: self.facilities(reply, asked.company)), query.limit)

    def parse(self, reply: Reply) -> list[Hit]:
        return self.facilities(reply, "")

    @abstractmethod
    def loads(self, reply: Reply, asked: Asked) -> list[Hit]:
        """The rows of a report on what a facility releases."""

    def facilities(self, reply: Reply, company: str) -> list[Hit]:
        """The facilities that have a company's name in theirs; all of them for ''."""
        items, meant = dig(self._results(reply), "Facilities"), company_name(company).core
        if not isinstance(items, list):
            raise ValueError("no list of facilities")
        found = self.hits(items, lambda item, rank: self.facility(mapping(item), rank, reply))
        return [hit for hit in found if f" {meant} " in f" {company_name(hit.details['name']).core} " or not meant]  # type: ignore[arg-type]

    def facility(self, item: Mapping[str, Any], rank: int, reply: Reply) -> Hit:
        """A facility with the state of its compliance, each column under the service's own name."""
        fields = {meaning: (head, as_text(item.get(head))) for meaning, (head, _) in self.columns.items()}
        if not fields["company"][1] or not (key := fields["number"][1]):
            raise ValueError("a facility without name or number")
        url = address("https://echo.epa.gov/detailed-facility-report", {"fid": fields["registry"][1], "sys": key})
        last = dated(item, self.columns["evaluated"][0], now=reply.at, month_first=True)
        hit = row_hit(self, reply, rank, url=url, fields={**fields, "scope": ("scope", self.scope)}, dated=last)
        return hit.model_copy(update={"details": {**hit.details, "name": fields["company"][1]}})

    def _query_id(self, reply: Reply) -> str:
        results = self._results(reply)
        if number(results.get("QueryRows")) == 0:
            return ""
        if not (key := as_text(results.get("QueryID"))):
            raise ValueError("neither a query id nor an error")
        return key

    def _results(self, reply: Reply) -> dict[str, Any]:
        results = mapping(reply.json()).get("Results")
        if not isinstance(results, dict):
            raise TypeError("no results")
        if said := as_text(dig(results, "Error", "ErrorMessage")):
            if "Queryset Limit" in said:
                raise EngineFormat(self.name, f"ECHO has too many facilities of that name ({said.partition('. ')[0]}).")
            raise refusal(self, said)
        return results


class Echo(_Echo):
    """Compliance with the Clean Air Act, and the pollutants that a facility has released to air."""

    spec = _spec("echo", "EPA ECHO, air")
    service, report = "air_rest_services", "caa_poll_rpt_rest_services.get_caapr"
    numbers = regex(r"\d{12}")
    scope = "Clean Air Act; quarters and violations of the last three years, penalties of the last five, in US dollars"
    columns: ClassVar[Mapping[str, tuple[str, int]]] = {
        "company": ("AIRName", 1), "number": ("SourceID", 2), "city": ("AIRCity", 4), "state": ("AIRState", 5),
        "registry": ("RegistryID", 8), "permit": ("AIRClassification", 28), "status": ("AIRComplStatus", 43),
        "priority": ("AIRHpvStatus", 44), "quarters": ("AIRQtrsWithViol", 47), "violations": ("AIRRecentViolCnt", 49),
        "evaluated": ("AIRLastEvalDate", 53), "actions": ("AIRFeaCnt", 76), "penalties": ("AIRPenalties", 83),
        "penalised": ("AIRLastPenaltyDate", 84),
    }  # fmt: skip

    def loads(self, reply: Reply, asked: Asked) -> list[Hit]:
        results = self._results(reply)
        report = mapping(results["CAAPollRpt"])
        names = {as_text(each.get("RegistryId")): as_text(each.get("FacilityName")) for each in report["RegistryIDs"]}
        years = {place: as_text(results.get(f"TRI_year_{place:02}")) for place in range(1, _YEARS + 1)}
        every = [(mapping(each), place) for each in listed(report.get("Pollutants")) for place in years]
        wanted = [
            ({**each, "year": years[place], "quantity": as_text(each.get(f"Year{place}"))}, place)
            for each, place in every
            if as_text(each.get(f"Year{place}")) and (not asked.years or years[place] in asked.years)
        ]
        wanted.sort(key=lambda pair: pair[1], reverse=True)
        return self.hits(wanted, lambda pair, rank: self._load(pair[0], names, reply, rank))

    def _load(self, item: dict[str, Any], names: dict[str, str], reply: Reply, rank: int) -> Hit:
        key, year, unit = as_text(item.get("RegistryId")), item["year"], as_text(item.get("UnitsOfMeasure"))
        pollutant, program = as_text(item.get("Pollutant")), as_text(item.get("Program"))
        value = number(item["quantity"].replace(",", ""))
        if value is None or value < 0 or not year or not pollutant or unit not in _UNITS:
            raise ValueError("a load that is no quantity of a year, or in an unknown unit")
        fields = {
            "company": ("facility", names[key]),
            "number": ("FRS", key),
            "measure": ("figure", f"{EMISSIONS} ({pollutant})"),
            "value": ("value", f"{item['quantity']} {_UNITS[unit]}"),
            "period": ("period", f"{year}-01-01/{year}-12-31"),
            "program": ("program", f"{program} {as_text(item.get('ProgramSysId'))}"),
            "scope": ("scope", "releases to air of the whole facility, as reported to the program"),
        }
        where = {"p_id": key, "program": program, "pollutant": pollutant, "year": year}
        day = dated({"year": year}, "year", now=reply.at)
        return row_hit(self, reply, rank, url=address(f"{_API}/{self.report}", where), fields=fields, dated=day)


class EchoWater(_Echo):
    """Compliance with the Clean Water Act, and what was measured in a facility's discharges."""

    spec = _spec("echo_water", "EPA ECHO, water")
    service, report = "cwa_rest_services", "eff_rest_services.download_effluent_chart"
    numbers = regex(r"[A-Z]{2}[A-Z0-9]\d{6}")
    scope = "Clean Water Act; quarters of the last twelve, penalties of the last five years, in US dollars"
    columns: ClassVar[Mapping[str, tuple[str, int]]] = {
        "company": ("CWPName", 1), "number": ("SourceID", 2), "city": ("CWPCity", 4), "state": ("CWPState", 5),
        "registry": ("RegistryID", 9), "permit": ("CWPPermitStatusDesc", 268), "kind": ("CWPPermitTypeDesc", 271),
        "status": ("CWPStatus", 315), "priority": ("CWPSNCStatus", 316), "quarters": ("CWPQtrsWithNC", 319),
        "serious": ("CWPQtrsWithSNC", 321), "actions": ("CWPFormalEaCnt", 332), "penalties": ("CWPTotalPenalties", 339),
        "penalised": ("CWPDateLastPenalty", 411), "exceeded": ("EffExceeds", 433),
        "evaluated": ("LastDMRValueRcvdDate", 430),
    }  # fmt: skip

    def loads(self, reply: Reply, asked: Asked) -> list[Hit]:
        table = csv.DictReader(io.StringIO(reply.text()))
        if not {"npdes_id", "parameter_desc", "dmr_value_nmbr", "dmr_unit_desc"} <= set(table.fieldnames or ()):
            raise ValueError("not an effluent chart")
        rows = [row for row in table if row["dmr_value_nmbr"]]  # 'No Discharge' has no value, and is not zero
        rows = [row for row in rows if not asked.years or (row["monitoring_period_end_date"] or "")[-4:] in asked.years]
        rows.sort(key=lambda row: (bool(row["violation_code"]), _day(row)), reverse=True)
        return self.hits(rows, lambda row, rank: self._sample(row, rank, reply))

    def _sample(self, row: Mapping[str, str], rank: int, reply: Reply) -> Hit:
        if number(row["dmr_value_nmbr"]) is None or not row["npdes_id"]:
            raise ValueError("a sample without value or permit")
        limit = " ".join((row["limit_value_qualifier_code"], row["limit_value_nmbr"], row["limit_unit_desc"]))
        fields = {
            "number": ("npdes_id", row["npdes_id"]),
            "measure": ("parameter_desc", row["parameter_desc"]),
            "value": ("dmr_value", f"{row['dmr_value_qualifier_code']} {row['dmr_value_nmbr']} {row['dmr_unit_desc']}"),
            "basis": ("statistical_base", row["statistical_base_short_desc"]),
            "limit": ("limit_value", limit if row["limit_value_nmbr"] else ""),
            "period": ("monitoring_period_end_date", _day(row)),
            "outfall": ("perm_feature_nmbr", row["perm_feature_nmbr"]),
            "exceeded": ("exceedence_pct", row["exceedence_pct"]),
            "violation": ("violation_desc", row["violation_desc"]),
        }
        url = address(f"{_API}/{self.report}", {"p_id": row["npdes_id"], "row": row["dmr_form_value_id"]})
        day = dated({"end": _day(row)}, "end", now=reply.at)
        return row_hit(self, reply, rank, url=url, fields=fields, dated=day)


def _day(row: Mapping[str, str]) -> str:
    return datetime.strptime(row["monitoring_period_end_date"], "%m/%d/%Y").date().isoformat()  # noqa: DTZ007
