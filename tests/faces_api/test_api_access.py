"""Access control: sign-in, roles, teams, tokens; other sites and other teams have no access."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx2
import pytest
from fastapi import FastAPI

from inquest import Inquest
from tests.faces_api.conftest import INQUIRY, until

pytestmark = pytest.mark.usefixtures("quick_passwords")
PASSWORD = "correct horse battery staple"
Enter = Callable[..., Awaitable[httpx2.AsyncClient]]


@pytest.fixture
async def far(api: FastAPI) -> AsyncIterator[Callable[[], httpx2.AsyncClient]]:
    """Clients on another machine."""
    made: list[httpx2.AsyncClient] = []

    def connect() -> httpx2.AsyncClient:
        transport = httpx2.ASGITransport(api, client=("203.0.113.9", 5000))
        made.append(httpx2.AsyncClient(transport=transport, base_url="https://desk.example"))
        return made[-1]

    yield connect
    for each in made:
        await each.aclose()


@pytest.fixture
async def enter(client: httpx2.AsyncClient, far: Callable[[], httpx2.AsyncClient]) -> Enter:
    """A user with a role and teams, signed in from another machine."""

    async def signed_in(name: str, role: str, *teams: str) -> httpx2.AsyncClient:
        body = {"name": name, "role": role, "teams": list(teams), "password": PASSWORD}
        added = await client.post("/api/v1/users", json=body)
        assert added.status_code == 201
        for team in added.json()["teams"][:1]:  # the last request has the collection
            given = await client.put("/api/v1/collections/tarn/team", json={"team_id": team["id"]})
            assert given.status_code == 204
        there = far()
        reply = await there.post("/api/v1/sign-in", json={"name": name.upper(), "password": PASSWORD})
        assert reply.status_code == 200, reply.text
        return there

    return signed_in


async def test_a_session_is_a_cookie_that_no_script_reads_and_that_ends_with_the_sign_out(
    client: httpx2.AsyncClient, far: Callable[[], httpx2.AsyncClient]
) -> None:
    await client.post("/api/v1/users", json={"name": "Ada", "role": "editor", "password": PASSWORD})
    there = far()
    wrong = await there.post("/api/v1/sign-in", json={"name": "Ada", "password": "x" * 20})
    unknown = await there.post("/api/v1/sign-in", json={"name": "Nobody", "password": "x" * 20})
    assert wrong.status_code == unknown.status_code == 401 and wrong.json() == unknown.json()
    reply = await there.post("/api/v1/sign-in", json={"name": "Ada", "password": PASSWORD})
    cookie = reply.headers["set-cookie"]
    assert all(each in cookie for each in ("HttpOnly", "SameSite=lax", "Secure"))
    assert (await there.get("/api/v1/me")).json()["role"] == "editor"
    kept = dict(there.cookies)
    assert (await there.post("/api/v1/sign-out")).status_code == 204
    again = await there.get("/api/v1/me", headers={"Cookie": f"inquest_session={kept['inquest_session']}"})
    assert again.status_code == 401


async def test_a_password_is_tried_a_few_times_a_minute(far: Callable[[], httpx2.AsyncClient]) -> None:
    there = far()
    seen = [
        (await there.post("/api/v1/sign-in", json={"name": "Ada", "password": f"guess {n} guess"})).status_code
        for n in range(12)
    ]
    assert seen[0] == 401 and 429 in seen


async def test_a_role_may_what_it_may_and_no_more(enter: Enter) -> None:
    reader = await enter("Rea", "reader")
    investigator = await enter("Ivo", "investigator", "City")
    assert (await reader.post("/api/v1/cases", json=INQUIRY)).status_code == 403
    assert (await investigator.post("/api/v1/cases", json=INQUIRY)).status_code == 201
    for there in (reader, investigator):
        assert (await there.get("/api/v1/users")).status_code == 403
        assert (await there.get("/api/v1/audit")).status_code == 403


async def test_another_teams_case_is_not_there(enter: Enter, client: httpx2.AsyncClient) -> None:
    sport, city = await enter("Bo", "editor", "Sport"), await enter("Ada", "editor", "City")
    mate = await enter("Cy", "reader", "City")
    case_id = (await city.post("/api/v1/cases", json=INQUIRY)).json()["case_id"]
    await until(city, case_id, "planned")
    for path in ("", "/plan", "/events"):
        assert (await sport.get(f"/api/v1/cases/{case_id}{path}")).status_code == 404
    assert (await sport.post(f"/api/v1/cases/{case_id}/decision", json={"words": "yes"})).status_code == 404
    assert (await sport.get("/api/v1/cases")).json()["cases"] == []
    assert (await mate.get(f"/api/v1/cases/{case_id}")).status_code == 200
    assert len((await mate.get("/api/v1/cases")).json()["cases"]) == 1
    assert len((await client.get("/api/v1/cases")).json()["cases"]) == 1
    sports = (await sport.get("/api/v1/me")).json()["teams"]
    theirs = await city.post("/api/v1/cases", json={**INQUIRY, "team_id": sports[0]})
    assert theirs.status_code == 404
    assert (await sport.get("/api/v1/collections")).json()["collections"] == []
    assert (await sport.post("/api/v1/cases", json=INQUIRY)).status_code == 404


async def test_a_token_is_shown_once_lends_its_scope_and_is_revoked_at_once(
    enter: Enter, far: Callable[[], httpx2.AsyncClient], inquest: Inquest
) -> None:
    ada = await enter("Ada", "editor")
    made = (await ada.post("/api/v1/tokens", json={"name": "ci", "scope": "reader"})).json()
    there, headers = far(), {"Authorization": f"Bearer {made['token']}"}
    assert (await there.get("/api/v1/me", headers=headers)).json()["role"] == "reader"
    assert (await there.post("/api/v1/cases", json=INQUIRY, headers=headers)).status_code == 403
    more = await there.post("/api/v1/tokens", json={"name": "more", "scope": "editor"}, headers=headers)
    assert more.json()["credential"]["scope"] == "reader"
    assert made["token"] not in (await ada.get("/api/v1/tokens")).text
    assert made["token"].encode() not in (inquest.app.settings.home / "inquest.db").read_bytes()
    assert (await ada.delete(f"/api/v1/tokens/{made['credential']['id']}")).status_code == 204
    assert (await there.get("/api/v1/me", headers=headers)).status_code == 401


async def test_who_is_shut_out_is_out_at_once(enter: Enter, client: httpx2.AsyncClient) -> None:
    ada = await enter("Ada", "editor")
    token = (await ada.post("/api/v1/tokens", json={"name": "ci"})).json()["token"]
    assert (await client.patch("/api/v1/users/ada", json={"active": False})).status_code == 200
    assert (await ada.get("/api/v1/me")).status_code == 401
    assert (await client.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})).status_code == 401


async def test_a_page_of_another_site_can_do_nothing(client: httpx2.AsyncClient, enter: Enter) -> None:
    ada = await enter("Ada", "editor")
    for headers in (
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        for there in (client, ada):
            assert (await there.post("/api/v1/cases", json=INQUIRY, headers=headers)).status_code == 403
            assert (await there.get("/api/v1/cases")).json()["cases"] == []


async def test_what_is_too_large_is_refused_before_it_is_read(client: httpx2.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 2**20

    large = await client.post("/api/v1/cases", content=b"x" * (3 * 2**20))
    streamed = await client.post("/api/v1/cases", content=endless(), headers={"Content-Type": "application/json"})
    for reply in (large, streamed):
        assert reply.status_code == 413 and reply.headers["content-type"] == "application/problem+json"


async def test_every_reply_has_the_headers_that_keep_browsers_from_mischief(client: httpx2.AsyncClient) -> None:
    for path in ("/healthz", "/api/v1/cases", "/nothing/here"):
        headers = (await client.get(path)).headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["X-Frame-Options"] == "DENY"


async def test_what_was_done_is_taken_down(enter: Enter, client: httpx2.AsyncClient) -> None:
    await enter("Ada", "editor", "City")
    lines = (await client.get("/api/v1/audit")).json()["lines"]
    assert [line["action"] for line in lines] == ["signed in", "user added", "team added"]
    assert lines[0]["address"] == "203.0.113.9"
    changes = {"role": "reader", "active": False, "password": "one long sentence", "teams": ["Courts"]}
    assert (await client.patch("/api/v1/users/ada", json=changes)).status_code == 200
    lines = (await client.get("/api/v1/audit")).json()["lines"]
    assert lines[0]["what"] == "Ada: role reader, deactivated, password, teams Courts"


async def test_topics_belong_to_a_team_and_another_team_has_its_own_of_the_same_story(
    enter: Enter, client: httpx2.AsyncClient
) -> None:
    ada, bob = await enter("Ada", "editor", "City desk"), await enter("Bob", "editor", "Climate")
    story = {"topics": [{"title": "Dockers walk out", "url": "https://alder.example/a", "text": "At dawn."}]}
    hers = (await ada.post("/api/v1/topics", json=story)).json()["added"][0]["topic_id"]
    his = (await bob.post("/api/v1/topics", json=story)).json()
    assert his["known"] == [] and his["added"][0]["topic_id"] != hers
    assert [each["topic_id"] for each in (await ada.get("/api/v1/topics")).json()["topics"]] == [hers]
    assert len((await client.get("/api/v1/topics")).json()["topics"]) == 2
    refused = [
        await bob.get(f"/api/v1/topics/{hers}"),
        await bob.put(f"/api/v1/topics/{hers}/watch", json={"every": "24h"}),
        await bob.delete(f"/api/v1/topics/{hers}/watch"),
        await bob.post("/api/investigations/", json={"topic_id": hers}),
        await bob.post("/api/v1/cases", json={"kind": "topic", "topic": str(hers), "engines": ["collection"]}),
    ]
    assert [each.status_code for each in refused] == [404] * 5
    assert (await ada.put(f"/api/v1/topics/{hers}/watch", json={"every": "24h"})).status_code == 200
    assert (await bob.get("/api/v1/watches")).json()["watches"] == []
    assert hers not in [each["topic_id"] for each in (await bob.get("/api/investigations/candidates")).json()["topics"]]
    begun = await ada.post("/api/investigations/?again=true", json={"topic_id": hers})
    assert begun.status_code == 202
    number = begun.json()["investigation_id"]
    assert (await ada.get(f"/api/investigations/{number}")).status_code == 200
    assert (await bob.get(f"/api/investigations/{number}")).status_code == 404
