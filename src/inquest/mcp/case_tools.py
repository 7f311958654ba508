"""The tools that run cases and show them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import Field as DataclassField
from dataclasses import dataclass
from typing import Annotated, Any

from fastmcp import Context, FastMCP
from fastmcp.tools.base import ToolResult
from mcp_types import ToolAnnotations
from pydantic import Field

from inquest.app.cases.auditing import audit_brief, audit_of, changes
from inquest.app.cases.case_request import (
    LIMITS,
    AuditRequest,
    CaseSettings,
    ClaimsRequest,
    InquiryRequest,
    MarketQuestion,
    TopicRequest,
    request_of,
)
from inquest.app.cases.claim_decisions import MOST_CHARACTERS
from inquest.app.cases.claim_decisions import ask_case as answered_by
from inquest.app.cases.session import Session, new_session, open_session
from inquest.app.cases.topic_records import topics_of
from inquest.app.desks.briefs import brief_of
from inquest.app.desks.topic_input import given_topic
from inquest.app.grouped import FieldsOf, spelled_out
from inquest.app.service.case_actions import reopen
from inquest.app.tools import reading
from inquest.app.tools.for_models import marked
from inquest.app.wiring.case_services import rate_urls
from inquest.app.wiring.collections import found_json, search_filter
from inquest.app.wiring.pages import local_path
from inquest.app.wiring.resources import Resources
from inquest.domain.audit import Audit
from inquest.domain.errors import InputError
from inquest.mcp import shapes
from inquest.mcp.running import Running, client_name, in_one_sentence, result
from inquest.mcp.views import case_view, overview, page_end, question_view

_RUNS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_FETCHES = ToolAnnotations(read_only_hint=True, open_world_hint=True)
Tool = Callable[..., Awaitable[ToolResult]]
CaseId = Annotated[str, Field(description="a case's id, or its beginning")]
Day = Annotated[str | None, Field(description="2024, 2024-03 or 2024-03-05")]
Approve = Annotated[bool, Field(description="true: the plan runs without being shown first")]
ApproveNow = Annotated[bool, Field(description="false: the plan is returned first, and nothing runs")]


def _arguments(request: type[CaseSettings], *leave_out: str) -> FieldsOf:
    """The fields of a request as arguments of a tool."""

    def argument(field: DataclassField[Any], hint: Any) -> tuple[Any, Any]:
        limits = {name: field.metadata[name] for name in LIMITS if name in field.metadata}
        return Annotated[hint, Field(**limits)], field.default

    return FieldsOf(request, ("kind", *leave_out), argument)


def _tool(server: FastMCP, hints: ToolAnnotations, shape: type[shapes.Listed]) -> Callable[[Tool], Any]:
    """A tool of the server with this result and its errors in one sentence."""
    register = server.tool(annotations=hints, output_schema=shape.model_json_schema())
    return lambda function: register(in_one_sentence(spelled_out(function)))


@dataclass(frozen=True)
class _Waiting:
    """A case whose plan waits for a decision, and the decision."""

    case_id: Annotated[str, Field(description="continue this case instead of opening one")] = ""
    answer: Annotated[
        str, Field(description="with case_id, the answer to the waiting plan: approve, reject, or changes in words")
    ] = ""


@dataclass(frozen=True)
class _Items:
    """A page of items."""

    offset: Annotated[int, Field(ge=0, description="items to skip")] = 0
    limit: Annotated[int, Field(ge=1, le=500, description="the maximum number of items")] = 50


def web_only(address: str, files: bool) -> str:
    """The address of a page. Raises InputError for a file unless clients may read files, because a page could persuade
    a model to read any file on this machine."""
    if address and not files and local_path(address) is not None:
        raise InputError(
            f"'{address}' is a file, and clients of this server cannot read files on this machine.",
            advice="Give a web address, or start the server with --files.",
        )
    return address


def add_case_tools(server: FastMCP, app: Resources, running: Running, *, files: bool) -> None:
    """Add the tools that open, read and continue cases."""

    @_tool(server, _RUNS, shapes.CaseResult)
    async def check_claim(
        claim: Annotated[str, Field(description="one claim, as a self-contained sentence")],
        context: Context,
        options: Annotated[dict[str, Any], _arguments(ClaimsRequest, "claims", "report", "max_claims")],
        more_claims: Annotated[list[str] | None, Field(description="further claims of the same company")] = None,
        approve: ApproveNow = True,
    ) -> ToolResult:
        """Check a claim, or several of a company, against the press, literature, standards and benchmarks. Returns a
        verdict for each claim, with verbatim quotes. Takes minutes; if cancelled, it keeps its findings.
        """
        claims = [each for each in (claim, *(more_claims or [])) if each.strip()]
        brief = await brief_of(app, request_of(ClaimsRequest, {**options, "claims": claims}))
        return await _run(app, running, context, await new_session(app, brief), approve=approve)

    @_tool(server, _RUNS, shapes.CaseResult)
    async def run_inquiry(
        context: Context,
        waiting: _Waiting,
        options: Annotated[dict[str, Any], _arguments(InquiryRequest, "brief")],
        brief: Annotated[str, Field(description="the user's question; empty with case_id")] = "",
        approve: Approve = False,
    ) -> ToolResult:
        """Research a question: plan, search many engines, read and archive pages, check the claims, and summarise with
        a verbatim quote for every fact. Unless approve is true, the plan is returned first for the user's approval;
        then call again with case_id and answer. A plan costs almost nothing. A run takes minutes with real engines, and
        money with paid engines or a model; deadline and budget_usd limit both. If cancelled, it keeps its findings.
        """
        if waiting.case_id:
            if brief.strip():
                raise InputError("A brief and a case_id cannot be combined.", advice="Give only one of them.")
            session = await open_session(app, waiting.case_id)
        else:
            request = request_of(InquiryRequest, {**options, "brief": brief})
            for url in request.urls:
                web_only(url, files)
            session = await new_session(app, await brief_of(app, request))
        answer = waiting.answer.strip() if waiting.case_id else ""
        return await _run(app, running, context, session, answer=answer, approve=approve)

    @_tool(server, _READS, shapes.CaseResult)
    async def read_case(
        case_id: CaseId,
        part: shapes.Part = "overview",
        offset: Annotated[int, Field(ge=0, description="items, or characters of the report, to skip")] = 0,
        limit: Annotated[int, Field(ge=1000, le=200_000, description="approximate characters of a part")] = 20_000,
    ) -> ToolResult:
        """Read a case: its summary and verdicts, or one part page by page. Free, without searches or models."""
        return result(await case_view(app, await app.case(case_id), part, offset, limit))

    @_tool(server, _RUNS, shapes.QuestionResult)
    async def ask_case(
        case_id: CaseId, question: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)], context: Context
    ) -> ToolResult:
        """Ask a question about a finished case. The answer comes at once from its archived pages, without a search,
        with verbatim quotes, or with the reason why it has no answer."""
        case = await app.case(case_id)
        asked, citations = await answered_by(app, case, question, by=client_name(context))
        return result(question_view(case, asked, citations))

    @_tool(server, _RUNS, shapes.CaseResult)
    async def search_further(
        case_id: CaseId,
        words: Annotated[str, Field(description="a question to search for")],
        context: Context,
        approve: Approve = False,
    ) -> ToolResult:
        """Search for more in a further round of a case that has a report. The plan is returned first; run_inquiry
        continues it."""
        await reopen(app, await app.case(case_id), "", words, by=client_name(context))
        return await _run(app, running, context, await open_session(app, case_id), approve=approve)

    @_tool(server, _READS, shapes.CaseList)
    async def list_cases(limit: Annotated[int, Field(ge=1, le=500)] = 20) -> ToolResult:
        """List the cases of this data folder, newest first."""
        lines = [
            shapes.CaseLine(
                case_id=case.id,
                kind=case.kind.value,
                status=case.status.value,
                created_at=case.created_at.isoformat(),
                brief=case.brief.text[:300],
            )
            for case in await app.cases(limit)
        ]
        return result(shapes.CaseList(cases=lines))


async def _run(
    app: Resources, running: Running, context: Context, session: Session, *, answer: str = "", approve: bool
) -> ToolResult:
    return result(await overview(app, await running.carry_out(session, context, answer=answer, approve=approve)))


def add_desk_tools(server: FastMCP, app: Resources, running: Running, *, files: bool) -> None:
    """Add verify_topic and ask_market."""

    @_tool(server, _RUNS, shapes.CaseResult)
    async def verify_topic(
        context: Context,
        options: Annotated[dict[str, Any], _arguments(TopicRequest, "topic")],
        topic: Annotated[
            str,
            Field(description="a page's address, a stored topic's number, or a title with its text on the next lines"),
        ],
        approve: ApproveNow = True,
    ) -> ToolResult:
        """Investigate a story: who confirms it independently, who published it first, what contradicts it, and which
        level of verification it reaches. Takes minutes with real engines, and money with paid engines or a model;
        deadline and budget_usd limit both. If cancelled, it keeps its findings.
        """
        stored = await _stored_topic(app, topic.strip(), files=files)
        brief = await brief_of(app, request_of(TopicRequest, {**options, "topic": stored}))
        return await _run(app, running, context, await new_session(app, brief), approve=approve)

    @_tool(server, _RUNS, shapes.CaseResult)
    async def ask_market(
        context: Context,
        options: Annotated[dict[str, Any], _arguments(MarketQuestion, "question", "languages")],
        question: Annotated[str, Field(description='like "Why is NVDA down today?"')],
    ) -> ToolResult:
        """Ask for reports on a company, a sector or the economy: what happened, who reports it, how recent it is, and
        which filings contradict it. Reports only, no advice; tell the user so. Takes seconds, and money with paid
        engines; budget_usd limits it. Deleted after a day unless saved.
        """
        request = request_of(MarketQuestion, {**options, "question": question})
        for filing in request.filings:
            if not filing[:1].isdigit():
                web_only(filing, files)
        return await _run(app, running, context, await new_session(app, await brief_of(app, request)), approve=True)


async def _stored_topic(app: Resources, topic: str, *, files: bool) -> str:
    """The address or number of a topic; a topic in words is stored first."""
    if not topic:
        raise InputError("Missing topic.", advice="Give a page's address, a number, or a title with its text.")
    if topic.isdigit():
        return topic
    if not any(character.isspace() for character in topic):
        return web_only(topic, files)
    title, _, text = topic.partition("\n")
    given = given_topic({"title": title, "text": text.strip()}, now=app.clock.now())
    kept, _ = await (await topics_of(app)).add(given.topic)
    return str(kept.id)


def add_look_tools(server: FastMCP, app: Resources, running: Running, *, files: bool) -> None:
    """Add the tools for single texts, pairs, sources, collections and pages."""

    @_tool(server, _FETCHES, shapes.AuditResult)
    async def audit(
        context: Context,
        items: _Items,
        text: Annotated[str, Field(description="Markdown, HTML or plain text with its citations")] = "",
        url: Annotated[str, Field(description="instead of text: address of a page or document")] = "",
        citations: Annotated[int | None, Field(ge=1, description="the maximum number of citations")] = None,
        again: Annotated[str, Field(description="id of an earlier audit to compare the outcomes with")] = "",
    ) -> ToolResult:
        """Audit the citations of a text that a model or a person wrote: does each source exist, and does it say what
        is claimed? Takes minutes; if cancelled, `inquest resume` continues it."""
        request = request_of(
            AuditRequest, {"text": text, "url": web_only(url, files), "limit": citations, "again": again}
        )
        session = await new_session(app, await audit_brief(app, request), approved=True)
        case = await running.carry_out(session, context, approve=True)
        done = await audit_of(app, case)
        if done is None:
            raise InputError(
                f"The audit {case.id} has no result. {case.why}", advice=f"Continue: inquest resume {case.id}"
            )
        return result(_audit_result(case.id, done, items))

    @_tool(server, _READS, shapes.JudgementResult)
    async def assess(
        claim: Annotated[str, Field(description="one sentence")],
        passage: Annotated[str, Field(description="a text that may support or contradict it")],
    ) -> ToolResult:
        """Judge whether a passage supports or contradicts a claim, without a search."""
        return result(shapes.JudgementResult(**await reading.judged_pair(app.settings, claim, passage)))

    @_tool(server, _READS, shapes.Ratings)
    async def rate_source(
        urls: Annotated[list[str], Field(min_length=1, max_length=200, description="addresses or domains")],
    ) -> ToolResult:
        """Rate the credibility of sources: tier 1 (best) to 4, score 0 to 100, and the rules that apply."""
        rated = await asyncio.to_thread(rate_urls, urls, app.settings)
        return result(shapes.Ratings(ratings=[shapes.RatingResult(**row) for row in rated]))

    @_tool(server, _READS, shapes.FoundDocuments)
    async def search_collection(
        collection: Annotated[str, Field(description="name of a collection of the user's own documents")],
        query: Annotated[str, Field(description="the words to search for")],
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        since: Day = None,
        until: Day = None,
        exact: Annotated[bool, Field(description="search for the words as one phrase")] = False,
    ) -> ToolResult:
        """Search the user's own documents, best results first."""
        notes: list[str] = []
        wanted = search_filter(limit, since, until, exact=exact)
        found = await app.collections.search(collection, query, wanted, note=notes.append)
        results = [shapes.FoundDocument(**found_json(each, files=files)) for each in found]
        return result(shapes.FoundDocuments(collection=collection, results=results, notes=notes))

    @_tool(server, _FETCHES, shapes.PageResult)
    async def read_page(
        url: Annotated[str, Field(description="a web address")],
        offset: Annotated[int, Field(ge=0, description="characters of the text to skip")] = 0,
        limit: Annotated[int, Field(ge=1, le=200_000, description="the maximum characters of the text")] = 20_000,
    ) -> ToolResult:
        """Fetch and archive a page, and return its text with title, author, date, origin of the date, and rating."""
        found = await reading.read_page(app, web_only(url, files))
        text = str(found["text"])
        fields = {name: found[name] for name in shapes.PageResult.model_fields if name in found} | {
            "rating": shapes.RatingResult(url=found["final_url"], **found["rating"]),
            "text": marked(text[offset : offset + limit], secrets.token_hex(8)),
        }
        return result(shapes.PageResult(**fields, **page_end(offset, limit, len(text))))


def _audit_result(case_id: str, done: Audit, shown: _Items) -> shapes.AuditResult:
    return shapes.AuditResult(
        case_id=case_id,
        summary=done.summary,
        citations=len(done.cited),
        hold=done.holding,
        left_out=done.left_out,
        outcomes={outcome.value: number for outcome, number in done.tally},
        notes=list(done.notes),
        changes=changes(done) if done.changes is not None else None,
        items=[
            shapes.AuditItem(
                **each.model_dump(mode="json", include={"outcome", "reason", "quote", "snapshot"}),
                **each.statement.model_dump(include={"start", "end"}),
                statement=each.statement.text,
                source=each.source.url if each.source else "",
                label=each.source.label if each.source else "",
            )
            for each in done.by_harm[shown.offset : shown.offset + shown.limit]
        ],
        **page_end(shown.offset, shown.limit, len(done.items)),
    )
