"""Verdicts as schema.org ClaimReview in JSON-LD, and findings as CSV (RFC 4180), for other programs.

ClaimReview is the format that fact-checkers publish in their pages, after https://schema.org/ClaimReview and Google's
guide to fact-check structured data (https://developers.google.com/search/docs/appearance/structured-data/factcheck),
which requires `claimReviewed`, `reviewRating.alternateName` and a `url` on the publishing site."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any

from inquest.domain.case import Case
from inquest.domain.claim import Claim
from inquest.domain.document import Precision
from inquest.domain.errors import InputError
from inquest.domain.finding import Assessment, Finding, Verdict
from inquest.domain.source import Source
from inquest.reports import wording
from inquest.reports.parts import one_line, shown
from inquest.reports.references import is_name, people
from inquest.reports.view import VERDICT_WORDS, ReportView
from inquest.reports.wording import address
from inquest.text.regex import regex
from inquest.text.urls import is_web_url

WORST, BEST = 1, 5
VALUES = {Verdict.VERIFIED: 5, Verdict.PARTIALLY_TRUE: 3, Verdict.CONTRADICTED: 1}
"""Ratings from 1 (false) to 5 (true), on Google's scale. Disputed and unverified have words only: they are not degrees
of truth, and 3 would mean 'half true'."""


def claim_review_json(case: Case, *, page_url: str = "", reviewer: str = "") -> dict[str, Any]:
    """Return a JSON-LD document with a ClaimReview for each claim that was checked.

    `page_url`: the page that will carry the reviews; each review's `url` is its anchor there, as in the HTML report.
    `reviewer`: the publishing organisation. Without these two the reviews lack what only the publisher knows. Claims
    that the case did not reach have no review (`without_review`). Unverified claims have one, in words and without a
    number, because finding nothing is a result.

    Raises InputError for an invalid `page_url`.
    """
    if page_url and not is_web_url(page_url):
        raise InputError(f"'{page_url}' is not a web address.", advice="Write it like https://example.org/checks/7.")
    view = ReportView(case, {})
    claims = {claim.id: claim for claim in case.claims}
    return {
        "@context": "https://schema.org",
        "@graph": [
            _review(view, claims[assessment.claim_id], assessment, page_url.partition("#")[0], reviewer)
            for assessment in view.assessments
        ],
    }


def without_review(case: Case) -> tuple[Claim, ...]:
    """Return the claims that the case did not reach."""
    return ReportView(case, {}).unchecked


def _review(view: ReportView, claim: Claim, assessment: Assessment, page_url: str, reviewer: str) -> dict[str, Any]:
    case, word = view.case, VERDICT_WORDS[assessment.verdict]
    rating: dict[str, Any] = {"@type": "Rating", "alternateName": word}
    if (value := VALUES.get(assessment.verdict)) is not None:
        rating |= {"ratingValue": value, "bestRating": BEST, "worstRating": WORST}
    rating["ratingExplanation"] = _explained(assessment)
    # The sources on both sides, weightiest first.
    sides = (*assessment.supporting, *assessment.contradicting)
    cited = dict.fromkeys(view.findings[each].source_id for each in sides if each in view.findings)
    return _filled(
        {
            "@type": "ClaimReview",
            "url": f"{page_url}#{view.anchors[claim.id]}" if page_url else None,
            "identifier": f"{case.id}/{one_line(claim.id)}",
            "claimReviewed": one_line(claim.text),
            "datePublished": case.created_at.astimezone(UTC).date().isoformat(),
            "inLanguage": "en",
            "author": _organisation(reviewer),
            "itemReviewed": _claim(view, claim),
            "reviewRating": rating,
            "reviewBody": _body(word, assessment),
            "citation": [_work(view.sources[each]) for each in cited],
        }
    )


def _explained(assessment: Assessment) -> str:
    if assessment.reasons:
        return " ".join(one_line(reason) for reason in assessment.reasons)
    return "No reason was recorded."


def _body(word: str, assessment: Assessment) -> str:
    """Return the verdict, its reasons and its limits as one paragraph."""
    sure = "" if assessment.overruled else f", confidence {assessment.confidence:.0%}"
    parts = [f"{word}{sure}.", _explained(assessment)]
    if assessment.verdict is Verdict.UNVERIFIED:
        parts.append("That it could not be verified does not say that it is false.")
    if assessment.unassessed:
        passages = "passage" if assessment.unassessed == 1 else "passages"
        parts.append(f"{assessment.unassessed} {passages} that may bear on it could not be judged.")
    if assessment.would_change:
        parts.append("What would change the verdict: " + " ".join(one_line(each) for each in assessment.would_change))
    return " ".join(parts)


def _claim(view: ReportView, claim: Claim) -> dict[str, Any]:
    """Return the claim, its author and the works in which it appears."""
    works = [view.sources[each] for each in claim.source_ids if each in view.sources]
    # Dates alone do not show which of several works made the claim first.
    first = works[0] if len(works) == 1 else None
    whose = claim.company or (works[0].publisher or works[0].domain if len(works) == 1 else "")
    return _filled(
        {
            "@type": "Claim",
            "text": one_line(claim.quote or claim.text),
            "author": _organisation(whose),
            "datePublished": first.published.iso if first and first.published else None,
            "firstAppearance": _work(first) if first else None,
            "appearance": [_work(source) for source in works if source is not first],
        }
    )


def _work(source: Source) -> dict[str, Any]:
    """Return a source as a CreativeWork; a file of the user has a name but no address."""
    published, authors = source.published, [_byline(name) for name in people(source.author)]
    exact = published is not None and published.precision in (Precision.DAY, Precision.TIME)
    return _filled(
        {
            "@type": "CreativeWork",
            "url": source.url if is_web_url(source.url) else None,
            "name": one_line(wording.titled(source)),
            "author": authors[0] if len(authors) == 1 else authors,
            "publisher": _organisation(source.publisher or source.domain),
            "datePublished": published.iso if published and exact else None,
        }
    )


def _byline(name: str) -> dict[str, str] | str | None:
    """Return an author: a Person if every word is capitalised as in a name, an Organization if it cannot be a name, and
    the name alone in between ('Ida van der Holm', 'Ministère de la Culture')."""
    if not is_name(name):
        return _organisation(name)
    capitalised = len(name.split()) <= 4 and all(word[0].isupper() for word in name.split())
    return {"@type": "Person", "name": name} if capitalised else name


def _organisation(name: str) -> dict[str, str] | None:
    return {"@type": "Organization", "name": one_line(name)} if name.strip() else None


def _filled(values: dict[str, Any]) -> dict[str, Any]:
    """Drop unknown values: validators reject empty properties."""
    return {name: value for name, value in values.items() if value not in (None, "", [])}


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
        "verdict_confidence": None if verdict is None or verdict.overruled else verdict.confidence,
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
"""Beginnings that a spreadsheet takes for a formula or a command (OWASP: CSV injection), also after spaces, which some
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
