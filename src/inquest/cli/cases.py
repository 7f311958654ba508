"""`inquest cases`, `show` and `report`: what was found before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from inquest.cli.common import print_json, with_app, write_whole
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.service.looking import CaseLine


class Format(StrEnum):
    """The forms of a report."""

    md = "md"
    html = "html"
    json = "json"
    pdf = "pdf"


def cases(
    limit: int = typer.Option(50, min=1, help="At most so many, newest first."),
    search: str = typer.Option("", help="Only those with these words in a title, claim, source or quote."),
    as_json: bool = typer.Option(False, "--json", help="A JSON array."),
) -> None:
    """The cases of this data folder, newest first."""

    async def work(app: App) -> list[dict[str, str]]:
        return [
            {
                "case_id": case.id,
                "kind": case.kind.value,
                "status": case.status.value,
                "created_at": case.created_at.isoformat(),
                "brief": case.brief.text,
                **({"kept_until": case.kept_until.isoformat()} if case.kept_until else {}),
            }
            for case in await app.cases(limit)
        ]

    async def searched(app: App) -> list[CaseLine]:
        from inquest.app.cases.requests import user_name
        from inquest.app.service.looking import CaseQuery, list_cases
        from inquest.domain.person import Person, Role

        found, _ = await list_cases(
            app, Person(name=user_name(), role=Role.ADMIN), CaseQuery(words=search, limit=limit)
        )
        return found

    if search.strip():
        _print_found(with_app(searched), as_json=as_json)
        return

    rows = with_app(work)
    if as_json:
        print_json(rows)
        return
    if not rows:
        typer.echo("There are no cases yet.", err=True)
    for row in rows:
        brief = " ".join(row["brief"].split())
        until = f"  (kept until {row['kept_until'][:16].replace('T', ' ')} UTC)" if "kept_until" in row else ""
        typer.echo(
            f"{row['case_id']}  {row['status']:<10} {row['created_at'][:16].replace('T', ' ')}  {brief[:80]}{until}"
        )


def _print_found(lines: Sequence[CaseLine], *, as_json: bool) -> None:
    if as_json:
        shown = ("case_id", "kind", "status", "title", "hits")
        print_json([{name: asdict(line)[name] for name in shown} for line in lines])
        return
    if not lines:
        typer.echo("No case has these words.", err=True)
    for line in lines:
        typer.echo(f"{line.case_id}  {line.status:<10} {line.created_at:%Y-%m-%d %H:%M}  {line.title[:80]}")
        for hit in line.hits:
            typer.echo(f"    {hit.id:<6} {' '.join(hit.text.split())[:160]}")


def show(
    case: str | None = typer.Argument(None, help="The case's id, or the beginning of it."),
    as_json: bool = typer.Option(False, "--json", help="The whole case as JSON."),
    events: bool = typer.Option(False, help="What happened, line by line."),
    snapshot: str | None = typer.Option(None, metavar="HASH", help="An archived page instead of a case."),
    text: bool = typer.Option(False, "--text", help="With --snapshot: its readable text, exactly as quotes count it."),
) -> None:
    """A case: summary, verdicts and sources; or an archived page by its hash."""

    if (case is None) == (snapshot is None):
        raise InputError("Name a case, or a snapshot with --snapshot.", advice="`inquest cases` lists the cases.")

    async def work(app: App) -> None:
        from inquest.app.cases.claim_decisions import as_shown

        if snapshot is not None:
            await _show_snapshot(app, snapshot, as_text=text)
            return
        assert case is not None
        found = await app.case(case)
        if as_json:
            print_json(await app.case_document(found))
        elif events:
            for event in await app.events_of(found.id):
                typer.echo(f"{event.id:>6}  {event.at:%H:%M:%S}  {event.type.value:<18} {event.text}")
        else:
            _show_case(await as_shown(app, found))

    with_app(work)


async def _show_snapshot(app: object, snapshot: str, *, as_text: bool) -> None:
    import sys

    from inquest.app.build import App

    assert isinstance(app, App)
    if as_text:
        sys.stdout.write(await app.snapshot_text(snapshot))
    else:
        sys.stdout.buffer.write(await app.snapshot_bytes(snapshot))


def _show_case(found: object) -> None:
    from rich.console import Console
    from rich.markup import escape

    from inquest.cli.show import print_case
    from inquest.domain.case import Case

    assert isinstance(found, Case)
    console = Console(highlight=False)
    console.print(f"[bold]{found.id}[/]  {found.status.value}  {found.created_at:%Y-%m-%d %H:%M}")
    console.print(escape(found.brief.text))
    if found.why:
        console.print(f"[yellow]{escape(found.why)}[/]")
    print_case(console, found)
    if found.outages:
        console.print("\n[bold]What could not be asked[/]")
        for note in found.outages:
            console.print(f"  {note.what} {escape(note.where)}: {escape(note.why)}")
    if not found.status.ended:
        typer.echo(f"It has not ended. Where nobody runs it now: inquest resume {found.id}", err=True)


def report(
    case: str = typer.Argument(..., help="The case's id, or the beginning of it."),
    format: Format = typer.Option(Format.md, help="md, html, json or pdf."),
    out: Path | None = typer.Option(None, help="Where to write it; default: standard output (pdf: CASE.pdf)."),
) -> None:
    """The report of a case, in the form you want."""

    async def work(app: App) -> None:
        import sys

        found = await app.case(case)
        content = await app.render(found, format.value)
        target = out or (Path(f"{found.id}.pdf") if format is Format.pdf else None)
        if target is None:
            sys.stdout.buffer.write(content)
        else:
            write_whole(target, content)
            typer.echo(str(target), err=True)

    with_app(work)
