"""Registers with real replies of their services (mps9506/echor, lsalmela/xbrl-filings-api; public data), and with
faulty or unusual rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inquest.domain.errors import EngineFormat, EngineUnavailable
from inquest.domain.search import EngineKind, Hit, Query
from inquest.engines.registry.echo import Echo, EchoWater
from inquest.engines.registry.envirofacts import Ghgrp, Tri
from inquest.engines.registry.xbrl_filings import XbrlFilings, _reports
from inquest.kit.engine import Engine
from inquest.kit.exchange import Reply
from inquest.kit.rows import RegisterQuery, register_query
from tests.conftest import SHARED
from tests.engines.recorded_engines import ENGINES, NOW

REAL = SHARED / "data/registries"
needs_real = pytest.mark.skipif(not REAL.is_dir(), reason="the shared registers are not here")


def reply(body: object, status: int = 200) -> Reply:
    made = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(url="https://service.example/", status=status, body=made, at=NOW)


def ask(engine: Engine, text: str, *replies: Reply) -> tuple[list[Hit], list[str]]:
    """The hits for a query, and the requested addresses."""
    flow, urls, left = engine.search(Query(text=text, limit=50)), list[str](), list(replies)
    try:
        urls.append(next(flow).url)
        while True:
            urls.append(flow.send(left.pop(0)).url)
    except StopIteration as end:
        return end.value, urls


def values(hits: list[Hit], meaning: str) -> list[str]:
    fields: list[Any] = [hit.details["fields"] for hit in hits]
    return [str(each.get(meaning, "")) for each in fields]


def asked(text: str) -> RegisterQuery:
    return register_query(Query(text=text))


def filings_of(got: Reply) -> list[dict[str, Any]]:
    return _reports(got, asked("any company"))


# EPA ECHO


@needs_real
def test_each_column_that_is_asked_of_echo_is_one_of_its_metadata() -> None:
    for engine, service in ((Echo, "air"), (EchoWater, "cwa")):
        text = (REAL / f"echo/{service}_rest_services.metadata-a4f118.json").read_text("utf-8")
        known = {(each["ObjectName"], int(each["ColumnID"])) for each in json.loads(text)["Results"]["ResultColumns"]}
        assert set(engine.columns.values()) <= known


@needs_real
def test_a_facility_is_found_by_name_with_two_requests() -> None:
    first = reply((REAL / "echo/air_rest_services.get_facilities-2c1991.json").read_bytes())
    (feature,) = json.loads((REAL / "echo/air_rest_services.get_geojson-561852.json").read_text("utf-8"))["features"]
    second = reply({"Results": {"Message": "Success", "Facilities": [feature["properties"]]}})
    hits, urls = ask(Echo(), "Duke Energy Progress, LLC", first, second)
    assert len(urls) == 2 and "p_fn=Duke+Energy+Progress" in urls[0] and "qid=979" in urls[1]
    assert values(hits, "company") == ["AIRName: DUKE ENERGY PROGRESS, LLC - L.V. SUTTON ELECTRIC PLANT"]
    assert ask(Echo(), "Duke Energies", first, second)[0] == [], "a name within a word is another name"


@needs_real
def test_a_query_that_is_too_broad_is_an_error_and_never_nothing_found() -> None:
    body = (REAL / "echo/cwa_rest_services.get_facilities-cc8093.json").read_bytes()
    with pytest.raises(EngineFormat, match="131843"):
        ask(EchoWater(), "a", reply(body))


@needs_real
def test_loads_are_read_by_year_and_what_was_not_reported_is_no_zero() -> None:
    body = (REAL / "echo/caa_poll_rpt_rest_services.get_caapr-75a2fe.json").read_bytes()
    hits, urls = ask(Echo(), '"110000350174" emissions 2021', reply(body))
    read = dict(zip(values(hits, "measure"), values(hits, "value"), strict=True))
    assert len(urls) == 1 and set(values(hits, "period")) == {"period: 2021-01-01/2021-12-31"}
    assert read["figure: emissions (Nitrogen oxides)"] == "value: 1,168,876.00 lb"
    assert "figure: emissions (Cadmium)" not in read
    assert any(value.endswith(" t CO2e") for value in read.values())
    negative = json.loads(body)
    for each in negative["Results"]["CAAPollRpt"]["Pollutants"]:
        each["Year9"] = "-" + (each["Year9"] or "1")
    with pytest.raises(EngineFormat):
        ask(Echo(), '"110000350174" emissions 2021', reply(negative))


@needs_real
def test_a_month_without_discharge_has_no_row_in_the_effluent_chart() -> None:
    body = (REAL / "echo/eff_rest_services.download_effluent_chart-81e3b7.csv").read_bytes()
    everything = EchoWater().loads(reply(body), asked("TX0124362"))
    assert len(everything) == 156, "of 390 rows 234 have no value"
    hits, _ = ask(EchoWater(), '"TX0124362" 2021', reply(body))
    assert hits and {value[-10:-6] for value in values(hits, "period")} == {"2021"}
    assert "dmr_value: = .474 MGD" in values(hits, "value") and "limit_value: <= 1.5 MGD" in values(hits, "limit")


# Envirofacts: replies in the format of the documentation


SITE = {"facility_id": 7, "year": 2023, "facility_name": "Works", "state": "AL"}
SITE |= {"parent_company": "Norrvind Inc (60%); HARBOUR LLC (40%)"}
FACT = {"facility_id": 7, "year": 2023, "sector_type": "E", "gas_id": 1, "co2e_emission": 1000.0}


@pytest.mark.parametrize(
    ("facts", "value"),
    [
        ([FACT, {**FACT, "gas_id": 2, "co2e_emission": "20.4"}], ["value: 1020 t CO2e"]),
        ([FACT, {**FACT, "gas_id": 8}, {**FACT, "sector_type": "S"}], ["value: 1000 t CO2e"]),
        ([{**FACT, "sector_type": "S"}], []),
        ([{**FACT, "co2e_emission": 0}], ["value: 0 t CO2e"]),
        ([], []),
        ([FACT, {**FACT, "co2e_emission": None}], None),
        ([FACT, {**FACT, "co2e_emission": -5}], None),
        ([{**FACT, "sector_type": None}], None),
        ([{**FACT, "facility_id": 8}], None),
        ([FACT] * 1000, None),
    ],
)
def test_emissions_of_a_facility_are_the_sum_of_all_its_rows_or_nothing(
    facts: list[dict[str, Any]], value: list[str] | None
) -> None:
    def asking() -> list[Hit]:
        return ask(Ghgrp(), '"NORRVIND, INC." emissions 2023', reply([SITE]), reply(facts))[0]

    if value is None:
        with pytest.raises(EngineFormat):
            asking()
        return
    assert values(asking(), "value") == value


def test_a_facility_is_of_the_companies_that_own_it_and_of_no_similar_name() -> None:
    hits, urls = ask(Ghgrp(), '"Norrvind" emissions 2023', reply([SITE]), reply([FACT]))
    assert values(hits, "company") == ["parent company: Norrvind Inc"]
    assert "/parent_company/contains/NORRVIND/year/equals/2023/" in urls[0] and "/facility_id/in/7/" in urls[1]
    other = {**SITE, "parent_company": "NORRVIND PACKAGING LLC (100%)"}
    assert ask(Ghgrp(), "Norrvind", reply([other])) == ([], urls[:1] and [urls[0].replace("/year/equals/2023", "")])


def test_releases_are_in_pounds_and_those_of_dioxins_in_grams() -> None:
    form = {"doc_ctrl_num": "1", "reporting_year": 2023, "facility_name": "Works", "cas_chem_name": "Zinc compounds"}
    form |= {"standardized_parent_company": "NORRVIND INC", "tri_chem_id": "N982"}
    dioxin = {**form, "doc_ctrl_num": "2", "cas_chem_name": "Dioxins", "tri_chem_id": "N150"}
    short = {**form, "doc_ctrl_num": "3", "cas_chem_name": "Lead"}
    air = {"doc_ctrl_num": "1", "environmental_medium": "AIR STACK", "total_release": 120, "release_na": "0"}
    rows = [air, {**air, "environmental_medium": "WATER", "total_release": 3.5}]
    rows += [{**air, "release_na": "1", "total_release": None}, {**air, "doc_ctrl_num": "2", "total_release": 0.25}]
    hits, _ = ask(Tri(), "Norrvind", reply([form, dioxin, short]), reply(rows))
    assert values(hits, "value") == ["value: 123.5 lb", "value: 0.25 g"]


# filings.xbrl.org


@needs_real
def test_every_recorded_reply_of_the_index_is_read() -> None:
    yaml: Any = pytest.importorskip("yaml")
    read = refused = 0
    for file in sorted((REAL / "xbrl_filings").glob("*.yaml")):
        for one in yaml.safe_load(file.read_text("utf-8"))["responses"]:
            given = one["response"]
            got = reply(given["body"].encode(), given["status"])
            if given["status"] != 200:
                with pytest.raises((EngineFormat, EngineUnavailable)):
                    XbrlFilings().check(got)
                refused += 1
                continue
            filings = filings_of(got)
            with_figures = {each["attributes"]["period_end"] for each in got.json()["data"]
                            if each["attributes"].get("json_url")}  # fmt: skip
            assert {each["period_end"] for each in filings} == {*sorted(with_figures, reverse=True)[:1]}
            read += 1
    assert (read, refused) == (83, 12)


def test_of_two_versions_of_a_report_the_one_without_errors_is_read() -> None:
    filings = json.loads((Path(__file__).parent / "xbrl_versions.json").read_text("utf-8"))
    assert [each["attributes"]["error_count"] for each in filings["data"]] == [1, 0]
    (kept,) = filings_of(reply(filings))
    assert kept["error_count"] == 0


@pytest.mark.parametrize("name", [name for name, made in ENGINES.items() if EngineKind.REGISTRY in made.spec.kinds])
def test_a_register_gives_the_terms_of_its_data(name: str) -> None:
    assert "Source: " in ENGINES[name].spec.terms or name == "xbrl_filings"
