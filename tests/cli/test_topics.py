"""`inquest topics`: adding, listing, and topics that need an investigation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inquest.cli.entry import run

ROWS = [
    {"title": "Ferry aground off Holm", "url": "https://holm.example/ferry", "newsworthiness_score": 80},
    {"title": "Fete in Holm", "newsworthiness_score": 20, "date": "2025-01-05"},
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "topics.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS))
    return str(path)


def test_added_listed_and_chosen(file: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["topics", "add", file, "--priority", "high"]) == 0
    out, err = capfd.readouterr()
    assert out == "    1  Ferry aground off Holm\n    2  Fete in Holm\n"
    assert "line 1: It has no date" in err
    assert run(["topics", "list", "--json"]) == 0
    rows = json.loads(capfd.readouterr().out)
    assert [(row["topic_id"], row["priority"], row["investigated"]) for row in rows] == [
        (1, "high", False),
        (2, "high", False),
    ]
    assert run(["topics", "candidates", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert [row["topic_id"] for row in found["topics"]] == [1]
    assert found["left_out"][0]["reasons"] == ["Its newsworthiness is 20; it must be at least 50."]
    assert run(["topics", "candidates"]) == 0
    out, err = capfd.readouterr()
    assert "Ferry aground" in out
    assert "Left out: 2 Fete in Holm" in err


def test_what_is_there_already_and_what_cannot_be_used(file: str, capfd: pytest.CaptureFixture[str]) -> None:
    run(["topics", "add", file])
    with Path(file).open("a") as stream:
        stream.write('\n{"text": "no title"}\n')
    capfd.readouterr()
    assert run(["topics", "add", file, "--json"]) == 2
    out, err = capfd.readouterr()
    done = json.loads(out)
    assert [topic["topic_id"] for topic in done["known"]] == [1, 2]
    assert done["refused"][0]["where"] == "line 3"
    assert "Topic 1 already exists" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["add", "nowhere.json"], "There is no file nowhere.json"),
        (["add", "https://gone.example/x"], "gone.example"),
        (["candidates", "--limit", "0"], "Invalid limit 0"),
    ],
)
def test_bad_input(arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["topics", *arguments]) in (1, 2)
    out, err = capfd.readouterr()
    assert out == ""
    assert sentence in err
