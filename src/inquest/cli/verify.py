"""`inquest verify`: a topic investigated, and the level that it reaches."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import typer

from inquest.cli.common import run_async
from inquest.cli.inquiry import JSON_OPTION, Approve, ModeOption, carry_out, check_targets

__all__ = ["add_to"]

EXAMPLES = """
[bold]Examples[/bold]

    inquest verify https://example.org/story --report story.html

    inquest verify topic.json --priority high --as-of 2026-03-01 --json result.json

    inquest verify 17 --again
"""


class PriorityOption(StrEnum):
    """How soon."""

    high = "high"
    normal = "normal"
    low = "low"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", epilog=EXAMPLES)(verify)


def verify(
    topic: str = typer.Argument(..., help="A URL, a file with one topic, or a kept topic's number."),
    priority: PriorityOption | None = typer.Option(None, help="How soon it is wanted."),
    again: bool = typer.Option(False, "--again", help="Though it was investigated lately."),
    mode: ModeOption = typer.Option(ModeOption.detailed, help="quick: 15 sources; detailed: 30, timeline."),
    engines: str | None = typer.Option(None, metavar="LIST", help="Engines to ask, comma-separated, best first."),
    collection: list[str] | None = typer.Option(None, metavar="NAME", help="A collection of your own documents."),
    approve: Approve = typer.Option(Approve.auto, help="ask: show the plan and wait; auto: the plan runs as it is."),
    as_of: str | None = typer.Option(None, metavar="DATE", help="Nothing published after it counts as evidence."),
    budget_usd: float | None = typer.Option(None, min=0, help="Stop and report when this much is spent."),
    deadline: str | None = typer.Option(None, metavar="5m", help="Stop and report when this time is over."),
    json_file: Path | None = JSON_OPTION,
    report: list[Path] | None = typer.Option(
        None, "--report", metavar="FILE.{md,html,json,pdf}", help="Write the report; may be given again."
    ),
) -> int:
    """Look for who confirms a topic, who told it first and what speaks against it; say which level it reaches."""
    check_targets(report, json_file)

    async def work() -> int:
        from inquest.app.build import open_app
        from inquest.app.verifying import topic_brief

        async with open_app() as app:
            brief = await topic_brief(
                app,
                topic,
                priority=priority.value if priority else None,
                again=again,
                mode=mode.value,
                engines=engines,
                collections=collection or [],
                as_of=as_of,
                budget_usd=budget_usd,
                deadline=deadline,
            )
            session = await app.new_case(brief)
            return await carry_out(app, session, approve, json_file, report or [])

    return run_async(work())
