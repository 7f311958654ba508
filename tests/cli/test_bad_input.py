"""Bad input at the terminal: one clear sentence, exit code 1, nothing begun, nothing left behind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from inquest.cli.entry import run


@pytest.fixture
def said(capfd: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    return capfd


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "?"], "The brief does not say what to search for"),
        (["check", "--claim", "It was done by someone at some point."], "has nothing to search for"),
        (["run", "x" * 200_000], "200,000 characters"),
        (["run", "harbour dredging", "--engines", "gogle"], "There is no engine 'gogle'"),
        (["run", "harbour dredging", "--report", "report.docx"], "Invalid file name report.docx"),
        (["run", "harbour dredging", "--report", "no/such/folder/report.md"], "There is no folder"),
        (["show"], "Expected either a case"),
        (["show", "--snapshot", "sha256:" + "0" * 64, "--text"], "sha256:0000"),
        (["assess", "--claim", "x"], "Missing claim or passage"),
        (["read", "empty.txt"], "The file at empty.txt contains no text"),
        (["claims", "noise.bin"], "The document at noise.bin is"),
        (["tier", "https://example.org", "http://"], "Invalid address 'http://'"),
        (["collection", "add", "../escape", "."], "escape"),
        (["run", "scan.pdf"], "scan.pdf is a PDF, not a brief. Check its claims: inquest check"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_sentence(
    arguments: list[str],
    sentence: str,
    said: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "empty.txt").touch()
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7\n%%EOF")
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 8)
    assert run(arguments) == 1
    out, err = said.readouterr()
    assert out == ""
    assert sentence in err.replace("\n", " ")
    assert "Traceback" not in err


def test_a_page_inside_the_network_is_not_fetched(said: pytest.CaptureFixture[str]) -> None:
    assert run(["read", "http://169.254.169.254/latest/meta-data/"]) == 2
    _, err = said.readouterr()
    assert "169.254.169.254" in err
    assert "Traceback" not in err


def test_a_bad_line_is_named_by_its_number(said: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    good = json.dumps({"claim": "The fine was 2 million euros.", "passage": "The fine was 2 million euros."})
    pairs.write_text(good + "\n{not json\n")
    assert run(["assess", "--jsonl", str(pairs)]) == 1
    out, err = said.readouterr()
    assert json.loads(out)["stance"] == "supports"
    assert "Line 2" in err


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("INQUEST_BUDGET_USD", "much", "INQUEST_BUDGET_USD"),
        ("INQUEST_DATABASE_URL", "mysql://localhost/x", "mysql"),
        ("INQUEST_PROXY", "nonsense", "INQUEST_PROXY"),
        ("INQUEST_CA_FILE", "/no/such/file.pem", "/no/such/file.pem"),
    ],
)
def test_a_wrong_setting_is_named(
    name: str, value: str, sentence: str, said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    code = run(["run", "harbour dredging", "--engines", "wikipedia", "--approve", "auto"])
    _, err = said.readouterr()
    assert code == 1
    assert sentence in err.replace("\n", " ")
    assert "Traceback" not in err
    if name != "INQUEST_DATABASE_URL":
        monkeypatch.delenv(name)
        assert run(["cases"]) == 0
        assert "no cases yet" in said.readouterr().err


def test_a_data_folder_of_a_newer_version_is_left_alone(
    said: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    home = tmp_path / "newer"
    monkeypatch.setenv("INQUEST_HOME", str(home))
    assert run(["cases"]) == 0
    with sqlite3.connect(home / "inquest.db") as database:
        database.execute("update inquest_schema set version_num = 'from_the_future'")
    database.close()
    before = (home / "inquest.db").read_bytes()
    assert run(["cases"]) == 1
    assert "newer" in said.readouterr().err
    assert (home / "inquest.db").read_bytes() == before


def test_a_server_names_a_database_that_it_cannot_use(
    said: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INQUEST_HOME", str(tmp_path))
    (tmp_path / "inquest.db").write_bytes(b"These are minutes of a meeting. " * 100)
    assert run(["serve", "--port", "0"]) == 2
    assert said.readouterr().err.startswith(f"inquest: {tmp_path / 'inquest.db'} is not a database of Inquest")


def test_a_data_folder_that_cannot_be_made_is_named(
    said: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    monkeypatch.setenv("INQUEST_HOME", str(in_the_way / "home"))
    assert run(["cases"]) == 1
    assert "INQUEST_HOME" in said.readouterr().err


def test_help_names_every_command_with_examples(said: pytest.CaptureFixture[str]) -> None:
    os.environ.pop("COLUMNS", None)
    for command in (
        "run",
        "resume",
        "replay",
        "demo",
        "cases",
        "show",
        "report",
        "read",
        "tier",
        "assess",
        "engines",
        "doctor",
    ):
        assert run([command, "--help"]) == 0
        out, _ = said.readouterr()
        assert "inquest" in out
        assert "Example" in out


def test_a_list_of_urls_is_rated_though_one_line_of_it_is_odd(said: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("https://www.reuters.com/x\nhttp://\n")
    assert run(["tier", "--file", str(tmp_path / "urls.txt"), "--json"]) == 0
    assert [row["tier"] for row in json.loads(said.readouterr().out)] == [2, 4]


def test_ctrl_c_is_said(said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("inquest.app.wiring.resources.open_resources", stopped)
    assert run(["cases"]) == 130
    assert "Interrupted." in said.readouterr().err


def test_a_wrong_setting_says_where_it_can_be_put_right(
    said: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INQUEST_BUDGET_USD", "much")
    assert run(["doctor", "--offline"]) == 1
    assert "INQUEST_BUDGET_USD is invalid: expected a number, such as 2 or 0.50." in (err := said.readouterr().err)
    assert "in the environment or in inquest.toml" in err and "inquest doctor" not in err
