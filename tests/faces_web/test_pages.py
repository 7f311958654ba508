"""Pages as made by the server: complete without a script, safe whatever a page or a person wrote, small."""

from __future__ import annotations

import asyncio
import csv
import gzip
import re
import tomllib
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

import inquest.web
from inquest import Inquest
from inquest.api.access import Server
from inquest.app.access.accounts import accounts_of, add_user
from inquest.app.cases.case_request import ClaimsRequest
from inquest.app.cases.claim_decisions import as_shown, claim_decisions
from inquest.app.cases.topic_records import investigations_of
from inquest.app.pages.case_page import TABS
from inquest.app.pages.event_lines import FORMATS
from inquest.app.pages.evidence_page import pieces_of
from inquest.app.pages.new_case import request_from, sent
from inquest.app.service.dispatching import case_work
from inquest.app.settings import load_settings
from inquest.app.wiring.case_services import Ratings
from inquest.domain.case import Case, CaseKind, CaseStatus, working_seconds
from inquest.domain.check import CheckRequest
from inquest.domain.event import standing_decision
from inquest.domain.investigation import InvestigationStatus
from inquest.domain.person import Role
from inquest.domain.plan import Brief, Decision
from inquest.domain.topic import Priority
from inquest.web.render import words
from tests.collection.upload_files import message, word_document
from tests.faces_web.seeding import seed, seed_waiting
from tests.reports.report_cases import bare, hostile, long, rich

pytestmark = pytest.mark.usefixtures("quick_passwords")
WEB = Path(inquest.web.__file__).parent


class Read(HTMLParser):
    """The elements of a page, including those that could run or load something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]


async def every_page(client: httpx2.AsyncClient, case: Case) -> dict[str, httpx2.Response]:
    paths = ["/", "/new", f"/cases/{case.id}", *(f"/cases/{case.id}/{tab}" for tab in TABS)]
    paths += [f"/cases/{case.id}/source/{source.id}" for source in case.sources[:12]]
    paths += [f"/cases/{case.id}/evidence/{finding.id}" for finding in case.findings[:12]]
    return {path: await client.get(path) for path in paths}


@pytest.mark.parametrize("made", [rich, hostile, bare], ids=lambda made: made.__name__)
async def test_every_page_of_every_case_is_made_and_nothing_in_it_runs(
    made: object, inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, made().case)  # type: ignore[operator]
    for path, reply in (await every_page(client, case)).items():
        assert reply.status_code == 200, (path, reply.text[:400])
        policy = reply.headers["content-security-policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy
        assert "<script>alert" not in reply.text and "<img src=x" not in reply.text, path
        if made is hostile and path.rpartition("/")[2] in (case.id, "verdicts", "sources", "plan", "outages"):
            assert "&lt;script&gt;alert" in reply.text, "it is shown"
        read = Read(reply.text)
        scripts = [value for tag, name, value in read.attributes if tag == "script" and name == "src"]
        assert read.tags.count("script") == 1 and len(scripts) == 1 and scripts[0].startswith("/static/"), path
        for tag, name, value in read.attributes:
            assert not name.startswith("on") and name != "style", (path, tag, name)
            if name in ("href", "src", "action"):
                outside = value.startswith(("http://", "https://"))
                assert value.startswith(("/", "#", "?")) or (outside and tag == "a"), (path, value)


async def test_the_quote_stands_marked_at_its_place_in_the_whole_archived_text(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, rich().case)
    finding = case.findings[0]
    source = next(each for each in case.sources if each.id == finding.source_id)
    page = (await client.get(f"/cases/{case.id}/evidence/{finding.id}")).text
    marked = re.findall(r"<mark[^>]*>(.*?)</mark>", page, re.S)
    assert "".join(marked) == finding.quote
    text = re.search(r'<div class="text"[^>]*>(.*?)</div>', page, re.S)
    assert text and re.sub("<[^>]+>", "", text.group(1)) == await inquest.app.snapshot_text(finding.snapshot)
    for shown in (source.title, source.domain, finding.snapshot, source.url, "Tier 1"):
        assert shown in page


def test_pieces_are_the_text_again_whatever_overlaps() -> None:
    case = rich().case
    finding = case.findings[0].model_copy(update={"start": 2, "end": 8})
    other = case.findings[0].model_copy(update={"id": "X", "start": 5, "end": 12})
    text = "0123456789abcdef"
    pieces = pieces_of(text, [finding, other], 0, len(text))
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.text for piece in pieces if finding.id in piece.finding_ids] == ["234", "567"]
    assert "".join(piece.text for piece in pieces_of(text, [finding, other], 4, 9)) == text[4:9]


async def test_a_case_of_200_sources_and_80_claims_stays_small_on_the_wire(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, long(200, 80).case)
    assets = 0
    page = await client.get(f"/cases/{case.id}", headers={"Accept-Encoding": "identity"})
    for name in re.findall(r'"(/static/[^"]+)"', page.text):
        reply = await client.get(name, headers={"Accept-Encoding": "identity"})
        assert "immutable" in reply.headers["cache-control"]
        assets += len(gzip.compress(reply.content, 5))
    for tab in ("", *(f"/{tab}" for tab in TABS)):
        shown = await client.get(f"/cases/{case.id}{tab}", headers={"Accept-Encoding": "identity"})
        assert assets + len(gzip.compress(shown.content, 5)) <= 60_000, tab


async def test_a_browser_is_answered_with_a_page_that_says_what_to_do_and_a_program_with_a_problem(
    client: httpx2.AsyncClient,
) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    shown = await client.get("/nowhere/at/all", headers=browser)
    assert shown.status_code == 404 and "nothing at this address" in shown.text and 'href="/"' in shown.text
    assert (await client.put("/new", headers=browser)).headers["content-type"].startswith("text/html")
    for path, headers in (("/nowhere", {}), ("/api/v1/nowhere", browser)):
        reply = await client.get(path, headers=headers)
        assert reply.headers["content-type"] == "application/problem+json" and reply.status_code == 404

    for path, status in (("/cases/none", 404), ("/?after=rubbish", 422), ("/cases/none/evidence/F1", 404)):
        reply = await client.get(path)
        assert reply.status_code == status and reply.headers["content-type"].startswith("text/html")
        assert 'role="alert"' in reply.text
    assert (await client.get("/?status=nothing")).status_code == 422
    assert "inquest cases" not in (await client.get("/cases/none")).text, "a command of the terminal"


async def test_a_form_of_another_site_is_refused(client: httpx2.AsyncClient) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}):
        reply = await client.post("/new/example", data={"which": "inquiry"}, headers=headers)
        assert reply.status_code == 403
    assert (await client.get("/api/v1/cases")).json()["cases"] == []


async def test_the_form_comes_back_with_what_was_written_and_why(client: httpx2.AsyncClient) -> None:
    reply = await client.post("/new", data={"kind": "inquiry", "text": "Is it <so>?", "budget": "many"})
    assert reply.status_code == 422
    assert "Is it &lt;so&gt;?" in reply.text and "Invalid budget &#39;many&#39;" in reply.text
    assert 'data-refused="budget"' in reply.text
    assert 'name="desks" value="news"' in (await client.get("/new?kind=claims")).text
    request = request_from(sent({"kind": ["claims"], "text": ["It rained."], "desks": ["news"]}))
    assert isinstance(request, ClaimsRequest) and request.desks == ("news",) and request.claims == ("It rained.",)
    wrong = await client.post("/new", data={"kind": "claims", "text": "It rained.", "desks": "gossip"})
    assert wrong.status_code == 422 and "no desk" in wrong.text and "It rained." in wrong.text
    question = {"kind": "inquiry", "text": "What did Norvane pay in Haverley?"}
    for given, field in (
        (question | {"text": "Did it rain? " * 100_000}, "text"),
        (question | {"as_of": "2026-13-45"}, "as_of"),
        (question | {"languages": "klingon"}, "languages"),
        (question | {"urls": "javascript:alert(1)"}, "urls"),
        ({"kind": "topic", "text": "not an address"}, "text"),
        ({"kind": "claims", "text": "?"}, "text"),
        ({"kind": "market", "text": "?"}, "text"),
        ({"kind": "market", "text": "Why is VLTM down?", "tickers": "zz zz!!"}, "tickers"),
    ):
        assert f'data-refused="{field}"' in (await client.post("/new", data=given)).text, given


async def test_a_form_sent_by_the_script_is_answered_with_where_to_go_or_with_the_field(
    client: httpx2.AsyncClient,
) -> None:
    by_script = {"X-Requested-With": "inquest"}
    refused = await client.post("/settings/users", data={"name": "Ada", "password": "short"}, headers=by_script)
    assert refused.status_code == 422 and 'data-refused="password"' in refused.text
    made = await client.post("/settings/teams", data={"name": "Desk"}, headers=by_script)
    assert (made.status_code, made.headers["x-location"]) == (204, "/settings#teams")
    by_hand = await client.post("/settings/teams", data={"name": "Night desk"})
    assert (by_hand.status_code, by_hand.headers["location"]) == (303, "/settings#teams")


async def test_whoever_is_not_known_is_asked_to_sign_in_and_led_back(
    inquest: Inquest, service: FastAPI, client: httpx2.AsyncClient
) -> None:
    server: Server = service.state.server
    await add_user(inquest.app, "Ada", Role.READER, password="a long enough password", by="admin")
    server.open_at_loopback = False
    asked = await client.get("/new?kind=claims")
    assert asked.status_code == 401 and 'action="/sign-in"' in asked.text
    wrong = await client.post("/sign-in", data={"name": "Ada", "password": "wrong", "back": "/"})
    assert wrong.status_code == 401 and 'role="alert"' in wrong.text
    tries = [await client.post("/sign-in", data={"name": "Eve", "password": "guess"}) for _ in range(7)]
    limited = [each for each in tries if each.status_code == 429]
    assert limited and int(limited[0].headers["retry-after"]) >= 1 and 'action="/sign-in"' in limited[0].text
    away = {"name": "Ada", "password": "a long enough password", "back": "https://evil.example/"}
    entered = await client.post("/sign-in", data=away)
    assert entered.status_code == 303 and entered.headers["location"] == "/"
    assert "Ada" in (await client.get("/")).text
    assert (await client.post("/new", data={"kind": "inquiry", "text": "Is it so?"})).status_code == 403
    await client.post("/sign-out")
    assert (await client.get("/")).status_code == 401


async def test_a_verdict_is_overruled_for_a_reason_wherever_it_is_shown_and_all_that_was_said_stays(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, rich().case)
    address = f"/cases/{case.id}/verdicts/C1"
    refused = await client.post(address, data={"kind": "overrule", "verdict": "disputed"})
    assert refused.status_code == 422 and "requires a reason" in refused.text
    said = {"kind": "overrule", "verdict": "disputed", "why": "The <b>lab</b> took it back."}
    assert (await client.post(address, data=said)).status_code == 303
    page = (await client.get(f"/cases/{case.id}/verdicts")).text
    assert "The &lt;b&gt;lab&lt;/b&gt; took it back." in page
    late = await client.post(address, data={"kind": "accept", "seen": "0"})
    assert late.status_code == 409 and "since you opened it" in late.text
    events = await inquest.app.events_of(case.id)
    seen = claim_decisions(events)
    assert (await client.post(address, data={"kind": "comment", "why": "Ask them.", "seen": seen[-1].id})).is_redirect
    kept = claim_decisions(await inquest.app.events_of(case.id))
    assert [each.kind.value for each in kept] == ["overrule", "comment"]
    stands = standing_decision(kept)
    assert stands is not None and stands.decided.value == "disputed" and stands.found.value == "verified"
    assert (await inquest.app.case(case.id)).assessments == case.assessments
    assert working_seconds((each.type, each.at) for each in events) is not None
    assert (await client.post(f"/cases/{case.id}/verdicts/C99", data={"kind": "accept"})).status_code == 404
    for form in ("md", "html", "pdf"):
        report = await client.get(f"/cases/{case.id}/export/{form}")
        assert report.status_code == 200
        if form != "pdf":
            assert "Overruled by" in report.text and "The run found" in report.text and "Ask them." in report.text
            assert "the run found: verified" not in report.text, "a decision on a claim is said once beside it"
    api = f"/api/v1/cases/{case.id}"
    assert [each["kind"] for each in (await client.get(api)).json()["decisions"]] == ["overrule", "comment"]
    for verdicts in ((await client.get(api)).json()["verdicts"], (await client.get(f"{api}/verdicts")).json()["items"]):
        decided, *others = verdicts
        assert (decided["verdict"], decided["machine_verdict"]) == ("disputed", "verified")
        assert decided["decision"]["reason"] == said["why"] and decided["decision"]["verdict"] == "disputed"
        assert all(each["decision"] is None and each["machine_verdict"] is None for each in others)
    summary = (await client.get(api)).json()["summary"]
    assert summary.startswith("## Decided by people") and "disputed instead of verified" in summary
    page = (await client.get(f"/cases/{case.id}/verdicts")).text
    assert re.search(r'class="claim disputed" id="[^"]*C1"', page) and "The run found:" in page
    rows = csv.DictReader((await client.get(f"/cases/{case.id}/export/csv")).text.splitlines())
    on_it = {(row["verdict"], row["verdict_confidence"]) for row in rows if row["claim_id"] == "C1"}
    assert on_it == {("disputed", "")}, "the confidence is that of the run in another verdict"
    graph = (await client.get(f"/cases/{case.id}/export/claimreview")).json()["@graph"]
    review = next(each for each in graph if each["identifier"].endswith("/C1"))
    assert review["reviewRating"]["alternateName"] == "Disputed" and review["reviewBody"].startswith("Disputed. ")
    assert "<b>2</b> Disputed" in (await client.get("/")).text, "C1 as decided, and C4"
    assert "took it back" in review["reviewRating"]["ratingExplanation"]
    shown = await as_shown(inquest.app, await inquest.app.case(case.id))
    assert await as_shown(inquest.app, shown) == shown, "what is shown can be shown again"


async def test_of_two_people_who_decide_at_once_the_second_is_asked_to_read_the_first(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, rich().case)
    sent = [
        client.post(f"/cases/{case.id}/verdicts/{claim}", data={"kind": "accept", "why": why, "seen": "0"})
        for claim, why in (("C1", "One."), ("C1", "Two."), ("C2", "Another claim."))
    ]
    assert sorted(reply.status_code for reply in await asyncio.gather(*sent)) == [303, 303, 409]
    kept = claim_decisions(await inquest.app.events_of(case.id))
    assert sorted(each.claim_id for each in kept) == ["C1", "C2"]


async def test_a_decision_on_a_claim_that_a_round_reworded_changes_no_verdict_and_is_still_shown(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed(inquest.app, rich().case)
    said = {"kind": "overrule", "verdict": "disputed", "why": "The lab took it back."}
    await client.post(f"/cases/{case.id}/verdicts/C1", data=said)
    first, *others = case.claims
    reworded = first.model_copy(update={"text": "The works at Tarn closed in 2023, its owner says."})
    await (await inquest.app.store()).save(case.model_copy(update={"claims": (reworded, *others)}))
    page = (await client.get(f"/cases/{case.id}/verdicts")).text
    assert "The run found:" not in page
    shown = page.split("that the last round reworded or dropped")[1]
    assert escape(first.text) in shown and said["why"] in shown
    assert (await client.get(f"/api/v1/cases/{case.id}")).json()["verdicts"][0]["decision"] is None


async def test_documents_are_added_searched_and_what_could_not_be_read_is_said(client: httpx2.AsyncClient) -> None:
    files = [
        ("files", ("note.txt", b"The ferry to Tarn was cancelled on 3 May 2024 because of a strike.")),
        ("files", ("scan.pdf", b"%PDF-1.4 nothing")),
    ]
    files += [("files", ("memo.docx", word_document("The crane fell."))), ("files", ("film.mp4", b"\0\1\2"))]
    files += [("files", ("mail.eml", message("The crane rose.")))]
    gone = b"WARC/1.0\r\nWARC-Type: request\r\nWARC-Target-URI: https://n.example/\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    files += [("files", ("n.warc", gone))]
    added = await client.post("/collections", data={"name": "desk"}, files=files)
    assert added.status_code == 200 and "scan.pdf" in added.text and "4 documents added" in added.text
    assert "film.mp4: is of an unsupported type (.mp4); PDF, " in added.text
    assert "Records of web archives - left out: 1 request." in added.text
    assert "The crane fell." in (await client.get("/collections/desk", params={"q": "crane"})).text
    found = await client.get("/collections/desk", params={"q": "ferry strike"})
    assert "The ferry to Tarn was cancelled" in found.text
    assert "desk" in (await client.get("/new")).text
    assert (await client.post("/collections", data={"name": ""}, files=files)).status_code == 422
    assert (await client.post("/collections/desk/remove")).is_redirect
    assert (await client.get("/collections/desk")).status_code == 404


async def test_a_topic_is_taken_in_watched_and_shows_how_its_level_came_about(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    assert (await client.post("/topics", data={"title": "Dockers & crews walk out"})).is_redirect
    page = (await client.get("/topics")).text
    assert "Dockers &amp; crews walk out" in page
    number = re.search(r"/topics/(\d+)/watch", page)
    assert number is not None
    assert (await client.post(f"/topics/{number[1]}/watch", data={"every": "7d"})).is_redirect
    assert f"/topics/{number[1]}/unwatch" in (await client.get("/topics")).text
    assert (await client.post(f"/topics/{number[1]}/watch", data={"every": "1s"})).status_code == 422
    assert (await client.post(f"/topics/{number[1]}/unwatch")).is_redirect
    assert f"/topics/{number[1]}/unwatch" not in (await client.get("/topics")).text
    assert (await client.post("/topics", data={})).status_code == 422
    page = (await client.get(f"/topics/{number[1]}")).text
    assert "has not been investigated" in page and "Dockers &amp; crews" in page
    rows = await investigations_of(inquest.app)
    begun = await rows.start(int(number[1]), at=inquest.app.clock.now(), priority=Priority.NORMAL, estimated=None)
    failed = {"status": InvestigationStatus.FAILED, "why": "Nobody could be asked.", "case_id": "20260101-0000000a"}
    await rows.finish(begun.model_copy(update=failed), None)
    page = (await client.get(f"/topics/{number[1]}")).text
    assert "Nobody could be asked." in page and "/cases/20260101-0000000a" in page
    assert (await client.get("/topics/99999")).status_code == 404


async def test_a_key_is_used_once_it_was_tested_and_never_shown(
    inquest: Inquest, client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    came: dict[str, Any] = {"ok": False, "error": {"kind": "EngineUnavailable", "message": "There is no network."}}

    async def tried(app: object, name: str) -> dict[str, Any]:
        return {"title": "Tavily", "hits": [], **came}

    monkeypatch.setattr("inquest.app.tools.doctor.try_engine", tried)
    path = inquest.app.settings.home / "inquest.toml"
    path.write_text('# ours\ncontact = "desk@paper.example"\n\n[keys]\nOTHER = "x"\n')
    given = await client.post("/settings/engines/tavily/key", data={"key": " tvly-secret-1 "})
    assert "<b>Tavily</b>" in given.text and "Stored untested" in given.text
    page = (await client.get("/settings")).text
    assert "key stored but not tested" in page and "tvly-secret-1" not in page
    assert "left today" in page and "used today" not in page
    assert inquest.app.engines["tavily"].lacks() and load_settings(home=path.parent).key("TAVILY_API_KEY") is None
    came = {"ok": True}
    assert "tvly-secret-1" not in (await client.post("/settings/engines/tavily/try")).text
    assert not inquest.app.engines["tavily"].lacks()
    came = {"ok": False, "error": {"kind": "EngineKeyRefused", "message": "Refused."}}
    await client.post("/settings/engines/tavily/key", data={"key": "tvly-secret-2"})
    kept = path.read_text()
    assert kept.startswith('# ours\ncontact = "desk@paper.example"\n')
    assert tomllib.loads(kept)["keys"] == {"OTHER": "x", "TAVILY_API_KEY": "tvly-secret-1"}
    assert not load_settings(home=path.parent).untested
    for name, key in (("gdelt", "k"), ("none", "k"), ("tavily", "two words")):
        assert (await client.post(f"/settings/engines/{name}/key", data={"key": key})).status_code == 422


async def test_words_that_sound_like_a_decision_are_a_change_where_a_change_was_asked(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    made = rich().case
    waiting = made.model_copy(update={"status": CaseStatus.PLANNED, "approvals": (), "summary": None, "why": ""})
    case = await seed(inquest.app, waiting)
    page = (await client.get(f"/cases/{case.id}/chat")).text
    assert 'action="/cases/' in page and "What happened at the Norvane works" in page
    said = {"decision": "revise", "words": "stop", "revision": "2"}
    assert (await client.post(f"/cases/{case.id}/decide", data=said)).is_redirect
    taken = await (await case_work(inquest.app)).decision(case.id, 2)
    assert taken is not None and taken.decision is Decision.REVISE and taken.text == "stop"
    late = await client.post(f"/cases/{case.id}/decide", data={"decision": "approve", "revision": "2"})
    assert late.status_code == 409


async def test_users_teams_and_tokens_are_kept_on_the_page_and_a_token_is_shown_once(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    user = {"name": "Ada", "password": "a long enough password", "role": "editor"}
    assert (await client.post("/settings/users", data=user)).is_redirect
    made = await client.post("/settings/tokens", data={"user": "Ada", "name": "nightly"})
    secret = re.search(r"inq_[\w-]+", made.text)
    assert secret is not None
    page = (await client.get("/settings")).text
    assert "nightly" in page and secret[0] not in page
    headers = {"Authorization": f"Bearer {secret[0]}"}
    assert (await client.get("/api/v1/me", headers=headers)).json()["name"] == "Ada"
    number = re.search(r"/settings/tokens/(\d+)/revoke", page)
    assert number is not None
    await client.post(f"/settings/tokens/{number[1]}/revoke")
    assert (await client.get("/api/v1/me", headers=headers)).status_code == 401
    assert (await client.post("/settings/teams", data={"name": "City desk"})).is_redirect
    changed = {"role": "reader", "teams": "City desk, Courts", "active": "true"}
    assert (await client.post("/settings/users/Ada", data=changed)).is_redirect
    ada = await (await accounts_of(inquest.app)).user("Ada")
    assert ada.role is Role.READER and [team.name for team in ada.teams] == ["City desk", "Courts"] and ada.active
    assert (await client.post("/settings/users/Ada", data=changed | {"active": "false"})).is_redirect
    assert not (await (await accounts_of(inquest.app)).user("Ada")).active
    page = (await client.get("/settings")).text
    assert "deactivated" in page and "City desk, Courts" in page


def test_every_word_that_a_template_asks_for_is_in_the_catalogue_and_none_is_left_over() -> None:
    asked = set()
    for file in (WEB / "templates").glob("*.html"):
        asked |= set(re.findall(r"\bw\.([a-z_]+)\.([a-z_]+)\b", file.read_text("utf-8")))
    table = words()
    for space, entry in asked:
        assert hasattr(getattr(table, space, None), entry), (space, entry)


async def test_a_source_is_rated_by_hand_and_the_rest_of_the_file_stays(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    given = {"file": ("mine.csv", b"domain,score,reason\nledger.example,80,knows the trade\n")}
    assert (await client.post("/settings/ratings", files=given)).status_code == 200
    one = {"domain": "https://www.Rumour.example/x", "score": "10", "reason": 'They "quote", nobody'}
    said = await client.post("/settings/ratings/one", data=one)
    assert said.status_code == 200 and "rumour.example is rated 10" in said.text
    again = await client.post("/settings/ratings/one", data=one | {"score": "15"})
    assert again.status_code == 200
    rated = Ratings(inquest.app.settings)
    assert rated.publisher("https://rumour.example/a").score == 15
    assert rated.publisher("https://ledger.example/a").score == 80
    for wrong in ({"score": "101"}, {"score": "ten"}, {"domain": "no domain"}):
        assert (await client.post("/settings/ratings/one", data=one | wrong)).status_code == 422


async def test_who_may_read_may_comment_on_a_quote_and_decide_nothing(
    inquest: Inquest, client: httpx2.AsyncClient, service: FastAPI
) -> None:
    case = await seed(inquest.app, rich().case)
    server = service.state.server
    assert isinstance(server, Server)
    await add_user(inquest.app, "Eve", Role.ADMIN, password="a long enough password", by="root")
    await add_user(inquest.app, "Rea", Role.READER, password="a long enough password", by="root")
    await (await case_work(inquest.app)).own(case.id, None, "Rea")
    server.open_at_loopback = False
    await client.post("/sign-in", data={"name": "Rea", "password": "a long enough password"})
    finding = next(each for each in case.findings if each.claim_id)
    address = f"/cases/{case.id}/verdicts/{finding.claim_id}"
    said = {"kind": "comment", "why": "Is this the <i>same</i> works?", "finding_id": finding.id}
    kept = await client.post(address, data=said)
    assert kept.headers["location"] == f"/cases/{case.id}/evidence/{finding.id}#comments"
    page = (await client.get(f"/cases/{case.id}/evidence/{finding.id}")).text
    assert "Is this the &lt;i&gt;same&lt;/i&gt; works?" in page and "Rea" in page
    assert (await client.post(address, data={"kind": "accept"})).status_code == 403
    assert (await client.post(address, data=said | {"finding_id": "F999"})).status_code == 404


async def test_a_waiting_plan_shows_what_changed_since_the_one_before(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    case = await seed_waiting(inquest.app)
    page = (await client.get(f"/cases/{case.id}/plan")).text
    changes = re.search(r'<section class="changes">(.*?)</section>', page, re.S)
    assert changes and re.sub(r"<[^>]+>|\s+", " ", changes.group(1)).split() == (
        "Changes from plan 1 What will be investigated (1) removed Who closed it?".split()
    )
    assert "· German" in page, "the language of a query"
    assert "quick · 1 to 4 minutes · " in " ".join(page.split())
    assert 'class="button primary" href' not in page, "nobody is led to the page that is open"
    assert 'name="decision" value="approve"' in page


async def test_a_report_of_this_machine_is_known_by_its_name_alone(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    check = CheckRequest(company="Norvane", report="file:///home/ada/desk/report%202024.pdf", report_snapshot="x")
    for given in ("/home/ada/desk/report 2024.pdf", "desk/report 2024.pdf", "report 2024.pdf"):
        brief = Brief(text=f"Check the claims of Norvane: the report {given}", check=check)
        assert FORMATS["brief"](bare().case.model_copy(update={"brief": brief})).endswith("the report report 2024.pdf")
    case = bare().case.model_copy(update={"brief": Brief(text="See /home/ada/desk/x.txt")})
    assert FORMATS["brief"](case) == "See /home/ada/desk/x.txt", "what a person wrote stays"
    kept = await seed(inquest.app, bare().case.model_copy(update={"brief": brief, "kind": CaseKind.CLAIMS}))
    for path in ("", "/chat", "/plan", "/outages"):
        assert "/home/ada" not in (await client.get(f"/cases/{kept.id}{path}")).text


async def test_a_case_that_failed_leads_to_what_could_not_be_asked_and_to_the_form(
    inquest: Inquest, client: httpx2.AsyncClient
) -> None:
    made = hostile().case
    changed = {"status": CaseStatus.FAILED, "summary": None, "brief": Brief(text="Is the bridge open & safe?")}
    case = await seed(inquest.app, made.model_copy(update=changed))
    page = (await client.get(f"/cases/{case.id}")).text
    assert f'href="/cases/{case.id}/outages"' in page
    assert f'href="/new?from={case.id}"' in page
    form = await client.get(f"/new?from={case.id}")
    assert "Is the bridge open &amp; safe?</textarea>" in form.text
    assert (await client.get("/new?from=20200101-none")).status_code == 404


async def test_the_status_tells_of_workers_and_of_cases_by_state(inquest: Inquest, client: httpx2.AsyncClient) -> None:
    await seed(inquest.app, bare().case)
    page = re.sub(r"<[^>]+>|\s+", " ", (await client.get("/status")).text)
    assert "runs the cases itself" in page and "1 complete" in page
    assert (await client.get("/metrics")).status_code == 200
