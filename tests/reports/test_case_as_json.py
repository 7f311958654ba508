"""The case as JSON has every documented key, of the documented type, and no other."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from inquest.domain.case import Case, CaseStatus
from inquest.domain.plan import Brief
from inquest.domain.report import Section, Statement
from inquest.reports.case_json import case_json, summary_markdown
from tests.reports.made_case import NOON
from tests.reports.odd_check_cases import EVERY
from tests.reports.schema_check import problems, undocumented

SCHEMA: dict[str, Any] = json.loads(files("inquest.reports").joinpath("case.schema.json").read_text("utf-8"))
PLANNED = Case(id="20240601-1", status=CaseStatus.PLANNED, brief=Brief(text="What?"), as_of=NOON, created_at=NOON)
CASES = {name: view.case for name, view in EVERY.items()}

# Keys that other tools rely on: none may be missing.
PROMISED = {
    "case": "schema case_id kind status mode input as_of plan sources claims findings verdicts bias timeline summary "
    "citations outages cost timings",
    "plan": "questions queries engines approved",
    "sources": "id url title domain author published tier stars score press_release story origin_of_story owner "
    "snapshot retrieved_at summary key_claims user_provided",
    "claims": "id text type importance source_ids page",
    "findings": "id claim_id source_id agent evidence_type stance contradiction_type confidence quote snapshot start "
    "end summary details references iteration reasons",
    "verdicts": "claim_id verdict confidence independent_sources for against reasons",
    "bias": "overall balance",
    "timeline": "date precision text source_ids",
    "citations": "n finding_id source_id url quote",
    "outages": "what where why at",
    "check": "routing desks requests responses reinvestigations risks found_claims dropped notes stopped",
    "cost": "usd model_calls tokens_in tokens_out search_calls page_reads",
}


@pytest.mark.parametrize("name", [*CASES, "planned"])
def test_a_case_fits_its_schema(name: str) -> None:
    assert undocumented(case_json(CASES.get(name, PLANNED)), SCHEMA) == []


@pytest.mark.parametrize("part", PROMISED)
def test_every_promised_key_is_required_by_the_schema(part: str) -> None:
    schema = SCHEMA if part == "case" else SCHEMA["properties"][part]
    schema = schema.get("items", schema)
    assert set(PROMISED[part].split()) <= set(schema["required"])


def test_the_schema_check_finds_what_is_wrong() -> None:
    found = case_json(CASES["rich"])
    found["sources"][0]["tier"] = 5
    found["verdicts"][0]["verdict"] = "true"
    found["findings"][0]["snapshot"] = "md5:1"
    found["outages"][0]["at"] = "yesterday"
    del found["cost"]
    found["citations"][0]["more"] = True
    assert len(problems(found, SCHEMA)) == 5
    assert len(undocumented(found, SCHEMA)) == 6


def test_times_are_utc_and_quotes_are_as_they_stand() -> None:
    found = case_json(CASES["rich"])
    assert found["created_at"] == "2024-06-02T08:30:15.250000Z"
    assert found["plan"]["approved"] == {"by": "Ada", "at": "2024-06-01T12:00:00Z", "how": "prompt"}
    hostile_case = CASES["hostile"]
    assert [f["quote"] for f in case_json(hostile_case)["findings"]] == [f.quote for f in hostile_case.findings]


def test_the_summary_has_the_numbers_of_the_citations_and_no_others() -> None:
    found = case_json(CASES["rich"])
    assert "Inspectors measured 412 kg a day; the permit allows 130. [1]" in found["summary"]
    summary = CASES["bare"].summary
    assert summary is not None
    forged = summary.model_copy(
        update={"sections": (Section(heading="A [1]", statements=(Statement(text="It says so [2]."),)),)}
    )
    case = CASES["bare"].model_copy(update={"summary": forged, "citations": ()})
    assert summary_markdown(case) == "## A \\[1\\]\n\nIt says so \\[2\\]."


def test_a_check_says_what_was_asked_how_verdicts_changed_and_what_the_claims_rest_on() -> None:
    found = case_json(CASES["company"])
    assert found["kind"] == "claims"
    asked = {name: found["input"][name] for name in ("company", "industry", "desks", "max_claims", "rounds")}
    assert asked == {
        "company": "Brünnfeld Werke AG", "industry": "building materials", "desks": ["news", "academic"],
        "max_claims": 6, "rounds": 1,
    }  # fmt: skip
    first, second = found["claims"][:2]
    assert first["quote"].startswith("We cut") and first["end"] - first["start"] == len(first["quote"])
    assert first["quantities"][0]["quote"] == "42 %" and first["dates"] == ["2019", "2022"]
    assert first["disclosures"][0]["paragraph"] == "29(a)" and second["disclosures"] == []
    histories = {v["claim_id"]: [change["verdict"] for change in v["history"]] for v in found["verdicts"]}
    assert histories["C2"] == ["verified", "disputed"] and histories["C3"] == []
    assert found["verdicts"][0]["would_change"]
    assert [risk["score"] for risk in found["check"]["risks"]] == [None, 8.1, 5.0, 1.2]
    assert found["check"]["dropped"][0]["id"] == "C7"


def test_an_inquiry_has_no_check() -> None:
    found = case_json(CASES["rich"])
    assert found["check"] is None and "company" not in found["input"]
    assert found["claims"][0]["quote"] == "" and found["verdicts"][0]["history"] == []
