"""A case as a conversation: decisions in the user's own words, and questions once the case has ended."""

from __future__ import annotations

import re

import httpx2

from inquest import Inquest
from tests.faces_web.seeding import seed, seed_waiting
from tests.reports.report_cases import rich


async def test_a_case_that_has_ended_is_asked_and_what_is_not_answered_is_searched_for(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case, waiting = await seed(inquest.app, rich().case), await seed_waiting(inquest.app)
    assert re.findall(r'data-decide="(\w+)"', (await client.get(f"/cases/{waiting.id}/chat")).text) == ["yes", "yes"]
    address = f"/cases/{case.id}/questions"
    for tab in ("", "/chat", "/sources"):
        assert f'action="{address}"' in (await client.get(f"/cases/{case.id}{tab}")).text
    assert f"/cases/{waiting.id}/questions" not in (await client.get(f"/cases/{waiting.id}")).text
    assert (await client.post(address, data={"question": " "})).status_code == 422
    assert (await client.post(f"/cases/{waiting.id}/questions", data={"question": "Who?"})).status_code == 409
    question = "Who founded the brewery <b>?"
    asked = await client.post(address, data={"question": question, "back": "chat"})
    assert asked.status_code == 303 and asked.headers["location"].startswith(f"/cases/{case.id}/chat#c")
    page = (await client.get(f"/cases/{case.id}")).text
    assert "Not answered:" in page and "brewery &lt;b&gt;?" in page
    begun = await client.post(f"/cases/{case.id}/further", data={"why": question})
    assert begun.status_code == 303 and begun.headers["location"] == f"/cases/{case.id}"
    rounds = (await inquest.app.case(case.id)).rounds
    assert [(each.words, each.claim) for each in rounds] == [(question, "")]
    assert "Searched for in round 2" in (await client.get(f"/cases/{case.id}")).text
