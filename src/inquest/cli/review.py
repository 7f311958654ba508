"""`inquest review`: a person's decision on the level that an investigation recommends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from inquest.cli.common import print_json, with_app

if TYPE_CHECKING:
    from inquest.app.build import App

EXAMPLES = """
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
        _print(found)
    if not follows:
        typer.echo(
            f"The topic has been investigated again since, so its level stays {found['level_now']}; "
            "the newer case is to be reviewed, too.",
            err=True,
        )


def _print(found: dict[str, Any]) -> None:
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
