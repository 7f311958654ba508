"""The newsroom page in a browser: what is loaded, when it is painted, and how soon an event appears on it.

`python -m bench.speed browser [RUNS]`; the median of 9 runs by default. A real server over a case of 200 sources and 80
claims, and Chromium, which must be on the path, on the same machine: no network is measured.

- `first_paint`: first contentful paint of a browser with an empty cache.
- `cold_load`: bytes transferred for it, including headers.
- `event`: from the sending of somebody else's decision until it appears on the open page of verdicts.
- `event_of_six`: the same, until it appears on each of six pages of one browser.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from bench.figures import Figure
from inquest.app.wiring.resources import Resources
from tests.browser.serving import served
from tests.faces_web.seeding import seed
from tests.reports.report_cases import long

__all__ = ["measure"]

SOURCES, CLAIMS, OPEN = 200, 80, 6
_TRIES = 6
_APART = 1_000
"""Milliseconds between two events."""
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
_PAINT = """() => new Promise((done) => {
  const found = performance.getEntriesByName("first-contentful-paint")[0];
  if (found) { done(found.startTime); return; }
  new PerformanceObserver((list) => {
    for (const each of list.getEntriesByName("first-contentful-paint")) done(each.startTime);
  }).observe({ type: "paint", buffered: true });
})"""
_SHOWN = "(words) => document.querySelector('main').textContent.includes(words)"


def measure(arguments: list[str]) -> list[Figure]:
    """First paint, bytes of a cold load, and the time of an event to the page. SystemExit without a browser."""
    runs = int(arguments[0]) if arguments else 9
    program = next(
        (each for each in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if each), None
    )
    if program is None:
        raise SystemExit("Chromium is not on the path.")
    cases: list[str] = []

    async def filled(app: Resources) -> None:
        cases.append((await seed(app, long(SOURCES, CLAIMS).case)).id)

    with tempfile.TemporaryDirectory() as home, served(Path(home), filled) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_ARGUMENTS)
        address = f"{site}/cases/{cases[0]}"
        figures = [*_cold(browser, address, runs), *_events(browser, address, runs)]
        browser.close()
    return figures


def _cold(browser: Browser, address: str, runs: int) -> list[Figure]:
    paints, sizes = [], []
    for _ in range(runs + 1):  # for the first one the server compiles the template
        context = browser.new_context()
        page = context.new_page()
        received: list[float] = []
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.on("Network.loadingFinished", lambda each, kept=received: kept.append(each["encodedDataLength"]))
        page.goto(address)
        paints.append(float(page.evaluate(_PAINT)))
        sizes.append(sum(received) / 1000)
        context.close()
    shape = {"sources": SOURCES, "claims": CLAIMS}
    return [
        Figure("browser", "first_paint", statistics.median(paints[1:]), "ms", shape),
        Figure("browser", "cold_load", statistics.median(sizes[1:]), "kB", shape),
    ]


def _events(browser: Browser, address: str, runs: int) -> list[Figure]:
    context = browser.new_context()
    pages = [_opened(context, address)]
    alone = _until_shown(context, address, pages, runs, 0)
    pages += [_opened(context, address) for _ in range(OPEN - 1)]
    together = _until_shown(context, address, pages, runs, runs)
    context.close()
    return [
        Figure("browser", "event", alone, "ms", {"pages": 1}),
        Figure("browser", "event_of_six", together, "ms", {"pages": OPEN}),
    ]


def _until_shown(context: BrowserContext, address: str, pages: Sequence[Page], runs: int, first: int) -> float:
    """Milliseconds from a decision until every page shows it."""
    _listening(context, address, pages)
    times = []
    for number in range(first, first + runs):
        pages[0].wait_for_timeout(_APART)  # a part that was just refreshed waits a little before it is refreshed again
        words, began = _decided(context, address, number)
        for page in pages:
            page.wait_for_function(_SHOWN, arg=words)
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def _opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(f"{address}/verdicts")
    return page


def _decided(context: BrowserContext, address: str, number: int) -> tuple[str, float]:
    """Text of somebody else's new decision on a claim, and the time at which it was sent."""
    words, began = f"Decision number {number} of this measure.", time.perf_counter()
    sent = context.request.post(f"{address}/verdicts/C{number % CLAIMS + 1}", form={"kind": "accept", "why": words})
    if not sent.ok:
        raise SystemExit(f"The decision was refused with {sent.status}.")
    return words, began


def _listening(context: BrowserContext, address: str, pages: Sequence[Page]) -> None:
    """Wait until each page receives events: it gets those sent before its stream was open only with the next one."""
    for number in range(_TRIES):
        words, _ = _decided(context, address, 1000 + number)
        try:
            for page in pages:
                page.wait_for_function(_SHOWN, arg=words, timeout=5_000)
        except PlaywrightTimeout:
            continue
        return
    raise SystemExit("The pages do not hear what happens.")
