"""The HTML report in a real browser: loads nothing, opens its quotes by mouse and keyboard, fits a phone, prints."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from inquest.reports.html import html
from inquest.reports.view import ReportView
from tests.reports.report_cases import hostile, long, rich

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync "
    "--no-first-run"
).split()
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 375, "height": 812}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("needs chromium, which is not on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Opened:
    """A report opened from a file, with the page's console messages and requests."""

    def __init__(self, browser: Browser, folder: Path, view: ReportView, size: dict[str, int], scheme: str) -> None:
        file = folder / "report.html"
        file.write_text(html(view), encoding="utf-8")
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page: Page = browser.new_page(
            viewport={"width": size["width"], "height": size["height"]},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())
        self.address = file.as_uri()

    def _dismiss(self, dialog: Dialog) -> None:
        self.said.append(dialog.message)
        dialog.dismiss()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    view, size, scheme = getattr(request, "param", (rich, DESKTOP, "light"))
    report = Opened(browser, tmp_path, view(), size, scheme)
    yield report
    report.page.close()


def with_view(*cases: tuple[Callable[[], ReportView], dict[str, int], str]) -> pytest.MarkDecorator:
    names = [f"{getattr(view, '__name__', '')}-{size['width']}-{scheme}" for view, size, scheme in cases]
    return pytest.mark.parametrize("opened", cases, ids=names, indirect=True)


@with_view((rich, DESKTOP, "light"), (hostile, DESKTOP, "light"), (long, DESKTOP, "light"))
def test_nothing_is_run_loaded_or_complained_of(opened: Opened) -> None:
    assert opened.asked == [opened.address]
    assert opened.said == []
    assert opened.page.locator("script, img, iframe, object, link").count() == 0


def test_a_number_opens_its_quote_in_context_with_source_date_tier_and_hash(opened: Opened) -> None:
    view = rich()
    citation = view.case.citations[0]
    finding, source = view.cited(citation)
    opened.page.get_by_role("button", name="Citation 1", exact=True).first.click()
    entry = opened.page.locator("#cite-1:popover-open")
    text = entry.inner_text()
    assert entry.locator("mark").inner_text() == finding.quote
    assert "On 2 May 2023" in text and "The permit allows 130 kg a day." in text
    for part in (source.title, source.domain, "2 May 2023", "tier 1", finding.snapshot, "characters 36–81"):
        assert part in text
    entry.get_by_role("button", name="Close").click()
    assert opened.page.locator(":popover-open").count() == 0


def test_the_keyboard_alone_opens_and_closes_a_quote(opened: Opened) -> None:
    page = opened.page
    focused = ""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.getAttribute('aria-label') || ''")
        if focused == "Citation 1":
            break
    assert focused == "Citation 1"
    page.keyboard.press("Enter")
    assert page.locator("#cite-1:popover-open").is_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('[popover]')?.id") == "cite-1"
    page.keyboard.press("Escape")
    assert page.locator(":popover-open").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Citation 1"


@with_view(
    (rich, PHONE, "light"), (hostile, PHONE, "light"), (long, PHONE, "light"), (hostile, DESKTOP, "light"),
)  # fmt: skip
def test_nothing_is_wider_than_the_screen(opened: Opened) -> None:
    page = opened.page
    assert page.evaluate("document.documentElement.scrollWidth") <= page.evaluate("window.innerWidth")
    page.locator("button.ref").first.click()
    box = page.locator(":popover-open").bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= page.evaluate("window.innerWidth")


@with_view((rich, PHONE, "light"), (rich, DESKTOP, "light"))
def test_every_control_is_large_enough_to_be_hit(opened: Opened) -> None:
    opened.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    small = opened.page.evaluate("""() => [...document.querySelectorAll("a[href], button, summary")]
      .filter((each) => each.checkVisibility() && getComputedStyle(each).display !== "inline")
      .filter((each) => each.getBoundingClientRect().width < 24 || each.getBoundingClientRect().height < 24)
      .map((each) => each.outerHTML.slice(0, 120))""")
    assert small == []
    inline = opened.page.locator(":is(td, .at, .by, .meta, .title) > a:visible, button.ref:visible")
    assert inline.count() > 5
    assert set(inline.evaluate_all("all => all.map((each) => getComputedStyle(each).display)")) == {"inline-block"}


def test_on_paper_every_citation_stands_with_its_context_and_nothing_stays_folded(opened: Opened) -> None:
    page = opened.page
    page.emulate_media(media="print")
    text = page.locator("main").inner_text()
    for citation in rich().case.citations:
        assert page.locator(f"#cite-{citation.n} mark").is_visible()
        assert page.locator(f"#cite-{citation.n} .hash").is_visible()
    assert "The permit allows 130 kg a day." in text
    assert page.get_by_text("it corrects its errors in public").first.is_visible()
    assert not page.locator("nav").is_visible()
    assert page.pdf()[:5] == b"%PDF-"


@with_view((rich, DESKTOP, "dark"), (rich, DESKTOP, "light"))
def test_text_can_be_read_on_its_ground(opened: Opened) -> None:
    page = opened.page
    page.locator("button.ref").first.click()
    ground = _colour(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    for selector in ("p", "h1", ".kicker", "a", ".verdict.verified", ".verdict.contradicted", ".verdict.disputed",
                     ".verdict.partially_true", ".verdict.unverified", ".meta", ".hash"):  # fmt: skip
        ink = _colour(page.evaluate(f"getComputedStyle(document.querySelector('main {selector}')).color"))
        assert _contrast(ink, ground) >= 4.5, selector
    mark = page.locator("#cite-1 mark")
    inside = [_colour(mark.evaluate(f"e => getComputedStyle(e).{name}")) for name in ("color", "backgroundColor")]
    assert _contrast(*inside) >= 4.5


def test_contents_lead_to_the_parts_and_back(opened: Opened) -> None:
    page = opened.page
    page.get_by_role("navigation").get_by_role("link", name="Sources").click()
    assert page.evaluate("document.querySelector('#sources h2').getBoundingClientRect().top") < 200
    page.locator("#sources .up").first.click()
    assert page.evaluate("window.scrollY") < 200


def _colour(css: str) -> tuple[float, ...]:
    return tuple(float(part) / 255 for part in re.findall(r"[\d.]+", css)[:3])


def _contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The contrast ratio of WCAG 2.2; 4.5 is what text needs at level AA."""

    def luminance(colour: tuple[float, ...]) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
