"""`inquest ask` and `inquest save` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inquest.cli.entry import run
from tests.app.market_rows import NOW, QUESTION, ROWS

pytestmark = pytest.mark.usefixtures("features_alone")


@pytest.fixture
def wire(tmp_path: Path) -> list[str]:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    assert run(["collection", "add", "wire", str(rows)]) == 0
    return ["--as-of", NOW, "--engines", "collection", "--collection", "wire"]


def test_the_answer_is_printed_and_the_case_says_until_when_it_is_kept(
    wire: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "answer.html"
    capsys.readouterr()
    assert run(["ask", QUESTION, *wire, "--report", str(report)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("## Norvane (NRVN) - Real-Time Update") and "### Sources" in out
    assert "Credibility: Tier-" in out and "Freshness: 5 h" in out
    assert "First" in err and "inquest save" in err and report.exists()
    assert run(["cases"]) == 0
    listed = capsys.readouterr().out
    assert "kept until" in listed
    assert run(["save", listed.split()[0]]) == 0
    assert run(["cases"]) == 0
    assert "kept until" not in capsys.readouterr().out


def test_json_goes_to_standard_output_alone(wire: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["ask", QUESTION, "--ticker", "NRVN", *wire, "--save", "--json", "-"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["kind"], said["kept_until"]) == ("market", None)
    assert said["input"]["tickers"] == ["NRVN"] and said["answer"]["saved"] is True


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ask", "   "], 1),
        (["ask", QUESTION, "--ticker", "?!"], 1),
        (["ask", QUESTION, "--filing", "nowhere.pdf"], 1),
        (["save", "20260101-none"], 1),
        (["ask", QUESTION, "--engines", "fmp"], 2),
    ],
)
def test_exit_codes_are_those_of_the_house(arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == code
    assert "Traceback" not in capsys.readouterr().err
