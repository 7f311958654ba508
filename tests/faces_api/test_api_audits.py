"""Audits over REST: started, queried, exported in their formats, stopped; those of other users are not visible."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.api.routes.audits import seen_audit
from inquest.domain.errors import NotFound
from inquest.domain.person import Person, Role
from inquest.flow.nodes import audit
from tests.app.cited_pages import TEXT, with_cited_pages
from tests.collection.upload_files import word_document

AUDITS = "/api/v1/audits"


@pytest.fixture
async def inquest(tmp_path: Path) -> AsyncIterator[Inquest]:
    async with with_cited_pages(tmp_path / "home") as opened:
        yield opened


async def test_a_text_is_audited_and_the_result_is_kept_in_every_form(
    api: FastAPI, inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    begun = await client.post(AUDITS, json={"text": TEXT})
    assert begun.status_code == 202, begun.text
    where = begun.headers["Location"]
    done = (await client.get(where, params={"wait": 60})).json()
    assert (done["status"], done["summary"]) == ("partial", "2 of 8 citations hold; 1 could not be checked.")
    assert done["audit"]["schema"] == "inquest/audit/1" and done["audit"]["outcomes"]["does_not_exist"] == 1
    for form, has in (
        ("md", "| holds | 2 |"),
        ("html", "<mark class=holds>"),
        ("json", '"hold": 2'),
        ("sarif", "2.1.0"),
    ):
        assert has in (await client.get(f"{where}/report", params={"form": form})).text
    assert [each["audit_id"] for each in (await client.get(AUDITS)).json()["audits"]] == [done["audit_id"]]
    stranger = Person(name="Somebody", role=Role.EDITOR, id=7, teams=(3,))
    with pytest.raises(NotFound):
        await seen_audit(done["audit_id"], stranger, inquest.app)
    case = (await client.get(f"/api/v1/cases/{done['audit_id']}")).json()
    assert (case["kind"], case["status"], case["audit"]["hold"]) == ("audit", "partial", 2)
    assert case["sources"][0]["snapshot"] == case["input"]["snapshot"]  # the text is deleted with its case
    assert (await client.delete(where)).status_code == 204
    assert (await client.get(where)).status_code == 404


async def test_a_document_is_known_by_its_name_alone_and_what_cannot_be_read_is_refused_at_once(
    client: httpx2.AsyncClient,
) -> None:
    begun = await client.post(f"{AUDITS}/upload", files={"file": ("report.docx", word_document("Dust fell by 3 %."))})
    done = (await client.get(begun.headers["Location"], params={"wait": 60})).json()
    assert done["status"] == "completed" and "/" not in done["what"] + done["audit"]["what"]
    for body, status in (
        ({}, 422),
        ({"text": "A", "url": "https://example.org"}, 422),
        ({"url": "/etc/passwd"}, 422),
        ({"url": "http://norvane.example/gone"}, 424),
    ):
        assert (await client.post(AUDITS, json=body)).status_code == status, body


async def test_an_audit_at_work_is_ended_by_removing_it(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def endless(*given: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(audit, "read_cited", endless)
    where = (await client.post(AUDITS, json={"text": TEXT})).headers["Location"]
    assert (await client.get(where)).json()["status"] == "running"
    assert (await client.get(f"{where}/report")).status_code == 409
    assert (await client.delete(where)).status_code == 204
    assert (await client.get(where)).status_code == 404
