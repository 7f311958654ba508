"""`inquest claims`: the checkable claims of a company's report, without any search or model."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from inquest.app.files import readable
from inquest.app.tools.reading import read_page
from inquest.claims.report.extraction import ReportClaims
from inquest.claims.report.extraction import claims_found as claims_found
from inquest.claims.report.given import given_claims
from inquest.domain.claim import Claim
from inquest.domain.document import Document
from inquest.domain.errors import InputError
from inquest.domain.reasons import sentences
from inquest.kit.reader import page_progress

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

Progress = Callable[[str, int, int], None]
"""Called with the step ('reading', 'looking for claims'), the page and the number of pages."""
_MAX_FILE = 20_000_000
"""Maximum size in bytes of a file of claims."""


async def read_report_document(app: Resources, report: str, progress: Progress) -> tuple[Document, dict[str, Any]]:
    """Return the report as a document, and as the JSON of `inquest read`. Can be cancelled between two pages. Raises
    InputError (no such file), PageError (a scan, encrypted, unreachable)."""
    with page_progress(lambda page, pages: progress("reading", page, pages)):
        read = await read_page(app, report)
    document = await app.archive.document(str(read["snapshot"]))
    assert document is not None  # reading archives it
    return document, read


def only_given(given: tuple[Claim, ...]) -> ReportClaims:
    """Return the user's own claims, without a report."""
    return ReportClaims(given, (), next((claim.company for claim in given if claim.company), ""))


def read_claims_file(path: Path, *, company: str = "") -> tuple[Claim, ...]:
    """Read the claims of a JSONL file ('-': standard input). Raises InputError with the number of the invalid line."""
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
    """Return the claims as JSON of an unchecked case. `read`: the JSON of `inquest read` for the report."""
    sources = [_source(read)] if read else []
    return {
        "schema": "inquest/case/1",
        "kind": "claims",
        "status": "planned",
        **dict.fromkeys(("case_id", "mode", "as_of", "plan", "bias", "summary")),
        **{name: [] for name in ("findings", "verdicts", "timeline", "citations", "outages")},
        "input": {"report": report or None, "company": found.company or None, "industry": industry or None},
        "sources": sources,
        "claims": [_claim(claim, bool(sources)) for claim in found.claims],
        "cost": {"usd": 0, "model_calls": 0, "tokens_in": 0, "tokens_out": 0, "search_calls": 0, "page_reads": 0},
        "timings": {},
        "notes": list(sentences(found.notes)),
    }


def _claim(claim: Claim, has_source: bool) -> dict[str, Any]:
    row = claim.model_dump(mode="json", exclude={"mentions", "queries"})
    row["source_ids"] = ["S1"] if has_source and claim.quote else []
    return row if claim.quote else row | {"quote": None, "start": None, "end": None}


def _source(read: dict[str, Any]) -> dict[str, Any]:
    url = str(read["final_url"])
    return {
        "id": "S1",
        "url": url,
        "title": read["title"],
        "domain": urlsplit(url).hostname or "",
        **{name: read[name] for name in ("author", "published", "published_how")},
        **{name: read["rating"][name] for name in ("tier", "stars", "score")},
        **dict.fromkeys(("press_release", "story", "origin_of_story", "owner", "summary")),
        **{name: read[name] for name in ("snapshot", "retrieved_at", "language", "pages")},
        "key_claims": [],
        "user_provided": True,
    }
