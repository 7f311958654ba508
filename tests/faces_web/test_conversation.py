"""A case as a conversation: what was decided with its own words alone, and more asked for once there is a report."""

from __future__ import annotations

import re

import httpx2

from inquest import Inquest
from tests.faces_web.seeding import seed, seed_waiting
from tests.reports.report_cases import rich


async def test_more_is_asked_for_in_the_conversation_once_there_is_a_report(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case, waiting = await seed(inquest.app, rich().case), await seed_waiting(inquest.app)
    page = (await client.get(f"/cases/{case.id}/chat")).text
    assert re.findall(r'data-decide="(\w+)"', page) == ["more", "more"], "the page and its form say the same"
    assert re.findall(r'data-decide="(\w+)"', (await client.get(f"/cases/{waiting.id}/chat")).text) == ["yes", "yes"]
    address = f"/cases/{case.id}/further"
    assert (await client.post(address, data={"claim_id": "C99", "why": "the notice"})).status_code == 404
    assert (await client.post(address, data={"claim_id": "C1", "why": " "})).status_code == 422
    begun = await client.post(address, data={"claim_id": "C1", "why": "the regulator's own notice"})
    assert begun.status_code == 303 and begun.headers["location"] == f"/cases/{case.id}/chat"
    rounds = (await inquest.app.case(case.id)).rounds
    assert [(each.words, each.claim) for each in rounds] == [("the regulator's own notice", case.claims[0].text)]
