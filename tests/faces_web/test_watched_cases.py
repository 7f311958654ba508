"""A finished case is watched from its page and over REST; the results of its runs are shown to those who may see it."""

from __future__ import annotations

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from inquest.app.access.accounts import add_user
from inquest.app.desks.watching import seen_watches, watch_of
from inquest.app.service.dispatching import case_work
from inquest.domain.case import CaseKind
from inquest.domain.person import Person, Role
from inquest.store.topics import Watches
from tests.faces_web.seeding import seed, seed_waiting
from tests.reports.report_cases import rich

pytestmark = pytest.mark.usefixtures("quick_passwords")
CHANGE = "The verdict is contradicted; it was verified: The mill closed."


async def _changed(inquest: Inquest, case_id: str, last: str) -> None:
    """A run of the watch found a change."""
    app = inquest.app
    kept = await (watches := Watches(await app.database())).get(case_id)
    assert kept is not None
    await watches.ran(kept.model_copy(update={"last_at": app.clock.now(), "last_case": last, "changes": (CHANGE,)}))


async def test_a_case_is_watched_from_its_page_which_shows_what_changed(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    app = inquest.app
    case, later = await seed(app, rich().case), await seed_waiting(app)
    page = f"/cases/{case.id}"
    assert f'action="{page}/watch"' in (await client.get(page)).text
    assert (await client.post(f"{page}/watch", data={"every": "7d"})).status_code == 303
    kept = await watch_of(app, case)
    assert kept is not None and kept.every.days == 7
    await _changed(inquest, case.id, later.id)
    shown = (await client.get(page)).text
    assert CHANGE in shown and f'href="/cases/{later.id}"' in shown and "Stop watching" in shown
    assert CHANGE in (await client.get("/")).text
    assert (await client.post(f"{page}/watch", data={"every": "often"})).status_code == 422
    assert (await client.post(f"{page}/watch", data={"every": ""})).status_code == 303
    assert await watch_of(app, case) is None


async def test_what_has_no_result_and_a_market_answer_offer_no_watch(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    market = rich().case.model_copy(update={"kind": CaseKind.MARKET})
    for case in (await seed_waiting(inquest.app), await seed(inquest.app, market)):
        assert f"/cases/{case.id}/watch" not in (await client.get(f"/cases/{case.id}")).text
        assert (await client.put(f"/api/v1/cases/{case.id}/watch", json={})).status_code == 422


async def test_the_api_lists_a_watched_case_to_those_who_may_see_it(
    inquest: Inquest, client: httpx2.AsyncClient, service: FastAPI
) -> None:
    app, case = inquest.app, await seed(inquest.app, rich().case)
    where = f"/api/v1/cases/{case.id}/watch"
    kept = (await client.put(where, json={"every": "24h"})).json()
    assert (kept["watched_case"], kept["topic_id"], kept["title"]) == (case.id, None, case.brief.text)
    assert [each["watched_case"] for each in (await client.get("/api/v1/watches")).json()["watches"]] == [case.id]
    for name in ("Ida", "Max"):
        await add_user(app, name, Role.EDITOR, password="a long password", by="root")
    await (await case_work(app)).own(case.id, None, "Ida")
    seen = {name: await seen_watches(app, Person(name=name, role=Role.EDITOR)) for name in ("Ida", "Max")}
    assert [len(each) for each in seen.values()] == [1, 0]
    assert (await client.delete(where)).status_code == 204
    assert (await client.get("/api/v1/watches")).json()["watches"] == []
