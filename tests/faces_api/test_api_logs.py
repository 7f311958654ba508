"""The server's log: a line of JSON for each request, with its case, and never with the contents of an address."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from io import StringIO

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.api.server import RequestLog
from inquest.app.logs import about_case, json_handler
from tests.faces_api.conftest import api, inquest

__all__ = ["api", "inquest"]


@pytest.fixture
def logged() -> Iterator[StringIO]:
    """The output of our loggers."""
    stream, ours = StringIO(), logging.getLogger("inquest")
    handler, level = json_handler(stream), ours.level
    ours.addHandler(handler)
    ours.setLevel(logging.INFO)
    yield stream
    ours.removeHandler(handler)
    ours.setLevel(level)


async def test_a_request_is_one_line_without_its_address(api: FastAPI, inquest: Inquest, logged: StringIO) -> None:
    transport = httpx2.ASGITransport(RequestLog(api))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8311") as client:
        assert (await client.get("/api/v1/cases/20261122-0badcafe?token=s3cret")).status_code == 400
        assert (await client.get("/api/v1/cases/20261122-0badcafe")).status_code == 404
        assert (await client.get("/healthz")).status_code == 200
        assert (await client.get("/shared-s3cret")).status_code == 404
    told = logged.getvalue()
    lines = [json.loads(line) for line in told.splitlines() if '"inquest.requests"' in line]
    assert "s3cret" not in told
    assert [(line["route"], line["status"], line.get("case")) for line in lines] == [
        ("(no such address)", 400, None),
        ("/api/v1/cases/{case_id}", 404, "20261122-0badcafe"),
        ("(no such address)", 404, None),
    ]
    assert all(line["ms"] >= 0 and line["level"] == "info" for line in lines)


def test_a_line_names_its_case_and_keeps_an_error_on_one_line(logged: StringIO) -> None:
    about_case.set("20261122-alder")
    try:
        raise ValueError("two\nlines")
    except ValueError:
        logging.getLogger("inquest.work").exception("it failed\nhere")
    (line,) = logged.getvalue().splitlines()
    read = json.loads(line)
    assert (read["case"], read["level"], read["message"]) == ("20261122-alder", "error", "it failed\nhere")
    assert "ValueError: two" in read["error"]
