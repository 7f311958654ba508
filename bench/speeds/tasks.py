"""A new user's ten tasks by visible controls: clicks, fields filled and seconds for each.

`python -m bench.speed tasks [TASK ...]`; all by default. Uses a server over an empty data folder, a model service of
the simulated world on loopback, no network beyond it, and Chromium, which must be on the path. A task that fails ends
the run with its name.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Error, Locator, Page, expect, sync_playwright

from bench.figures import Figure
from bench.simulated.mind import answer_to, completion
from bench.simulated.worlds import World, a_world
from inquest.app.wiring.resources import Resources
from tests.browser.serving import served

__all__ = ["measure"]

WORLD = a_world(6, late=0)
CLAIM = WORLD.facts[0].told
QUESTION = "What caused the fire at the Aldermoor battery plant, and how many workers did it injure?"
PASSWORD = "a long enough password"
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
_PATIENCE = 90_000
"""Milliseconds that a case may take."""
_NOWHERE = "http://127.0.0.1:9"


class _ModelService(BaseHTTPRequestHandler):
    """A model server with OpenAI's API that answers from the simulated world."""

    def do_GET(self) -> None:
        self._reply({"data": [{"id": "simulated", "owned_by": "vllm"}]})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._reply(completion(answer_to(WORLD, request), request))

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def _reply(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def _model_service() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _ModelService)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()


@dataclass
class User:
    """A user at a browser. Every click and every filled field is counted."""

    page: Page
    model: str
    documents: Path
    clicks: int = 0
    fields: int = 0
    kept: dict[str, str] = field(default_factory=dict)
    """Addresses needed by later tasks."""

    def click(self, name: str, role: str = "button", within: Locator | None = None) -> None:
        """Click the first visible control with this name."""
        (within or self.page).get_by_role(role, name=name).locator("visible=true").first.click()  # type: ignore[arg-type]
        self.clicks += 1

    def link(self, name: str) -> None:
        self.click(name, "link")

    def unfold(self, words: str) -> None:
        self.page.locator("summary:visible", has_text=words).first.click()
        self.clicks += 1

    def fill(self, label: str, value: str) -> None:
        self.page.get_by_label(label).locator("visible=true").first.fill(value)
        self.fields += 1

    def choose(self, label: str, value: str) -> None:
        self.page.get_by_label(label).locator("visible=true").first.select_option(value)
        self.clicks += 1

    def tick(self, label: str) -> None:
        self.page.get_by_role("checkbox", name=label).locator("visible=true").first.check()
        self.clicks += 1

    def add_documents(self, collection: str, files: list[Path]) -> None:
        """Add files to a collection, and wait until the page lists it."""
        self.link("Collections")
        self.fill("Collection", collection)
        self.page.get_by_label("Files").first.set_input_files(files)
        self.clicks += 1
        self.click("Add documents")
        expect(self.page.locator("article h2", has_text=collection)).to_be_visible()

    def finished(self) -> None:
        """Wait until the case has ended with a report, which is partial if engines cannot be reached."""
        expect(self.page.locator(".case-head .status")).to_have_text(re.compile("Complete|Partial"), timeout=_PATIENCE)


def measure(arguments: list[str]) -> list[Figure]:
    """Clicks, fields and seconds of each task. SystemExit without a browser or with the task that failed."""
    program = next((each for each in map(shutil.which, ("chromium", "chromium-browser")) if each), None)
    if program is None:
        raise SystemExit("Chromium is not on the path.")
    for name in [each for each in os.environ if each.endswith("_API_KEY") or each == "INQUEST_MODEL"]:
        del os.environ[name]
    os.environ["INQUEST_PROXY"] = _NOWHERE

    async def empty(app: Resources) -> None:
        """Add nothing."""

    with tempfile.TemporaryDirectory() as folder, _model_service() as model, sync_playwright() as playwright:
        documents = Path(folder) / "documents"
        _write(WORLD, documents)
        with served(Path(folder) / "home", empty) as site:
            browser = playwright.chromium.launch(executable_path=program, args=_ARGUMENTS)
            user = User(_page(browser), model, documents)
            user.page.goto(site)
            figures = [
                figure
                for name, task in TASKS.items()
                if name in (arguments or TASKS)
                for figure in _timed(user, name, task)
            ]
            browser.close()
    return figures


def _page(browser: Browser) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(20_000)
    return context.new_page()


def _write(world: World, folder: Path) -> None:
    folder.mkdir()
    for number, page in enumerate(world.pages):
        (folder / f"report-{number}.txt").write_text("\n\n".join((page.title, " ".join(page.sentences))), "utf-8")


def _timed(user: User, name: str, task: Callable[[User], None]) -> list[Figure]:
    clicks, fields, began = user.clicks, user.fields, time.perf_counter()
    try:
        task(user)
    except (Error, AssertionError) as error:
        picture = Path(tempfile.gettempdir()) / f"task-{name}.png"
        user.page.screenshot(path=picture, full_page=True)
        raise SystemExit(f"The task '{name}' failed at {user.page.url} ({picture}): {error}") from error
    seconds = time.perf_counter() - began
    print(f"{name}: {user.clicks - clicks} clicks, {user.fields - fields} fields, {seconds:.1f} s", file=sys.stderr)
    shape = {"clicks": user.clicks - clicks, "fields": user.fields - fields}
    return [Figure("tasks", name, seconds, "s", shape)]


def connect_a_model(user: User) -> None:
    user.link("Choose a model")
    user.fill("Model", "simulated")
    user.fill("Address of a server", user.model)
    user.click("Test and use")
    expect(user.page.locator("main")).to_contain_text("openai:simulated")


def ask_own_documents(user: User) -> None:
    user.add_documents("fire", sorted(user.documents.iterdir())[:-1])
    user.link("New case")
    user.fill("What do you want to know?", QUESTION)
    user.tick("fire")
    user.click("Make the plan")
    user.link("View the plan")
    user.click("Approve and start")
    user.finished()
    expect(user.page.locator("main .prose a[href*=evidence]").first).to_be_visible()
    user.kept["case"] = user.page.url.split("/plan")[0]


def overrule_and_export(user: User) -> None:
    user.link("Verdicts")
    user.unfold("Decide, comment")
    user.fill("Reason or comment", "The plant's own log says otherwise.")
    user.choose("Another verdict", "disputed")
    user.click("Overrule")
    expect(user.page.locator("main")).to_contain_text("The run found:")
    user.unfold("Export")
    with user.page.expect_download() as loaded:
        user.link("Markdown")
    if "Overruled by" not in loaded.value.path().read_text("utf-8"):
        raise AssertionError("the exported report does not have the decision")


def check_on_a_document(user: User) -> None:
    user.add_documents("later", sorted(user.documents.iterdir())[-1:])
    user.link("New case")
    user.link("Claims")
    user.fill("The claims", CLAIM)
    user.tick("fire")
    user.tick("later")
    user.click("Make the plan")
    user.link("View the plan")
    user.click("Approve and start")
    user.finished()
    expect(user.page.locator("main")).to_contain_text("Verified", ignore_case=True)


def audit_a_text(user: User) -> None:
    user.link("Audit")
    user.fill("Text", f"{CLAIM} [1]\n\n[1] https://paper00.press.example/2024/0\n")
    user.click("Audit the citations")
    outcome = user.page.locator("#live a.outcome").first
    outcome.wait_for(timeout=_PATIENCE)
    outcome.click()
    user.clicks += 1
    expect(user.page.locator(".note:target")).to_be_visible()


def find_by_search(user: User) -> None:
    user.link("Desk")
    user.fill("Search", "cooling pump")
    user.page.locator("ul.hits").first.wait_for()
    user.page.locator("ul.cases h2 a").last.click()
    user.clicks += 1
    expect(user.page.locator(".case-head")).to_be_visible()


def share_signed_out(user: User) -> None:
    user.link("Share")
    user.fill("Who it is for", "The lawyers")
    user.click("Make")
    address = user.page.locator(".notes a").get_attribute("href") or ""
    browser = user.page.context.browser
    assert browser is not None  # the page has one
    reader = _page(browser)
    reader.goto(address)
    expect(reader.locator("main")).to_contain_text("Overruled by")
    reader.context.close()
    user.link("Back to the case")


def assign(user: User) -> None:
    user.link("Settings")
    user.unfold("Add a user")
    user.fill("Name", "Ada")
    user.fill("Password", PASSWORD)
    user.choose("Role", "admin")
    user.click("Add a user")
    expect(user.page.locator("main td", has_text="Ada").first).to_be_visible()
    user.link("Desk")
    user.page.locator("ul.cases h2 a").last.click()
    user.clicks += 1
    user.page.locator("#assignment summary").click()
    user.clicks += 1
    user.choose("Assigned to", "Ada")
    user.click("Save")
    expect(user.page.locator("#assignment summary")).to_contain_text("Ada")


def filter_sources(user: User) -> None:
    user.link("Sources")
    rows = user.page.locator("#sources tbody tr:visible")
    before = rows.count()
    user.choose("Stance", "contradicts")
    user.page.wait_for_function(
        "n => document.querySelectorAll('#sources tbody tr:not([hidden])').length < n", arg=before
    )


def run_again(user: User) -> None:
    user.link("Run again with changes")
    user.fill("What do you want to know?", QUESTION.replace("injure", "kill"))
    user.click("Make the plan")
    user.link("View the plan")
    user.click("Approve and start")
    user.finished()


TASKS = {
    each.__name__: each
    for each in (
        connect_a_model,
        ask_own_documents,
        overrule_and_export,
        check_on_a_document,
        audit_a_text,
        find_by_search,
        share_signed_out,
        assign,
        filter_sources,
        run_again,
    )
}
