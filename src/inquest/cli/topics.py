"""`inquest topics`: what a newsroom has taken in, and which of it calls for an investigation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from inquest.cli.common import print_json, with_app
from inquest.cli.options import PriorityOption
from inquest.domain.errors import InputError

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.app.desks.topics import CandidatesFound

app = typer.Typer(
    help="Topics to verify: take them in from JSON, CSV or a URL, list them, see which call for an investigation.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

_ADD = """
[bold]Examples[/bold]

    inquest topics add topics.jsonl --priority high

    inquest topics add https://example.org/2026/11/strike

[bold]Needed[/bold]: a title, or a URL from which it can be read. Dates, texts, places and scores are welcome.

[bold]Exit codes[/bold]: 0 all is there now · 1 nothing could be taken · 2 some could not
"""
_CANDIDATES = "[bold]Example[/bold]\n\n    inquest topics candidates --limit 20 --json"


@app.command("add", epilog=_ADD)
def add(
    what: str = typer.Argument(..., metavar="FILE.{json,jsonl,csv} | URL", help="Topics, or a page that is one."),
    priority: PriorityOption | None = typer.Option(None, help="For all of them; default: as given, else normal."),
    as_json: bool = typer.Option(False, "--json", help="What was done, as one JSON object."),
) -> int:
    """Take topics in. One that is there already stays as it is; what cannot be used is named, with the reason."""

    async def work(app: App) -> Any:
        from inquest.app.desks.topics import add_topics

        return await add_topics(app, what, priority=priority.value if priority else None)

    found = with_app(work)
    nothing = not found.added and not found.known
    if nothing and len(found.refused) == 1 and not as_json:
        where, why = found.refused[0]
        raise InputError(f"The topic cannot be used ({where} of {what}): {why}")
    if as_json:
        print_json(found.json)
    else:
        for topic in found.added:
            typer.echo(f"{topic.id:>5}  {topic.title}")
    for topic in found.known:
        already = "is there and was investigated already" if topic.investigated else "is there already"
        typer.echo(f"Topic {topic.id} {already}: {topic.title}", err=True)
    for where, note in found.notes:
        typer.echo(f"{where}: {note}", err=True)
    for where, why in found.refused:
        typer.echo(f"{where} was not taken: {why}", err=True)
    return 1 if nothing else 2 if found.refused else 0


@app.command("list", epilog="[bold]Example[/bold]\n\n    inquest topics list --json")
def list_(as_json: bool = typer.Option(False, "--json", help="A JSON array.")) -> None:
    """All topics, with their level, priority and newsworthiness."""

    async def work(app: App) -> list[dict[str, Any]]:
        from inquest.app.desks.topics import list_topics, topic_json

        return [topic_json(topic) for topic in await list_topics(app)]

    rows = with_app(work)
    if as_json:
        print_json(rows)
        return
    if not rows:
        typer.echo("There are no topics yet. `inquest topics add` takes them in.", err=True)
    for row in rows:
        when = f"investigated {row['investigation_date'][:10]}" if row["investigation_date"] else row["status"]
        typer.echo(
            f"{row['topic_id']:>5}  {row['verification_status']:<10} {row['priority']:<6} "
            f"{row['newsworthiness_score']:>3.0f}  {when:<23} {row['title'][:80]}"
        )


@app.command("candidates", epilog=_CANDIDATES)
def candidates(
    limit: int = typer.Option(20, help="At most so many, most urgent and newsworthy first."),
    as_json: bool = typer.Option(False, "--json", help="One JSON object."),
) -> None:
    """Topics that call for an investigation; and why each other one does not."""

    async def work(app: App) -> CandidatesFound:
        from inquest.app.desks.topics import candidates as found

        return await found(app, limit=limit)

    found = with_app(work)
    if as_json:
        print_json(found)
        return
    for row in found["topics"]:
        typer.echo(
            f"{row['topic_id']:>5}  {row['priority']:<6} {row['newsworthiness_score']:>3.0f}  "
            f"{row['source_count']} sources  {row['title'][:80]}"
        )
    if more := found["total"] - len(found["topics"]):
        typer.echo(f"and {more} more", err=True)
    for again in found["due_again"]:
        typer.echo(f"{again['topic_id']:>5}  again: {again['reason']}  {again['title'][:80]}")
    for left in found["left_out"]:
        typer.echo(f"Left out: {left['topic_id']} {left['title'][:60]}: {' '.join(left['reasons'])}", err=True)
    if not found["topics"] and not found["due_again"]:
        typer.echo("No topic calls for an investigation.", err=True)
