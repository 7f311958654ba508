"""`inquest verify`: a topic investigated, and the level that it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from inquest.app.grouped import spelled_out
from inquest.cli.common import tell_of_topic
from inquest.cli.inquiry import carry_out_new
from inquest.cli.options import Approve, Approving, CaseFlags, ModeOption, PriorityOption

if TYPE_CHECKING:
    from inquest.app.build import App
    from inquest.domain.brief import Brief

EXAMPLES = """
[bold]Examples[/bold]

    inquest verify https://example.org/story --report story.html

    inquest verify topic.json --priority high --as-of 2026-03-01 --json result.json

    inquest verify 17 --again
"""


@spelled_out
def verify(
    case: CaseFlags,
    topic: str = typer.Argument(..., help="A URL, a file with one topic, or a kept topic's number."),
    priority: PriorityOption | None = typer.Option(None, help="How soon it is wanted."),
    again: bool = typer.Option(False, "--again", help="Though it was investigated lately."),
    mode: ModeOption = typer.Option(ModeOption.detailed, help="quick: 15 sources; detailed: 30, timeline."),
    approve: Approving = Approve.auto,
) -> int:
    """Look for who confirms a story, who told it first and what speaks against it; say which level it reaches."""

    async def brief(app: App) -> Brief:
        from inquest.app.desks.verifying import topic_brief

        wanted = priority.value if priority else None
        return await topic_brief(
            app, topic, priority=wanted, again=again, mode=mode.value, on_note=tell_of_topic, **case.options
        )

    return carry_out_new(brief, approve, case)
