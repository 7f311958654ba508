"""Links for readers: what a link gives access to, what it does not, and how it expires."""

from __future__ import annotations

import re
from datetime import timedelta

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from inquest import Inquest
from inquest.app.access.accounts import accounts_of, add_share, shares_of
from inquest.domain.errors import Conflict
from inquest.store.tables import shares
from tests.faces_web.seeding import seed
from tests.reports.report_cases import bare, hostile, rich


async def made_link(client: httpx2.AsyncClient, case_id: str) -> str:
    page = await client.post(f"/cases/{case_id}/share", data={"name": "the lawyers", "days": "7"})
    return re.search(r'href="http://127.0.0.1:8311(/shared/[^"]+)"', page.text).group(1)  # type: ignore[union-attr]


async def test_a_reader_with_a_link_reads_the_report_and_every_quote_and_nothing_else(
    inquest: Inquest, client: httpx2.AsyncClient, service: FastAPI
) -> None:
    case, other = await seed(inquest.app, rich().case), await seed(inquest.app, bare().case)
    link = await made_link(client, case.id)
    service.state.server.open_at_loopback = False
    shown = await client.get(link)
    assert shown.status_code == 200
    assert "noindex" in shown.headers["x-robots-tag"] and shown.headers["referrer-policy"] == "no-referrer"
    assert 'name="robots" content="noindex' in shown.text
    addresses = set(re.findall(r'(?:href|action|src)="(/[^"]*)"', shown.text))
    inside = {each for each in addresses if not each.startswith(("/static/", "/favicon"))}
    assert inside and all(each.startswith(f"{link}/evidence/") or each == link for each in inside), inside
    for address in sorted(inside):
        page = await client.get(address)
        assert page.status_code == 200, address
    quoted = await client.get(f"{link}/evidence/{case.findings[0].id}")
    assert "".join(re.findall(r"<mark[^>]*>(.*?)</mark>", quoted.text, re.S)) == case.findings[0].quote
    for closed in ("/", f"/cases/{case.id}", f"/cases/{other.id}", f"/api/v1/cases/{case.id}", "/settings"):
        assert (await client.get(closed)).status_code == 401, closed
    assert (await client.get(f"{link}/evidence/{other.findings[0].id}x")).status_code == 404
    assert (await client.get(f"{link}/sources")).status_code == 404


async def test_a_link_ends_when_it_is_revoked_when_its_time_is_over_and_with_its_case(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, rich().case)
    link = await made_link(client, case.id)
    (share,) = await shares_of(inquest.app, case)
    assert (await client.get(link)).status_code == 200
    await client.post(f"/cases/{case.id}/share/{share.id}/revoke")
    gone = await client.get(link)
    assert gone.status_code == 404 and "Norvane" not in gone.text and "Desk" not in gone.text
    late = await made_link(client, case.id)
    newest = (await shares_of(inquest.app, case))[0]
    assert newest.expires_at - newest.created_at == timedelta(days=7)
    assert not newest.ended(newest.expires_at - timedelta(seconds=1)) and newest.ended(newest.expires_at)
    database = await inquest.app.database()
    past = shares.update().values(expires_at=newest.created_at - timedelta(seconds=1))
    await database.write(lambda connection: connection.execute(past).close())
    assert (await client.get(late)).status_code == 404
    last = await made_link(client, case.id)
    assert (await client.get(last)).status_code == 200
    assert (await client.delete(f"/api/v1/cases/{case.id}")).status_code == 204
    assert (await client.get(last)).status_code == 404 and await shares_of(inquest.app, case) == []


async def test_the_secret_is_kept_nowhere_and_the_audit_log_says_who_made_and_ended_it(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, rich().case)
    link = await made_link(client, case.id)
    secret = link.rsplit("/", 1)[1]
    database = await inquest.app.database()
    row = await database.read(lambda connection: connection.execute(select(shares)).one())
    assert secret not in repr(row) and re.fullmatch("[0-9a-f]{64}", row.digest)
    assert secret not in (await client.get(f"/cases/{case.id}/share")).text
    await client.post(f"/cases/{case.id}/share/{row.id}/revoke")
    log = await (await accounts_of(inquest.app)).log(before=None, limit=10)
    assert [each.action for each in log] == ["link revoked", "link made"]
    assert "the lawyers" in log[0].what and secret not in repr(log)


async def test_links_over_the_api(inquest: Inquest, client: httpx2.AsyncClient) -> None:
    case = await seed(inquest.app, hostile().case)
    made = await client.post(f"/api/v1/cases/{case.id}/shares", json={"name": "a reader", "days": 3})
    assert made.status_code == 201, made.text
    url = made.json()["url"]
    page = await client.get(url)
    assert page.status_code == 200 and "<script>alert" not in page.text
    listed = (await client.get(f"/api/v1/cases/{case.id}/shares")).json()["shares"]
    assert [each["name"] for each in listed] == ["a reader"] and url.rsplit("/", 1)[1] not in repr(listed)
    assert (await client.delete(f"/api/v1/cases/{case.id}/shares/{listed[0]['id']}")).json()["revoked_at"]
    assert (await client.get(url)).status_code == 404
    assert (await client.post(f"/api/v1/cases/{case.id}/shares", json={"name": "x", "days": 0})).status_code == 422


async def test_a_case_without_a_report_is_not_shared(inquest: Inquest) -> None:
    case = await seed(inquest.app, bare().case)
    with pytest.raises(Conflict, match="no report"):
        await add_share(inquest.app, case.model_copy(update={"summary": None}), "x", days=1, by="Ada")
