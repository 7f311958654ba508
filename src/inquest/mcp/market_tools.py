"""The tool that asks the market desk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastmcp import Context, FastMCP
from fastmcp.tools.base import ToolResult
from mcp_types import ToolAnnotations
from pydantic import Field

from inquest.app.build import App
from inquest.app.desks.asking_market import market_brief
from inquest.app.grouped import spelled_out
from inquest.mcp.arguments import CaseArguments
from inquest.mcp.case_tools import web_only
from inquest.mcp.results import in_one_sentence, result
from inquest.mcp.running import Running
from inquest.mcp.shapes import CaseResult
from inquest.mcp.views import overview


@dataclass(frozen=True)
class _About:
    """What the question is about, and what becomes of the answer."""

    tickers: Annotated[list[str] | None, Field(description="NVDA, BRK.B, VOD.L, NYSE:BRK.B")] = None
    company: str = ""
    filings: Annotated[list[str] | None, Field(description="addresses or SEC numbers of filings")] = None
    save: Annotated[bool, Field(description="keep it for longer than a day")] = False


def add_market_tools(server: FastMCP, app: App, running: Running, *, files: bool) -> None:
    """Add ask_market."""

    @server.tool(
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True),
        output_schema=CaseResult.model_json_schema(),
    )
    @in_one_sentence
    @spelled_out
    async def ask_market(
        context: Context,
        case: CaseArguments,
        question: Annotated[str, Field(description='like "Why is NVDA down today?"')],
        about: _About,
    ) -> ToolResult:
        """Ask what is reported of a company, a sector or the economy: what happened, who says so and how fresh it is,
        and what filings say otherwise. It reports and advises nobody; pass that on. Takes seconds, and
        money where paid engines are set up: budget_usd bounds it. Unless saved it is forgotten after a day.
        """
        brief = await market_brief(
            app,
            question,
            tickers=about.tickers or (),
            company=about.company,
            filings=[each if each[:1].isdigit() else web_only(each, files) for each in about.filings or ()],
            save=about.save,
            **case.options,
        )
        session = await app.new_case(brief)
        return result(await overview(app, await running.carry_out(session, context, answer="", approve=True)))
