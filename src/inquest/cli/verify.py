"""`inquest verify`: a topic investigated, and the level that it reaches."""

from __future__ import annotations

import typer

from inquest.cli.common import run_async, tell_of_topic
from inquest.cli.inquiry import carry_out, check_targets
from inquest.cli.options import (
    Approve,
    Approving,
    AsOf,
    BudgetUsd,
    Collection,
    Deadline,
    Engines,
    JsonFile,
    ModeOption,
    PriorityOption,
    Reports,
)

__all__ = ["add_to"]

EXAMPLES = """
[bold]Examples[/bold]

    inquest verify https://example.org/story --report story.html

    inquest verify topic.json --priority high --as-of 2026-03-01 --json result.json

    inquest verify 17 --again
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", epilog=EXAMPLES)(verify)


def verify(
    topic: str = typer.Argument(..., help="A URL, a file with one topic, or a kept topic's number."),
    priority: PriorityOption | None = typer.Option(None, help="How soon it is wanted."),
    again: bool = typer.Option(False, "--again", help="Though it was investigated lately."),
    mode: ModeOption = typer.Option(ModeOption.detailed, help="quick: 15 sources; detailed: 30, timeline."),
    engines: Engines = None,
    collection: Collection = None,
    approve: Approving = Approve.auto,
    as_of: AsOf = None,
    budget_usd: BudgetUsd = None,
    deadline: Deadline = None,
    json_file: JsonFile = None,
    report: Reports = None,
) -> int:
    """Look for who confirms a topic, who told it first and what speaks against it; say which level it reaches."""
    check_targets(report, json_file)

    async def work() -> int:
        from inquest.app.build import open_app
        from inquest.app.desks.verifying import topic_brief

        async with open_app() as app:
            brief = await topic_brief(
                app,
                topic,
                priority=priority.value if priority else None,
                again=again,
                mode=mode.value,
                on_note=tell_of_topic,
                engines=engines,
                collections=collection or [],
                as_of=as_of,
                budget_usd=budget_usd,
                deadline=deadline,
            )
            session = await app.new_case(brief)
            return await carry_out(app, session, approve, json_file, report or [])

    return run_async(work())
