"""`inquest verify`: what it takes, what it refuses and why, and what it leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inquest.cli.entry import run

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
    capfd.readouterr()
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


def test_the_result_begins_and_ends_with_the_level(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", written(folder, TOPIC), *OFFLINE]) == 0
    told = capfd.readouterr()
    out = told.out[told.out.index(TOPIC["title"]) :].splitlines()
    assert out[1].startswith("VERIFIED, was unverified")
    first = " ".join(told.out[told.out.index("Verification level") : told.out.index("Executive summary")].split())
    for says in ("1 independent source of tier 1 or 2 confirms it", "Confirmed by holm-gazette.example", "of 100 that"):
        assert says in first
    assert "Level    VERIFIED" in told.err


def test_the_topics_page_that_is_only_in_a_collection_is_no_outage(folder: Path) -> None:
    asked = ["verify", written(folder, TOPIC | {"url": PAGE["url"]}), *OFFLINE, "--json", str(folder / "case.json")]
    assert run(asked) == 0
    case = json.loads((folder / "case.json").read_text())
    assert [each["url"] for each in case["sources"]] == [PAGE["url"]]
    assert (case["status"], case["outages"]) == ("completed", [])
    assert not any("could not be" in each for each in case["investigation"]["upgrade"]["reasons"])


def test_a_page_that_nobody_has_is_one_outage_however_often_it_was_tried(folder: Path) -> None:
    gone = TOPIC | {"url": "https://holm-gazette.example/gone"}
    assert run(["verify", written(folder, gone), *OFFLINE, "--json", str(folder / "case.json")]) == 2
    case = json.loads((folder / "case.json").read_text())
    assert [each["where"] for each in case["outages"]] == [gone["url"]]
    reasons = case["investigation"]["upgrade"]["reasons"]
    assert "One service or page that should have been asked could not be." in reasons


@pytest.mark.parametrize(
    ("name", "what"), [("topic.txt", "{url}\n"), ("topic.url", "[InternetShortcut]\r\nURL={url}\r\n")]
)
def test_a_file_that_holds_an_address_means_its_page(
    name: str, what: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", written(folder, TOPIC | {"url": PAGE["url"]}), *OFFLINE]) == 0
    assert run(["verify", written(folder, what.format(url=PAGE["url"]), name), *OFFLINE, "--as-of", "2025-01-22"]) == 1
    assert "not due again" in capfd.readouterr().err, "it is the same topic"


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ({"text": "no title, no address"}, "no title"),
        ([TOPIC, {"title": "Another topic altogether"}], "2 topics"),
        ([], "no topic"),
        ("{", "not JSON"),
        ({"title": "T" * 600}, "title has 600 characters"),
        (TOPIC | {"event_date": "some day"}, "event_date"),
        (TOPIC | {"event_date": "2199-01-01"}, "lies in the future"),
        (TOPIC | {"newsworthiness_score": "very"}, "no number"),
    ],
    ids=["untitled", "two", "none", "torn", "endless title", "no date", "tomorrow", "no number"],
)
def test_a_topic_that_cannot_be_used_is_refused_in_a_sentence(
    what: Any, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = run(["verify", written(tmp_path, what)])
    err = " ".join(capfd.readouterr().err.split())
    if code == 0:
        pytest.fail(f"it was taken: {err}")
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["no-such-file.json"], "no file no-such-file.json"),
        (["4711"], "4711"),
        (["{topic}", "--as-of", "the other day"], "the other day"),
        (["{topic}", "--priority", "urgent"], "urgent"),
        (["{topic}", "--engines", "nonesuch"], "nonesuch"),
        (["{topic}", "--collection", "nowhere"], "nowhere"),
        (["{topic}", "--report", "report.docx"], "docx"),
    ],
)
def test_what_is_asked_for_wrongly_is_said(
    arguments: list[str], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    topic = written(tmp_path, TOPIC)
    assert run(["verify", *(each.format(topic=topic) for each in arguments)]) != 0
    err = " ".join(capfd.readouterr().err.split())
    assert says in err
    assert "Traceback" not in err
