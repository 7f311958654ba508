"""The findings of a case as CSV (RFC 4180), for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.finding import Assessment, Finding
from inquest.domain.source import Source
from inquest.reports.plain import shown
from inquest.reports.wording import address
from inquest.text.regex import regex

COLUMNS = (
    "case_id", "finding_id", "claim_id", "claim", "verdict", "verdict_confidence", "checked", "agent", "evidence_type",
    "stance", "contradiction_type", "confidence", "quote", "summary", "reasons", "source_id", "title", "url", "domain",
    "author", "published", "tier", "score", "story", "excluded", "retrieved_at", "snapshot", "start", "end", "page",
    "iteration", "references", "place",
)  # fmt: skip
"""Column names in order; new ones go at the end."""
_OF_SOURCE = {"domain", "author", "story", "excluded", "retrieved_at"}


def _row(
    case: Case, finding: Finding, claim: Claim | None, found: Assessment | None, source: Source | None
) -> dict[str, object]:
    """Return a finding and its related data by column; columns without a value may be missing."""
    verdict = found if found and found.checked else None
    named = (" ".join(str(each[key]) for key in ("title", "url") if each.get(key)) for each in finding.references)
    row = finding.model_dump(mode="json", include=set(COLUMNS))
    row |= {
        "case_id": case.id,
        "finding_id": finding.id,
        "claim": claim and claim.text,
        "verdict": verdict and verdict.verdict.value,
        "verdict_confidence": verdict and verdict.confidence,
        "checked": found and found.checked,
        "reasons": "\n".join(finding.reasons),
        "references": "\n".join(named),
    }
    if source is None:
        return row
    return (
        row
        | source.model_dump(include=_OF_SOURCE)
        | {
            "title": address(source.title),
            "url": address(source.url),
            "published": source.published and source.published.iso,
            "tier": source.rating.tier,
            "score": source.rating.score,
        }
    )


_FORMULA = regex(r"^\s*[=+\-@＝＋－＠|]|^[\t\r\n]")
"""Beginnings that a spreadsheet takes for a formula or a command (OWASP: CSV injection), also after blanks, which some
drop."""


def findings_csv(case: Case, *, bom: bool = False) -> bytes:
    """Return a header row and one row for each finding, in the order of the case: UTF-8 with CR LF line ends.

    Multiple values in a cell are on separate lines. Text that a spreadsheet would run as a formula is prefixed with an
    apostrophe, and invisible characters are removed; the exact quote is in the case as JSON, and between `start` and
    `end` of the snapshot's text. `bom`: begin with the byte order mark by which Excel recognises UTF-8.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    claims = {claim.id: claim for claim in case.claims}
    verdicts = {assessment.claim_id: assessment for assessment in case.assessments}
    sources = {source.id: source for source in case.sources}
    for finding in case.findings:
        claim_id = finding.claim_id or ""
        row = _row(case, finding, claims.get(claim_id), verdicts.get(claim_id), sources.get(finding.source_id))
        writer.writerow(_cell(row.get(name)) for name in COLUMNS)
    return stream.getvalue().encode("utf-8-sig" if bom else "utf-8")


def _cell(value: object) -> str:
    """Format a cell: empty for None, times in UTC, formulas escaped."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    text = shown(str(value))
    return f"'{text}" if _FORMULA.match(text) else text
