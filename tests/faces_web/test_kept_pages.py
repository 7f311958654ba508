"""A page, report or JSON that was read before shows later changes at once, to every user according to their rights."""

from __future__ import annotations

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.app.access.accounts import add_user
from inquest.app.service.dispatching import case_work
from inquest.domain.person import Role
from tests.faces_web.seeding import seed
from tests.reports.report_cases import rich

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "a long enough password"


async def read(client: httpx2.AsyncClient, case_id: str) -> dict[str, str]:
    paths = (f"/cases/{case_id}", f"/cases/{case_id}/verdicts", f"/cases/{case_id}/report", f"/api/v1/cases/{case_id}")
    return {path.replace(case_id, "ID"): (await client.get(path)).text for path in paths}


async def test_a_decision_a_question_and_an_assignment_show_at_the_next_read(
    inquest: Inquest, client: httpx2.AsyncClient, service: FastAPI
) -> None:
    case = await seed(inquest.app, rich().case)
    before = await read(client, case.id)
    assert await read(client, case.id) == before
    said = {"kind": "overrule", "verdict": "disputed", "why": "The lab took it back."}
    await client.post(f"/cases/{case.id}/verdicts/{case.claims[0].id}", data=said)
    decided = await read(client, case.id)
    assert [path for path, text in decided.items() if "The lab took it back." not in text] == []

    asked = await client.post(f"/api/v1/cases/{case.id}/questions", json={"question": "Who counted the gulls?"})
    assert asked.status_code == 200
    questioned = await read(client, case.id)
    assert all("Who counted the gulls?" in questioned[path] for path in ("/cases/ID", "/api/v1/cases/ID"))

    await add_user(inquest.app, "Ida", Role.INVESTIGATOR, password=PASSWORD, by="root")
    await (await case_work(inquest.app)).own(case.id, None, "Ida")
    await client.post(f"/api/v1/cases/{case.id}/assignment", json={"assigned": "Ida", "note": "Call them again."})
    assert "Call them again." in (await read(client, case.id))["/cases/ID"]


async def test_a_page_read_by_one_user_offers_another_only_what_they_may_do(
    inquest: Inquest, client: httpx2.AsyncClient, service: FastAPI
) -> None:
    case = await seed(inquest.app, rich().case)
    path = f"/cases/{case.id}/verdicts"
    assert 'value="overrule"' in (await client.get(path)).text  # the local user, an admin
    await client.post("/theme", data={"look": "dark", "back": path})
    assert 'data-theme="dark"' in (await client.get(path)).text
    await add_user(inquest.app, "Rea", Role.READER, password=PASSWORD, by="root")
    service.state.server.open_at_loopback = False
    await client.post("/sign-in", data={"name": "Rea", "password": PASSWORD})
    assert (await client.get(path)).status_code == 404
    await (await case_work(inquest.app)).own(case.id, None, "Rea")
    page = (await client.get(path)).text
    assert "Rea" in page and 'value="overrule"' not in page
