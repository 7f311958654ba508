"""`inquest export`: the evidence of a case, to hand on."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from inquest.cli.common import run_async

if TYPE_CHECKING:
    from inquest.app.exporting import Exported

__all__ = ["add_to"]

EXAMPLES = """
[bold]Examples[/bold]

    inquest export 20261121-7f3a --format wacz

    inquest export 20261121-7f3a --format warc --out evidence.warc.gz && inquest collection add again evidence.warc.gz
"""


class ExportFormat(StrEnum):
    """The forms of an export."""

    warc = "warc"
    wacz = "wacz"
    json = "json"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", epilog=EXAMPLES)(export)


def export(
    case: str = typer.Argument(..., help="The case's id, or the beginning of it."),
    format: ExportFormat = typer.Option(
        ExportFormat.wacz, help="wacz: one file that web archive viewers open; warc: for archives; json: the case."
    ),
    out: Path | None = typer.Option(None, help="Where to write it; default: named by the case, here."),
) -> None:
    """Write every archived page that a case rests on into one file, with hashes, times and headers."""

    async def work() -> Exported:
        from inquest.app.build import open_app
        from inquest.app.exporting import ENDINGS
        from inquest.app.exporting import export as write

        async with open_app() as app:
            found = await app.case(case)
            return await write(app, found, format.value, out or Path(f"{found.id}{ENDINGS[format.value]}"))

    written = run_async(work())
    typer.echo(str(written.path))
    if written.snapshots:
        pages = "page" if written.snapshots == 1 else "pages"
        typer.echo(f"{written.snapshots} archived {pages}, {written.path.stat().st_size:,} bytes", err=True)
