"""`inquest watch`: adding, removing, and the output of a run."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inquest.app.desks import watching
from inquest.app.wiring.resources import Resources
from inquest.cli.common import with_app
from inquest.cli.entry import run
from inquest.domain.case import Case, CaseKind
from inquest.domain.errors import Outage
from inquest.domain.plan import Brief
from inquest.domain.topic import Topic, VerificationLevel
from tests.app.topic_cases import a_case


@pytest.fixture
def topic(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> str:
    path = tmp_path / "dam.json"
    path.write_text('{"title": "The dam at Orrin leaks", "date": "2025-01-05"}')
    run(["topics", "add", str(path)])
    capfd.readouterr()
    return "1"


@pytest.fixture
def approved_by(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Scripted runs, with the user who approved each plan."""
    names: list[str] = []
    levels = [VerificationLevel.UNVERIFIED, VerificationLevel.VERIFIED]

    async def by_rote(app: Resources, topic: Topic, *, by: str, how: str = "watch") -> Case:
        names.append(by)
        case = a_case(topic, levels[len(names) - 1], name=f"case-{len(names)}", at=datetime.now(UTC))
        await (await app.store()).create(case)
        return case

    monkeypatch.setattr(watching, "run_topic", by_rote)
    return names


def test_on_the_list_run_and_off_again(topic: str, approved_by: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", topic, "--every", "12h", "--by", "Night desk"]) == 0
    assert "Topic 1 is watched, every 12h; next " in capfd.readouterr().out
    assert run(["watch", "--run"]) == 0
    assert "so there is nothing to compare" in capfd.readouterr().out
    assert approved_by == ["Night desk"]
    assert run(["watch", "--run"]) == 0
    assert capfd.readouterr() == ("", "Nothing is due.\n")
    assert run(["watch", topic, "--once", "--json"]) == 0
    done = json.loads(capfd.readouterr().out)
    assert (done["changed"], done["level"]) == (True, "verified")
    assert done["lines"] == ["The level is verified; it was unverified."]
    assert run(["watch", "--list", "--json"]) == 0
    [row] = json.loads(capfd.readouterr().out)
    assert (row["every_seconds"], row["added_by"], row["last_case"]) == (43_200, "Night desk", "case-2")
    assert run(["watch", "--list"]) == 0
    assert "The level is verified; it was unverified." in capfd.readouterr().out
    assert run(["watch", topic, "--remove"]) == 0
    assert "no longer watched" in capfd.readouterr().out


def test_a_run_that_fails_is_told_by_sentence_and_exit_code(
    topic: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def fails(app: Resources, topic: Topic, *, by: str, how: str = "watch") -> Case:
        raise Outage("There is no network.")

    monkeypatch.setattr(watching, "run_topic", fails)
    run(["watch", topic])
    assert run(["watch", "--run"]) == 2
    assert "There is no network." in capfd.readouterr().err
    run(["watch", "--list"])
    assert "The last run failed: There is no network." in capfd.readouterr().out


def test_a_case_is_watched_run_and_no_longer_watched(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def inquiry(name: str, pages: int) -> Case:
        found = a_case(Topic(title="A mast"), VerificationLevel.UNVERIFIED, name=name, pages=pages)
        brief = Brief(text="Did the mast at Orrin fall?")
        return found.model_copy(update={"kind": CaseKind.INQUIRY, "brief": brief, "investigation": None})

    async def add(app: Resources) -> None:
        await (await app.store()).create(inquiry("mast-1", 1))

    async def by_rote(app: Resources, case: Case, *, by: str) -> Case:
        assert (case.id, by) == ("mast-1", "Night desk")
        again = inquiry("mast-2", 2)
        await (await app.store()).create(again)
        return again

    monkeypatch.setattr(watching, "run_again", by_rote)
    with_app(add)
    assert run(["watch", "mast-1", "--every", "7d", "--by", "Night desk"]) == 0
    assert "Case mast-1 is watched, every 7d; next " in capfd.readouterr().out
    assert run(["watch", "--run"]) == 0
    shown = capfd.readouterr().out.splitlines()
    assert shown[0] == "Case mast-1: Did the mast at Orrin fall?"
    assert shown[1:] == ["  New source (tier 2): Story 2 <https://paper2.example/story>"]
    assert run(["watch", "--list", "--json"]) == 0
    [row] = json.loads(capfd.readouterr().out)
    assert (row["topic_id"], row["watched_case"], row["last_case"], row["level"]) == (None, "mast-1", "mast-2", None)
    assert run(["watch", "--list"]) == 0
    assert "mast-1  every 7d" in capfd.readouterr().out
    assert run(["watch", "mast-1", "--remove"]) == 0
    assert "Case mast-1 is no longer watched" in capfd.readouterr().out
    assert run(["watch", "mast-1", "--remove"]) == 1
    assert "Case mast-1 is not watched" in capfd.readouterr().err


def test_bad_input(topic: str, capfd: pytest.CaptureFixture[str]) -> None:
    bad: list[tuple[list[str], str]] = [
        (["--once"], "Missing topic or case."),
        (["1", "--list"], "--list takes no topic or case."),
        (["--run", "--list"], "cannot be combined"),
        (["1", "--once", "--every", "1h"], "--every cannot be combined with --once"),
        (["1", "--every", "1m"], "Invalid interval '1m'"),
        (["1", "--remove"], "Topic 1 is not watched"),
        (["77"], "There is no topic 77"),
        (["20990101-00000000"], "There is no case '20990101-00000000'"),
    ]
    for arguments, sentence in bad:
        assert run(["watch", *arguments]) == 1
        out, err = capfd.readouterr()
        assert (out, sentence in err) == ("", True), err
