"""The findings of a case as CSV (RFC 4180), for spreadsheets and for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime

from inquest.domain.case import Case
from inquest.domain.finding import Finding
from inquest.reports.plain import shown
from inquest.reports.wording import address
from inquest.text.regex import regex

COLUMNS = (
    "case_id", "finding_id", "claim_id", "claim", "verdict", "verdict_confidence", "checked", "agent", "evidence_type",
    "stance", "contradiction_type", "confidence", "quote", "summary", "reasons", "source_id", "title", "url", "domain",
    "author", "published", "tier", "score", "story", "excluded", "retrieved_at", "snapshot", "start", "end", "page",
    "iteration", "references", "place",
)  # fmt: skip
"""Names of the columns, in their order; new ones come at the end."""

_FORMULA = regex(r"^\s*[=+\-@＝＋－＠|]|^[\t\r\n]")
"""What a spreadsheet takes for a formula or a command (OWASP: CSV injection), also after blanks, which some drop."""


def findings_csv(case: Case, *, bom: bool = False) -> bytes:
    """One row for each finding, in the order of the case, under a row of names. UTF-8, lines end with CR LF.

    Several values in one cell stand on lines of their own. A text that a spreadsheet would run as a formula has an
    apostrophe before it, and characters that cannot be seen are left out: the quote as it stands, character for
    character, is in the case as JSON, and between `start` and `end` of the snapshot's text. `bom`: with the byte order
    mark by which Excel knows UTF-8.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    rows = _Rows(case)
    for finding in case.findings:
        row = rows.row(finding)
        writer.writerow([_cell(row[name]) for name in COLUMNS])
    return stream.getvalue().encode("utf-8-sig" if bom else "utf-8")


class _Rows:
    """Finds what belongs to a finding."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._claims = {claim.id: claim for claim in case.claims}
        self._verdicts = {assessment.claim_id: assessment for assessment in case.assessments}
        self._sources = {source.id: source for source in case.sources}

    def row(self, finding: Finding) -> dict[str, object]:
        claim = self._claims.get(finding.claim_id or "")
        verdict = self._verdicts.get(finding.claim_id or "")
        source = self._sources.get(finding.source_id)
        kind = finding.contradiction_type
        published = source.published if source else None
        return {
            "case_id": self._case.id,
            "finding_id": finding.id,
            "claim_id": finding.claim_id,
            "claim": claim.text if claim else None,
            "verdict": verdict.verdict.value if verdict and verdict.checked else None,
            "verdict_confidence": verdict.confidence if verdict and verdict.checked else None,
            "checked": verdict.checked if verdict else None,
            "agent": finding.agent,
            "evidence_type": finding.evidence_type,
            "stance": finding.stance.value,
            "contradiction_type": kind.value if kind else None,
            "confidence": finding.confidence,
            "quote": finding.quote,
            "summary": finding.summary,
            "reasons": _lines(finding.reasons),
            "source_id": finding.source_id,
            "title": address(source.title) if source else None,
            "url": address(source.url) if source else None,
            "domain": source.domain if source else None,
            "author": source.author if source else None,
            "published": published.iso if published else None,
            "tier": source.rating.tier if source else None,
            "score": source.rating.score if source else None,
            "story": source.story if source else None,
            "excluded": source.excluded if source else None,
            "retrieved_at": source.retrieved_at if source else None,
            "snapshot": finding.snapshot,
            "start": finding.start,
            "end": finding.end,
            "page": finding.page,
            "place": finding.place,
            "iteration": finding.iteration,
            "references": _lines(
                " ".join(str(each[key]) for key in ("title", "url") if each.get(key)) for each in finding.references
            ),
        }


def _lines(values: Iterable[str]) -> str:
    return "\n".join(values)


def _cell(value: object) -> str:
    """A cell: nothing for what is not known; times in UTC; text that no spreadsheet runs."""
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
