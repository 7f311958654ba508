"""The tool that investigates a topic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastmcp import Context, FastMCP
from fastmcp.tools.base import ToolResult
from mcp_types import ToolAnnotations
from pydantic import Field

from inquest.app.build import App
from inquest.app.cases.topic_records import topics_of
from inquest.app.desks.topic_input import given_topic
from inquest.app.desks.verifying import topic_brief
from inquest.app.grouped import spelled_out
from inquest.domain.errors import InputError
from inquest.mcp.arguments import CaseArguments
from inquest.mcp.case_tools import web_only
from inquest.mcp.results import in_one_sentence, result
from inquest.mcp.running import Running
from inquest.mcp.shapes import CaseResult
from inquest.mcp.views import overview


@dataclass(frozen=True)
class _How:
    """How soon and how far the topic is investigated."""

    priority: Literal["high", "normal", "low"] | None = None
    again: Annotated[bool, Field(description="though it was investigated lately")] = False
    mode: Literal["quick", "detailed"] = "detailed"


def add_topic_tools(server: FastMCP, app: App, running: Running, *, files: bool) -> None:
    """Add verify_topic."""

    @server.tool(
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True),
        output_schema=CaseResult.model_json_schema(),
    )
    @in_one_sentence
    @spelled_out
    async def verify_topic(
        context: Context,
        case: CaseArguments,
        topic: Annotated[
            str,
            Field(description="a page's address, a kept topic's number, or a title with its text in the next lines"),
        ],
        how: _How,
        approve: Annotated[bool, Field(description="false: the plan comes back first and nothing is run")] = True,
    ) -> ToolResult:
        """Investigate a story: who confirms it independently, who told it first, what speaks against it, and which
        level of verification it reaches. Takes minutes with real engines, and money where paid engines or a model are
        set up: deadline and budget_usd bound both. Cancelled, it keeps what it found.
        """
        brief = await topic_brief(
            app,
            await _kept(app, topic.strip(), files=files),
            priority=how.priority,
            again=how.again,
            mode=how.mode,
            **case.options,
        )
        session = await app.new_case(brief)
        return result(await overview(app, await running.carry_out(session, context, answer="", approve=approve)))


async def _kept(app: App, topic: str, *, files: bool) -> str:
    """What `topic_brief` takes: an address, or a number; a topic in words is kept first, and has one then."""
    if not topic:
        raise InputError("There is no topic.", advice="Give a page's address, a number, or a title with its text.")
    if topic.isdigit():
        return topic
    if not any(character.isspace() for character in topic):
        return web_only(topic, files)
    title, _, text = topic.partition("\n")
    given = given_topic({"title": title, "text": text.strip()}, now=app.clock.now())
    kept, _ = await (await topics_of(app)).add(given.topic)
    return str(kept.id)
