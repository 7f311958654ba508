"""What a user wants checked, made into a brief: the report or the claims, whose they are, who may look."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inquest.app.cases.case_request import ClaimsRequest
from inquest.app.cases.requests import brief_from
from inquest.app.wiring.pages import local_path
from inquest.domain.brief import Brief
from inquest.domain.check import CheckRequest
from inquest.domain.claim import Claim
from inquest.domain.errors import InputError
from inquest.kit.reader import told_of_pages
from inquest.text.urls import shown_address

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


async def check_brief(
    app: Resources, request: ClaimsRequest, *, claims_file: Path | None = None, report_by_name: bool = False
) -> Brief:
    """The brief of a check. A report that is a file is archived at once, since it may be gone later; `report_by_name`:
    it was uploaded, and of its path the name alone is kept. `claims_file`: further claims as lines of JSON. Raises
    InputError for what is missing or wrong, PageError for a report that cannot be read."""
    own, report = _given(request, claims_file), request.report.strip()
    if not report and not own:
        raise InputError(
            "There is nothing to check.",
            advice='Name a report, or give claims: --claim "..." or --claims FILE.',
        )
    company = request.company.strip() or _sole_company(own)
    if report and not company:
        raise InputError("Missing company: a report needs the name of the company.", advice="Add --company NAME.")
    desks = tuple(dict.fromkeys(each.strip().lower() for each in request.desks if each.strip()))
    for name in desks:
        if name not in app.desks:
            raise InputError(f"There is no desk '{name}'.", advice=f"Desks: {', '.join(app.desks)}.")
    url, snapshot = await _report(app, report, by_name=report_by_name) if report else ("", "")
    if snapshot:
        report = shown_address(url)
    limits = {"max_claims": request.max_claims, "rounds": request.rounds}
    check = CheckRequest(
        company=company,
        industry=request.industry.strip(),
        report=url,
        report_snapshot=snapshot,
        claims=tuple(claim if claim.company else claim.model_copy(update={"company": company}) for claim in own),
        desks=desks,
        **{name: limit for name, limit in limits.items() if limit is not None},
    )
    what = f"the report {report}" if report else f"{len(own)} claims given" if len(own) > 1 else f"“{own[0].text}”"
    brief = brief_from(
        request, f"Check the claims of {company}: {what}" if company else f"Check {what}", settings=app.settings
    )
    return brief.model_copy(update={"check": check})


def _sole_company(claims: Sequence[Claim]) -> str:
    """The company that every claim names; '' where one names none or another."""
    named = {claim.company for claim in claims}
    return named.pop() if len(named) == 1 else ""


def _given(request: ClaimsRequest, file: Path | None) -> tuple[Claim, ...]:
    from inquest.app.desks.report_claims import read_claims_file
    from inquest.claims.report.given import claims_said, given_claims

    company, rows = request.company, [each for each in request.claims if not isinstance(each, str)]
    if rows:
        every = [{"text": each} if isinstance(each, str) else each.row for each in request.claims]
        lines = [json.dumps({"id": f"G{number}", **row}) for number, row in enumerate(every, 1)]
        return given_claims(lines, "the claims", company=company)
    read = read_claims_file(file, company=company) if file is not None else ()
    said = [each for each in request.claims if isinstance(each, str)]
    return (*claims_said(said, "The claim", letter="G", taken={claim.id for claim in read}, company=company), *read)


async def _report(app: Resources, report: str, *, by_name: bool) -> tuple[str, str]:
    """The report's address and, of a file, its archived bytes."""
    from inquest.text.urls import is_web_url, with_scheme

    path = local_path(report)
    if path is not None:
        with told_of_pages():
            snapshot, _ = await app.pages_offline.read_file(path, by_name=by_name)
        return snapshot.final_url, snapshot.hash
    url = with_scheme(report)
    if not is_web_url(url):
        raise InputError(f"'{report}' is neither a file nor a web address.", advice="Check its spelling.")
    return url, ""
