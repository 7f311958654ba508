"""Figures compared with rows of registers, from a claim to its finding: queries, archive, computation and wording.

The index of filings is a recorded reply of filings.xbrl.org (the fragment in lsalmela/xbrl-filings-api, MIT). The
report itself is in the format of xBRL-JSON 1.0, the other replies follow the documentation of the services: the items
are invented, except for the names and the LEI of that filing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from inquest.app.clock import FixedClock
from inquest.collection.registry_store import RegistryFacts, RegistryStore
from inquest.collection.registry_tables import rows_of_table, table_named
from inquest.collection.services import RegistryService
from inquest.desks.academic.queries import academic_asks
from inquest.domain.check import DeskQuery
from inquest.domain.document import Snapshot
from inquest.domain.errors import EngineUnavailable
from inquest.domain.finding import Stance, Verdict
from inquest.domain.search import EngineKind, Hit
from inquest.kit.desk import FindingDraft, JudgedPassage, Results, Subject
from inquest.kit.exchange import Reply, Request
from inquest.net.searcher import Searcher
from inquest.readers.text import RowReader
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.urls import host_of
from inquest.verdicts.judging import Looked, judge_claim
from tests.collection.conftest import MemoryArchive
from tests.desks.academic_parts import DESK, NOW, claim, numbered, only, page
from tests.engines.recorded_engines import ACCESS, ENGINES, RECORDINGS, reply_of

ASML = "724500Y6DUVHQD6OXN27"
FILING = {
    "type": "filing",
    "attributes": {
        "date_added": "2023-02-16 14:33:58.236220",
        "country": "NL",
        "sha256": "3f44981c656dc2bcd0ed3a88e6d062e6b8c041a656f420257bccd63535c2b6ac",
        "report_url": f"/{ASML}/2022-12-31/ESEF/NL/0/asml-2022-12-31-en/reports/asml-2022-12-31-en.xhtml",
        "fxo_id": f"{ASML}-2022-12-31-ESEF-NL-0",
        "error_count": 0,
        "json_url": f"/{ASML}/2022-12-31/ESEF/NL/0/asml-2022-12-31-en.json",
        "processed": "2023-04-19 10:20:23.668110",
        "period_end": "2022-12-31",
    },
    "relationships": {"entity": {"data": {"type": "entity", "id": "1969"}}},
    "id": "4261",
    "links": {"self": "/api/filings/4261"},
}
ENTITY = {"legalName": {"name": "ASML Holding N.V."}, "otherNames": [], "status": "ACTIVE", "jurisdiction": "NL"}
ABOUT = {
    "concept": "ifrs-full:Revenue",
    "entity": f"scheme:{ASML}",
    "period": "2022-01-01T00:00:00/2023-01-01T00:00:00",
    "unit": "iso4217:EUR",
}
REPORT = {
    "documentInfo": {"documentType": "https://xbrl.org/2021/xbrl-json"},
    "facts": {
        "f-1": {"value": "21173400000", "decimals": -5, "dimensions": ABOUT},
        "f-2": {"value": "9000000000", "dimensions": {**ABOUT, "ifrs-full:SegmentsAxis": "asml:Systems"}},
        "f-3": {"value": "18611000000", "dimensions": {**ABOUT, "period": "2021-01-01T00:00:00/2022-01-01T00:00:00"}},
    },
}
EPA = {
    "echodata.epa.gov": (("air_rest", "echo"), ("cwa_rest", "echo_water")),
    "data.epa.gov": (("ghg.", "ghgrp"), ("tri.", "tri")),
}
"""Recorded replies in the form of the services' documentation."""
INSTALLATIONS = (
    "REGISTRY_CODE,INSTALLATION_NAME,INSTALLATION_IDENTIFIER,PERMIT_IDENTIFIER,MAIN_ACTIVITY_TYPE_CODE,"
    "ALLOCATION_2022,VERIFIED_EMISSIONS_2022,ALLOCATION_2023,VERIFIED_EMISSIONS_2023\n"
    "DE,Orle Kiln 2,4711,DE-1,29,90000,120450,88000,-1\n"
)
NAMESAKE = "SE,Orle Kiln 2,99,SE-9,29,90000,120450,88000,-1\n"
SUBJECT = Subject(company="", now=NOW, report_source="S1")


def served(request: Request) -> Reply:
    parts = urlsplit(request.url)
    path = parts.path
    if parts.netloc == "api.gleif.org" and "ASML" in request.url:
        body: Any = {"data": [{"type": "lei-records", "id": ASML, "attributes": {"lei": ASML, "entity": ENTITY}}]}
    elif path == "/api/filings":
        body = {"data": [FILING] if ASML in request.url else [], "jsonapi": {"version": "1.0"}}
    elif path.endswith("asml-2022-12-31-en.json"):
        body = REPORT
    elif path.endswith("/owners"):
        body = [{"id": "E1", "name": "Vellmar Dredging"}]
    elif parts.netloc in EPA:
        return reply_of(RECORDINGS / next(name for mark, name in EPA[parts.netloc] if mark in path) / "results.json")
    else:
        name = {"api.gleif.org": "gleif", "api.climatetrace.org": "climate_trace"}.get(parts.netloc, "edgar_figures")
        return reply_of(RECORDINGS / name / "results.json")
    return Reply(url=request.url, status=200, body=json.dumps(body).encode(), at=NOW)


class Door:
    def __init__(self, tables: RegistryService | None = None) -> None:
        self._tables = tables

    async def fetch(self, request: Request, **about: Any) -> Reply:
        return await self._tables(request) if self._tables and request.url.startswith("registry:") else served(request)


async def checked(
    text: str, company: str, *, without: str = "", store: RegistryStore | None = None
) -> tuple[tuple[FindingDraft, ...], MemoryArchive]:
    """The desk's findings on a claim, from all registers that it queries except one. Readings are neutral."""
    made, subject, archive = claim(text), SUBJECT.model_copy(update={"company": company}), MemoryArchive()
    asked, pages = list[DeskQuery](), list[JudgedPassage]()
    for ask in academic_asks([made], subject):
        if ask.query.kinds != (EngineKind.REGISTRY,):
            continue
        suited = [name for name, engine in ENGINES.items() if _choice(name, engine).suits(ask.query, frozenset())]
        assert suited in (["echo", "echo_water"], suited[:1])
        asked.append(DeskQuery(**{**dict(ask), "engines": tuple(suited)}))
        hits: list[Hit] = []
        for name in suited if suited != [without] else ():
            engine = ENGINES[name](ACCESS)
            door = Door(RegistryService(store, archive, FixedClock(NOW)) if store else None)
            hits += await Searcher({name: engine}, door, archive=archive).search(name, ask.query)
        for hit in hits:
            assert hit.snapshot is not None
            snapshot: Snapshot = await archive.snapshot(hit.snapshot)
            document = RowReader().read(await archive.body(hit.snapshot), snapshot)
            pages.append(page(f"S{len(pages) + 2}", document.text, tier=1, hit=hit, category="standards"))
    return DESK.findings(made, subject, Results(evidence=tuple(pages), queries=tuple(asked))), archive


def _choice(name: str, engine: Any) -> EngineChoice:
    return EngineChoice(name, engine.spec.kinds, site=host_of(engine.spec.homepage).removeprefix("www."))


@pytest.mark.parametrize(
    ("text", "company", "stance", "quoted"),
    [
        ("ASML's net sales were EUR 21.2 billion in 2022.", "ASML Holding NV", Stance.SUPPORTS, "21173400000 EUR"),
        ("ASML's net sales were EUR 28.4 billion in 2022.", "ASML Holding NV", Stance.CONTRADICTS, "21173400000 EUR"),
        ("Revenue of Vellmar Dredging was $19 million in 2025.", "Vellmar Dredging", Stance.SUPPORTS, "19000000 USD"),
        ("Revenue of Vellmar Dredging was $25m in 2025.", "Vellmar Dredging", Stance.CONTRADICTS, "19000000 USD"),
        ("The Vellmar Harbour Works emitted 410,000 tonnes of CO2e in 2024.", "Vellmar Dredging", Stance.SUPPORTS,
         "401000 t CO2e"),
        ("The Vellmar Harbour Works emitted 90,000 tonnes of CO2e in 2024.", "Vellmar Dredging", Stance.CONTRADICTS,
         "401000 t CO2e"),
    ],
)  # fmt: skip
async def test_a_row_decides_and_is_quoted_from_the_archive(
    text: str, company: str, stance: Stance, quoted: str
) -> None:
    drafts, archive = await checked(text, company)
    check = only(drafts, "registered_figure")
    assert check.stance is stance
    details: Any = check.details
    (row,), (line,) = details["register_rows"], details["computation"]
    assert all(row[each] in line for each in ("company", "value", "period", "scope")) and quoted in line
    cited = next(each for each in drafts if each.evidence_type == "academic_source")
    assert cited.stance is stance and cited.passage_id == check.passage_id
    rows = [body for body in archive.bodies.values() if b'"attribution"' in body and b'"table"' in body]
    record = next(each for each in map(json.loads, rows) if row["value"] in each["text"])
    assert quoted in record["text"][check.start : check.end] and record["table"] in archive.bodies
    assert details["attribution"] == [record["attribution"]]


async def test_a_former_name_is_joined_by_gleif_and_by_nothing_else() -> None:
    text = "Vellmar Baggerwerke had revenue of $19 million in 2025."
    joined, _ = await checked(text, "Vellmar Baggerwerke")
    alone, _ = await checked(text, "Vellmar Baggerwerke", without="gleif")
    assert only(joined, "registered_figure").stance is Stance.SUPPORTS
    assert only(alone, "registered_figure").stance is Stance.NEUTRAL


@pytest.mark.parametrize(
    "text",
    [
        "ASML's net sales were EUR 5.2 billion in the fourth quarter of 2022.",
        "ASML's net sales from China were EUR 2.9 billion in 2022.",
        "ASML's net sales rose by EUR 2.6 billion in 2022.",
        "ASML's net sales were EUR 20.1 billion in 2022.",
        "ASML's net sales were USD 28.4 billion in 2022.",
        "ASML emits 12 t CO2e per EUR 1 million of revenue in 2022.",
        "ASML's net sales were EUR 28.4 billion in 2019.",
    ],
)
async def test_another_part_period_unit_or_definition_decides_nothing(text: str) -> None:
    drafts, _ = await checked(text, "ASML Holding NV")
    assert not [each for each in drafts if each.stance in (Stance.SUPPORTS, Stance.CONTRADICTS)]


async def test_no_row_is_not_registered_and_never_false() -> None:
    drafts, _ = await checked("Orle Glass had revenue of EUR 3 million in 2022.", "Orle Glass AG")
    check = only(drafts, "registered_figure")
    assert check.stance is Stance.NEUTRAL and "not registered there" in check.summary


async def test_a_register_that_is_down_is_an_outage() -> None:
    class Down:
        async def fetch(self, request: Request, **about: Any) -> Reply:
            return Reply(url=request.url, status=503, body=b"", at=NOW)

    (ask, *_) = academic_asks(
        [claim("Orle Glass had revenue of EUR 3 million in 2022.")],
        SUBJECT.model_copy(update={"company": "Orle Glass AG"}),
    )
    with pytest.raises(EngineUnavailable):
        await Searcher({"gleif": ENGINES["gleif"](ACCESS)}, Down()).search("gleif", ask.query)


def registered(source: str, register: str, **columns: str) -> JudgedPassage:
    """A row of a register as a judged page."""
    fields = {name: f"{name}: {value}" for name, value in columns.items()}
    hit = Hit(url="https://x.example/", engine=register, rank=1)
    hit = hit.model_copy(update={"details": {"registry": register, "fields": fields}})
    return page(source, "; ".join(fields.values()), tier=1, hit=hit)


def revenue(id: str, number: str, period: str = "2022-01-01/2022-12-31", company: str = "Orle Glass") -> JudgedPassage:
    measured = {"measure": "revenue (Revenues)", "value": "3000000 EUR", "period": period}
    return registered(id, "xbrl_filings", company=company, number=number, **measured)


def stance_by(*rows: JudgedPassage) -> Stance:
    made = claim("Orle Glass had revenue of EUR 3 million in 2022.")
    subject = SUBJECT.model_copy(update={"company": "Orle Glass"})
    return only(DESK.findings(made, subject, Results(evidence=rows)), "registered_figure").stance


def test_two_companies_of_one_name_and_a_part_of_a_year_are_not_decided_between() -> None:
    assert stance_by(revenue("S2", "A")) is Stance.SUPPORTS
    assert stance_by(revenue("S2", "A"), revenue("S3", "B")) is Stance.NEUTRAL
    assert stance_by(revenue("S2", "A", "2022-10-01/2022-12-31")) is Stance.NEUTRAL
    assert stance_by(revenue("S2", "A", "2022-04-01/2023-03-31")) is Stance.SUPPORTS


@pytest.mark.parametrize(
    ("entity", "stance"),
    [
        ({"company": "Orle Werk AG", "number": "A", "names": "Orle Glass (PREVIOUS_LEGAL_NAME)"}, Stance.SUPPORTS),
        ({"company": "Orle Glass", "number": "A", "names": "Orle, Werk (TRADING_NAME)"}, Stance.SUPPORTS),
        ({"company": "Orle Werk AG", "number": "A", "status": "INACTIVE", "successor": "Orle Glass B"}, Stance.NEUTRAL),
        ({"company": "Orle Werk GmbH", "number": "B", "names": "Orle Glass (PREVIOUS_LEGAL_NAME)"}, Stance.NEUTRAL),
    ],
)
def test_a_renamed_company_is_joined_and_a_merged_one_is_not_its_successor(
    entity: dict[str, str], stance: Stance
) -> None:
    assert stance_by(registered("S2", "gleif", **entity), revenue("S3", "A", company="Orle Werk AG")) is stance


def asked(text: str, company: str) -> set[str]:
    """The engines that a claim's queries go to."""
    subject = SUBJECT.model_copy(update={"company": company})
    asks = [each for each in academic_asks([claim(text)], subject) if each.query.kinds == (EngineKind.REGISTRY,)]
    choices = [_choice(name, engine) for name, engine in ENGINES.items()]
    assert len(asks) <= 12
    return {each.name for ask in asks for each in choices if each.suits(ask.query, frozenset())}


def test_a_register_of_one_jurisdiction_is_asked_only_where_the_claim_is_about_it() -> None:
    text = "The works emitted 90,000 tonnes of CO2e in 2023"
    assert asked(f"{text}.", "Orle AG") == {"climate_trace"}
    assert asked(f"{text} in Alabama.", "Orle AG") == {"climate_trace", "ghgrp"}
    assert asked(f"{text} in Germany.", "Orle AG") == {"climate_trace", "eutl"}
    assert asked("Orle released 430 pounds of toluene in Ohio in 2023.", "Orle AG") == {"tri"}
    assert asked("Orle has had no violations of the Clean Air Act.", "Orle AG") == {"echo", "echo_water"}
    assert asked("Orle has had no violations of the Water Act in Wales.", "Orle AG") == set()
    assert asked("American Glass had revenue of $3 million in 2022.", "American Glass") == {
        "gleif", "xbrl_filings", "edgar_figures",
    }  # fmt: skip


ZINC = "Vellmar Works 1 in Alabama released {} pounds of zinc compounds in 2023."
SITE = "Vellmar Dredging Works 3 in Alabama emitted {} tonnes of CO2e in 2023."


@pytest.mark.parametrize(
    ("text", "stance", "line"),
    [
        (SITE.format("125,000"), Stance.SUPPORTS, "125003 t CO2e"),
        (SITE.format("61,000"), Stance.CONTRADICTS, "125003 t CO2e"),
        (SITE.format("120,000"), Stance.NEUTRAL, ""),
        (ZINC.format("432"), Stance.SUPPORTS, "431.5 lb"),
        (ZINC.format("90").replace("zinc compounds", "toluene"), Stance.NEUTRAL, ""),
        ("Vellmar Dredging has had no violations of the Clean Air Act.", Stance.CONTRADICTS, "= 45;"),
        ("Yard X 0 has had no violations of the Clean Air Act.", Stance.SUPPORTS, "= 0;"),
        ("Yard X 3 had no violations of the Clean Air Act in 2019.", Stance.NEUTRAL, ""),
        ("Vellmar Dredging paid no EPA penalties in 2024.", Stance.CONTRADICTS, "= 112500;"),
    ],
)
async def test_rows_of_a_site_are_computed_line_by_line_to_a_verdict(text: str, stance: Stance, line: str) -> None:
    drafts, _ = await checked(text, "Vellmar Dredging")
    check = only(drafts, "registered_figure")
    assert check.stance is stance
    details: Any = check.details
    assert bool(line) == bool(details["computation"]) and all(line in each for each in details["computation"])
    sources = [each for each in drafts if each.evidence_type == "academic_source" and each.stance is stance]
    findings = [numbered(each, f"F{n}").model_copy(update={"source_id": f"S{n}"}) for n, each in enumerate(sources, 2)]
    known = {each.source_id: page(each.source_id, "", tier=1, category="standards").source for each in findings}
    looked = Looked(1, ("academic",))
    verdict = judge_claim(claim(text), findings, known, subject=SUBJECT, looked=looked).assessment.verdict
    sure = line and line != "= 0;"
    assert (verdict is Verdict.CONTRADICTED) == (stance is Stance.CONTRADICTS)
    assert (verdict is Verdict.VERIFIED) <= (stance is Stance.SUPPORTS) and (sure or verdict is Verdict.UNVERIFIED)


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Under the EU ETS, Orle Kiln 2 cut its emissions to 120,450 tonnes of CO2 in 2022.", Stance.SUPPORTS),
        ("Under the EU ETS, emissions of Orle Kiln 2 rose to 120,450 tonnes of CO2 in 2022.", Stance.NEUTRAL),
        ("Under the EU ETS, Orle Kiln 2 emitted 120,450 tonnes of fine dust in 2022.", Stance.NEUTRAL),
        ("Under the EU ETS, Orle Kiln 2 emitted 120,450 tonnes of methane in 2022.", Stance.NEUTRAL),
        ("Under the EU ETS, without Orle Kiln 2 we emitted 120,450 tonnes of CO2 in 2022.", Stance.NEUTRAL),
    ],
)
async def test_a_verified_figure_supports_neither_another_move_nor_another_substance(
    tmp_path: Path, text: str, stance: Stance
) -> None:
    table, store = table_named("eutl"), RegistryStore(tmp_path)
    facts = RegistryFacts("eutl", "sha256:" + "a" * 64, "file", NOW.isoformat(), 0)
    rows = INSTALLATIONS.replace("ALLOCATION_2022", "VERIFIED_EMISSIONS_2021").replace("90000", "131000")
    store.build(table, rows_of_table(table, rows.encode(), lambda *_: iter(())), facts)
    drafts, _ = await checked(text, "Orle Glass AG", store=store)
    assert {each.stance for each in drafts if each.evidence_type == "registered_figure"} | {Stance.NEUTRAL} == {
        stance,
        Stance.NEUTRAL,
    }


@pytest.mark.parametrize(
    ("figure", "year", "table_rows", "stance"),
    [
        ("120,000 tonnes", 2022, INSTALLATIONS, Stance.SUPPORTS),
        ("120 kilotonnes", 2022, INSTALLATIONS, Stance.SUPPORTS),
        ("120 kilotonnes", 2022, INSTALLATIONS.replace("Orle Kiln 2", "Vellmar Works Orle Kiln 2"), Stance.SUPPORTS),
        ("62,000 tonnes", 2022, INSTALLATIONS, Stance.CONTRADICTS),
        ("62,000 tonnes", 2023, INSTALLATIONS, Stance.NEUTRAL),
        ("62,000 tonnes", 2022, INSTALLATIONS.replace("120450", "-250"), Stance.NEUTRAL),
        ("62,000 tonnes", 2022, INSTALLATIONS + NAMESAKE, Stance.NEUTRAL),
    ],
)
async def test_an_installation_is_compared_with_its_verified_year(
    tmp_path: Path, figure: str, year: int, table_rows: str, stance: Stance
) -> None:
    table, store = table_named("eutl"), RegistryStore(tmp_path)
    facts = RegistryFacts("eutl", "sha256:" + "a" * 64, "file", NOW.isoformat(), 0)
    store.build(table, rows_of_table(table, table_rows.encode(), lambda *_: iter(())), facts)
    text = f"Under the EU ETS, our plant Orle Kiln 2 emitted {figure} of CO2 in {year}."
    drafts, archive = await checked(text, "Vellmar Works", store=store)
    check = only(drafts, "registered_figure")
    assert check.stance is stance
    if stance is not Stance.NEUTRAL:
        texts = [json.loads(body)["text"] for body in archive.bodies.values() if b"Orle Kiln 2" in body]
        assert "VERIFIED_EMISSIONS_2022: 120450" in {text[check.start : check.end] for text in texts}
