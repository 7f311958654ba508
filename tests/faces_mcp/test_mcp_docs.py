"""The documentation of the tools and the exports matches them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

from fastmcp import Client

from inquest.app.cases.reporting import ENDINGS
from inquest.cli.cases import ExportFormat
from inquest.reports.exports import BEST, COLUMNS, WORST

DOCS = Path(__file__).resolve().parents[2] / "docs"


async def test_the_table_of_tools_is_complete(client: Client[Any]) -> None:
    told = re.findall(r"^\| `(\w+)` \|", (DOCS / "mcp.md").read_text(), re.M)
    assert sorted(told) == sorted(tool.name for tool in await client.list_tools())


def test_the_configurations_are_json_and_name_the_command() -> None:
    found = re.findall(r"```json\n(.*?)```", (DOCS / "mcp.md").read_text(), re.S)
    assert len(found) == 2
    for text in found:
        (servers,) = json.loads(text).values()
        assert servers["inquest"]["command"] == "inquest" and servers["inquest"]["args"] == ["mcp"]


def test_the_forms_columns_and_numbers_of_exports_are_those_that_are_told() -> None:
    text = (DOCS / "exports.md").read_text()
    forms = dict(re.findall(r"^\| `(\w+)` \| `CASE([\w.]+)`", text, re.M))
    assert forms == ENDINGS and set(forms) == set(get_args(ExportFormat))
    columns = re.search(r"come at the end:\n\n(.*?)\n\n", text, re.S)
    assert columns is not None and tuple(re.findall(r"`(\w+)`", columns[1])) == COLUMNS
    assert f"`worstRating` {WORST} to `bestRating` {BEST}" in text
