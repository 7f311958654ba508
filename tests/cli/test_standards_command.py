"""`inquest standards`: rules with figures, versions, dates and sources, for people and for programs."""

from __future__ import annotations

import json

import pytest

from inquest.cli.entry import run


def test_all_standards_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["standards"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert any(line.startswith("sbti-near-term") for line in lines)
    assert len(lines) > 45


def test_one_standard_with_figures_dates_and_sources(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["standards", "SBTi"]) == 0
    out = capfd.readouterr().out
    assert "edition 5.1: in force 2023-04-01 to 2024-03-31" in out
    assert "[4.2 % a year, linear]" in out
    assert "https://sciencebasedtargets.org" in out


def test_json_alone_on_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["standards", "ISO 14064-1", "--json"]) == 0
    (row,) = json.loads(capfd.readouterr().out)
    assert row["id"] == "iso-14064-1"
    assert row["rules"][0]["source"]["url"].startswith("https://")


def test_an_unknown_name_is_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["standards", "no such thing"]) == 1
    assert (
        capfd.readouterr().err
        == "inquest: There is no standard called 'no such thing'. `inquest standards` lists them all.\n"
    )
