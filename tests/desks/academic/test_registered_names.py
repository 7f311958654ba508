"""A company's rows in a local table under its other names from GLEIF, and companies with the same name.

Companies and replies are invented; the replies have the form of GLEIF's documentation.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from inquest.app.clock import FixedClock
from inquest.claims.report.company import country_beside
from inquest.collection.registry_store import RegistryFacts, RegistryStore
from inquest.collection.registry_tables import rows_of_table, table_named
from inquest.collection.services import RegistryService
from inquest.desks.academic.queries import academic_asks
from inquest.domain.errors import EngineUnavailable
from inquest.domain.finding import Stance
from inquest.domain.search import Hit, Query
from inquest.engines.registry.tables import SBTi
from inquest.kit.desk import Results, Subject
from inquest.kit.exchange import Reply, Request
from inquest.net.searcher import Searcher
from inquest.sources.economic_releases import country_called
from tests.collection.conftest import MemoryArchive
from tests.desks.academic_parts import DESK, NOW, claim, only, page

LEI, OTHER, ENDED = "254900BQVM5V0IY7RQ62", "2549007VELLMAR000144", "2549007VELLMAR000241"
HEADS = (
    "company_name,isin,lei,location,near_term_status,near_term_target_classification,near_term_target_year,"
    "long_term_status,long_term_target_year,net_zero_status,net_zero_year,full_target_language,date_updated"
)
CLAIM = "Orle Glass's near-term target is validated by the Science Based Targets initiative."


def row(name: str, lei: str = "", country: str = "", status: str = "Targets set") -> str:
    return f"{name},,{lei},{country},{status},1.5°C,2030,,,,,,2024-05-02"


def entity(name: str, *former: str, lei: str = LEI, country: str = "SE", kind: str = "PREVIOUS_LEGAL_NAME") -> Any:
    others = [{"name": each, "type": kind} for each in former]
    legal = {"legalName": {"name": name}, "otherNames": others, "jurisdiction": country, "status": "ACTIVE"}
    return {"type": "lei-records", "id": lei, "attributes": {"lei": lei, "entity": legal}}


def merged(name: str, *into: tuple[str, str], status: str = "INACTIVE") -> Any:
    """The record of a company that was merged into others."""
    record = entity(name, lei=ENDED)
    after = [{"name": successor, "lei": lei} for successor, lei in into]
    more = {"status": status, "successorEntity": after[0], "successorEntities": after}
    record["attributes"]["entity"] |= more
    return record


class Door:
    """A local table, and an index that returns the record of an LEI and all records of a name."""

    def __init__(self, home: Path, rows: list[str], entities: list[Any] | None) -> None:
        table, store = table_named("sbti"), RegistryStore(home)
        facts = RegistryFacts("sbti", "sha256:" + "a" * 64, "file", NOW.isoformat(), 0)
        body = "\n".join((HEADS, *rows, "")).encode()
        store.build(table, rows_of_table(table, body, lambda *_: iter(())), facts)
        self._tables = RegistryService(store, MemoryArchive(), FixedClock(NOW))
        self._entities = entities
        self.asked: list[str] = []

    async def fetch(self, request: Request, **about: Any) -> Reply:
        if request.url.startswith("registry:"):
            return await self._tables(request)
        self.asked.append(request.url)
        if self._entities is None:
            raise EngineUnavailable("sbti", "There is no network.")
        asked = parse_qs(urlsplit(request.url).query).get("filter[lei]")
        found = [each for each in self._entities if not asked or [each["id"]] == asked]
        return Reply(url=request.url, status=200, body=json.dumps({"data": found}).encode(), at=NOW)


async def asked_for(door: Door, text: str = "Orle Glass") -> list[Hit]:
    return await Searcher({"sbti": SBTi()}, door).search("sbti", Query(text=text))


def names(hits: list[Hit]) -> list[str]:
    fields: list[Any] = [each.details["fields"] for each in hits]
    return [each["company"].removeprefix("company_name: ") for each in fields]


async def test_a_renamed_company_is_found_under_its_former_name_and_the_finding_says_so(tmp_path: Path) -> None:
    door = Door(
        tmp_path, [row("Vellmar Kilns AB"), row("Orle Works AB")], [entity("Orle Glass AB", "Vellmar Kilns AB")]
    )
    (hit,) = await asked_for(door)
    fields: Any = hit.details["fields"]
    witness = page("S2", "; ".join(fields.values()), tier=1, hit=hit)
    subject = Subject(company="Orle Glass", now=NOW, report_source="S1")
    drafts = DESK.findings(claim(CLAIM), subject, Results(evidence=(witness,)))
    check = only(drafts, "sbti_validation")
    assert check.stance is Stance.SUPPORTS
    assert only(drafts, "academic_source").details["registered_as"] == hit.details["registered_as"]
    assert f"registered under its former name Vellmar Kilns AB (GLEIF, LEI {LEI})" in check.summary


async def test_a_former_name_in_the_claim_leads_to_the_present_one(tmp_path: Path) -> None:
    door = Door(tmp_path, [row("Vellmar Kilns AB", LEI)], [entity("Vellmar Kilns AB", "Orle Glass AB")])
    (hit,) = await asked_for(door)
    assert hit.details["registered_as"] == {"name": "Vellmar Kilns AB", "lei": LEI, "former": False}


async def test_a_row_under_the_name_asked_for_needs_no_index(tmp_path: Path) -> None:
    door = Door(tmp_path, [row("Orle Glass AB")], None)
    (hit,) = await asked_for(door)
    assert not door.asked and "registered_as" not in hit.details


async def test_a_wrong_number_is_named_in_the_outage(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match="its check digits are wrong"):
        await asked_for(Door(tmp_path, [row("Orle Glass AB")], []), f"{LEI[:-2]}00")


FORMER = entity("Orle Glass AB", "Vellmar Kilns AB")


@pytest.mark.parametrize(
    ("rows", "entities"),
    [
        ([row("Vellmar Kilns AB")], [FORMER, entity("Orle Glass Oy", lei=OTHER)]),
        ([row("Vellmar Kilns AB")], [FORMER, entity("Vellmar Kilns AB", lei=OTHER)]),
        ([row("Vellmar Kilns AB", OTHER)], [FORMER]),
        ([row("Vellmar Kilns AB", country="Brazil")], [FORMER]),
        ([row("Vellmar Kilns AB")], [entity("Orle Glass AB", "Vellmar Kilns AB", kind="TRADING_OR_OPERATING_NAME")]),
        ([row("Vellmar Kilns AB")], []),
    ],
    ids=["two of the name", "the name has an owner", "another LEI", "another country", "a trading name", "no record"],
)  # fmt: skip
async def test_what_may_be_another_company_is_no_row(tmp_path: Path, rows: list[str], entities: list[Any]) -> None:
    assert await asked_for(Door(tmp_path, rows, entities)) == []


SUCCESSOR = ("Vellmar Kilns AB", LEI)
SUCCEEDED = [merged("Orle Glass AB", SUCCESSOR), entity("Vellmar Kilns AB", "Ovnsverk AB")]


@pytest.mark.parametrize("named", ["Vellmar Kilns AB", "Ovnsverk AB"], ids=["its name", "its former name"])
@pytest.mark.parametrize("lei", [LEI, ""], ids=["with its LEI", "without"])
async def test_a_merged_company_leads_to_its_successors_row_which_decides_nothing(
    tmp_path: Path, named: str, lei: str
) -> None:
    (hit,) = await asked_for(Door(tmp_path, [row(named, lei)], SUCCEEDED))
    assert hit.details["successor"] == {"name": "Vellmar Kilns AB", "lei": LEI, "of": "Orle Glass AB"}
    assert hit.title.endswith("(successor of Orle Glass AB)") and "registered_as" not in hit.details
    fields: Any = hit.details["fields"]
    text = "; ".join(fields.values())
    witness = page("S2", text, Stance.SUPPORTS, quote=fields["near_term"], tier=1, hit=hit)
    subject = Subject(company="Orle Glass", now=NOW, report_source="S1")
    made = DESK.findings(claim(CLAIM), subject, Results(evidence=(witness,)))
    assert {each.stance for each in made} == {Stance.NEUTRAL}
    check = only(made, "sbti_validation")
    assert check.details["sbti_validation_status"] == "status_unclear"
    assert (
        f"The entry is for Vellmar Kilns AB (LEI {LEI}), which GLEIF records as the successor of Orle Glass AB"
        in check.summary
    )


async def test_a_row_of_the_merged_company_itself_is_preferred(tmp_path: Path) -> None:
    (hit,) = await asked_for(Door(tmp_path, [row("Orle Glasbruk AB", ENDED), row(*SUCCESSOR)], SUCCEEDED))
    assert names([hit]) == ["Orle Glasbruk AB"] and "successor" not in hit.details


@pytest.mark.parametrize(
    "record",
    [
        merged("Orle Glass AB", SUCCESSOR, ("Kilnworks AB", OTHER)),
        merged("Orle Glass AB", ("Vellmar Kilns AB", "")),
        merged("Orle Glass AB", SUCCESSOR, status="ACTIVE"),
    ],
    ids=["two successors", "one without an LEI", "still active"],
)
async def test_no_successor_is_guessed(tmp_path: Path, record: Any) -> None:
    assert await asked_for(Door(tmp_path, [row(*SUCCESSOR)], [record, SUCCEEDED[1]])) == []


async def test_a_row_that_may_be_another_companys_decides_nothing(tmp_path: Path) -> None:
    (hit,) = await asked_for(Door(tmp_path, [row("Orle Glass Group")], []))
    assert hit.details["unsure"] == {"name": "Orle Glass Group", "of": "Orle Glass"}
    fields: Any = hit.details["fields"]
    witness = page("S2", "; ".join(fields.values()), Stance.SUPPORTS, quote=fields["near_term"], tier=1, hit=hit)
    subject = Subject(company="Orle Glass", now=NOW, report_source="S1")
    made = DESK.findings(claim(CLAIM), subject, Results(evidence=(witness,)))
    assert {each.stance for each in made} == {Stance.NEUTRAL}
    assert "Orle Glass Group, which may be a different company from Orle Glass" in only(made, "sbti_validation").summary


async def test_a_row_under_another_legal_name_is_preferred_to_one_that_may_be_another_companys(tmp_path: Path) -> None:
    door = Door(
        tmp_path, [row("Orle Glass Group"), row("Vellmar Kilns AB")], [entity("Orle Glass AB", "Vellmar Kilns AB")]
    )
    assert names(await asked_for(door)) == ["Vellmar Kilns AB"]


async def test_without_the_index_the_search_fails_and_finds_not_nothing(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable):
        await asked_for(Door(tmp_path, [row("Vellmar Kilns AB")], None))


async def test_the_country_tells_companies_of_one_name_apart(tmp_path: Path) -> None:
    rows = [row("Orle Glass AB", country="Sweden"), row("Orle Glass GmbH", country="Germany", status="Committed")]
    door = Door(tmp_path, rows, [])
    assert len(await asked_for(door)) == 2
    assert names(await asked_for(door, '"Orle Glass" country: SE')) == ["Orle Glass AB"]
    assert await asked_for(door, '"Orle Glass" country: BR') == []


async def test_the_country_tells_records_of_one_name_apart(tmp_path: Path) -> None:
    entities = [FORMER, entity("Orle Glass Ltda", lei=OTHER, country="BR")]
    door = Door(tmp_path, [row("Vellmar Kilns AB")], entities)
    assert await asked_for(door) == []
    assert names(await asked_for(door, '"Orle Glass" country: SE')) == ["Vellmar Kilns AB"]


def test_the_country_of_the_subject_is_in_the_queries_on_it_alone() -> None:
    claims = [claim(CLAIM), claim(CLAIM.replace("Orle", "Vellmar"), id="C2", company="Vellmar Glass")]
    asks = academic_asks(claims, Subject(company="Orle Glass", country="SE", now=NOW))
    texts = [each.query.text for each in asks if each.query.domains == ("sciencebasedtargets.org",)]
    assert {'"Orle Glass" country: SE', "Vellmar Glass"} <= set(texts)


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("Orle Glass plc, Harbour Road 1, Leeds, United Kingdom. We cut waste.", "GB"),
        ("Orle Glass plc (Sweden) makes glass.", "SE"),
        ("Orle Glass plc has plants in Sweden.", ""),
        ("Orle Glass plc, with sites in Poland, Sweden", ""),
        ("Orle Glass plc (Sweden) owns Orle Glass plc (Norway).", ""),
    ],
)
def test_a_report_names_the_country_in_an_address_or_beside_the_name(text: str, country: str) -> None:
    assert country_beside("Orle Glass plc", text) == country


@pytest.mark.parametrize(
    ("written", "code"),
    [("Sweden", "SE"), ("se", "SE"), ("UK", "GB"), ("United States of America", "US"), ("Türkiye", "TR"),
     ("Taiwan, Province of China", "TW"), ("Atlantis", ""), ("Hong Kong, China", "")],
)  # fmt: skip
def test_a_country_is_known_by_name_or_code(written: str, code: str) -> None:
    assert country_called(written) == code
