"""`claims`: a company's report in, its checkable claims out; nothing is searched and no model is asked."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from inquest.app.files import readable
from inquest.app.tools.reading import read_page
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import InputError
from inquest.kit.reader import told_of_pages

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.claims.report.extraction import ReportClaims

Progress = Callable[[str, int, int], None]
"""Told what is being done ('reading', 'looking for claims'), the page, and how many pages there are."""

_MAX_FILE = 20_000_000
"""Bytes of a file of claims."""


async def read_report_document(app: Resources, report: str, tell: Progress) -> tuple[Document, dict[str, Any]]:
    """The report as a document, and the JSON of `inquest read` for it. Can be cancelled between two pages. Raises
    InputError (no such file), PageError (a scan, encrypted, not reachable)."""
    with told_of_pages(lambda page, pages: tell("reading", page, pages)):
        found = await read_page(app, report)
    document = await app.archive.document(str(found["snapshot"]))
    assert document is not None  # reading puts it there
    return document, found


def find_claims(
    document: Document,
    tell: Progress,
    *,
    company: str = "",
    industry: str = "",
    limit: int | None = None,
    given: tuple[Claim, ...] = (),
) -> ReportClaims:
    """The report's claims, best first, after the user's own (`given`), which are looked up in the report."""
    from inquest.claims.report.extraction import claims_found

    return claims_found(
        document,
        company=company,
        industry=industry,
        limit=limit,
        given=given,
        progress=lambda page, pages: tell("looking for claims", page, pages),
    )


def only_given(given: tuple[Claim, ...]) -> ReportClaims:
    """The user's own claims, without a report."""
    from inquest.claims.report.extraction import ReportClaims

    return ReportClaims(given, (), next((claim.company for claim in given if claim.company), ""))


def read_claims_file(path: Path, *, company: str = "") -> tuple[Claim, ...]:
    """The claims of a JSONL file ('-': standard input). Raises InputError with the number of the line that is wrong."""
    from inquest.claims.report.given import given_claims

    with readable(path):
        if str(path) == "-":
            return given_claims(sys.stdin.read(_MAX_FILE).splitlines(), "standard input", company=company)
        if path.is_file() and path.stat().st_size > _MAX_FILE:
            raise InputError(f"{path} is larger than {_MAX_FILE // 1_000_000} MB.", advice="Split it.")
        with path.open(encoding="utf-8-sig") as lines:
            return given_claims(lines, str(path), company=company)


def claims_json(
    found: ReportClaims, *, report: str = "", read: dict[str, Any] | None = None, industry: str = ""
) -> dict[str, Any]:
    """The claims as a case that has not been checked yet. `read`: what `inquest read` says of the report."""
    sources = [_source(read)] if read else []
    return {
        "schema": "inquest/case/1",
        "case_id": None,
        "kind": "claims",
        "status": "planned",
        "mode": None,
        "input": {"report": report or None, "company": found.company or None, "industry": industry or None},
        "as_of": None,
        "plan": None,
        "sources": sources,
        "claims": [_claim(claim, bool(sources)) for claim in found.claims],
        "findings": [],
        "verdicts": [],
        "bias": None,
        "timeline": [],
        "summary": None,
        "citations": [],
        "outages": [],
        "cost": {"usd": 0, "model_calls": 0, "tokens_in": 0, "tokens_out": 0, "search_calls": 0, "page_reads": 0},
        "timings": {},
        "notes": list(found.notes),
    }


def _claim(claim: Claim, has_source: bool) -> dict[str, Any]:
    made = claim.model_dump(mode="json", exclude={"mentions", "queries"})
    made["source_ids"] = ["S1"] if has_source and claim.quote else []
    if not claim.quote:
        made |= {"quote": None, "start": None, "end": None}
    return made


def _source(read: dict[str, Any]) -> dict[str, Any]:
    rating = read["rating"]
    url = str(read["final_url"])
    return {
        "id": "S1",
        "url": url,
        "title": read["title"],
        "domain": urlsplit(url).hostname or "",
        "author": read["author"],
        "published": read["published"],
        "published_how": read["published_how"],
        "tier": rating["tier"],
        "stars": rating["stars"],
        "score": rating["score"],
        "press_release": None,
        "story": None,
        "origin_of_story": None,
        "owner": None,
        "snapshot": read["snapshot"],
        "retrieved_at": read["retrieved_at"],
        "language": read["language"],
        "pages": read["pages"],
        "summary": None,
        "key_claims": [],
        "user_provided": True,
    }
