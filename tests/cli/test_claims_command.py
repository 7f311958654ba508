"""`inquest claims`: from a report on disk to its claims, and the message if there are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inquest.cli.entry import run
from inquest.domain.errors import BudgetMet
from inquest.kit.reader import ON_PAGE, page_progress

SENTENCE = "We cut our Scope 1 emissions by 12 % in 2022 compared to 2019."
TEXT = f"The year at Norvane\n\n{SENTENCE} The Supervisory Board met five times in 2022.\n"


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.txt"
    path.write_text(TEXT)
    return path


def test_claims_come_in_the_form_of_a_case(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["claims", str(report), "--company", "Norvane", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["schema"], made["kind"], made["input"]["company"]) == ("inquest/case/1", "claims", "Norvane")
    assert {"id", "text", "type", "importance", "source_ids", "page"} <= made["claims"][0].keys()
    assert made["claims"][0]["quote"] == SENTENCE
    assert made["claims"][0]["source_ids"] == [made["sources"][0]["id"]]
    assert made["sources"][0]["snapshot"].startswith("sha256:")


def test_a_person_sees_text_type_and_reasons(report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["claims", str(report), "--company", "Norvane", "--max", "1"]) == 0
    shown = capsys.readouterr()
    assert "C1  no page  quantitative" in shown.out
    assert "it gives a figure with a unit" in shown.out
    assert "note: only the first 1 of 2 claims are included" in shown.err


def test_claims_of_ones_own_come_first_and_keep_their_ids(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text(
        json.dumps({"id": "C1", "text": SENTENCE}) + "\n" + json.dumps({"id": "x", "text": "We plant trees."})
    )
    assert run(["claims", str(report), "--claims", str(own), "--company", "Norvane", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert [claim["id"] for claim in made["claims"]] == ["C1", "x", "C2"]
    assert made["claims"][0]["quote"] == SENTENCE
    assert made["claims"][1]["quote"] is None and made["claims"][1]["source_ids"] == []
    assert made["notes"][0] == "1 of the 2 claims given do not appear verbatim in the report"


@pytest.mark.parametrize(
    ("lines", "said"),
    [('{"id": "a", "text": "Norvane paid a fine."}\n\n{"id": "b"}', "Line 3 of"), ("", "contains no claim")],
)
def test_a_wrong_file_of_claims_is_an_error_of_the_user(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, said: str
) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text(lines)
    assert run(["claims", "--claims", str(own)]) == 1
    assert said in capsys.readouterr().err


def test_no_claim_is_said_and_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("We love nature. Together we shape tomorrow.\n")
    assert run(["claims", str(path)]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "no checkable claim was found in this document" in shown.err


def test_once_the_caller_has_left_a_reader_stops_at_the_next_page() -> None:

    seen: list[tuple[int, int]] = []
    with page_progress(lambda page, pages: seen.append((page, pages))):
        on_page = ON_PAGE.get()
        on_page(1, 9)
    assert seen == [(1, 9)]
    with pytest.raises(BudgetMet):
        on_page(2, 9)
    assert ON_PAGE.get() is not on_page
