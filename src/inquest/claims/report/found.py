"""The claims that are to be checked: the user's own, looked up in the report, and after them the report's."""

from __future__ import annotations

from collections.abc import Callable

from inquest.claims.report.extraction import ReportClaims, ranked, read_report
from inquest.claims.report.given import placed
from inquest.claims.report.tables import TableReader
from inquest.domain.claim import Claim
from inquest.domain.document import Document


def claims_found(
    document: Document,
    *,
    company: str = "",
    industry: str = "",
    limit: int | None = None,
    given: tuple[Claim, ...] = (),
    tell: Callable[[int, int], None] = lambda page, pages: None,
) -> ReportClaims:
    """The report's claims, best first and at most `limit`, after the user's own (`given`). `tell` is given the page
    that is being read and how many there are; what it raises ends the reading."""
    if not company:
        company = next((claim.company for claim in given if claim.company), "")
    tables, found, last = TableReader(), [], 0
    pages = len(document.pages)
    for claim in read_report(document, company=company, industry=industry, tables=tables):
        found.append(claim)
        if claim.page and claim.page > last:
            last = claim.page
            tell(last, pages)
    result = ranked(document, found, tables, limit=limit, company=company)
    if not given:
        return result
    own = tuple(placed(claim, document) for claim in given)
    absent = sum(not claim.quote for claim in own)
    spans = {(claim.start, claim.end) for claim in own if claim.quote}
    taken = {claim.id for claim in own}
    rest = [claim for claim in result.claims if (claim.start, claim.end) not in spans]
    numbers = (f"C{number}" for number in range(1, len(rest) + len(taken) + 1))
    free = (name for name in numbers if name not in taken)
    named = tuple(claim.model_copy(update={"id": name}) for claim, name in zip(rest, free, strict=False))
    notes = (f"{absent} of the {len(own)} claims given do not stand in the report in these words",) if absent else ()
    return result._replace(claims=own + named, notes=(*notes, *result.notes))
