"""The application over a small collection, and a client in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.api.server import create_app
from tests.app.conftest import BRIEF, inquest

__all__ = ["inquest"]

INQUIRY = {"kind": "inquiry", "brief": BRIEF, "collections": ["tarn"], "engines": ["collection"]}
CHECK = {
    "kind": "claims",
    "claims": ["Calder Stone Ltd was fined 150,000 euros in September 2023."],
    "collections": ["tarn"],
    "engines": ["collection"],
    "approve": True,
}


@asynccontextmanager
async def served(inquest: Inquest) -> AsyncIterator[FastAPI]:
    made = create_app(inquest.app)
    async with made.router.lifespan_context(made):
        yield made


def connected(api: FastAPI) -> httpx2.AsyncClient:
    """Somebody at this machine."""
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(api), base_url="http://127.0.0.1:8311")


@pytest.fixture
async def api(inquest: Inquest) -> AsyncIterator[FastAPI]:
    async with served(inquest) as made:
        yield made


@pytest.fixture
async def client(api: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    async with connected(api) as opened:
        yield opened


async def until(client: httpx2.AsyncClient, case_id: str, *statuses: str) -> dict[str, Any]:
    """The case, once it has one of these statuses and, where it is planned, a plan."""
    async with asyncio.timeout(60):
        while True:
            case: dict[str, Any] = (await client.get(f"/api/v1/cases/{case_id}")).json()
            if case["status"] in statuses and (case["status"] != "planned" or case["plan"]):
                return case
            await asyncio.sleep(0.02)
