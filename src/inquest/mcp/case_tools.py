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

from inquest.app.build import App
from inquest.app.cases.auditing import audit_brief, audit_of, changes_in
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
from inquest.app.cases.topic_records import topics_of
from inquest.app.desks.briefs import brief_of
from inquest.app.desks.topic_input import given_topic
from inquest.app.grouped import FieldsOf, spelled_out
from inquest.app.service.deciding import reopen
from inquest.app.tools.assessing import judgement_json, pair_judge
from inquest.app.tools.for_models import marked
from inquest.app.wiring.collections import found_json, search_filter
from inquest.app.wiring.pages import local_path
from inquest.app.wiring.ratings import rate_urls
from inquest.domain.audit import Audit
from inquest.domain.errors import InputError
from inquest.mcp.running import Running, in_one_sentence, result, who
from inquest.mcp.shapes import (
    AuditItem,
    AuditResult,
    CaseLine,
    CaseList,
    CaseResult,
    FoundDocument,
    FoundDocuments,
    JudgementResult,
    Listed,
    PageResult,
    Part,
    QuestionResult,
    RatingResult,
    Ratings,
)
from inquest.mcp.views import case_view, overview, question_view

_WORKS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
_LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_FETCHES = ToolAnnotations(read_only_hint=True, open_world_hint=True)
Tool = Callable[..., Awaitable[ToolResult]]
CaseId = Annotated[str, Field(description="a case's id, or the beginning of it")]


def _arguments(request: type[CaseSettings], *leave_out: str) -> FieldsOf:
    """The fields of a request as arguments of a tool."""
    return FieldsOf(request, ("kind", *leave_out), _argument)


def _argument(field: DataclassField[Any], hint: Any) -> tuple[Any, Any]:
    said = {name: field.metadata[name] for name in LIMITS if name in field.metadata}
    return Annotated[hint, Field(**said)], field.default


def _tool(server: FastMCP, hints: ToolAnnotations, given: type[Listed]) -> Callable[[Tool], Any]:
    """A tool of the server that gives this shape, and its errors in one sentence."""
    made = server.tool(annotations=hints, output_schema=given.model_json_schema())
    return lambda function: made(in_one_sentence(spelled_out(function)))


@dataclass(frozen=True)
class _Waiting:
    """A case whose plan waits for a decision, and the decision."""

    case_id: Annotated[str, Field(description="go on with this case instead of beginning a new one")] = ""
    answer: Annotated[
        str, Field(description="with case_id, to the plan that waits: approve, reject, or what to change in words")
    ] = ""


@dataclass(frozen=True)
class _Items:
    """Which items of a result are shown."""

    offset: Annotated[int, Field(ge=0, description="items to leave out")] = 0
    limit: Annotated[int, Field(ge=1, le=500, description="at most so many items")] = 50


def web_only(given: str, files: bool) -> str:
    """An address that a client may have read. Raises InputError for a file, where files are not open to clients: a page
    could talk a model into reading whatever lies on this machine."""
    if given and not files and local_path(given) is not None:
        raise InputError(
            f"'{given}' is a file, and files of this machine are closed to this server's clients.",
            advice="Give a web address, or start the server with --files.",
        )
    return given


def add_case_tools(server: FastMCP, app: App, running: Running, *, files: bool) -> None:
    """Add what opens, reads and goes on with cases."""

    @_tool(server, _WORKS, CaseResult)
    async def check_claim(
        claim: Annotated[str, Field(description="one claim, as a sentence that stands alone")],
        context: Context,
        options: Annotated[dict[str, Any], _arguments(ClaimsRequest, "claims", "report", "max_claims")],
        more_claims: Annotated[list[str] | None, Field(description="further claims of the same company")] = None,
        approve: Annotated[bool, Field(description="false: the plan comes back first and nothing is run")] = True,
    ) -> ToolResult:
        """Check a claim, or what a company claims, against the press, literature, standards and benchmarks. Gives a
        verdict for each claim, with verbatim quotes. Takes minutes; cancelled, it keeps what it found.
        """
        claims = [each for each in (claim, *(more_claims or [])) if each.strip()]
        brief = await brief_of(app, request_of(ClaimsRequest, {**options, "claims": claims}))
        session = await app.new_case(brief)
        return result(await overview(app, await running.carry_out(session, context, answer="", approve=approve)))

    @_tool(server, _WORKS, CaseResult)
    async def run_inquiry(
        context: Context,
        waiting: _Waiting,
        options: Annotated[dict[str, Any], _arguments(InquiryRequest, "brief")],
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
            request = request_of(InquiryRequest, {**options, "brief": brief})
            for url in request.urls:
                web_only(url, files)
            session = await app.new_case(await brief_of(app, request))
        answer = waiting.answer.strip() if waiting.case_id else ""
        return result(await overview(app, await running.carry_out(session, context, answer=answer, approve=approve)))

    @_tool(server, _LOOKS, CaseResult)
    async def read_case(
        case_id: CaseId,
        part: Part = "overview",
        offset: Annotated[int, Field(ge=0, description="items, or characters of the report, to leave out")] = 0,
        limit: Annotated[int, Field(ge=1000, le=200_000, description="about so many characters of a part")] = 20_000,
    ) -> ToolResult:
        """Read a case: its summary and verdicts, or one part of it page by page. Free: nothing is searched or asked."""
        return result(await case_view(app, await app.case(case_id), part, offset, limit))

    @_tool(server, _WORKS, QuestionResult)
    async def ask_case(
        case_id: CaseId,
        question: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)],
        context: Context,
    ) -> ToolResult:
        """Ask a case that has ended: answered at once from its archived pages, with verbatim quotes, or with why not.
        Nothing is searched."""
        case = await app.case(case_id)
        asked, citations = await answered_by(app, case, question, by=who(context))
        return result(question_view(case, asked, citations))

    @_tool(server, _WORKS, CaseResult)
    async def search_further(
        case_id: CaseId,
        words: Annotated[str, Field(description="what to look for, as a question")],
        context: Context,
        approve: Annotated[bool, Field(description="true: the plan runs as it is, without being shown first")] = False,
    ) -> ToolResult:
        """Have a case that has a report search for more, in a further round. The plan comes back first, as with
        run_inquiry, which goes on with it."""
        await reopen(app, await app.case(case_id), "", words, by=who(context))
        session = await app.open_case(case_id)
        return result(await overview(app, await running.carry_out(session, context, answer="", approve=approve)))

    @_tool(server, _LOOKS, CaseList)
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


def add_desk_tools(server: FastMCP, app: App, running: Running, *, files: bool) -> None:
    """Add verify_topic and ask_market."""

    @_tool(server, _WORKS, CaseResult)
    async def verify_topic(
        context: Context,
        options: Annotated[dict[str, Any], _arguments(TopicRequest, "topic")],
        topic: Annotated[
            str,
            Field(description="a page's address, a kept topic's number, or a title with its text in the next lines"),
        ],
        approve: Annotated[bool, Field(description="false: the plan comes back first and nothing is run")] = True,
    ) -> ToolResult:
        """Investigate a story: who confirms it independently, who published it first, what speaks against it, and which
        level of verification it reaches. Takes minutes with real engines, and money where paid engines or a model are
        set up: deadline and budget_usd bound both. Cancelled, it keeps what it found.
        """
        kept = await _kept(app, topic.strip(), files=files)
        brief = await brief_of(app, request_of(TopicRequest, {**options, "topic": kept}))
        session = await app.new_case(brief)
        return result(await overview(app, await running.carry_out(session, context, answer="", approve=approve)))

    @_tool(server, _WORKS, CaseResult)
    async def ask_market(
        context: Context,
        options: Annotated[dict[str, Any], _arguments(MarketQuestion, "question", "languages")],
        question: Annotated[str, Field(description='like "Why is NVDA down today?"')],
    ) -> ToolResult:
        """Ask what is reported of a company, a sector or the economy: what happened, who says so and how fresh it is,
        and what filings say otherwise. It reports and advises nobody; pass that on. Takes seconds, and
        money where paid engines are set up: budget_usd bounds it. Unless saved it is forgotten after a day.
        """
        request = request_of(MarketQuestion, {**options, "question": question})
        for filing in request.filings:
            if not filing[:1].isdigit():
                web_only(filing, files)
        brief = await brief_of(app, request)
        session = await app.new_case(brief)
        return result(await overview(app, await running.carry_out(session, context, answer="", approve=True)))


async def _kept(app: App, topic: str, *, files: bool) -> str:
    """The topic of a request: an address, or a number; a topic in words is kept first, and has one then."""
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


def add_look_tools(server: FastMCP, app: App, running: Running, *, files: bool) -> None:
    """Add audit, assess, rate_source, search_collection and read_page."""

    @_tool(server, _FETCHES, AuditResult)
    async def audit(
        context: Context,
        items: _Items,
        text: Annotated[str, Field(description="Markdown, HTML or plain text with its citations")] = "",
        url: Annotated[str, Field(description="instead of text: address of a page or document")] = "",
        citations: Annotated[int | None, Field(ge=1, description="audit the first so many citations")] = None,
        again: Annotated[str, Field(description="id of an earlier audit that the outcomes are compared with")] = "",
    ) -> ToolResult:
        """Audit the citations of a text that a model or a person wrote: does each source exist, and does it say so?
        Takes minutes; cancelled, it stops and is kept as a case, which `inquest resume` goes on with."""
        request = request_of(
            AuditRequest, {"text": text, "url": web_only(url, files), "limit": citations, "again": again}
        )
        session = await app.new_case(await audit_brief(app, request), approved=True)
        case = await running.carry_out(session, context, answer="", approve=True)
        done = await audit_of(app, case)
        if done is None:
            raise InputError(
                f"The audit {case.id} has no result. {case.why}", advice=f"Go on: inquest resume {case.id}"
            )
        return result(_audit_result(case.id, done, items))

    @_tool(server, _LOOKS, JudgementResult)
    async def assess(
        claim: Annotated[str, Field(description="one sentence")],
        passage: Annotated[str, Field(description="the text that may bear on it")],
    ) -> ToolResult:
        """Judge whether a passage supports or contradicts a claim: nothing is searched."""
        why: list[str] = []
        async with pair_judge(app.settings, note=why.append) as judge:
            (judged,) = await judge.pairs([(claim, passage)])
        return result(JudgementResult(**judgement_json(judged), judged_without=" ".join(why)))

    @_tool(server, _LOOKS, Ratings)
    async def rate_source(
        urls: Annotated[list[str], Field(min_length=1, max_length=200, description="addresses or domains")],
    ) -> ToolResult:
        """Say what sources are worth: tier 1 (best) to 4, score 0 to 100, and the rules that say so."""
        rated = await asyncio.to_thread(rate_urls, urls)
        return result(Ratings(ratings=[RatingResult(**row) for row in rated]))

    @_tool(server, _LOOKS, FoundDocuments)
    async def search_collection(
        collection: Annotated[str, Field(description="name of a collection of the user's own documents")],
        query: Annotated[str, Field(description="the words to look for")],
        limit: Annotated[int, Field(ge=1, le=100)] = 10,
        since: Annotated[str | None, Field(description="2024, 2024-03 or 2024-03-05")] = None,
        until: Annotated[str | None, Field(description="2024, 2024-03 or 2024-03-05")] = None,
        exact: Annotated[bool, Field(description="the words stand together, in this order")] = False,
    ) -> ToolResult:
        """Search the user's own documents, best first."""
        await app.collections.refresh()
        names = app.collections.names()
        if collection not in names:
            raise InputError(
                f"There is no collection '{collection}'.",
                advice=f"Collections: {', '.join(names)}." if names else "Make one with `inquest collection add`.",
            )
        notes: list[str] = []
        wanted = search_filter(limit, since, until, exact=exact)
        found = await app.collections.search(collection, query, wanted, note=notes.append)
        results = [FoundDocument(**found_json(each, files=files)) for each in found]
        return result(FoundDocuments(collection=collection, results=results, notes=notes))

    @_tool(server, _FETCHES, PageResult)
    async def read_page(
        url: Annotated[str, Field(description="a web address")],
        offset: Annotated[int, Field(ge=0, description="characters of the text to leave out")] = 0,
        limit: Annotated[int, Field(ge=1, le=200_000, description="at most so many characters of the text")] = 20_000,
    ) -> ToolResult:
        """Fetch and archive a page, and give its text with title, author, date, how that is known, and its rating."""
        found = await app.read(web_only(url, files))
        text = str(found["text"])
        end = offset + limit
        kept = {name: found[name] for name in PageResult.model_fields if name in found}
        return result(
            PageResult(
                **kept
                | {
                    "rating": RatingResult(url=found["final_url"], **found["rating"]),
                    "text": marked(text[offset:end], secrets.token_hex(8)),
                    "total": len(text),
                    "next_offset": end if end < len(text) else None,
                }
            )
        )


def _audit_result(case_id: str, done: Audit, shown: _Items) -> AuditResult:
    end = shown.offset + shown.limit
    return AuditResult(
        case_id=case_id,
        summary=done.summary,
        citations=len(done.cited),
        hold=done.holding,
        left_out=done.left_out,
        outcomes={outcome.value: number for outcome, number in done.tally},
        notes=list(done.notes),
        changes=changes_in(done) if done.changes is not None else None,
        items=[
            AuditItem(
                outcome=each.outcome.value,
                reason=each.reason,
                statement=each.statement.text,
                start=each.statement.start,
                end=each.statement.end,
                source=each.source.url if each.source else "",
                label=each.source.label if each.source else "",
                quote=each.quote,
                snapshot=each.snapshot,
            )
            for each in done.by_harm[shown.offset : end]
        ],
        total=len(done.items),
        next_offset=end if end < len(done.items) else None,
    )
