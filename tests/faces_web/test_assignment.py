"""Cases assigned to users, with a desk status, and mentions in notes."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.app.access.accounts import add_user
from inquest.app.service.dispatching import case_work
from inquest.domain.event import EventType, mentioned
from inquest.domain.person import Role
from tests.faces_web.seeding import seed, seed_waiting
from tests.reports.report_cases import rich

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "a long enough password"


def test_a_mention_is_the_longest_name_that_follows_the_sign() -> None:
    names = ("Anna", "Anna Berg", "b.c@desk.example")
    assert mentioned("@anna berg and @b.c@desk.example: look", names) == {"Anna Berg", "b.c@desk.example"}
    assert mentioned("Write to ed@Anna, or @Annabel", names) == set()


async def listed(client: httpx2.AsyncClient, **wanted: Any) -> list[str]:
    reply = await client.get("/api/v1/cases", params=wanted)
    return [each["case_id"] for each in reply.json()["cases"]]


async def test_a_case_is_assigned_filtered_and_a_mention_stays_until_its_user_writes(
    inquest: Inquest,
    client: httpx2.AsyncClient,
    service: FastAPI,
) -> None:
    case, other = await seed(inquest.app, rich().case), await seed_waiting(inquest.app)
    where = f"/api/v1/cases/{case.id}/assignment"
    page = (await client.get("/")).text + (await client.get(f"/cases/{case.id}")).text
    assert "Assigned to" not in page and "esk status" not in page  # a machine of one user
    assert (await client.post(where, json={"assigned": "Ida"})).status_code == 422

    for name in ("Ida", "Max"):
        await add_user(inquest.app, name, Role.INVESTIGATOR, password=PASSWORD, by="root")
    await (await case_work(inquest.app)).own(case.id, None, "Ida")
    refused = await client.post(where, json={"assigned": "Max"})
    assert refused.status_code == 422 and "Max" in refused.text  # who could not see it

    kept = await client.post(where, json={"assigned": "ida", "desk_status": "in_review", "note": "@Ida, the dates"})
    assert kept.json()["assigned"] == "Ida" and kept.json()["desk_status"] == "in_review"
    assert await listed(client, assigned="Ida") == [case.id] == await listed(client, desk_status="in_review")
    assert await listed(client, assigned="Max") == [] == await listed(client, desk_status="done")
    assert set(await listed(client)) == {case.id, other.id}
    shown = (await client.get(f"/cases/{case.id}")).text
    assert "Assigned to <bdi>Ida</bdi>" in shown and "@Ida, the dates" in shown
    assert '<ul class="plain" id="assignment">' in shown  # the link of a mention opens what holds it

    service.state.server.open_at_loopback = False
    await client.post("/sign-in", data={"name": "Ida", "password": PASSWORD})
    assert await listed(client, mentioned=True) == [case.id]
    assert "You are mentioned by" in (await client.get("/")).text
    form = {"assigned": "Ida", "desk_status": "done", "note": "They are right."}
    assert (await client.post(f"/cases/{case.id}/assignment", data=form)).status_code == 303
    said = [each.text.partition(" ")[2] for each in await inquest.app.events_of(case.id, EventType.CASE_ASSIGNED)]
    assert said == ["assigned it to Ida and set it to in review: @Ida, the dates", "set it to done: They are right."]
    assert await listed(client, mentioned=True) == [] and await listed(client, desk_status="done") == [case.id]
    assert "You are mentioned by" not in (await client.get("/")).text
