"""`python -m bench.pictures`: makes the pictures in docs/pictures: screenshots of the bundled example in a browser.

Needs Chromium on the path. The parts that change with every run (times, ids) are small, and so are the pictures.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from bench.figures import ROOT
from tests.browser.serving import served

FOLDER = ROOT / "docs" / "pictures"
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
_SIZE = {"width": 1200, "height": 750}
_MINUTES = 180_000


async def _nothing(app: object) -> None:
    """The example fills the folder itself."""


def main() -> int:
    """Take the pictures; return 1 if there is no browser."""
    program = next(
        (each for each in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if each), None
    )
    if program is None:
        print("Chromium is not on the path.", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, served(Path(home), _nothing) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_ARGUMENTS)
        _take(browser, site)
        browser.close()
    return 0


def _take(browser: Browser, site: str) -> None:
    page = _opened(browser, "light")
    page.goto(f"{site}/new")
    page.get_by_role("button", name="An inquiry").click()
    page.get_by_role("link", name="View the plan").first.click(timeout=_MINUTES)
    page.get_by_role("button", name="Approve and start").click()
    expect(page.locator(".found li").first).to_be_visible(timeout=_MINUTES)
    page.screenshot(path=FOLDER / "running.png")
    expect(page.locator(".status")).to_have_text("Complete", timeout=_MINUTES)
    case = page.url
    page.goto(f"{case}/verdicts")
    page.screenshot(path=FOLDER / "verdicts.png")
    dark = _opened(browser, "dark")
    dark.goto(f"{case}/verdicts")
    dark.locator("blockquote a").first.click()
    expect(dark.locator("#reader mark").first).to_be_in_viewport()
    dark.screenshot(path=FOLDER / "evidence.png")


def _opened(browser: Browser, scheme: str) -> Page:
    return browser.new_page(
        viewport={"width": _SIZE["width"], "height": _SIZE["height"]},
        color_scheme="dark" if scheme == "dark" else "light",
    )


if __name__ == "__main__":
    sys.exit(main())
