"""What a user wants checked, made into a brief: the report or the claims, whose they are, who may look."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from inquest.app.cases.requests import CaseOptions, brief_from, case_options
from inquest.app.wiring.pages import local_path
from inquest.domain.brief import Brief
from inquest.domain.check import CheckRequest
from inquest.domain.claim import Claim
from inquest.domain.errors import InputError
from inquest.kit.reader import told_of_pages
from inquest.text.urls import shown_address

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

MOST_ROUNDS = 5
_MOST_CLAIMS = 500


class CheckOptions(CaseOptions, total=False):
    """What a check can be told, beside what every case can be."""

    company: str
    """Whose claims they are; only a report needs it."""
    claims: Sequence[str]
    """Single claims in words, which may be about anything."""
    claims_file: Path | None
    claim_lines: Sequence[str]
    """Claims as lines of JSON, as a file of claims has them."""
    report_by_name: bool
    """The report is a file that was sent: of its path the name alone is kept, in its address too."""
    industry: str
    desks: str | Sequence[str]
    """Who may look; none: all."""
    max_claims: int | None
    rounds: int | None


async def check_brief(app: Resources, report: str | None = None, **options: Unpack[CheckOptions]) -> Brief:
    """The brief of a check. `report`: a file or a URL; a file is archived at once, since it may be gone later.

    Raises InputError for what is missing or wrong, PageError for a report that cannot be read.
    """
    company, industry = options.pop("company", ""), options.pop("industry", "")
    claims, claims_file = options.pop("claims", ()), options.pop("claims_file", None)
    desks, max_claims, rounds = options.pop("desks", ()), options.pop("max_claims", None), options.pop("rounds", None)
    own = _given(claims, claims_file, options.pop("claim_lines", ()), company)
    if not report and not own:
        raise InputError(
            "There is nothing to check.",
            advice='Name a report, or give claims: --claim "..." or --claims FILE.',
        )
    whose = company.strip() or _sole_company(own)
    if report and not whose:
        raise InputError("It is not said whose report this is.", advice="Add --company NAME.")
    names = [each.strip().lower() for each in (desks.split(",") if isinstance(desks, str) else desks) if each.strip()]
    for name in names:
        if name not in app.desks:
            raise InputError(f"There is no desk '{name}'.", advice=f"Desks: {', '.join(app.desks)}.")
    if rounds is not None and not 0 <= rounds <= MOST_ROUNDS:
        raise InputError(f"{rounds} is no number of rounds.", advice=f"Give one from 0 to {MOST_ROUNDS}.")
    if max_claims is not None and not 1 <= max_claims <= _MOST_CLAIMS:
        raise InputError(f"{max_claims} is no number of claims.", advice=f"Give one from 1 to {_MOST_CLAIMS}.")
    by_name = options.pop("report_by_name", False)
    url, snapshot = await _report(app, report, by_name=by_name) if report else ("", "")
    if snapshot:
        report = shown_address(url)
    request = CheckRequest(
        company=whose,
        industry=industry.strip(),
        report=url,
        report_snapshot=snapshot,
        claims=tuple(claim if claim.company else claim.model_copy(update={"company": whose}) for claim in own),
        desks=tuple(dict.fromkeys(names)),
        **{k: v for k, v in {"max_claims": max_claims, "rounds": rounds}.items() if v is not None},
    )
    what = f"the report {report}" if report else f"{len(own)} claims given" if len(own) > 1 else f"“{own[0].text}”"
    brief = brief_from(
        f"Check the claims of {whose}: {what}" if whose else f"Check {what}",
        settings=app.settings,
        **case_options(options),
    )
    return brief.model_copy(update={"check": request})


def _sole_company(claims: Sequence[Claim]) -> str:
    """The company that every claim names; '' where one names none or another."""
    named = {claim.company for claim in claims}
    return named.pop() if len(named) == 1 else ""


def _given(claims: Sequence[str], file: Path | None, rows: Sequence[str], company: str) -> tuple[Claim, ...]:
    from inquest.app.desks.report_claims import read_claims_file
    from inquest.claims.report.given import claims_said, given_claims

    if rows:
        return given_claims(rows, "the claims", company=company)
    read = read_claims_file(file, company=company) if file is not None else ()
    taken = {claim.id for claim in read}
    return (*claims_said(claims, "--claim", letter="G", taken=taken, company=company), *read)


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
