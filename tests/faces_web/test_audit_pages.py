"""The page of an audit: started by a form, its outcomes before the text, each quote in its archived source."""

from __future__ import annotations

from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from tests.app.cited_pages import TEXT, with_cited_pages


@pytest.fixture
async def inquest(tmp_path: Path) -> AsyncIterator[Inquest]:
    async with with_cited_pages(tmp_path / "home") as opened:
        yield opened


async def test_a_text_is_shown_marked_after_its_outcomes_and_each_quote_in_its_source(
    service: FastAPI, client: httpx2.AsyncClient
) -> None:
    begun = await client.post("/audit", files={"file": ("report.md", TEXT.encode())}, data={"text": "", "limit": ""})
    assert begun.status_code == 303, begun.text
    where = begun.headers["Location"]
    assert 'data-state="running"' in (await client.get(where)).text
    await client.get(where.replace("/audit/", "/api/v1/audits/"), params={"wait": 60})
    shown = unescape((await client.get(where)).text)
    assert (
        shown.index("2 of 8 citations hold; 1 could not be checked.")
        < shown.index("<table")
        < shown.index('<mark class="o-holds">')
    )
    assert shown.count("<mark") == shown.count("<article") == 9 and "it has “not” instead of “every”" in shown
    source = (await client.get(f"{where}/evidence/1")).text
    assert '<mark id="quote">The Air Authority fined Norvane 150,000 euros in March 2023.</mark>' in source
    assert (await client.get(f"{where}/evidence/6")).status_code == 404
    assert '"hold": 2' in (await client.get(f"{where}/report", params={"form": "json"})).text
    assert where in (await client.get("/audit")).text
    assert (await client.post(f"{where}/remove")).status_code == 303
    assert (await client.get(where)).status_code == 404


async def test_a_form_that_cannot_be_used_keeps_what_was_written(client: httpx2.AsyncClient) -> None:
    refused = await client.post("/audit", data={"text": "<b>Dust fell.", "url": "https://example.org"})
    assert refused.status_code == 422 and "&lt;b&gt;Dust fell." in refused.text and "either a text" in refused.text
