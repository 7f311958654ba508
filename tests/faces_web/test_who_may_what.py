"""The actions on a page depend on the status of the case and the rights of the user."""

from __future__ import annotations

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.api.access import Server
from inquest.app.access.accounts import add_user
from inquest.app.service.dispatching import case_work
from inquest.domain.case import Case, CaseStatus
from inquest.domain.person import Role
from tests.faces_web.seeding import seed, seed_waiting
from tests.reports.report_cases import rich


def stopped() -> Case:
    """A case that was stopped after two of its claims had been checked."""
    made = rich().case
    unchecked = tuple(each.model_copy(update={"checked": False}) for each in made.assessments[2:])
    changed = {"status": CaseStatus.CANCELLED, "assessments": (*made.assessments[:2], *unchecked)}
    return made.model_copy(update={**changed, "why": "It was stopped; continue with `inquest resume`."})


async def test_a_stopped_case_counts_what_was_checked_and_can_go_on(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, stopped())
    page = (await client.get(f"/cases/{case.id}")).text
    assert f'action="/cases/{case.id}/resume"' in page
    assert "inquest resume" not in page
    assert "<dt>claims checked</dt><dd>2</dd>" in page


@pytest.mark.usefixtures("quick_passwords")
async def test_who_may_only_read_is_offered_nothing_else(
    inquest: Inquest, client: httpx2.AsyncClient, service: FastAPI
) -> None:
    waiting, ended = await seed_waiting(inquest.app), await seed(inquest.app, stopped())
    server = service.state.server
    assert isinstance(server, Server)
    await add_user(inquest.app, "Rea", Role.READER, password="a long enough password", by="root")
    for case in (waiting, ended):
        await (await case_work(inquest.app)).own(case.id, None, "Rea")
    server.open_at_loopback = False
    await client.post("/sign-in", data={"name": "Rea", "password": "a long enough password"})
    offered = ('href="/new"', 'action="/topics', 'action="/collections"', 'name="decision"', "/resume", "/stop")
    for path in ("/", "/topics", "/collections", f"/cases/{waiting.id}/plan", f"/cases/{ended.id}"):
        reply = await client.get(path)
        assert reply.status_code == 200
        assert [each for each in offered if each in reply.text] == [], path


async def test_a_case_whose_process_died_is_interrupted_and_can_be_resumed_or_removed(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, rich().case.model_copy(update={"status": CaseStatus.RUNNING, "summary": None}))
    page = (await client.get(f"/cases/{case.id}")).text
    assert ">Interrupted<" in page
    assert f'action="/cases/{case.id}/resume"' in page
    assert "/stop" not in page
    assert ">Interrupted<" in (await client.get("/")).text
    assert [each["interrupted"] for each in (await client.get("/api/v1/cases")).json()["cases"]] == [True]
    await (await case_work(inquest.app)).submitted(case.id)
    assert ">Running<" in (await client.get(f"/cases/{case.id}")).text
    await (await case_work(inquest.app)).done(case.id)
    assert (await client.delete(f"/api/v1/cases/{case.id}")).status_code == 204
