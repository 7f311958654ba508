"""Rows of registers in the academic desk: their content decides, and a missing row is not a contradiction."""

from __future__ import annotations

from typing import Any

import pytest

from inquest.desks.academic.queries import register_queries
from inquest.desks.academic.science_targets_reading import status_found, with_status
from inquest.desks.academic.witnesses import AcademicEvidence, unanswered_by
from inquest.domain.check import DeskQuery
from inquest.domain.finding import Stance
from inquest.domain.search import Hit
from inquest.kit.desk import Results
from tests.case_parts import claim, source

CLAIM = "Orle Glass's near-term target is validated by the Science Based Targets initiative."
WORDING = "Orle Glass commits to reduce absolute scope 1 and 2 GHG emissions 42% by 2030 from a 2020 base year."


def row(near_term: str, **more: Any) -> AcademicEvidence:
    fields = {
        "company": "company_name: Orle Glass plc",
        "near_term": f"near_term_status: {near_term}",
        "net_zero": "net_zero_status: Commitment removed",
        "wording": f"full_target_language: {WORDING}",
    }
    hit = Hit(url="https://sciencebasedtargets.org/x", engine="sbti", rank=1)
    hit = hit.model_copy(update={"details": {"registry": "sbti", "fields": fields}})
    values = {"source": source("S7", 1), "passage_id": "P1", "text": "; ".join(fields.values()), "hits": (hit,)}
    return AcademicEvidence(**{**values, "stance": Stance.NEUTRAL, "confidence": 0.3, **more})


@pytest.mark.parametrize(
    ("near_term", "stance"),
    [
        ("Targets set", Stance.SUPPORTS),
        ("Committed", Stance.CONTRADICTS),
        ("Commitment removed", Stance.CONTRADICTS),
    ],
)
def test_a_row_decides_by_its_column_whatever_its_reading(near_term: str, stance: Stance) -> None:
    for read in (Stance.NEUTRAL, Stance.SUPPORTS, Stance.CONTRADICTS):
        page = row(near_term, stance=read)
        assert status_found(CLAIM, "Orle Glass plc", [page]).stance is stance
        (told,) = with_status(CLAIM, "Orle Glass plc", [page])
        assert (told.stance, told.quote) == (stance, f"near_term_status: {near_term}")
        assert page.text[told.start : told.end] == told.quote


def test_a_claim_on_another_kind_of_target_takes_the_column_of_that_kind() -> None:
    net_zero = CLAIM.replace("near-term", "net-zero")
    assert status_found(net_zero, "Orle Glass plc", [row("Targets set")]).stance is Stance.CONTRADICTS
    long_term = CLAIM.replace("near-term", "long-term")
    assert status_found(long_term, "Orle Glass plc", [row("Targets set")]).stance is Stance.NEUTRAL


@pytest.mark.parametrize(("kind", "status"), [("near-term", Stance.SUPPORTS), ("net-zero", Stance.CONTRADICTS)])
def test_the_wording_of_a_target_on_a_page_of_the_initiative_is_no_status(kind: str, status: Stance) -> None:
    page = row("").model_copy(
        update={"text": f"{WORDING}\nNear-term: targets set.\nNet-zero: commitment removed.", "hits": ()}
    )
    address = {"url": "https://sciencebasedtargets.org/x", "title": "Orle Glass plc"}
    page = page.model_copy(update={"source": page.source.model_copy(update=address)})
    found = status_found(CLAIM.replace("near-term", kind), "Orle Glass plc", [page])
    assert found.stance is status
    assert found.leading is not None
    assert WORDING not in found.leading.span.of(page.text)


def test_two_companies_of_one_name_are_not_decided_between() -> None:
    other = row("Committed").model_copy(update={"source": source("S8", 1)})
    assert status_found(CLAIM, "Orle Glass", [row("Targets set"), other]).stance is Stance.NEUTRAL
    read = with_status(CLAIM, "Orle Glass", [row("Targets set", stance=Stance.SUPPORTS), other])
    assert {each.stance for each in read} == {Stance.NEUTRAL}


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("to cut Scope 1 and 2 emissions by 42 % by 2030 from a 2020 base year", Stance.SUPPORTS),
        ("to cut Scope 1 and 2 emissions by 60 % by 2030 from a 2020 base year", Stance.NEUTRAL),
        ("to cut Scope 3 emissions by 42 % by 2030 from a 2020 base year", Stance.NEUTRAL),
        ("to cut emissions by 42 % by 2028", Stance.NEUTRAL),
        ("in line with 1.5 °C", Stance.NEUTRAL),
        ("to cut Scope 1 and 2 emissions by 42 % by 2030, the first of a glass maker,", Stance.NEUTRAL),
    ],
)
def test_a_row_shows_the_validation_only_of_a_target_with_its_own_figures(target: str, status: Stance) -> None:
    text = f"Our near-term target {target} is validated by the Science Based Targets initiative."
    page = row("Targets set")
    assert status_found(text, "Orle Glass plc", [page]).stance is status
    (read,) = with_status(text, "Orle Glass plc", [page])
    assert (read.stance is Stance.SUPPORTS) == (status is Stance.SUPPORTS)


def test_no_row_is_not_registered_and_a_missing_table_names_its_command() -> None:
    asked = register_queries(claim("Credits of VCS 902 offset it."), "Orle Glass plc", "offsets")
    assert [each.query.text for each in asked] == ["Orle Glass plc", "VCS902"]

    def why(*engines: str) -> str:
        queries = tuple(DeskQuery(**{**dict(each), "engines": engines}) for each in asked)
        return unanswered_by(Results(queries=queries))["offsets"].code

    assert (why("offsets"), why()) == ("academic.not_registered", "academic.register_missing")
