"""A command sends its first request before it loads what it needs only later, and never loads what it does not need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LATER = frozenset(
    (
        "aiosqlite", "alembic", "courlan", "genai_prices", "htmldate", "langchain_core", "langgraph", "langsmith",
        "lxml", "numpy", "onnxruntime", "openai", "py3langid", "pydantic_ai", "pygments", "requests", "sqlalchemy",
        "tantivy", "tldextract", "tokenizers", "trafilatura", "typst", "urllib3", "warcio",
    )
)  # fmt: skip
"""Modules that a command may load only while its first request is pending."""
SCRIPT = """
import json, os, sys
from inquest.net import outside

async def asked(self, call):
    print(json.dumps([call.request.url, sorted({name.partition(".")[0] for name in sys.modules})]), flush=True)
    os._exit(0)

outside.Outside.ask = asked
from inquest.cli import main
main()
"""


@pytest.mark.parametrize(
    "command",
    [
        ["check", "--claim", "The metro carried 1.2 million people a day in 2024.", "--approve", "auto"],
        ["ask", "Why is Norvane (NRVN) down today?"],
    ],
    ids=lambda command: command[0],
)
def test_what_is_heavy_waits_until_the_first_question_is_on_its_way(command: list[str], tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("INQUEST_")}
    own = {"INQUEST_HOME": str(tmp_path), "INQUEST_MODEL": "openai:gpt-4o-mini", "OPENAI_API_KEY": "sk-none-0123"}
    proxy = {"INQUEST_PROXY": "http://127.0.0.1:9"}  # so that no name is looked up
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *command, "--engines", "tavily"],
        env=kept | own | proxy | {"TAVILY_API_KEY": "tvly-none-0123"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    url, loaded = json.loads(done.stdout.splitlines()[0])
    assert url == "https://api.openai.com/v1/chat/completions"
    assert not LATER & set(loaded)
