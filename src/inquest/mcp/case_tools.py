"""The tools that run cases and show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastmcp import Context, FastMCP
from fastmcp.tools.base import ToolResult
from mcp_types import ToolAnnotations
from pydantic import Field

from inquest.app.build import App
from inquest.app.cases.requests import brief_from
from inquest.app.desks.checking import check_brief
from inquest.app.grouped import spelled_out
from inquest.app.wiring.pages import local_path
from inquest.domain.errors import InputError
from inquest.mcp.arguments import CaseArguments
from inquest.mcp.results import in_one_sentence, result
from inquest.mcp.running import Running
from inquest.mcp.shapes import CaseLine, CaseList, CaseResult, Part
from inquest.mcp.views import case_view, overview

CaseId = Annotated[str, Field(description="a case's id, or the beginning of it")]


@dataclass(frozen=True)
class _Check:
    """Whose claims are checked, and by whom."""

    company: Annotated[str, Field(description="whose claim it is; empty: a claim about anything")] = ""
    more_claims: Annotated[list[str] | None, Field(description="further claims of the same company")] = None
    industry: str = ""
    desks: Annotated[list[str] | None, Field(description="news, academic; none: all")] = None
    rounds: Annotated[int | None, Field(ge=0, description="how often thin evidence is looked for again")] = None


@dataclass(frozen=True)
class _Waiting:
    """A case whose plan waits for a decision, and the decision."""

    case_id: Annotated[str, Field(description="go on with this case instead of beginning a new one")] = ""
    answer: Annotated[
        str, Field(description="with case_id, to the plan that waits: approve, reject, or what to change in words")
    ] = ""


@dataclass(frozen=True)
class _Pages:
    """What a new inquiry starts from, and how far it goes."""

    urls: Annotated[list[str] | None, Field(description="pages to read before planning")] = None
    mode: Literal["quick", "detailed"] = "quick"


def web_only(given: str, files: bool) -> str:
    """An address that a client may have read. Raises InputError for a file, where files are not open to clients: a page
    could talk a model into reading whatever lies on this machine."""
    if not files and local_path(given) is not None:
        raise InputError(
            f"'{given}' is a file, and files of this machine are closed to this server's clients.",
            advice="Give a web address, or start the server with --files.",
        )
    return given


def add_case_tools(server: FastMCP, app: App, running: Running, *, files: bool) -> None:
    """Add check_claim, run_inquiry, read_case and list_cases."""
    works = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
    looks = ToolAnnotations(read_only_hint=True, open_world_hint=False)

    @server.tool(annotations=works, output_schema=CaseResult.model_json_schema())
    @in_one_sentence
    @spelled_out
    async def check_claim(
        claim: Annotated[str, Field(description="one claim, as a sentence that stands alone")],
        context: Context,
        check: _Check,
        case: CaseArguments,
        approve: Annotated[bool, Field(description="false: the plan comes back first and nothing is run")] = True,
    ) -> ToolResult:
        """Check a claim, or what a company claims, against the press, literature, standards and benchmarks. Gives a
        verdict for each claim, with verbatim quotes. Takes minutes; cancelled, it keeps what it found.
        """
        brief = await check_brief(
            app,
            company=check.company,
            claims=[each for each in (claim, *(check.more_claims or [])) if each.strip()],
            industry=check.industry,
            desks=check.desks or (),
            rounds=check.rounds,
            **case.options,
        )
        session = await app.new_case(brief)
        return result(await overview(app, await running.carry_out(session, context, answer="", approve=approve)))

    @server.tool(annotations=works, output_schema=CaseResult.model_json_schema())
    @in_one_sentence
    @spelled_out
    async def run_inquiry(
        context: Context,
        waiting: _Waiting,
        pages: _Pages,
        case: CaseArguments,
        brief: Annotated[str, Field(description="what the user wants to know; empty with case_id")] = "",
        approve: Annotated[bool, Field(description="true: the plan runs as it is, without being shown first")] = False,
    ) -> ToolResult:
        """Inquire into a matter: plan, search many engines, read and archive pages, check the claims, and sum up with a
        verbatim quote for every fact. The plan comes back first, for the user to approve, unless approve is true; call
        again with case_id and answer; a plan costs next to nothing. A run takes minutes with real engines, and
        money where paid engines or a model are set up: deadline and budget_usd bound both. Cancelled, it keeps what it
        found.
        """
        if waiting.case_id:
            if brief.strip():
                raise InputError("A brief and a case_id were given.", advice="Give the one or the other.")
            session = await app.open_case(waiting.case_id)
        else:
            urls = [web_only(url, files) for url in pages.urls or []]
            asked = brief_from(brief, urls=urls, mode=pages.mode, settings=app.settings, **case.options)
            session = await app.new_case(asked)
        answer = waiting.answer.strip() if waiting.case_id else ""
        return result(await overview(app, await running.carry_out(session, context, answer=answer, approve=approve)))

    @server.tool(annotations=looks, output_schema=CaseResult.model_json_schema())
    @in_one_sentence
    async def read_case(
        case_id: CaseId,
        part: Part = "overview",
        offset: Annotated[int, Field(ge=0, description="items, or characters of the report, to leave out")] = 0,
        limit: Annotated[int, Field(ge=1000, le=200_000, description="about so many characters of a part")] = 20_000,
    ) -> ToolResult:
        """Read a case: its summary and verdicts, or one part of it page by page. Free: nothing is searched or asked."""
        return result(await case_view(app, await app.case(case_id), part, offset, limit))

    @server.tool(annotations=looks, output_schema=CaseList.model_json_schema())
    @in_one_sentence
    async def list_cases(limit: Annotated[int, Field(ge=1, le=500)] = 20) -> ToolResult:
        """List the cases of this data folder, newest first."""
        return result(
            CaseList(
                cases=[
                    CaseLine(
                        case_id=case.id,
                        kind=case.kind.value,
                        status=case.status.value,
                        created_at=case.created_at.isoformat(),
                        brief=case.brief.text[:300],
                    )
                    for case in await app.cases(limit)
                ]
            )
        )
