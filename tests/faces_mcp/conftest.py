"""A server over a small collection, and a client in the same process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastmcp import Client

from inquest import Inquest
from inquest.mcp.server import opened_server
from tests.app.conftest import inquest

__all__ = ["inquest"]


@pytest.fixture
async def client(inquest: Inquest) -> AsyncIterator[Client[Any]]:
    async with opened_server(inquest.app) as server, Client(server) as connected:
        yield connected
