"""The newsroom page over cases built by hand, and a client in the same process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.api.server import create_app
from inquest.web.pages import add_pages


@pytest.fixture
async def inquest(tmp_path: Path) -> AsyncIterator[Inquest]:
    async with Inquest(home=tmp_path / "home") as opened:
        yield opened


@pytest.fixture
async def service(inquest: Inquest) -> AsyncIterator[FastAPI]:
    made = create_app(inquest.app, extend=add_pages)
    async with made.router.lifespan_context(made):
        yield made


@pytest.fixture
async def client(service: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    """Somebody at this machine."""
    transport = httpx2.ASGITransport(service)
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8311") as connected:
        yield connected
