"""A server over a small collection, and a client in the same process."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from inquest import Inquest
from inquest.mcp.server import opened_server
from tests.app.conftest import RATINGS, ROWS


@pytest.fixture
async def inquest(tmp_path: Path) -> AsyncIterator[Inquest]:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(json.dumps(row) for row in ROWS))
    ratings = tmp_path / "ratings.csv"
    ratings.write_text(RATINGS)
    async with Inquest(home=tmp_path / "home") as opened:
        await opened.app.collections.add("tarn", [rows], ratings=ratings)
        yield opened


@pytest.fixture
async def client(inquest: Inquest) -> AsyncIterator[Client[Any]]:
    async with opened_server(inquest.app) as server, Client(server) as connected:
        yield connected
