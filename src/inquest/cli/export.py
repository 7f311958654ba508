"""`inquest export`: what a case has, to hand on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from inquest.cli.common import with_app
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.cases.exporting import Exported

EXAMPLES = """
[bold]Examples[/bold]

    inquest export 20261121-7f3a --format wacz

    inquest export 20261121-7f3a --format warc --out evidence.warc.gz && inquest collection add again evidence.warc.gz

    inquest export 20261121-7f3a --format claimreview --url https://example.org/checks/7 --reviewer "Example Desk"

    inquest export 20261121-7f3a --format csv --bom --out findings.csv
"""


class ExportFormat(StrEnum):
    """The forms of an export."""

    warc = "warc"
    wacz = "wacz"
    json = "json"
    claimreview = "claimreview"
    csv = "csv"
    bibtex = "bibtex"
    csl = "csl"


_FOR = {
    "--url": {ExportFormat.claimreview},
    "--reviewer": {ExportFormat.claimreview},
    "--bom": {ExportFormat.csv},
}


def export(
    case: str = typer.Argument(..., help="The case's id, or the beginning of it."),
    format: ExportFormat = typer.Option(
        ExportFormat.wacz,
        "--format",
        "--form",
        help="wacz: the archived pages in one file that web archive viewers open; warc: the same for archives; json: "
        "the case; claimreview: the verdicts as JSON-LD for a page; csv: the findings; bibtex, csl: the references.",
    ),
    out: Path | None = typer.Option(None, help="Where to write it; default: named by the case, here."),
    url: str = typer.Option("", help="claimreview: the page that will carry the reviews."),
    reviewer: str = typer.Option("", help="claimreview: the organisation that publishes them."),
    bom: bool = typer.Option(False, "--bom", help="csv: with a byte order mark, by which Excel knows UTF-8."),
) -> None:
    """Write a case into one file: its archived pages with hashes and times, or verdicts, findings, references."""
    options = {"--url": url, "--reviewer": reviewer, "--bom": bom}
    for name, value in options.items():
        if value and format not in _FOR[name]:
            raise InputError(f"{name} says nothing in the form {format.value}.", advice="Leave it out.")

    async def work(app: App) -> Exported:
        from inquest.app.cases.exporting import ENDINGS, Options
        from inquest.app.cases.exporting import export as write

        found = await app.case(case)
        target = out or Path(f"{found.id}{ENDINGS[format.value]}")
        return await write(app, found, format.value, target, Options(url=url, reviewer=reviewer, bom=bom))

    written = with_app(work)
    typer.echo(str(written.path))
    if written.snapshots:
        pages = "page" if written.snapshots == 1 else "pages"
        typer.echo(f"{written.snapshots} archived {pages}, {written.path.stat().st_size:,} bytes", err=True)
    if written.items:
        one, many = _ITEMS[format]
        typer.echo(f"{written.items} {one if written.items == 1 else many}", err=True)
    for note in written.notes:
        typer.echo(note, err=True)


_ITEMS = {
    ExportFormat.claimreview: ("review", "reviews"),
    ExportFormat.csv: ("finding", "findings"),
    ExportFormat.bibtex: ("reference", "references"),
    ExportFormat.csl: ("reference", "references"),
}
