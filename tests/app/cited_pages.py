"""A text whose citations are wrong in each way, and the pages that it cites, served."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import COMPANIES
from bench.simulated.server import Heard, Reply, simulated_web
from inquest import Inquest


def _page(title: str, text: str) -> Reply:
    head = f"<!doctype html><html><head><title>{title}</title></head>"
    page = f"{head}<body><article><h1>{title}</h1>{text}</article></body></html>"
    return 200, "text/html; charset=utf-8", page.encode()


FILLER = (
    "<p>The council met on Tuesday evening and went through the minutes of its last meeting in the old town hall.</p>"
    "<p>Buses will stop at the market until the bridge is open again, and the ferry keeps to its winter timetable.</p>"
    "<p>A choir from the next valley sang for the visitors, who stayed until the lamps along the quay were lit.</p>"
)
REPLIES: dict[str, Reply] = {
    "fine": _page("The fine", f"<p>The Air Authority fined Norvane 150,000 euros in March 2023.</p>"
                  f"<p>“We regret every one of these nights at the works in Lund,” said the director.</p>{FILLER}"),
    "jobs": _page("Jobs", f"<p>Norvane employed 640 people at its works in Lund in 2024.</p>{FILLER}"),
    "work": _page("RETRACTED: Dust and lungs", f"<p>Dust halved the breath of 312 workers in 2019.</p>{FILLER}"),
    "gone": (404, "text/html", b"<html><body>Not found</body></html>"),
    "moved": _page("The fishers", FILLER),
    "available": (200, "application/json", b'{"archived_snapshots": {"closest": {"available": true, "status": "200", '
                  b'"timestamp": "20240305101500", "url": "http://web.archive.org/web/20240305101500/moved"}}}'),
    "copy": _page("The fishers", f"<p>Norvane paid 90,000 euros to the fishers of Tarn in May 2018.</p>{FILLER}"),
    "down": (403, "text/html", b"<html><body>Forbidden</body></html>"),
}  # fmt: skip
TEXT = """# Report

The Air Authority fined Norvane 150,000 euros in March 2023 [1]. The Air Authority fined Norvane 510,000 euros in March 2023 [1]. “We regret every one of these nights at the works in Lund,” said the director [1]. “We regret not one of these nights at the works in Lund,” said the director [1]. Norvane employed 640 people at its works in Lund in 2024 [1]. Dust halved the breath of 312 workers in 2019 [3]. Norvane opened a hall in Oslo in 2021 [4]. Norvane closed a hall in Bergen in 2022 [5].

Norvane sold 12 million tonnes of glass in 2020.

## Sources

1. http://norvane.example/fine
2. http://norvane.example/jobs
3. http://norvane.example/work
4. http://norvane.example/gone
5. http://norvane.example/down
"""  # noqa: E501


@asynccontextmanager
async def with_cited_pages(home: Path) -> AsyncIterator[Inquest]:
    """Inquest without a model, before the pages; no sentence of the text cites the page on jobs, which its list has."""
    async with simulated_web(a_company_world(COMPANIES[:1])) as web:
        truly = web.reply

        async def reply(method: str, url: str, body: bytes) -> Heard:
            if "archive.org" in url and "moved" in url:
                return REPLIES["available" if "/available" in url else "copy"]
            if "norvane.example/" not in url or url.endswith("/robots.txt"):
                return await truly(method, url, body)
            return REPLIES[url.rpartition("/")[2]]

        web.reply = reply  # type: ignore[method-assign]
        settings = {name: value for name, value in web.settings.items() if not name.startswith("model")}
        async with Inquest(home=home, **settings) as opened:
            yield opened
