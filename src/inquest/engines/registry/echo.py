"""EPA ECHO: compliance, violations, penalties, permits and releases of facilities in the United States. No key.

A facility's name returns its compliance (two requests). Its number returns its releases (one request): the 12 digits of
the Facility Registry Service the air pollutant report, a discharge permit the effluent chart. Columns, query ids,
reports and errors are taken from recorded replies (mps9506/echor); the list of facilities (`get_qid`) follows the
documentation.
"""

from __future__ import annotations

import csv
import io
import re
from abc import abstractmethod
from collections.abc import Generator, Mapping
from datetime import datetime
from functools import partial
from typing import ClassVar

from inquest.domain.errors import EngineFormat
from inquest.domain.search import EngineKind, Hit, Query
from inquest.kit.dialect import address
from inquest.kit.engine import Engine, EngineSpec, Limits
from inquest.kit.exchange import Reply, Request
from inquest.kit.fields import Fields, as_text, dated, dig, listed, mapping, number
from inquest.kit.rows import RegisterQuery, in_order, register_query, row_hit, value_in
from inquest.text.company_names import company_name, without_legal_form
from inquest.text.regex import regex
from inquest.text.units import EMISSIONS

_API = "https://echodata.epa.gov/echo"
_TERMS = (
    "Public domain (17 U.S.C. 105); as reported to EPA by facilities and states. Source: US EPA, ECHO (echo.epa.gov)"
)
_UNITS = {"Pounds": "lb", "MTCO2e": "t CO2e"}
_YEARS = 10
_spec = partial(
    EngineSpec,
    kinds=(EngineKind.REGISTRY,),
    homepage="https://echo.epa.gov/",
    documentation="https://echo.epa.gov/tools/web-services",
    limits=Limits(per_second=1, concurrency=1, timeout=45),
    terms=_TERMS,
)


class _Echo(Engine):
    """A service with a list of facilities by name, and a report by number."""

    service: ClassVar[str]
    scope: ClassVar[str]
    columns: ClassVar[Mapping[str, tuple[str, int]]]
    """Columns by meaning: the name, and the number in the service's metadata."""
    numbers: ClassVar[re.Pattern[str]]
    report: ClassVar[str]

    def request(self, query: Query) -> Request:
        company = register_query(query).company
        if self.numbers.fullmatch(company.upper()):
            return self.get(f"{_API}/{self.report}", {"output": "JSON", "p_id": company.upper()})
        return self._ask("get_facilities", p_fn=without_legal_form(company), responseset=1)

    def _ask(self, operation: str, **parameters: object) -> Request:
        columns = ",".join(str(place) for _, place in self.columns.values())
        return self.get(f"{_API}/{self.service}.{operation}", {"output": "JSON", "qcolumns": columns, **parameters})

    def search(self, query: Query) -> Generator[Request, Reply, list[Hit]]:
        subject = register_query(query)
        reply = yield self.request(query)
        if self.numbers.fullmatch(subject.company.upper()):
            return in_order(self.parsed(reply, lambda reply: self.loads(reply, subject)), query.limit)
        if not (key := self.parsed(reply, self._query_id)):
            return []
        reply = yield self._ask("get_qid", qid=key, pageno=1)
        return in_order(self.parsed(reply, lambda reply: self.facilities(reply, subject.company)), query.limit)

    def parse(self, reply: Reply) -> list[Hit]:
        return self.facilities(reply, "")

    @abstractmethod
    def loads(self, reply: Reply, subject: RegisterQuery) -> list[Hit]:
        """Return the rows of a report on a facility's releases."""

    def facilities(self, reply: Reply, company: str) -> list[Hit]:
        """Return the facilities whose names contain the company's; all for ''."""
        items, meant = dig(self._results(reply), "Facilities"), company_name(company).core
        if not isinstance(items, list):
            raise ValueError("no list of facilities")
        found = self.hits(items, lambda item: self.facility(mapping(item), reply))
        names = [f" {company_name(value_in(hit, 'company')).core} " for hit in found]
        return [hit for hit, name in zip(found, names, strict=True) if f" {meant} " in name or not meant]

    def facility(self, item: Fields, reply: Reply) -> Hit:
        """Build the hit of a facility's compliance, with the service's names of columns."""
        fields = {meaning: (head, as_text(item.get(head))) for meaning, (head, _) in self.columns.items()}
        if not fields["company"][1] or not (key := fields["number"][1]):
            raise ValueError("a facility without name or number")
        url = address("https://echo.epa.gov/detailed-facility-report", {"fid": fields["registry"][1], "sys": key})
        last = dated(item, self.columns["evaluated"][0], now=reply.at, month_first=True)
        return row_hit(self, reply, url=url, fields={**fields, "scope": ("scope", self.scope)}, dated=last)

    def _query_id(self, reply: Reply) -> str:
        results = self._results(reply)
        if number(results.get("QueryRows")) == 0:
            return ""
        if not (key := as_text(results.get("QueryID"))):
            raise ValueError("neither a query id nor an error")
        return key

    def _results(self, reply: Reply) -> Fields:
        results = mapping(reply.json()).get("Results")
        if not isinstance(results, dict):
            raise TypeError("no results")
        if error := as_text(dig(results, "Error", "ErrorMessage")):
            if "Queryset Limit" in error:
                raise EngineFormat(
                    self.name, f"ECHO has too many facilities with this name ({error.partition('. ')[0]})."
                )
            raise self.refusal(error)
        return results


class Echo(_Echo):
    """Compliance with the Clean Air Act, and a facility's releases to air."""

    spec = _spec(name="echo", title="EPA ECHO (air)")
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

    def loads(self, reply: Reply, subject: RegisterQuery) -> list[Hit]:
        results = self._results(reply)
        report = mapping(results["CAAPollRpt"])
        names = {as_text(each.get("RegistryId")): as_text(each.get("FacilityName")) for each in report["RegistryIDs"]}
        pollutants = [mapping(each) for each in listed(report.get("Pollutants"))]
        years = {place: as_text(results.get(f"TRI_year_{place:02}")) for place in range(_YEARS, 0, -1)}
        loads = [
            {**each, "year": year, "quantity": as_text(each.get(f"Year{place}"))}
            for place, year in years.items()
            if not subject.years or year in subject.years
            for each in pollutants
        ]
        return self.hits([each for each in loads if each["quantity"]], lambda each: self._load(each, names, reply))

    def _load(self, item: Fields, names: dict[str, str], reply: Reply) -> Hit:
        key, year, unit = as_text(item.get("RegistryId")), item["year"], as_text(item.get("UnitsOfMeasure"))
        pollutant, program = as_text(item.get("Pollutant")), as_text(item.get("Program"))
        value = number(item["quantity"].replace(",", ""))
        if value is None or value < 0 or not year or not pollutant or unit not in _UNITS:
            raise ValueError("a load without a quantity, year or known unit")
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
        return row_hit(self, reply, url=address(f"{_API}/{self.report}", where), fields=fields, dated=day)


class EchoWater(_Echo):
    """Compliance with the Clean Water Act, and samples of a facility's discharges."""

    spec = _spec(name="echo_water", title="EPA ECHO (water)")
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

    def loads(self, reply: Reply, subject: RegisterQuery) -> list[Hit]:
        table = csv.DictReader(io.StringIO(reply.text()))
        if not {"npdes_id", "parameter_desc", "dmr_value_nmbr", "dmr_unit_desc"} <= set(table.fieldnames or ()):
            raise ValueError("not an effluent chart")
        rows = [row for row in table if row["dmr_value_nmbr"]]  # 'No Discharge' has no value, which is not zero
        if years := subject.years:
            rows = [row for row in rows if (row["monitoring_period_end_date"] or "")[-4:] in years]
        rows.sort(key=lambda row: (bool(row["violation_code"]), _day(row)), reverse=True)
        return self.hits(rows, lambda row: self._sample(row, reply))

    def _sample(self, row: Mapping[str, str], reply: Reply) -> Hit:
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
        return row_hit(self, reply, url=url, fields=fields, dated=day)


def _day(row: Mapping[str, str]) -> str:
    return datetime.strptime(row["monitoring_period_end_date"], "%m/%d/%Y").date().isoformat()  # noqa: DTZ007
