"""`inquest engines add mcp:NAME`: a server is asked for its tools, stored in inquest.toml, and removed completely."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from inquest.app.settings import load_settings
from inquest.app.wiring.engine_choices import engine_table
from inquest.cli.entry import run

SERVER = Path(__file__).parents[1] / "net" / "mcp_test_server.py"
OURS = "# ours\n[keys]\nTAVILY_API_KEY = 'k'\n"


def command(kind: str) -> str:
    return shlex.join([sys.executable, str(SERVER), kind])


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("INQUEST_HOME", str(tmp_path))
    path = tmp_path / "inquest.toml"
    path.write_text(OURS)
    return path


def test_a_server_is_added_listed_and_removed(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["engines", "add", "mcp:notes", command("good")]) == 0
    said = capsys.readouterr().out
    assert "'web_search'" in said and "'limit'" in said and "not used: 'fetch'" in said and "Ignore" not in said
    server = load_settings().mcp["notes"]
    assert (server.command, server.tool, server.query, server.limit) == (
        command("good"), "web_search", "query", "limit",
    )  # fmt: skip
    assert next(row for row in engine_table() if row["name"] == "mcp:notes")["ready"]
    assert run(["engines", "add", "mcp:notes", "other"]) == 1
    with kept.open("a") as file:
        file.write("[mcp.notes.env]\nOWN_KEY = 'x'\n")
    assert run(["engines", "remove", "mcp:notes", "--json"]) == 0
    assert kept.read_text().rstrip() == OURS.rstrip()
    assert run(["engines", "remove", "mcp:notes"]) == 1


def test_a_server_without_a_search_is_refused_with_its_tools(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["engines", "add", "mcp:pages", command("pages")]) == 1
    assert "Its tools: fetch." in capsys.readouterr().err and kept.read_text() == OURS


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["notes", "server"], 1, "expected mcp:NAME"),
        (["mcp:No tes", "server"], 1, "expected mcp:NAME"),
        (["mcp:notes", "no-such-program-here"], 2, "could not be started"),
        (["mcp:notes", "ftp://files.example/"], 1, "expected a command or a web address"),
        (["mcp:notes", "http://127.0.0.1:9/mcp"], 2, "INQUEST_ALLOW_HOSTS"),
        (["mcp:notes", "server 'unclosed"], 1, "invalid command"),
    ],
)
def test_what_cannot_be_added(
    arguments: list[str], code: int, words: str, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["engines", "add", *arguments]) == code
    assert words in capsys.readouterr().err.replace("\n", " ") and kept.read_text() == OURS


def test_the_skill_names_every_outcome_of_an_audit() -> None:
    from inquest.domain.audit import Outcome

    text = (Path(__file__).parents[2] / "docs" / "skill" / "SKILL.md").read_text(encoding="utf-8")
    head = text.split("---")[1]
    assert "name: " in head and "description: " in head
    assert all(f"`{outcome.value}`" in text for outcome in Outcome if outcome is not Outcome.HOLDS)
