"""The newsroom page over cases built by hand, and a client in the same process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.web.pages import add_pages
from tests.faces_api.conftest import connected, served


@pytest.fixture
async def inquest(tmp_path: Path) -> AsyncIterator[Inquest]:
    async with Inquest(home=tmp_path / "home") as opened:
        yield opened


@pytest.fixture
async def service(inquest: Inquest) -> AsyncIterator[FastAPI]:
    async with served(inquest, add_pages) as made:
        yield made


@pytest.fixture
async def client(service: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    async with connected(service) as opened:
        yield opened
