"""Citations spoiled in ten ways: without a model none of them holds, and no existing page is reported as missing."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib.resources import files

from bench.measures.spoiled import RIGHT, Page, audited
from inquest.app.wiring.pages import sha256
from inquest.domain.audit import Outcome
from inquest.domain.document import Snapshot
from inquest.readers.html.reader import HtmlReader


def _page(matter: str, name: str, body: bytes) -> Page:
    url = f"http://{name}.example/page"
    at = datetime(2026, 1, 1, tzinfo=UTC)
    snapshot = Snapshot(
        hash=sha256(body), url=url, final_url=url, size=len(body), content_type="text/html", retrieved_at=at
    )
    read = HtmlReader().read(body, snapshot)
    return Page(url, read.title, read.text, matter)


async def test_no_spoiled_citation_holds_and_no_page_that_is_there_does_not_exist() -> None:
    demo = files("inquest.demo")
    pages = [
        _page(matter, file.name.removesuffix(".html"), file.read_bytes())
        for matter, folder in (("river", demo / "pages"), ("surfactants", demo / "technical" / "pages"))
        for file in sorted(folder.iterdir(), key=lambda each: each.name)
        if file.name.endswith(".html") and b'lang="en"' in file.read_bytes()
    ]
    found = await audited(pages, 0)
    assert {way for way, _ in found} == set(RIGHT)
    assert [way for way, outcome in found if outcome is Outcome.HOLDS and way != "true"] == []
    assert [way for way, outcome in found if outcome is Outcome.DOES_NOT_EXIST] == ["dead_link", "invented_doi"]
    assert sum(outcome in RIGHT[way] for way, outcome in found) >= 11
