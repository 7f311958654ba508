"""Figures beside the rows of registers, from a claim to its finding: what is asked, archived, computed and said.

The index of filings is a recorded reply of filings.xbrl.org (the fragment in lsalmela/xbrl-filings-api, MIT). The
report itself is written in the form of xBRL-JSON 1.0, the other replies from the documentation of the services: the
items are invented, but for the names and the LEI of that filing.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from inquest.desks.academic.queries import academic_asks
from inquest.domain.check import DeskQuery
from inquest.domain.document import Snapshot
from inquest.domain.errors import EngineUnavailable
from inquest.domain.finding import Stance
from inquest.domain.search import EngineKind, Hit
from inquest.kit.desk import FindingDraft, JudgedPassage, Results, Subject
from inquest.kit.exchange import Reply, Request
from inquest.net.searcher import Searcher
from inquest.readers.row import RowReader
from inquest.retrieval.engine_choice import EngineChoice
from inquest.text.urls import registrable_domain
from tests.collection.conftest import MemoryArchive
from tests.desks.academic_parts import DESK, NOW, claim, only, page
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
    else:
        name = {"api.gleif.org": "gleif", "api.climatetrace.org": "climate_trace"}.get(parts.netloc, "edgar_figures")
        return reply_of(RECORDINGS / name / "results.json")
    return Reply(url=request.url, status=200, body=json.dumps(body).encode(), at=NOW)


class Door:
    async def fetch(self, request: Request, **about: Any) -> Reply:
        return served(request)


async def checked(text: str, company: str, *, without: str = "") -> tuple[tuple[FindingDraft, ...], MemoryArchive]:
    """The desk's findings on a claim, by the registers that it asks, but for one. Readings take no side."""
    made, subject, archive = claim(text), SUBJECT.model_copy(update={"company": company}), MemoryArchive()
    asked, pages = list[DeskQuery](), list[JudgedPassage]()
    for ask in academic_asks([made], company):
        if ask.query.kinds != (EngineKind.REGISTRY,):
            continue
        suited = [name for name, engine in ENGINES.items() if _choice(name, engine).suits(ask.query, frozenset())]
        assert len(suited) == 1
        asked.append(DeskQuery(**{**dict(ask), "engines": tuple(suited)}))
        hits: list[Hit] = []
        if suited != [without]:
            engine = ENGINES[suited[0]](ACCESS)
            hits = await Searcher({suited[0]: engine}, Door(), archive=archive).search(suited[0], ask.query)
        for hit in hits:
            assert hit.snapshot is not None
            snapshot: Snapshot = await archive.snapshot(hit.snapshot)
            document = RowReader().read(await archive.body(hit.snapshot), snapshot)
            pages.append(page(f"S{len(pages) + 2}", document.text, tier=1, hit=hit, category="standards"))
    return DESK.findings(made, subject, Results(evidence=tuple(pages), queries=tuple(asked))), archive


def _choice(name: str, engine: Any) -> EngineChoice:
    return EngineChoice(name, engine.spec.kinds, site=registrable_domain(engine.spec.homepage))


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
    (row,), (line,) = details["rows"], details["computation"]
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

    (ask, *_) = academic_asks([claim("Orle Glass had revenue of EUR 3 million in 2022.")], "Orle Glass AG")
    with pytest.raises(EngineUnavailable):
        await Searcher({"gleif": ENGINES["gleif"](ACCESS)}, Down()).search("gleif", ask.query)


def test_two_companies_of_one_name_and_a_part_of_a_year_are_not_decided_between() -> None:
    def row(id: str, number: str, period: str) -> JudgedPassage:
        given = {"company": "Orle Glass", "number": number, "measure": "revenue (Revenues)", "value": "3000000 EUR"}
        fields = {name: f"{name}: {value}" for name, value in (given | {"period": period}).items()}
        hit = Hit(url="https://x.example/", engine="xbrl_filings", rank=1)
        hit = hit.model_copy(update={"details": {"registry": "xbrl_filings", "fields": fields}})
        return page(id, "; ".join(fields.values()), tier=1, hit=hit)

    def stance(*rows: JudgedPassage) -> Stance:
        made = claim("Orle Glass had revenue of EUR 3 million in 2022.")
        subject = SUBJECT.model_copy(update={"company": "Orle Glass"})
        return only(DESK.findings(made, subject, Results(evidence=rows)), "registered_figure").stance

    year = "2022-01-01/2022-12-31"
    assert stance(row("S2", "A", year)) is Stance.SUPPORTS
    assert stance(row("S2", "A", year), row("S3", "B", year)) is Stance.NEUTRAL
    assert stance(row("S2", "A", "2022-10-01/2022-12-31")) is Stance.NEUTRAL
    assert stance(row("S2", "A", "2022-04-01/2023-03-31")) is Stance.SUPPORTS
