"""`inquest verify`: accepted and rejected input, with reasons, and the stored results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inquest.cli.entry import run

pytestmark = pytest.mark.usefixtures("features_alone")
PAGE = {
    "url": "https://holm-gazette.example/ferry",
    "date": "2025-01-21",
    "title": "Ferry aground",
    "text": "The ferry Sula ran aground off Holm on 20 January 2025 with 14 people on board, the Gazette saw.",
}
TOPIC = {"title": "Ferry Sula ran aground off Holm", "event_date": "2025-01-20", "place": "Holm"}
OFFLINE = ["--engines", "collection", "--collection", "holm", "--as-of", "2025-02-01"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows, ratings = tmp_path / "rows.jsonl", tmp_path / "ratings.csv"
    rows.write_text(json.dumps(PAGE))
    ratings.write_text("domain,score,category\nholm-gazette.example,78,local\n")
    assert run(["collection", "add", "holm", str(rows), "--ratings", str(ratings)]) == 0
    return tmp_path


def written(folder: Path, what: Any, name: str = "topic.json") -> str:
    path = folder / name
    path.write_text(what if isinstance(what, str) else json.dumps(what))
    return str(path)


def test_a_topic_is_raised_written_up_and_kept(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    reports = [folder / "report.md", folder / "report.html"]
    asked = ["verify", written(folder, TOPIC), *OFFLINE, "--json", str(folder / "case.json"), "--priority", "high"]
    assert run([*asked, *(word for path in reports for word in ("--report", str(path)))]) == 0
    told = capfd.readouterr()
    out = told.out[told.out.index(TOPIC["title"]) :].splitlines()
    assert out[1].startswith("VERIFIED, was unverified") and "Level    VERIFIED" in told.err
    first = " ".join(told.out[told.out.index("Verification level") : told.out.index("Key findings")].split())
    assert "One independent source of tier 1 or 2 confirms it" in first and "out of 100 that" in first
    assert "Confirmed by holm-gazette.example" in first
    case = json.loads((folder / "case.json").read_text())
    found = case["investigation"]
    assert (case["kind"], found["recommended_verification_level"]) == ("topic", "verified")
    assert found["upgrade"]["single_source"] and found["investigation_notes"]
    for path in reports:
        assert "The verification level" in path.read_text()
    assert run(["topics", "list", "--json"]) == 0
    (kept,) = json.loads(capfd.readouterr().out)
    assert (kept["verification_status"], kept["priority"]) == ("verified", "high")
    assert run(["review", case["case_id"], "--accept", "--by", "Ada"]) == 0


UNUSABLE: list[tuple[Any, str]] = [
    ({"text": "no title, no address"}, "no title"),
    ([TOPIC, {"title": "Another topic altogether"}], "2 topics"),
    ([], "no topic"),
    ("{", "not JSON"),
    ({"title": "T" * 600}, "title has 600 characters"),
    (TOPIC | {"event_date": "some day"}, "event_date"),
    (TOPIC | {"event_date": "2199-01-01"}, "is in the future"),
    (TOPIC | {"newsworthiness_score": "very"}, "newsworthiness_score is invalid"),
]
WRONG = [
    (["no-such-file.json"], "no file no-such-file.json"),
    (["4711"], "4711"),
    (["{topic}", "--as-of", "the other day"], "the other day"),
    (["{topic}", "--priority", "urgent"], "urgent"),
    (["{topic}", "--engines", "nonesuch"], "nonesuch"),
    (["{topic}", "--collection", "nowhere"], "nowhere"),
    (["{topic}", "--report", "report.docx"], "docx"),
]


def test_what_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    topic = written(tmp_path, TOPIC)
    asked = [([written(tmp_path, what, f"{number}.json")], says) for number, (what, says) in enumerate(UNUSABLE)]
    for arguments, says in (*asked, *WRONG):
        assert run(["verify", *(each.replace("{topic}", topic) for each in arguments)]) != 0, arguments
        err = " ".join(capfd.readouterr().err.split())
        assert says in err and "Traceback" not in err


def test_what_a_topic_lacks_and_what_a_date_leaves_out_is_told_beside_the_result(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    topic = written(folder, {"title": TOPIC["title"], "event_date": "2025-01-20", "colour": "red"})
    asked = ["verify", topic, "--engines", "collection", "--collection", "holm", "--json", "-"]
    assert run([*asked, "--as-of", "2025-01-10"]) == 0
    told = capfd.readouterr()
    json.loads(told.out[told.out.index("{") :])
    for says in (
        "It has no date",
        "It has no URL",
        "These fields of it are not used: colour",
        "dated 2025-01-20, and nothing published after",
    ):
        assert f"Topic: {says}" in told.err or says in told.err
    assert "Topic: It has no URL" in told.err
    assert "is in the future" not in told.err
    assert run([*asked, "--as-of", "2199-01-10", "--again"]) == 0
    assert "--as-of 2199-01-10 is in the future" in capfd.readouterr().err


def test_a_folder_that_cannot_be_written_into_is_said_before_the_work(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, how: False)  # the user who runs the tests may write everywhere
    assert run(["verify", written(folder, TOPIC), *OFFLINE, "--report", str(folder / "report.md")]) == 1
    told = capfd.readouterr()
    assert f"The folder {folder} is read-only" in told.err
    assert "has started" not in told.err


def test_a_result_is_not_lost_with_the_place_it_was_to_be_written_to(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from inquest.domain.errors import InputError

    def full(path: Path, content: bytes) -> None:
        raise InputError(f"{path} cannot be written (No space left on device).", advice="Choose another place.")

    monkeypatch.setattr("inquest.cli.show.write_whole", full)
    assert run(["verify", written(folder, TOPIC), *OFFLINE, "--report", str(folder / "report.md")]) == 1
    told = capfd.readouterr()
    assert "VERIFIED, was unverified" in told.out
    assert "No space left on device" in told.err
    assert "inquest show" in told.err


def test_a_case_that_was_broken_off_is_shown_with_the_way_to_go_on(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nobody() -> None:
        return None

    monkeypatch.setattr("inquest.cli.show.asked", nobody)
    assert run(["verify", written(folder, TOPIC), *OFFLINE, "--approve", "ask"]) == 0
    case = capfd.readouterr().err.split("inquest resume ")[1].split()[0]
    assert run(["show", case]) == 0
    assert f"inquest resume {case}" in capfd.readouterr().err
    assert run(["resume", case, "--approve", "auto"]) == 0
    capfd.readouterr()
    assert run(["show", case]) == 0
    assert "inquest resume" not in capfd.readouterr().err
