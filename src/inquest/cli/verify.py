"""`inquest verify`: a topic investigated, and the level that it reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from inquest.app.cases.case_request import TopicRequest, request_of
from inquest.app.grouped import spelled_out
from inquest.cli.common import tell_of_topic
from inquest.cli.inquiry import carry_out_new
from inquest.cli.options import Approve, Approving, OutputFlags, options_of

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
    options: Annotated[dict[str, Any], options_of(TopicRequest, "topic")],
    output: OutputFlags,
    topic: str = typer.Argument(..., help="A URL, a file with one topic, or a kept topic's number."),
    approve: Approving = Approve.auto,
) -> int:
    """Look for who confirms a story, who published it first and what speaks against it; say which level it reaches."""
    request = request_of(TopicRequest, {**options, "topic": topic})

    async def brief(app: App) -> Brief:
        from inquest.app.desks.briefs import brief_of

        return await brief_of(app, request, on_note=tell_of_topic)

    return carry_out_new(brief, approve, output)
