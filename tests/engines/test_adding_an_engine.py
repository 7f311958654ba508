"""The guide for a new engine is correct: its example is an engine, which parses its recording."""

from __future__ import annotations

import json
import re
import sys
import types
from datetime import UTC, datetime
from pathlib import Path

import pytest

from inquest.domain.errors import EngineError, EngineFormat, EngineQuota
from inquest.domain.search import Query
from inquest.kit.engine import Engine
from inquest.kit.exchange import Reply

GUIDE = (Path(__file__).parent.parent.parent / "docs" / "adding-an-engine.md").read_text(encoding="utf-8")
NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Engine:
    module = types.ModuleType("guide_example")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(block("python"), "docs/adding-an-engine.md", "exec"), module.__dict__)
    made = module.Example()
    assert isinstance(made, Engine)
    return made


def reply(body: str) -> Reply:
    return Reply(url="https://archive.example/api/search", status=200, body=body.encode(), at=NOW)


def test_the_example_asks_as_the_guide_says(example: Engine) -> None:
    query = Query(text="harbour", exact=True, since=datetime(2024, 3, 5, tzinfo=UTC), domains=("a.example",))
    assert example.request(query).url == (
        "https://archive.example/api/search?q=%22harbour%22+site%3Aa.example&size=10&from=2024-03-05"
    )


def test_the_example_parses_the_recording_of_the_guide(example: Engine) -> None:
    body = json.loads(block("json"))["response"]["body"]
    [hit] = example.parsed(reply(body), example.parse)
    assert (hit.url, hit.title, hit.publisher) == ("https://courier.example/fine", "Harbour fined", "Courier")
    assert hit.published is not None
    assert hit.published.iso == "2024-03-05"


@pytest.mark.parametrize(
    ("body", "error"),
    [("<html>", EngineFormat), ('{"x": 1}', EngineFormat), ('{"error": "quota exceeded"}', EngineQuota)],
)
def test_the_example_tells_failure_from_nothing_found(example: Engine, body: str, error: type[EngineError]) -> None:
    with pytest.raises(error):
        example.parsed(reply(body), example.parse)
    assert example.parsed(reply('{"articles": []}'), example.parse) == []


def test_every_file_the_guide_names_exists() -> None:
    root = Path(__file__).parent.parent.parent
    names = [path.relative_to(root).as_posix() for part in ("src", "tests") for path in (root / part).rglob("*.py")]
    for name in re.findall(r"`((?:kit|text|sources|app)/\w+\.py|test_\w+\.py|tests/engines/\w+\.py|\w+\.py)`", GUIDE):
        assert any(f"/{path}".endswith(f"/{name}") for path in names), name
