"""`inquest cases`, `show`, `report`, `export` and `review`: stored cases."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import typer

from inquest.app.files import write_whole
from inquest.cli.common import CaseId, print_json, with_app
from inquest.domain.errors import InputError
from inquest.domain.languages import Language

if TYPE_CHECKING:
    from inquest.app.cases.reporting import Exported
    from inquest.app.service.looking import CaseLine
    from inquest.app.wiring.resources import Resources
    from inquest.domain.case import Case


def cases(
    limit: int = typer.Option(50, min=1, help="The maximum number of cases."),
    search: str = typer.Option("", help="Only cases with these words in a title, claim, source or quote."),
    as_json: bool = typer.Option(False, "--json", help="Print a JSON array."),
) -> None:
    """List the cases of this data folder, newest first."""

    async def work(app: Resources) -> list[CaseLine]:
        from inquest.app.cases.requests import user_name
        from inquest.app.service.looking import CaseQuery, list_cases
        from inquest.domain.person import Person, Role

        person = Person(name=user_name(), role=Role.ADMIN)
        wanted = CaseQuery(q=search).model_copy(update={"limit": limit})
        return (await list_cases(app, person, wanted))[0]

    rows = with_app(work)
    if as_json:
        print_json([_case_row(row) for row in rows])
        return
    if not rows:
        typer.echo("No case contains these words." if search.strip() else "There are no cases yet.", err=True)
    for row in rows:
        until = f"  (kept until {row.kept_until:%Y-%m-%d %H:%M} UTC)" if row.kept_until else ""
        status = "interrupted" if row.interrupted else row.status
        typer.echo(f"{row.case_id}  {status:<11} {row.created_at:%Y-%m-%d %H:%M}  {row.title[:80]}{until}")
        for hit in row.hits:
            typer.echo(f"    {hit.id:<6} {' '.join(hit.text.split())[:160]}")
    if stopped := [row.case_id for row in rows if row.interrupted]:
        typer.echo(f"Continue an interrupted case with: inquest resume {stopped[0]}", err=True)


def _case_row(line: CaseLine) -> dict[str, Any]:
    row = {"case_id": line.case_id, "kind": line.kind, "status": "interrupted" if line.interrupted else line.status}
    row["brief"] = line.title
    at = {name: moment.isoformat() for name in ("created_at", "kept_until") if (moment := getattr(line, name))}
    return {**row, **at, "hits": [asdict(each) for each in line.hits]}


def show(
    case: str | None = typer.Argument(None, help="The id of the case, or its beginning."),
    as_json: bool = typer.Option(False, "--json", help="Print the whole case as JSON."),
    events: bool = typer.Option(False, help="List the events of the case."),
    snapshot: str | None = typer.Option(None, metavar="HASH", help="Show an archived page instead of a case."),
    text: bool = typer.Option(False, "--text", help="With --snapshot: its text, to which the offsets of quotes refer."),
) -> None:
    """Show a case with its summary, verdicts and sources, or an archived page by its hash."""
    if (case is None) == (snapshot is None):
        raise InputError("Expected either a case or --snapshot HASH.", advice="`inquest cases` lists the cases.")

    async def work(app: Resources) -> None:
        from inquest.app.cases.claim_decisions import as_shown, case_document

        if snapshot is not None and text:
            sys.stdout.write(await app.snapshot_text(snapshot))
            return
        if snapshot is not None:
            sys.stdout.buffer.write(await app.archive.body(snapshot))
            return
        assert case is not None
        found = await app.case(case)
        if as_json:
            print_json(await case_document(app, found))
        elif events:
            for event in await app.events_of(found.id):
                typer.echo(f"{event.id:>6}  {event.at:%H:%M:%S}  {event.type.value:<18} {event.text}")
        else:
            _show_case(await as_shown(app, found))

    with_app(work)


def _show_case(found: Case) -> None:
    from rich.console import Console
    from rich.markup import escape

    from inquest.cli.show import print_case

    console = Console(highlight=False)
    console.print(f"[bold]{found.id}[/]  {found.status.value}  {found.created_at:%Y-%m-%d %H:%M}")
    console.print(escape(found.brief.text))
    if found.why:
        console.print(f"[yellow]{escape(found.why)}[/]")
    print_case(console, found)
    if found.outages:
        console.print("\n[bold]Outages[/]")
        for note in found.outages:
            console.print(f"  {note.what} {escape(note.where)}: {escape(note.why)}")
    if not found.status.ended:
        typer.echo(f"It has not ended. Unless it is still running, continue with: inquest resume {found.id}", err=True)


def _form_of(out: Path | None, forms: object, default: str) -> str:
    """Return the form that a file's name asks for, by its longest ending or the form's own name ('x.csv')."""
    from inquest.app.cases.reporting import FILES

    name = out.name.lower() if out else ""
    named = [form for form in get_args(forms) if name.endswith((FILES[form], f".{form}"))]
    return max(named, key=lambda form: len(FILES[form]), default=default)


ReportFormat = Literal["md", "html", "json", "pdf"]


def report(
    case: CaseId,
    format: ReportFormat | None = typer.Option(
        None, help="The format of the report. Default: by the name of the file, else md."
    ),
    out: Path | None = typer.Option(None, help="The file to write. Default: standard output (pdf: CASE.pdf)."),
    language: Language | None = typer.Option(None, help="en, de, fr or es. Default: the language of the case."),
) -> None:
    """Write the report of a case in any format and language."""

    async def work(app: Resources) -> None:
        from inquest.app.cases.reporting import render

        found = await app.case(case)
        form = format or _form_of(out, ReportFormat, "md")
        content = await render(app, found, form, language)
        target = out or (Path(f"{found.id}.pdf") if form == "pdf" else None)
        if target is None:
            sys.stdout.buffer.write(content)
        else:
            write_whole(target, content)
            typer.echo(str(target), err=True)

    with_app(work)


ExportFormat = Literal["warc", "wacz", "json", "claimreview", "csv", "bibtex", "csl"]
_FOR = {"--url": "claimreview", "--reviewer": "claimreview", "--bom": "csv"}


def export(  # noqa: PLR0913 - one parameter for each option
    case: CaseId,
    format: ExportFormat | None = typer.Option(
        None,
        "--format",
        "--form",
        help="wacz: the archived pages for web archive viewers; warc: the same for archives; json: the case; "
        "claimreview: the verdicts as JSON-LD for a page; csv: the findings; bibtex, csl: the references. "
        "Default: by the name of the file, else wacz.",
    ),
    out: Path | None = typer.Option(None, help="The file to write. Default: named after the case."),
    url: str = typer.Option("", help="claimreview: the page that will publish the reviews."),
    reviewer: str = typer.Option("", help="claimreview: the organisation that publishes them."),
    bom: bool = typer.Option(False, "--bom", help="csv: start with a byte order mark, so that Excel recognises UTF-8."),
    language: Language | None = typer.Option(
        None, help="claimreview, csv: en, de, fr or es. Default: the language of the case."
    ),
) -> None:
    """Export a case to one file: its archived pages with hashes and times, or its verdicts, findings or references."""
    form = format or _form_of(out, ExportFormat, "wacz")
    for name, value in {"--url": url, "--reviewer": reviewer, "--bom": bom}.items():
        if value and form != _FOR[name]:
            raise InputError(f"{name} applies only to --format {_FOR[name]}.", advice="Leave it out.")

    async def work(app: Resources) -> Exported:
        from inquest.app.cases.reporting import ENDINGS, Options
        from inquest.app.cases.reporting import export as write

        found = await app.case(case)
        target = out or Path(f"{found.id}{ENDINGS[form]}")
        return await write(app, found, form, target, Options(url=url, reviewer=reviewer, bom=bom, language=language))

    written = with_app(work)
    typer.echo(str(written.path))
    if written.snapshots:
        pages = "page" if written.snapshots == 1 else "pages"
        typer.echo(f"{written.snapshots} archived {pages}, {written.path.stat().st_size:,} bytes", err=True)
    if written.items:
        typer.echo(f"{written.items} {_ITEMS[form]}{'' if written.items == 1 else 's'}", err=True)
    for note in written.notes:
        typer.echo(note, err=True)


_ITEMS = {"claimreview": "review", "csv": "finding", "bibtex": "reference", "csl": "reference"}


def review(
    case: CaseId,
    accept: bool = typer.Option(False, "--accept", help="Accept the level."),
    overrule: str | None = typer.Option(None, metavar="LEVEL", help="Replace it: unverified, verified or certified."),
    why: str = typer.Option("", help="The reason, required with --overrule."),
    by: str = typer.Option("", metavar="NAME", help="Your name."),
    as_json: bool = typer.Option(False, "--json", help="Print all decisions as one JSON object."),
) -> None:
    """Accept the level that an investigation recommends, or replace it; by default, list the decisions.

    All decisions are kept, and the last one sets the level of the topic.
    """
    deciding = accept or overrule is not None or bool(why) or bool(by)

    async def work(app: Resources) -> tuple[dict[str, Any], bool]:
        from inquest.app.cases.topic_records import review as decide
        from inquest.app.cases.topic_records import reviews_json

        follows = True
        if deciding:
            _, follows = await decide(app, case, by=by, accept=accept, overrule=overrule, why=why)
        return await reviews_json(app, case), follows

    found, follows = with_app(work)
    if as_json:
        print_json(found)
    else:
        typer.echo(f"{found['case_id']}  topic {found['topic_id']}: {found['title']}")
        typer.echo(f"before {found['level_before']} · found {found['level_found']} · now {found['level_now']}")
        if found["requires_human_review"] and not found["reviewed"]:
            typer.echo(f"Needs review: {found['review_reason'] or ', '.join(found['review_flags'])}")
        for each in found["reviews"]:
            decided = "accepted" if each["decision"] == "accept" else "overruled"
            why = f": {each['why']}" if each["why"] else ""
            typer.echo(f"{each['at'][:16].replace('T', ' ')}  {each['by']} {decided}, {each['level_decided']}{why}")
        if not found["reviews"]:
            typer.echo("It has not been reviewed yet.", err=True)
    if not follows:
        typer.echo(
            f"A newer investigation has set the level of the topic to {found['level_now']}; review that case, too.",
            err=True,
        )
