"""Tables of registers: added completely or not at all, matched by name and number, cited by row.

The rows are made up in the format of the SBTi dashboard and of OffsetsDB; one test reads the real dashboard.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from inquest.app.clock import FixedClock
from inquest.app.wiring.collections import Registries
from inquest.domain.errors import InputError, StorageError
from inquest.kit.exchange import Request
from inquest.text.company_names import company_name, isin_of, lei_of
from tests.collection.conftest import NOW, MemoryArchive
from tests.conftest import SHARED

HEADS = (
    "sbti_id,company_name,isin,lei,near_term_status,near_term_target_classification,near_term_target_year,"
    "long_term_status,long_term_target_year,net_zero_status,net_zero_year,full_target_language,date_updated"
)
SET = "40000001,Norrvind Packaging AB,,254900BQVM5V0IY7RQ62,Targets set,1.5°C,2030,,,Committed,,"
SET += '"Norrvind commits to reduce absolute scope 1 and 2 GHG emissions 42% by 2030 from a 2020 base year.",2024-05-02'
OTHER = "40000002,Norrvind Packaging GmbH,,254900BQVM5V0IY7RQ63,Commitment removed,,,,,,,,2024-05-02"
PLAIN = "40000003,Østerå & Søn A/S,,,Committed,,,,,,,,2024-01-09"
PROJECTS = (
    "project_id,name,registry,proponent,protocol,status,country,issued,retired\n"
    "VCS902,Lake Forest,verra,Lake Trust,vm0007,registered,Zambia,5000.0,1200.0\n"
)
CREDITS = (
    "project_id,quantity,retirement_account,retirement_beneficiary,retirement_beneficiary_harmonized,transaction_date,"
    "transaction_type,vintage\nVCS902,700.0,Broker Ltd,Norrvind Packaging AB,Norrvind,2023-02-01,retirement,2019\n"
)


@pytest.fixture
def registries(tmp_path: Path) -> Registries:
    async def no_door() -> Any:
        raise AssertionError("nothing is fetched unasked")

    return Registries(tmp_path / "home", MemoryArchive(), FixedClock(NOW), no_door)


async def taken_in(registries: Registries, tmp_path: Path, *rows: str, name: str = "sbti") -> dict[str, Any]:
    file = tmp_path / f"{name}.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    return await registries.update(name, file)


async def ask(registries: Registries, asked: str, name: str = "sbti") -> list[dict[str, Any]]:
    reply = await registries.service(Request(url=f"registry://{name}/rows?q={asked.replace(' ', '+')}"))
    assert reply.status == 200, reply.text()
    found: list[dict[str, Any]] = reply.json()["rows"]
    return found


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["fields"]["company"] for row in rows]


async def test_a_row_is_a_document_whose_text_is_its_heads_and_values(registries: Registries, tmp_path: Path) -> None:
    stated = await taken_in(registries, tmp_path, HEADS, SET, OTHER)
    (row,) = await ask(registries, "NORRVIND PACKAGING aktiebolag")
    archive: Any = registries._archive
    record = json.loads(await archive.body(row["snapshot"]))
    assert record["text"].startswith(
        "sbti_id: 40000001; company_name: Norrvind Packaging AB; lei: 254900BQVM5V0IY7RQ62"
    )
    assert all(field in record["text"] for field in row["fields"].values())
    assert record["table"] == stated["snapshot"] and await archive.body(stated["snapshot"])
    assert (stated["rows"], stated["wrong_numbers"], stated["there"]) == (2, 1, True)


async def test_companies_of_one_name_are_both_found_and_never_merged(registries: Registries, tmp_path: Path) -> None:
    await taken_in(registries, tmp_path, HEADS, SET, OTHER, PLAIN)
    assert len(await ask(registries, "Norrvind Packaging")) == 2
    assert names(await ask(registries, "Norrvind Packaging G.m.b.H.")) == ["company_name: Norrvind Packaging GmbH"]
    assert await ask(registries, "Norrvind Packaging Ltd") == []
    assert await ask(registries, "Norrvind") == []
    assert len(await ask(registries, "OSTERA and SON AS")) == 1


async def test_a_number_counts_with_its_check_digits_only(registries: Registries, tmp_path: Path) -> None:
    await taken_in(registries, tmp_path, HEADS, SET, OTHER)
    assert names(await ask(registries, "254900bqvm5v0iy7rq62")) == ["company_name: Norrvind Packaging AB"]
    reply = await registries.service(Request(url="registry://sbti/rows?q=254900BQVM5V0IY7RQ63"))
    assert reply.status == 400 and "check digits" in reply.text()
    assert (isin_of("GB00B1VNSX38"), isin_of("GB00B1VNSX39"), lei_of("254900BQVM5V0IY7RQ63")) == (
        "GB00B1VNSX38",
        "",
        "",
    )


async def test_what_cannot_be_read_leaves_the_table_in_use(registries: Registries, tmp_path: Path) -> None:
    await taken_in(registries, tmp_path, HEADS, SET)
    changed = HEADS.replace("near_term_status", "status").replace("lei,", "identifier,")
    with pytest.raises(InputError, match=r"lacks lei, near_term_status or near_term_target_status"):
        await taken_in(registries, tmp_path, changed, SET)
    packed = tmp_path / "half.zip"
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("projects.csv", PROJECTS * 50)
    packed.write_bytes(packed.read_bytes()[:-40])
    with pytest.raises(InputError, match="damaged or incomplete"):
        await registries.update("sbti", packed)
    with pytest.raises(InputError, match="the last line is incomplete"):
        await taken_in(registries, tmp_path, HEADS, SET, OTHER[:40])
    foreign = tmp_path / "foreign.csv"
    foreign.write_bytes("\n".join([HEADS, *[SET] * 500, PLAIN]).encode("latin-1", "replace"))
    with pytest.raises(InputError, match="damaged or incomplete"):
        await registries.update("sbti", foreign)
    with pytest.raises(InputError, match="no row"):
        await taken_in(registries, tmp_path, HEADS)
    assert names(await ask(registries, "Norrvind Packaging AB")) == ["company_name: Norrvind Packaging AB"]
    assert [each.name for each in (tmp_path / "home" / "registries").iterdir()] == ["sbti.sqlite"]


async def test_a_table_of_another_version_is_named_with_the_command_that_replaces_it(
    registries: Registries, tmp_path: Path
) -> None:
    await taken_in(registries, tmp_path, HEADS, SET)
    with closing(sqlite3.connect(tmp_path / "home" / "registries" / "sbti.sqlite")) as opened:
        opened.execute("UPDATE facts SET text = json_set(text, '$.format', 1)")
        opened.commit()
    with pytest.raises(StorageError, match="an older version") as raised:
        await ask(registries, "Norrvind Packaging AB")
    assert "inquest registries update sbti" in str(raised.value.advice)
    await taken_in(registries, tmp_path, HEADS, SET)
    assert len(await ask(registries, "Norrvind Packaging AB")) == 1


async def test_credits_bring_their_project_and_a_project_is_found_by_its_number(
    registries: Registries, tmp_path: Path
) -> None:
    packed = tmp_path / "offsets.zip"
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("credits.csv", CREDITS)
        made.writestr("projects.csv", PROJECTS)
    await registries.update("offsets", packed)
    credit, project = await ask(registries, "Norrvind Packaging AB", "offsets")
    assert (credit["form"], credit["fields"]["vintage"]) == ("credits", "vintage: 2019")
    assert project["fields"]["retired"] == "retired: 1200.0"
    assert await ask(registries, "vcs902", "offsets") == [project]


@pytest.mark.parametrize(
    ("heads", "register", "terms"),
    [
        (CREDITS.partition("\n")[0], "OffsetsDB", "CarbonPlan"),
        (
            "GSID,Project Name,Project Developer,Quantity,Vintage,Credit Status,Issuance Date",
            "Gold Standard",
            "Terms of use",
        ),
    ],
)
async def test_the_file_of_a_registry_is_cited_as_its_own(
    registries: Registries, tmp_path: Path, heads: str, register: str, terms: str
) -> None:
    file = tmp_path / "credits.csv"
    file.write_text(f"{heads}\n{','.join(['902', *['Norrvind'] * heads.count(',')])}\n", "utf-8")
    await registries.update("offsets", file)
    (row,) = await ask(registries, "Norrvind", "offsets")
    assert row["register"].startswith(register) and row["title"].startswith(register) and terms in row["attribution"]
    assert (urlsplit(row["url"]).netloc == "carbonplan.org") == (register == "OffsetsDB")


async def test_a_table_that_is_not_there_is_named_with_the_command(registries: Registries) -> None:
    reply = await registries.service(Request(url="registry://sbti/rows?q=Norrvind"))
    assert reply.status == 404 and "inquest registries update sbti" in reply.text()
    assert [row["there"] for row in registries.list()] == [False, False, False]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Procter & Gamble Co.", "PROCTER AND GAMBLE COMPANY", True),
        ("Müller GmbH & Co. KG", "muller gmbh und co kg", True),
        ("ORLEN S.A.", "Orlen", True),
        ("The Gap, Inc.", "Gap Incorporated", True),
        ("TECNOLOGIAS PLEXUS S L", "Tecnologias Plexus, S.L.", True),
        ("BEFIMMO sociedad anonima bursatil de capital variable", "Befimmo S.A.", True),
        ("Shinwa inc.", "Shinwa Co.,Ltd.", False),
        ("Drax Group plc", "Drax Holdings plc", False),
        ("Norrvind Kabushiki Kaisha", "NORRVIND CO., LTD.", True),
        ("株式会社ノルヴィンド", "ノルヴィンド", True),
        ("Норвинд Кирпич ПАО", "PJSC Norvind Kirpich", True),
        ("Müller-Ziegel AG", "Mueller Ziegel Aktiengesellschaft", True),
        ("Norrvind Real Estate Investment Trust", "Norrvind REIT", True),
        ("Norrvind Gruppe AG", "Norrvind Group", True),
        ("Norrvind (Thailand) Co., Ltd.", "NORRVIND CO., LTD. (Thailand)", True),
        ("Norrvind Limited Hong Kong", "Norrvind Hong Kong Ltd", True),
        ("Norrvind (plc)", "Norrvind PLC", True),
        ("Gap, Inc. (The)", "The Gap, Inc.", True),
        ("Norrvind Asia Corporation (NAC)", "Norrvind Asia Corp.", True),
        ("ATR (Ateliers de Travaux Rouen)", "Ateliers de Travaux Rouen SA", True),
        ("Norrvind Bricks- NORB", "Norrvind Bricks SA", True),
        ("Norrvind Post AG (Vellmar Group)", "Norrvind Post AG", True),
        ("Norrvind Ltd t/a Vellmar Kilns", "Vellmar Kilns", True),
        ("Norrvind eingetragene Genossenschaft", "Norrvind eG", True),
        ("Norrvind Oyj", "Norrvind Corporation", True),
        ("Norrvind Pharmalabs", "Norrvind Pharma Laboratories", True),
        ("Norrvind plc (formerly Vellmar Kilns plc)", "Vellmar Kilns plc", True),
        ("Buy Now Pay Later Ltd", "Pay Later Ltd", False),
        ("Norrvind (Thailand) Co., Ltd.", "Norrvind Co., Ltd.", False),
        ("Norrvind Ltd (UK)", "Norrvind Ltd", False),
        ("Norrvind AG", "Norrvind Ltd", False),
        ("Norrvind OOO", "Norrvind PAO", False),
        ("SE", "AG", False),
    ],
)
def test_names_are_one_without_their_forms_and_two_where_these_differ(one: str, other: str, *, same: bool) -> None:
    assert company_name(one).is_of(company_name(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "perhaps"),
    [
        ("Norrvind plc", "Norrvind Group plc", True),
        ("Norrvind Telecoms Company (Zorla)", "Norrvind Telecoms", True),
        ("Norrvind Private Limited", "Norrvind Limited", True),
        ("Norrvind SA", "Norrvind AG", True),
        ("Norrvind", "Norrvind Foods Ltd", True),
        ("Norrvind Ltd", "Norrvind Foods Ltd", False),
        ("Norrvind Dairy", "Norrvind Foods Ltd", False),
        ("Norrvind Foods", "Norrvind", False),
        ("Kouda Seisakusyo K.K.", "Koda Seisakusho Co., Ltd.", True),
        ("Norrvind Group plc", "Norrvind Holdings plc", False),
        ("Norrvind (Zorla) Ltd", "Norrvind (Ulmar) Ltd", False),
        ("Norrvind GmbH", "Norrvind Group plc", False),
        ("Norrvind GmbH", "Norrvind plc", False),
        ("Company Group", "Company plc", False),
    ],
)
def test_what_may_be_left_out_of_a_name_makes_two_names_perhaps_one(one: str, other: str, *, perhaps: bool) -> None:
    names = company_name(one), company_name(other)
    assert (names[0].may_be_of(names[1]), names[0].is_of(names[1])) == (perhaps, False)


GROUP = "40000004,Vellmar Group,,,Committed,,,,,,,,2024-01-09"


async def test_a_row_of_a_group_is_found_as_unsure_if_it_is_the_only_one_of_its_name(
    registries: Registries, tmp_path: Path
) -> None:
    await taken_in(registries, tmp_path, HEADS, GROUP)
    (row,) = await ask(registries, "Vellmar AG")
    assert row["unsure"] == "Vellmar Group"
    assert [each["unsure"] for each in await ask(registries, "Vellmar Group")] == [""]
    await taken_in(registries, tmp_path, HEADS, GROUP, GROUP.replace("Group", "Holding SE"))
    assert await ask(registries, "Vellmar") == []
    await taken_in(registries, tmp_path, HEADS, GROUP, GROUP.replace("Group", "AG"))
    assert names(await ask(registries, "Vellmar")) == ["company_name: Vellmar AG"]


@pytest.mark.skipif(not (SHARED / "data/registries").is_dir(), reason="the shared registers are not here")
async def test_the_real_dashboard_is_read(registries: Registries) -> None:
    stated = await registries.update("sbti", SHARED / "data/registries/sbti_by_company.xlsx")
    assert stated["rows"] == 10_990
    (row,) = await ask(registries, "UNILEVER P.L.C.")
    assert row["fields"]["near_term"] == "near_term_status: Targets set"


@pytest.mark.skipif(not (SHARED / "data/registries").is_dir(), reason="the shared registers are not here")
async def test_the_real_tables_of_registries_are_read(registries: Registries, tmp_path: Path) -> None:
    folder, packed, count = SHARED / "data/registries/offsets", tmp_path / "real.zip", 0
    with zipfile.ZipFile(packed, "w") as made:
        for file in sorted(folder.rglob("*.csv")):
            if (file.parent.name, file.stem) != ("cercarbono", "issuances"):
                text = file.read_text("utf-8")
                count += sum(1 for _ in csv.reader(io.StringIO(text))) - 1
                made.writestr(f"{file.parent.name}/{file.name}", text)
    assert (await registries.update("offsets", packed))["rows"] == count == 1_600
    beneficiaries = {"HILTI CORP.": "Using Entity: Hilti Corporation", "Reciclene SAS": "end_user: Reciclene S.A.S"}
    for asked, field in {**beneficiaries, "Workday, Inc.": "beneficiary.name: Workday"}.items():
        assert field in [row["fields"]["beneficiary"] for row in await ask(registries, asked, "offsets")]
    (issued, *_) = [row for row in await ask(registries, "ACR1007", "offsets") if row["form"] == "CARB issuances"]
    assert issued["fields"]["issued"] == "ARB Offset Credits Issued: 79565.0"
    cancelled = await ask(registries, "Mercuria Energy Trading", "offsets")
    assert {row["date"] for row in cancelled} >= {"2025-02-28"}, "the month comes first in these files"
    with pytest.raises(InputError, match="lacks"):
        await registries.update("offsets", folder / "cercarbono/issuances.csv")


NOTES = "Verified emissions\n" + "A note on the file\n" * 20
EUTL = (
    "REGISTRY_CODE,IDENTIFIER_IN_REG,INSTALLATION_NAME,INSTALLATION_IDENTIFIER,PERMIT_IDENTIFIER,"
    "MAIN_ACTIVITY_TYPE_CODE,ALLOCATION_2022,VERIFIED_EMISSIONS_2022,ALLOCATION_2023,VERIFIED_EMISSIONS_2023"
)
KILN = "DE,,Norrvind Kiln 1,206,14310-0794,29,412000,398120,405000,-1"
EXCLUDED = "SE,,Norrvind Kiln 1,206,SE-77,29,Excluded,Excluded,0,0"


async def test_a_year_that_is_not_verified_is_left_out_and_never_zero(registries: Registries, tmp_path: Path) -> None:
    await taken_in(registries, tmp_path, NOTES + EUTL, KILN, EXCLUDED, name="eutl")
    german, swedish = await ask(registries, "Norrvind Kiln 1", "eutl")
    assert german["fields"]["verified 2022"] == "VERIFIED_EMISSIONS_2022: 398120"
    assert "verified 2023" not in german["fields"] and "allocated 2023" in german["fields"]
    assert swedish["fields"]["verified 2023"] == "VERIFIED_EMISSIONS_2023: 0", "a zero that was verified"
    assert not {"verified 2022", "allocated 2022", "verified 2024"} & swedish["fields"].keys()
    assert "(table.csv, row 23)" in german["title"] and "VERIFIED_EMISSIONS_2023: -1" in german["snippet"]
    assert [row["fields"]["country"] for row in await ask(registries, "SE-77", "eutl")] == ["REGISTRY_CODE: SE"]
    with pytest.raises(InputError, match="lacks VERIFIED_EMISSIONS_YYYY"):
        await taken_in(registries, tmp_path, EUTL.replace("VERIFIED_", "REPORTED_"), KILN, name="eutl")
