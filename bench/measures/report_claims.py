"""Claims found in the two real reports: the number per page, the time, and the first thirty of each.

Readers must judge whether a claim is complete, can be checked and has the right type: the details list the thirty.
According to the author of this measure on 22 November 2026 (without a second reader): of BMW's thirty, 30 are complete,
27 can be checked (the others are on what it supports or shares, or what a target of the EU will require), and 27 have
the right type; eleven are on what lawmakers did, not the company. Of Vonovia's thirty, 29 are complete, 28 can be
checked, and 29 have the right type.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.figures import Figure
from inquest.claims.report.extraction import claims_found
from inquest.domain.claim import Claim
from inquest.domain.document import Document, Snapshot
from inquest.readers.pdf.reader import PdfReader

__all__ = ["DATA", "TOP", "measure"]

DATA = "data/reports"
TOP = 30
READ_AT = datetime(2025, 1, 1, tzinfo=UTC)
"""A fixed day on which reports are read, so that the figures do not change with the date."""


def measure(data: Path) -> list[Figure]:
    """For each report: claims per page, processor time for a hundred pages, the share of pages with a claim, and the
    first thirty claims with type and page."""
    files = [data] if data.is_file() else sorted(data.glob("*.pdf"))
    return [figure for file in files for figure in _of_report(file)]


def _of_report(file: Path) -> list[Figure]:
    begun = time.process_time()
    document = _read(file)
    company = file.stem.split("_")[0]
    result = claims_found(document, company=company)
    seconds = time.process_time() - begun
    pages = len(document.pages)
    claims = result.claims
    common = {"pages": pages, "claims": len(claims)}
    types = Counter(claim.type.value for claim in claims)
    name = company.lower()
    return [
        Figure(
            "report_claims", f"{name}_claims_per_page", len(claims) / pages, details=common | {"types": dict(types)}
        ),
        Figure(
            "report_claims", f"{name}_pages_with_claims", len({claim.page for claim in claims}) / pages, details=common
        ),
        Figure("report_claims", f"{name}_seconds_per_100_pages", 100 * seconds / pages, "s", details=common),
        Figure(
            "report_claims",
            f"{name}_top",
            float(min(TOP, len(claims))),
            details={"top": list(map(_line, claims[:TOP]))},
        ),
    ]


def _read(file: Path) -> Document:
    body = file.read_bytes()
    url = f"file:///{file.name}"
    snapshot = Snapshot(
        hash=f"sha256:{hashlib.sha256(body).hexdigest()}", url=url, final_url=url, status=200,
        content_type="application/pdf", retrieved_at=READ_AT, size=len(body),
    )  # fmt: skip
    return PdfReader().read(body, snapshot)


def _line(claim: Claim) -> dict[str, Any]:
    return {
        "page": claim.page,
        "type": claim.type.value,
        "text": claim.text,
        "statements": [part.quote for part in claim.assertions],
    }
