"""The application over a small collection, and a client in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.api.server import Extend, create_app
from inquest.app.wiring.resources import Resources
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


built = cache(create_app)
"""The application without a data folder, made once: its routes cost more than most tests."""


@asynccontextmanager
async def served(inquest: Inquest, extend: Extend | None = None) -> AsyncIterator[FastAPI]:
    """The application as it runs over this data folder."""

    @asynccontextmanager
    async def opened(_: Resources | None) -> AsyncIterator[Resources]:
        yield inquest.app

    made = built(extend=extend)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("inquest.api.server._opened", opened)
        patched.setattr("inquest.app.wiring.model_services.PORTS", {})  # no waiting for a model server
        async with made.router.lifespan_context(made):
            yield made


def connected(api: FastAPI, **transport: Any) -> httpx2.AsyncClient:
    """A user at this machine."""
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(api, **transport), base_url="http://127.0.0.1:8311")


@pytest.fixture
async def api(inquest: Inquest) -> AsyncIterator[FastAPI]:
    async with served(inquest) as made:
        yield made


@pytest.fixture
async def client(api: FastAPI) -> AsyncIterator[httpx2.AsyncClient]:
    async with connected(api) as opened:
        yield opened


async def until(client: httpx2.AsyncClient, case_id: str, *statuses: str) -> dict[str, Any]:
    """The case, once it has one of these statuses and, if it is planned, a plan."""
    async with asyncio.timeout(60):
        while True:
            case: dict[str, Any] = (await client.get(f"/api/v1/cases/{case_id}")).json()
            if case["status"] in statuses and (case["status"] != "planned" or case["plan"]):
                return case
            await asyncio.sleep(0.02)
