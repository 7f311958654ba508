"""The result for a headline with two digits changed: the whole investigation of the bundled topic, without a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inquest.cli.entry import run


def test_a_headline_with_two_digits_changed_is_contradicted_and_led_back_to_the_agency(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INQUEST_HOME", str(tmp_path / "home"))
    out = tmp_path / "case.json"
    assert run(["demo", "--topic", "--json", str(out), "--report", str(tmp_path / "topic.md")]) == 0
    case = json.loads(out.read_text("utf-8"))
    found, domains = case["investigation"], {each["id"]: each["domain"] for each in case["sources"]}
    verdict = next(each for each in case["verdicts"] if each["claim_id"] == "C0")

    assert case["kind"] == "topic" and case["status"] == "completed" and case["outages"] == []
    assert verdict["verdict"] == "contradicted"
    assert found["recommended_verification_level"] == "unverified" and found["requires_human_review"]
    # The agency that the copies credit, or the authority whose decision the agency reports.
    assert domains[found["origin"]["source_id"]] in {"halyardwire.example", "water-inspectorate.example"}
    assert {each["credibility_tier"] for each in found["additional_sources"] if each["confirms"] is False} == {1, 2}
    # The headline is not verified by its own article, or by copies of it.
    by_id = {each["id"]: each for each in case["findings"]}
    voices = {domains[by_id[each]["source_id"]] for each in verdict["for"]}
    assert "northcliff-ledger.example" not in voices
    report = (tmp_path / "topic.md").read_text("utf-8")
    assert "2.4 million euros" in report and "Where it comes from" in report


def test_two_demonstrations_at_once_are_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "--topic", "--claims"]) == 1
    assert "Use one of them" in capsys.readouterr().err
