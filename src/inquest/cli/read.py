"""`inquest read`: what the reader makes of a page or a document."""

from __future__ import annotations

import typer

from inquest.cli.common import print_json, run_async

EXAMPLES = """
[bold]Examples[/bold]

    inquest read report.pdf

    inquest read https://example.org/article --json
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("read", epilog=EXAMPLES)(read)


def read(
    what: str = typer.Argument(..., metavar="URL|FILE", help="A page on the web or a file on this machine."),
    as_json: bool = typer.Option(False, "--json", help="Everything, as one JSON object."),
) -> None:
    """Fetch or open, archive, and show title, author, date and how it is known, language, text, links and tier."""
    from inquest.app.build import open_app

    async def work() -> dict[str, object]:
        async with open_app() as app:
            return await app.read(what)

    found = run_async(work())
    if as_json:
        print_json(found)
        return
    for name in ("title", "author", "published", "language", "final_url", "snapshot"):
        value = found[name] or "not known"
        if name == "published" and found["published"]:
            value = f"{value} (from {found['published_how']})"
        typer.echo(f"{name.replace('_', ' '):<10} {value}")
    rating = found["rating"]
    assert isinstance(rating, dict)
    typer.echo(f"{'tier':<10} {rating['tier']} ({rating['score']}/100): {'; '.join(rating['reasons'])}")
    notes = found["notes"]
    assert isinstance(notes, list)
    for note in notes:
        typer.echo(f"{'note':<10} {note}")
    typer.echo(f"\n{found['text']}")
