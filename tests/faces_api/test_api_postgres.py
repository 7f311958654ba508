"""A server and a worker on two machines: they share only the database and the object store."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from inquest.api.server import create_app
from inquest.app.settings import load_settings
from inquest.app.wiring.resources import open_resources
from inquest.app.work.worker import Worker, dispatcher_of
from tests.app.conftest import ROWS
from tests.faces_api.conftest import CHECK, until
from tests.store.conftest import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]


@pytest.mark.postgres
async def test_what_one_machine_takes_in_another_works_on_and_the_first_shows(
    postgres_url: str, tmp_path: Path
) -> None:
    def settings(machine: str) -> dict[str, str | Path]:
        shared = {"database_url": postgres_url, "storage_url": f"file://{tmp_path}/store"}
        return {**shared, "home": tmp_path / machine}

    rows = "\n".join(json.dumps(row) for row in ROWS).encode()
    async with (
        open_resources(load_settings(**settings("server"))) as app,
        open_resources(load_settings(**settings("worker"))) as other,
    ):
        api = create_app(app, dispatcher=dispatcher_of)
        async with api.router.lifespan_context(api):
            transport = httpx2.ASGITransport(api)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8311") as client:
                files = [("files", ("rows.jsonl", rows, "application/jsonl"))]
                added = await client.post("/api/v1/collections/tarn/documents", files=files)
                assert added.status_code == 200, added.text
                made = await client.post("/api/v1/cases", json=CHECK)
                assert made.status_code == 201, made.text
                case_id = made.json()["case_id"]
                working = asyncio.create_task(Worker(other, grace=1).run())
                case = await until(client, case_id, "completed", "partial")
                working.cancel()
                with suppress(asyncio.CancelledError):
                    await working
                assert case["findings"], "the worker searched the collection that the server took in"
                found = case["findings"][0]
                page = await client.get(
                    f"/api/v1/cases/{case_id}/pages/{found['snapshot']}",
                    params={"start": found["start"], "end": found["end"]},
                )
                assert page.status_code == 200, page.text
                events = await client.get(f"/api/v1/cases/{case_id}/events", headers={"Accept": "application/json"})
                assert events.json()["ended"] and events.json()["events"][-1]["type"] == "case_finished"
                metrics = (await client.get("/metrics")).text
                assert (
                    'inquest_cases{kind="completed"} 1.0' in metrics or 'inquest_cases{kind="partial"} 1.0' in metrics
                )
