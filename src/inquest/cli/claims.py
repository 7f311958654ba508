"""`inquest claims`: what a company's report says that can be checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from inquest.cli.common import err_console, print_json, with_app
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.desks.report_claims import Progress
    from inquest.domain.claim import Claim

EXAMPLES = """
[bold]Examples[/bold]

    inquest claims report.pdf --company "Norvane Chemicals" --max 30

    inquest claims https://example.org/report.html --json > claims.json

    inquest claims report.pdf --claims mine.jsonl
"""
_EVERY = 50
"""Pages between two lines of progress where the terminal cannot move one line."""


def claims(
    report: str | None = typer.Argument(None, metavar="[REPORT]", help="A PDF, page or text: a file or a URL."),
    company: str = typer.Option("", help="Whose report it is; found in the text where it can be."),
    industry: str = typer.Option("", help="The company's industry, for the order of the claims."),
    most: int | None = typer.Option(None, "--max", min=1, help="At most so many of the report's claims."),
    given: Path | None = typer.Option(
        None,
        "--claims",
        help="Claims of your own: JSON lines with `id`, `text`, and `company`, `type`, `page` if known.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Everything, as one JSON object."),
) -> None:
    """List every checkable claim of a report with page, quote, type and IFRS paragraphs; most worth checking first."""
    from inquest.app.desks.report_claims import claims_json, find_claims, only_given, read_claims_file

    if report is None and given is None:
        raise InputError("There is nothing to read.", advice="Name a report, or claims of your own with --claims FILE.")
    own = read_claims_file(given, company=company) if given is not None else ()
    if report is None:
        found, read = only_given(own), None
    else:
        with _progress() as tell:
            document, read = _read(report, tell)
            found = find_claims(document, tell, company=company, industry=industry, limit=most, given=own)
    if as_json:
        print_json(claims_json(found, report=report or "", read=read, industry=industry))
        return
    for claim in found.claims:
        _show(claim)
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)


def _read(report: str, tell: Progress) -> tuple[Any, dict[str, Any]]:
    from inquest.app.desks.report_claims import read_report_document

    async def work(app: App) -> tuple[Any, dict[str, Any]]:
        return await read_report_document(app, report, tell)

    return with_app(work)


@contextmanager
def _progress() -> Iterator[Progress]:
    """One moving line on a terminal; elsewhere a line now and then. Always on standard error."""
    console = err_console()
    if not console.is_terminal:

        def lines(what: str, page: int, pages: int) -> None:
            if page % _EVERY == 0:
                console.print(f"{what}: page {page} of {pages}")

        yield lines
        return
    with console.status("opening the report") as status:
        yield lambda what, page, pages: status.update(f"{what}: page {page} of {pages}")


def _show(claim: Claim) -> None:
    page = f"p. {claim.page}" if claim.page else "no page"
    checkable = "" if claim.checkability is None else f", checkable {claim.checkability:.2f}"
    typer.echo(f"{claim.id}  {page}  {claim.type.value}  rank {claim.importance:.2f}{checkable}")
    typer.echo(f"    {claim.text}")
    if claim.quote and " ".join(claim.quote.split()) != claim.text:
        typer.echo(f"    “{' '.join(claim.quote.split())}”  [{claim.start}:{claim.end}]")
    for part in claim.assertions:
        typer.echo(f"    - {' '.join(part.quote.split())}")
    for each in claim.disclosures:
        typer.echo(f"    {each.standard} {each.paragraph}: {each.subject} ({each.reason})")
    typer.echo(f"    {'; '.join(claim.reasons)}\n")
