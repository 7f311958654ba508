"""Outcomes of an audit without a model for reports whose citations are spoiled in known ways.

The reports are made from sentences of the simulated web in `../shared` (`world_b`), each cited correctly, and then
spoiled. A wrong 'holds' accepts a spoiled citation; a wrong 'does not exist' denies a page that is served.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from html import escape
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure
from bench.rows import rows_of
from bench.simulated.companies import a_company_world
from bench.simulated.company_claims import COMPANIES
from bench.simulated.server import Heard, Reply, simulated_web
from inquest import Inquest
from inquest.app.cases.case_request import AuditRequest
from inquest.claims.claim_detection import check_worth
from inquest.domain.audit import Outcome
from inquest.text.sentences import sentences, words

__all__ = ["DATA", "RIGHT", "Page", "audited", "html_page", "measure", "served"]

DATA = "simnet/world_b/docs.jsonl"
_REPORTS = 10
RIGHT: Mapping[str, tuple[Outcome, ...]] = {
    "true": (Outcome.HOLDS,),
    "wrong_page": (Outcome.NOT_THERE, Outcome.MISATTRIBUTED),
    "swapped": (Outcome.MISATTRIBUTED,),
    "changed_figure": (Outcome.SAYS_OTHERWISE, Outcome.PARTLY),
    "altered_quote": (Outcome.SAYS_OTHERWISE,),
    "dead_link": (Outcome.DOES_NOT_EXIST,),
    "invented_doi": (Outcome.DOES_NOT_EXIST,),
    "retracted": (Outcome.WITHDRAWN,),
    "second_hand": (Outcome.SECOND_HAND,),
    "no_citation": (Outcome.NO_CITATION,),
}
"""The right outcomes for each way of spoiling."""
_FIGURE = re.compile(r"(?<![\w.,-])(?!(?:19|20)\d\d\b)\d+(?=[\s.,]| %)")
_NOT_OWN = re.compile(r"[“\"«]|\(\w+\) [-–] ")
_WORD = re.compile(r"(?<= )[a-z]{6,}(?= )")
_GONE = frozenset({"dead_link", "invented_doi"})


class Page(NamedTuple):
    """A page that the reports cite."""

    url: str
    title: str
    text: str
    about: str
    """Its topic: pages on another topic do not say the same."""

    def said(self, has: Callable[[str], object] = lambda sentence: True) -> str:
        """Its first sentence that states a fact and meets a condition; no quotation, no dateline; '': none."""
        told = (span.of(self.text) for span in sentences(self.text))
        return next(
            (each for each in told if 8 <= len(words(each)) <= 40 and "\n" not in each and not _NOT_OWN.search(each)
             and check_worth(each).score >= 0.6 and has(each)),
            "",
        )  # fmt: skip


def measure(data: Path) -> list[Figure]:
    """The share of right outcomes, and how many citations wrongly hold or wrongly do not exist."""
    pages = [
        Page(re.sub("^https", "http", row["url"]), row["title"], row["text"], row["affair"])
        for row in rows_of(data, "url", "text", "affair")
        if not row["flags"] and row["kind"] != "social" and not row.get("language")
    ]
    found = [each for number in range(_REPORTS) for each in asyncio.run(audited(pages, number))]
    by_way = {way: dict(Counter(each.value for name, each in found if name == way)) for way in RIGHT}
    right = sum(each in RIGHT[way] for way, each in found)
    return [
        Figure("spoiled", "right", right / len(found), details={"of": len(found), "outcomes": by_way}),
        Figure("spoiled", "wrong_holds", sum(w != "true" and each is Outcome.HOLDS for w, each in found)),
        Figure(
            "spoiled", "wrong_does_not_exist",
            sum(each is Outcome.DOES_NOT_EXIST and way not in _GONE for way, each in found),
        ),
    ]  # fmt: skip


async def audited(pages: Sequence[Page], number: int) -> list[tuple[str, Outcome]]:
    """Each citation of the report of that number with the way in which it was spoiled, and its outcome."""
    cited, replies = _spoiled(pages, number)
    urls = list(dict.fromkeys(url for _, _, url in cited if url))
    lines = [f"{said} [{urls.index(url) + 1}]" if url else said for _, said, url in cited]
    entries = [f"{n}. {url}" for n, url in enumerate(urls, 1)]
    text = "\n\n".join(["# Report", *lines, "## Sources", "\n".join(entries)])
    with tempfile.TemporaryDirectory() as folder:
        async with served(Path(folder), replies) as inquest:
            case = await inquest.case_of(AuditRequest(text=text))
    assert case.audit is not None
    starts, at = [], 0
    for (way, _, _), line in zip(cited, lines, strict=True):
        at = text.index(line, at)
        starts.append((at, way))
    # A line may be split into two statements.
    return [
        (max(each for each in starts if each[0] <= item.statement.start)[1], item.outcome) for item in case.audit.items
    ]


def _spoiled(pages: Sequence[Page], number: int) -> tuple[list[tuple[str, str, str]], dict[str, Reply]]:
    """Way of spoiling, statement and cited address ('': none) of each citation, and the pages that are served."""
    turned = [*pages[number * 7 % len(pages) :], *pages[: number * 7 % len(pages)]]
    replies = {page.url: html_page(page.title, page.text) for page in turned}
    cited: list[tuple[str, str, str]] = []
    used: set[str] = set()

    def take(has: Callable[[str], object] = lambda sentence: True) -> tuple[Page, str]:
        page = next(each for each in turned if each.url not in used and each.said(has))
        used.add(page.url)
        return page, page.said(has)

    def serve(name: str, title: str, text: str) -> str:
        url = f"http://{name}.example/{number}"
        replies[url] = html_page(title, text)
        return url

    for _ in range(3):
        page, said = take()
        cited.append(("true", said, page.url))
    page, said = take()
    cited.append(("wrong_page", said, next(each.url for each in turned if each.about != page.about)))
    page, said = take()
    cited += [
        ("true", said, page.url),
        ("swapped", said, next(url for _, _, url in cited if said.encode() not in replies[url][2])),
    ]
    page, said = take(_FIGURE.search)
    digit = lambda match: str(int(match[0][0]) % 9 + 1) + match[0][1:]  # noqa: E731
    cited.append(("changed_figure", _FIGURE.sub(digit, said, count=1), page.url))
    page, said = take(_WORD.search)
    other = _WORD.search(cited[0][1]) or _WORD.search(cited[1][1])
    altered = _WORD.sub(other[0] if other else "hardly", said, count=1)
    cited.append(("altered_quote", f"The page says: “{altered}”", page.url))
    page, said = take()
    cited.append(("dead_link", said, f"http://gone.example/{number}"))
    page, said = take()
    cited.append(("invented_doi", said, f"http://journal.example/doi/10.5555/invented.{number}"))
    page, said = take()
    cited.append(("retracted", said, serve("withdrawn", f"RETRACTED: {page.title}", page.text)))
    page, said = take()
    passed_on = f"According to Reuters, {said[0].lower()}{said[1:]}\n\n{turned[-1].text}"
    cited.append(("second_hand", said, serve("second", "News in brief", passed_on)))
    page, said = take()
    cited.append(("no_citation", said, ""))
    return cited, replies


def html_page(title: str, text: str) -> Reply:
    """A page as it is served."""
    body = "".join(f"<p>{escape(block)}</p>" for block in text.split("\n\n"))
    head = f"<!doctype html><html><head><title>{escape(title)}</title></head>"
    return 200, "text/html; charset=utf-8", f"{head}<body><article><h1>{escape(title)}</h1>{body}</article>".encode()


@asynccontextmanager
async def served(home: Path, replies: Mapping[str, Reply]) -> AsyncIterator[Inquest]:
    """Inquest without a model, on a web with pages by address; no other page exists, and no archive has a copy."""
    nothing = (200, "application/json", json.dumps({"archived_snapshots": {}}).encode())
    async with simulated_web(a_company_world(COMPANIES[:1])) as web:

        async def reply(method: str, url: str, body: bytes) -> Heard:
            absent = (
                nothing if "archive.org/wayback" in url else (404, "text/html", b"<html><body>Not found</body></html>")
            )
            return replies.get(url, absent)

        web.reply = reply  # type: ignore[method-assign]
        settings = {name: value for name, value in web.settings.items() if not name.startswith("model")}
        async with Inquest(home=home, **settings) as opened:
            yield opened
