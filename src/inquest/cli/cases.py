"""`inquest cases`, `show`, `report`, `export` and `review`: what was found before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from inquest.cli.common import print_json, with_app, write_whole
from inquest.domain.errors import InputError
from inquest.domain.languages import Language

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.cases.exporting import Exported
    from inquest.app.service.looking import CaseLine


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
    format: Literal["md", "html", "json", "pdf"] = typer.Option("md", help="md, html, json or pdf."),
    out: Path | None = typer.Option(None, help="Where to write it; default: standard output (pdf: CASE.pdf)."),
    language: Language | None = typer.Option(None, help="en, de, fr or es; default: the language of the case."),
) -> None:
    """The report of a case, in the form and the language you want."""

    async def work(app: App) -> None:
        import sys

        found = await app.case(case)
        content = await app.render(found, format, language)
        target = out or (Path(f"{found.id}.pdf") if format == "pdf" else None)
        if target is None:
            sys.stdout.buffer.write(content)
        else:
            write_whole(target, content)
            typer.echo(str(target), err=True)

    with_app(work)


EXPORT_EXAMPLES = """
[bold]Examples[/bold]

    inquest export 20261121-7f3a --format wacz

    inquest export 20261121-7f3a --format warc --out evidence.warc.gz && inquest collection add again evidence.warc.gz

    inquest export 20261121-7f3a --format claimreview --url https://example.org/checks/7 --reviewer "Example Desk"

    inquest export 20261121-7f3a --format csv --bom --out findings.csv
"""


ExportFormat = Literal["warc", "wacz", "json", "claimreview", "csv", "bibtex", "csl"]


_FOR = {"--url": "claimreview", "--reviewer": "claimreview", "--bom": "csv"}


def export(
    case: str = typer.Argument(..., help="The case's id, or the beginning of it."),
    format: ExportFormat = typer.Option(
        "wacz",
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
        if value and format != _FOR[name]:
            raise InputError(f"{name} says nothing in the form {format}.", advice="Leave it out.")

    async def work(app: App) -> Exported:
        from inquest.app.cases.exporting import ENDINGS, Options
        from inquest.app.cases.exporting import export as write

        found = await app.case(case)
        target = out or Path(f"{found.id}{ENDINGS[format]}")
        return await write(app, found, format, target, Options(url=url, reviewer=reviewer, bom=bom))

    written = with_app(work)
    typer.echo(str(written.path))
    if written.snapshots:
        pages = "page" if written.snapshots == 1 else "pages"
        typer.echo(f"{written.snapshots} archived {pages}, {written.path.stat().st_size:,} bytes", err=True)
    if written.items:
        many = "" if written.items == 1 else "s"
        typer.echo(f"{written.items} {_ITEMS[format]}{many}", err=True)
    for note in written.notes:
        typer.echo(note, err=True)


_ITEMS = {"claimreview": "review", "csv": "finding", "bibtex": "reference", "csl": "reference"}


REVIEW_EXAMPLES = """
[bold]Examples[/bold]

    inquest review 20261121-7f3a

    inquest review 20261121-7f3a --accept --by "Duty editor"

    inquest review 20261121-7f3a --overrule unverified --why "Both papers rest on one post." --by "Duty editor"
"""


def review(
    case: str = typer.Argument(..., help="The case's id, or the beginning of it."),
    accept: bool = typer.Option(False, "--accept", help="The level is right."),
    overrule: str | None = typer.Option(None, metavar="LEVEL", help="unverified, verified or certified instead."),
    why: str = typer.Option("", help="The reason; needed for another level."),
    by: str = typer.Option("", metavar="NAME", help="Who decides."),
    as_json: bool = typer.Option(False, "--json", help="All decisions, as one JSON object."),
) -> None:
    """Accept what an investigation recommends, or decide on another level; without either, show what was decided.

    Every decision is kept for ever, and the topic has the level of the last one.
    """
    deciding = accept or overrule is not None or bool(why) or bool(by)

    async def work(app: App) -> tuple[dict[str, Any], bool]:
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
        _print_reviews(found)
    if not follows:
        typer.echo(
            f"The topic has been investigated again since, so its level stays {found['level_now']}; "
            "the newer case is to be reviewed, too.",
            err=True,
        )


def _print_reviews(found: dict[str, Any]) -> None:
    typer.echo(f"{found['case_id']}  topic {found['topic_id']}: {found['title']}")
    typer.echo(f"before {found['level_before']} · found {found['level_found']} · now {found['level_now']}")
    if found["requires_human_review"] and not found["reviewed"]:
        typer.echo(f"To be reviewed: {found['review_reason'] or ', '.join(found['review_flags'])}")
    for each in found["reviews"]:
        decided = "accepted" if each["decision"] == "accept" else "overruled"
        why = f": {each['why']}" if each["why"] else ""
        typer.echo(f"{each['at'][:16].replace('T', ' ')}  {each['by']} {decided}, {each['level_decided']}{why}")
    if not found["reviews"]:
        typer.echo("Nobody has reviewed it yet.", err=True)
