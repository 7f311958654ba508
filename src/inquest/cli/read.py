"""`inquest read`: what the reader makes of a page or a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from inquest.cli.common import print_json, with_app

if TYPE_CHECKING:
    from inquest.app.build import App

EXAMPLES = """
[bold]Examples[/bold]

    inquest read report.pdf

    inquest read https://example.org/article --json

    inquest read "mail.eml#part=2"
"""


def read(
    what: str = typer.Argument(..., metavar="URL|FILE", help="A page on the web or a file on this machine."),
    as_json: bool = typer.Option(False, "--json", help="Everything, as one JSON object."),
) -> None:
    """Fetch or open, archive, and show title, author, date and how it is known, language, text, links and tier."""

    async def work(app: App) -> dict[str, object]:
        return await app.read(what)

    found = with_app(work)
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
    parts = found["parts"]
    assert isinstance(parts, list)
    for part in parts:
        typer.echo(f"{'attached':<10} {part['name']} {part.get('problem') or '(inquest read ' + part['read'] + ')'}")
    typer.echo(f"\n{found['text']}")
