"""The newsroom page in a real browser: a case from the first click to its evidence, live; no errors, no violation of
the policy, no requests to other hosts; usable by keyboard, by a screen reader, on a phone, and without a script."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from inquest.app.cases.claim_decisions import Deciding, decide_claim
from inquest.app.pages.case_page import TABS
from inquest.app.wiring.resources import Resources
from inquest.demo import report
from inquest.domain.case import Case
from inquest.domain.event import DecisionKind
from tests.browser.serving import served
from tests.browser.test_html_report_in_a_browser import ARGUMENTS, CHROMIUM, DESKTOP, PHONE
from tests.faces_web.seeding import seed, seed_report, seed_topic, seed_waiting
from tests.reports.report_cases import bare, hostile, rich

pytestmark = pytest.mark.browser

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
_AXE_SHA256 = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
"""Hash of axe.min.js from npm's axe-core@4.14.1."""
_TIGHT = """[...document.querySelectorAll("input, textarea")].filter(each => !/checkbox|radio/.test(each.type)
    && each.offsetWidth > 4 && each.offsetWidth < 80).map(each => each.name)
    .concat([...document.querySelectorAll(".scroll td")].filter(each => each.offsetWidth && each.offsetWidth < 60)
    .map(each => each.textContent))"""
"""The fields of a page that are too narrow to see what one types, and the cells too narrow to read."""
_UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true })"
_HARMLESS = "Failed to load resource: the server responded with a status of "
"""The console message for a page that is meant to be an error."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None or shutil.which(CHROMIUM) is None:
        pytest.skip("needs chromium, which is not on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


CASES: dict[str, Case] = {}
TOPICS: list[int] = []


async def filled(app: Resources) -> None:
    for made in (rich, hostile, bare):
        CASES[made.__name__] = await seed(app, made().case)
    CASES["paper"] = await seed_report(app, report())
    CASES["waiting"] = await seed_waiting(app)
    TOPICS.append(await seed_topic(app))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("newsroom"), filled) as address:
        yield address


class Tab:
    """A page of the browser, with all its errors and all requests to other hosts."""

    def __init__(self, context: BrowserContext, site: str) -> None:
        self.page: Page = context.new_page()
        self.site = site
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        if not url.startswith(self.site):
            self.said.append(f"asked {url}")

    def open(self, path: str) -> Page:
        self.page.goto(self.site + path)
        return self.page

    @property
    def complaints(self) -> list[str]:
        return [each for each in self.said if not each.startswith(_HARMLESS)]


@pytest.fixture
def tab(browser: Browser, site: str) -> Iterator[Tab]:
    context = browser.new_context(viewport={"width": DESKTOP["width"], "height": DESKTOP["height"]})
    context.set_default_timeout(60_000)
    opened = Tab(context, site)
    yield opened
    context.close()
    assert opened.complaints == []


def paths_of(case: Case) -> list[str]:
    found = [f"/cases/{case.id}", *(f"/cases/{case.id}/{name}" for name in TABS if name != "summary")]
    return [*found, f"/cases/{case.id}/evidence/{case.findings[0].id}", f"/cases/{case.id}/source/{case.sources[0].id}"]


def further_paths() -> list[str]:
    """Pages of waiting, watched and shared cases."""
    waiting = CASES["waiting"].id
    return [
        f"/cases/{waiting}/plan",
        f"/cases/{waiting}/chat",
        f"/topics/{TOPICS[0]}",
        f"/cases/{CASES['rich'].id}/share",
    ]


def test_the_example_from_the_first_click_to_the_second_quote_with_two_people_looking(tab: Tab) -> None:
    page = tab.open("/new")
    page.get_by_role("button", name="An inquiry").click()
    other = page.context.new_page()  # somebody else has the desk open
    other.goto(tab.site)
    expect(page.locator(".status")).to_have_text("Waiting for approval", timeout=60_000)
    expect(other.get_by_role("heading", name="Waiting for you")).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="View the plan").first.click()
    page.get_by_label("What should change").fill("leave out the jobs")
    page.get_by_role("button", name="Ask for changes").click()
    page.wait_for_url(lambda url: not url.endswith("/plan"))
    page.goto(f"{page.url}/plan")
    expect(page.get_by_text("Changes from plan 1")).to_be_visible(timeout=60_000)
    old = page.context.new_page()  # a tab that stays behind with the plan that waits
    old.goto(page.url)
    page.get_by_role("button", name="Approve and start").click()
    expect(page.locator(".found li").first).to_be_visible(timeout=60_000)
    expect(page.locator(".status")).to_have_text("Complete", timeout=120_000)
    expect(other.locator(".case", has_text="Norvane").first).to_contain_text("Complete", timeout=60_000)
    reply = page.request.post(
        f"{tab.site}{page.url.removeprefix(tab.site)}/decide", form={"decision": "approve", "revision": "2"}
    )
    assert reply.status == 409 and "completed" in reply.text()
    page.locator("a.ref").nth(1).click()
    mark = page.locator("#reader mark").first
    expect(mark).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#reader")).to_be_hidden()


def test_every_tab_of_every_case_opens_without_a_complaint_and_fits_its_width(browser: Browser, site: str) -> None:
    context = browser.new_context()
    tab = Tab(context, site)
    for name in ("rich", "hostile", "bare"):
        others = (
            "/",
            "/new?kind=report",
            "/audit",
            "/topics",
            "/collections",
            "/settings",
            "/status",
            *further_paths(),
        )
        for path in (*(others if name == "rich" else ()), *paths_of(CASES[name])):
            page = tab.open(path)
            page.evaluate(_UNFOLD)
            for size in (DESKTOP, {"width": 1024, "height": 768}, PHONE):
                page.set_viewport_size({"width": size["width"], "height": size["height"]})
                wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wide <= 0, (path, size, wide)
            assert page.evaluate(_TIGHT) == [], path
    context.close()
    assert tab.complaints == []


def test_axe_is_the_file_that_was_published() -> None:
    assert hashlib.sha256(AXE.encode("utf-8")).hexdigest() == _AXE_SHA256


def test_axe_finds_nothing_on_any_page_light_or_dark(browser: Browser, site: str) -> None:
    context = browser.new_context()
    tab = Tab(context, site)
    kinds = [f"/new?kind={kind}" for kind in ("inquiry", "claims", "report", "topic", "market")]
    found = []
    others = ("/audit", "/topics", "/collections", "/settings", "/status", "/cases/none", *further_paths())
    for path in ("/", *kinds, *others, *paths_of(CASES["rich"])):
        tab.page.emulate_media(color_scheme="light")
        page = tab.open(path)
        page.evaluate(_UNFOLD)
        page.evaluate("document.querySelectorAll('.look, .menu').forEach((each) => { each.open = false })")
        page.evaluate(AXE)
        rules = "{'target-size': {enabled: true}}"
        result = page.evaluate(f"axe.run(document, {{resultTypes: ['violations'], rules: {rules}}})")
        page.emulate_media(color_scheme="dark")  # which changes only colours
        dark = page.evaluate("axe.run(document, {resultTypes: ['violations'], runOnly: ['color-contrast']})")
        found += [
            (path, each["id"], node["target"], node["any"][:1])
            for each in (*result["violations"], *dark["violations"])
            for node in each["nodes"][:2]
        ]
    context.close()
    assert not found, json.dumps(found, indent=1)


def test_evidence_opens_beside_what_cites_it_and_by_its_address_without_a_script(browser: Browser, tab: Tab) -> None:
    case = CASES["rich"]
    page = tab.open(f"/cases/{case.id}/verdicts")
    page.locator("blockquote a").first.click()
    reader = page.locator("#reader[open]")
    expect(reader.locator("mark").first).to_be_in_viewport()
    expect(reader).to_contain_text("sha256:")
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(f"{tab.site}/cases/{case.id}/verdicts")
    plain.locator("blockquote a").first.click()
    assert "/evidence/" in plain.url
    expect(plain.locator("mark").first).to_be_in_viewport()
    plain.context.close()


def test_without_a_script_a_case_is_begun_and_its_plan_rejected(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/new")
    page.get_by_role("button", name="An inquiry").click()
    while page.get_by_role("link", name="View the plan").count() == 0:
        page.reload()
    page.get_by_role("link", name="View the plan").first.click()
    page.get_by_role("button", name="Reject").click()
    while page.get_by_text("Stopped", exact=True).count() == 0:
        page.reload()
    context.close()


def test_two_people_see_each_others_decisions_as_they_are_made(tab: Tab) -> None:
    page = tab.open(f"/cases/{CASES['rich'].id}/verdicts")
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("#C2 .review summary").click()
    other.locator("#C2 textarea").fill("half a thought")
    page.locator("#C2 .review summary").click()
    page.locator("#C2 textarea").fill("The notice is dated a day earlier.")
    page.locator("#C2 select").select_option("disputed")
    page.get_by_role("button", name="Overrule").locator("visible=true").click()
    expect(other.locator("#C2 .decided")).to_contain_text("The notice is dated a day earlier.")
    expect(page.locator("#C2 h2")).to_be_in_viewport()
    expect(other.locator("#C2 textarea")).to_have_value("half a thought")
    other.locator("#C2").get_by_role("button", name="Accept the verdict").click()
    expect(other.get_by_role("alert")).to_contain_text("since you opened it")
    other.locator("#C2").get_by_role("button", name="Accept the verdict").click()
    expect(other.locator("#C2 .decided")).to_contain_text("half a thought")
    expect(other.locator("#C2")).to_be_in_viewport()


def test_a_page_of_a_pdf_is_drawn_with_the_quote_marked(tab: Tab) -> None:
    page = tab.open(f"/cases/{CASES['paper'].id}/evidence/F1")
    drawn = page.locator(".drawn img")
    expect(drawn).to_be_visible()
    width = "async (image) => { await image.decode(); return image.naturalWidth }"
    assert drawn.evaluate(width) > 500


def test_documents_are_sent_with_progress_and_what_became_of_them_is_said(tab: Tab) -> None:
    page = tab.open("/collections")
    page.get_by_label("Collection", exact=False).first.fill("notes")
    files = [
        {"name": "note.txt", "mimeType": "text/plain", "buffer": b"The ferry to Tarn was cancelled on 3 May 2024."}
    ]
    page.locator("input[type=file]").set_input_files(files)  # type: ignore[arg-type]
    page.get_by_role("button", name="Add documents").click()
    expect(page.get_by_role("status").filter(has_text="1 document added")).to_be_visible()
    page.get_by_role("link", name="notes").click()
    page.get_by_label("Search this collection").fill("ferry")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The ferry to Tarn was cancelled").first).to_be_visible()


def test_keys_lead_to_the_search_and_from_claim_to_claim(tab: Tab) -> None:
    page = tab.open(f"/cases/{CASES['rich'].id}/sources")
    page.keyboard.press("/")
    page.keyboard.type("ledger")
    expect(page.locator("#sources tbody tr:visible")).to_have_count(1)
    page.goto(f"{tab.site}/cases/{CASES['rich'].id}/verdicts")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("[data-step][data-focused]")).to_have_count(1)
    assert page.evaluate("[...document.querySelectorAll('[data-step]')].indexOf(document.activeElement)") == 1


def test_the_desk_is_searched_as_one_types_and_the_look_is_kept(tab: Tab) -> None:
    page = tab.open("/")
    before = page.locator(".case").count()
    page.get_by_label("Search titles, claims, sources and quotes").fill("bridge")
    expect(page.locator(".case")).to_have_count(2)
    assert before > 2
    page.get_by_text("Colour scheme").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html[data-theme=dark]")).to_have_css("color-scheme", "dark")
    page.goto(f"{tab.site}/new")
    expect(page.locator("html[data-theme=dark]")).to_have_count(1)


def test_six_open_cases_of_one_browser_are_all_live(tab: Tab) -> None:
    paths = [f"/cases/{CASES['rich'].id}/{name}" for name in ("verdicts", "activity", "chat", "sources")]
    paths += ["/", f"/cases/{CASES['rich'].id}/verdicts", f"/cases/{CASES['rich'].id}/activity"]
    pages = [tab.page, *(tab.page.context.new_page() for _ in paths[1:])]
    for page, path in zip(pages, paths, strict=True):
        page.goto(tab.site + path)
    words = "Seen in every one of seven tabs."
    address = f"{tab.site}/cases/{CASES['rich'].id}/verdicts/C3"
    assert tab.page.request.post(address, form={"kind": "accept", "why": words}).ok
    for page, path in zip(pages, paths, strict=True):
        if path.endswith("verdicts"):
            expect(page.locator("#C3 .decided")).to_contain_text(words)
        elif path.endswith(("activity", "chat")):
            expect(page.locator("main")).to_contain_text("accepts “")


def test_what_could_not_be_had_once_is_asked_for_again(tab: Tab) -> None:
    page = tab.open(f"/cases/{CASES['rich'].id}/verdicts")
    page.wait_for_function("performance.getEntriesByType('resource').length > 1")
    failures = []

    def fail(route: Route) -> None:
        failures.append(route.request.url)
        route.fulfill(status=500, body="<main>That did not work</main>") if len(failures) == 1 else route.continue_()

    page.route("**/verdicts", lambda route: fail(route) if route.request.method == "GET" else route.continue_())
    words = "Seen though the server failed once."
    address = f"{tab.site}/cases/{CASES['rich'].id}/verdicts/C3"
    assert page.request.post(address, form={"kind": "accept", "why": words}).ok
    expect(page.locator("#C3 .decided")).to_contain_text(words, timeout=60_000)
    assert failures


def test_where_something_holds_the_stream_up_the_page_asks_by_itself(tab: Tab) -> None:
    tab.page.add_init_script("delete window.SharedWorker")
    tab.page.route("**/live", lambda route: None)  # a proxy that caches its replies
    tab.page.clock.install()
    page = tab.open(f"/cases/{CASES['rich'].id}/verdicts")
    words = "Seen though nothing was sent."
    address = f"{tab.site}/cases/{CASES['rich'].id}/verdicts/C4"
    assert page.request.post(address, form={"kind": "accept", "why": words}).ok
    page.clock.run_for(15_000)
    expect(page.locator("#C4 .decided")).to_have_count(0)
    page.clock.run_for(20_000)
    expect(page.locator("#C4 .decided")).to_contain_text(words)


def test_who_is_signed_out_in_the_middle_of_an_upload_keeps_what_they_chose(tab: Tab) -> None:
    page = tab.open("/new?kind=report")
    page.get_by_label("Whose claims are they?").fill("Norvane Chemicals plc")
    page.locator("input[type=file]").set_input_files(report())
    page.route("**/new", lambda route: route.fulfill(status=401, body="<main id=main>Sign in</main>"))
    page.get_by_role("button", name="Make the plan").click()
    expect(page.get_by_role("alert").filter(has_text="signed out")).to_be_visible()
    assert page.locator("input[type=file]").evaluate("each => each.files.length") == 1
    page.unroute("**/new")
    page.get_by_role("button", name="Make the plan").click()
    expect(page.locator(".status")).to_be_visible(timeout=60_000)
    assert "/cases/" in page.url


def test_who_is_signed_out_keeps_the_words_of_a_form(tab: Tab) -> None:
    page = tab.open("/new")
    page.route("**/new", lambda route: route.fulfill(status=401, body="<main id=main>Sign in</main>"))
    page.get_by_label("What do you want to know?").fill("Was the Tarn Bridge closed in 2019?")
    page.get_by_role("button", name="Make the plan").click()
    expect(page.get_by_role("alert").filter(has_text="signed out")).to_be_visible()
    expect(page.get_by_label("What do you want to know?")).to_have_value("Was the Tarn Bridge closed in 2019?")
    page.unroute("**/new")
    page.get_by_role("button", name="Make the plan").click()
    expect(page.locator(".status")).to_be_visible(timeout=60_000)


def test_a_server_that_was_restarted_is_found_again_and_the_page_catches_up(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home, seeded = tmp_path_factory.mktemp("restarted"), []

    async def one(app: Resources) -> None:
        seeded.append(await seed(app, rich().case))

    async def later(app: Resources) -> None:
        wanted = Deciding(kind=DecisionKind.ACCEPT, why="Said while you were away.")
        await decide_claim(app, seeded[0], "C1", wanted, by="Ada")

    context = browser.new_context()
    with served(home, one) as site:
        page = context.new_page()
        page.goto(f"{site}/cases/{seeded[0].id}/verdicts")
        expect(page.locator("#C1")).to_be_visible()
        page.wait_for_function("performance.getEntriesByType('resource').length > 1")
    expect(page.locator("#lost")).to_be_visible(timeout=60_000)
    with served(home, later, port=int(site.rsplit(":", 1)[1])):
        expect(page.locator("#lost")).to_be_hidden(timeout=60_000)
        expect(page.locator("#C1 .decided")).to_contain_text("Said while you were away.")
        context.close()


def test_a_reader_with_a_link_opens_a_quote_beside_the_report(browser: Browser, tab: Tab) -> None:
    page = tab.open(f"/cases/{CASES['rich'].id}/share")
    page.get_by_label("Who it is for").fill("the lawyers")
    page.get_by_role("button", name="Create a link").click()
    link = page.get_by_role("status").get_by_role("link").inner_text()
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
        reader = Tab(context, tab.site)
        shown = reader.open(link.removeprefix(tab.site))
        shown.evaluate(AXE)
        result = shown.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [each["id"] for each in result["violations"]] == []
        shown.locator("blockquote a").first.click()
        expect(shown.locator("#reader mark").first).to_be_in_viewport()
        context.close()
        assert reader.complaints == []
