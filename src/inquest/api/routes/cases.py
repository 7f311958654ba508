"""Cases: opening, listing, reading whole or in part, deciding on, stopping and resuming them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Header, Query, Request, Response
from pydantic import BaseModel, Field

from inquest.api import shapes
from inquest.api.access import Acting, CurrentPerson, Investigating, Opened, SeenCase
from inquest.api.problems import problems
from inquest.api.routes.outgoing import created
from inquest.app.access.accounts import team_for
from inquest.app.cases.case_request import CaseRequest
from inquest.app.cases.claim_decisions import MOST_CHARACTERS, ask_case, case_document
from inquest.app.cases.reporting import snapshots_of
from inquest.app.service import case_actions, looking
from inquest.app.service.case_actions import MOST_WORDS, Owner, once, open_new, reopen, require_seen
from inquest.app.service.dispatching import case_work
from inquest.app.service.looking import Assigning, CaseQuery, Highlight, highlighted
from inquest.app.tools.for_models import fit
from inquest.domain.event import Assignment, assignment_in
from inquest.domain.report import Bias

router = APIRouter(prefix="/cases", tags=["cases"])


class MoreBody(shapes.Body):
    """The words of a further search."""

    words: Annotated[str, Field(min_length=1, max_length=MOST_WORDS)] = Field(examples=["the regulator's own notice"])


class QuestionBody(shapes.Body):
    """A question to a case that has ended."""

    question: Annotated[str, Field(min_length=1, max_length=MOST_CHARACTERS)] = Field(
        examples=["When did the permit expire?"]
    )


_FORMS = ("multipart/", "application/x-www-form-urlencoded")


@dataclass(frozen=True)
class Keyed:
    """A request that may be repeated with its key, and its reply."""

    key: str | None
    fingerprint: str
    response: Response


async def _keyed(
    request: Request,
    response: Response,
    idempotency_key: Annotated[
        str | None, Header(max_length=200, description="repeated requests with the same key open one case")
    ] = None,
) -> Keyed:
    # A form has another boundary each time, so only the key identifies an upload.
    is_form = request.headers.get("content-type", "").lower().startswith(_FORMS)
    body = b"" if is_form else await request.body()
    fingerprint = hashlib.sha256(request.url.path.encode() + b"\n" + body).hexdigest()
    return Keyed(idempotency_key, fingerprint, response)


WithKey = Annotated[Keyed, Depends(_keyed)]


@router.post("", status_code=201, responses=problems(404, 409, 424))
async def create_case(body: shapes.CaseBody, keyed: WithKey, acting: Investigating) -> shapes.CaseCreated:
    """Open a case: an inquiry, a check of claims, the verification of a topic, or a market question. It starts at once;
    unless `approve` is true, its plan then waits for a decision."""
    return await _opened(acting, body, body, keyed)


@router.post("/upload", status_code=201, responses=problems(404, 409, 413, 415, 424))
async def upload_report(
    form: Annotated[shapes.UploadForm, Form(media_type="multipart/form-data")], keyed: WithKey, acting: Investigating
) -> shapes.CaseCreated:
    """Check the claims of a company's report that is sent with the request."""
    async with shapes.kept_for_now(form.report) as path:
        return await _opened(acting, form.request, form, keyed, path)


@router.get("", responses=problems())
async def list_cases(app: Opened, person: CurrentPerson, only: Annotated[CaseQuery, Query()]) -> shapes.CasePage:
    """The cases that you may see, newest first, page by page."""
    lines, following = await looking.list_cases(app, person, only)
    return shapes.CasePage(**fit(shapes.CasePage(cases=lines, next=following).model_dump()))


@router.get(
    "/{case_id}",
    response_model=shapes.CaseDocument,
    responses={304: {"description": "Nothing has changed since that ETag."}, **problems(404)},
)
async def get_case(
    case: SeenCase, app: Opened, if_none_match: Annotated[str | None, Header(max_length=500)] = None
) -> Response:
    """The whole case with sources, claims, findings and verdicts."""
    document = await case_document(app, case)
    last = max((each["id"] for each in (*document["decisions"], *document["questions"])), default=0)
    tag = f'"{case.id}-{await (await case_work(app)).version(case.id)}-{last}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if if_none_match and tag in (each.strip().removeprefix("W/") for each in if_none_match.split(",")):
        return Response(status_code=304, headers=headers)

    def encoded() -> bytes:
        return json.dumps(document, ensure_ascii=False).encode(errors="backslashreplace")

    content = app.kept.get(case, tag, encoded)
    return Response(content, media_type="application/json", headers=headers)


@router.get("/{case_id}/plan", responses=problems(404))
async def get_plan(case: SeenCase) -> shapes.PlanShape:
    """The plan, and the decisions on it."""
    return shapes.PlanShape(case_id=case.id, status=case.status, plan=case.plan, approvals=case.approvals)


@router.post("/{case_id}/decision", status_code=202, responses=problems(404, 409))
async def decide(body: shapes.DecisionBody, case: SeenCase, acting: Investigating) -> shapes.DecisionTaken:
    """Approve or reject the waiting plan, or describe changes in words."""
    taken = await case_actions.answer(acting.app, acting.works, case, body.plan_answer, by=acting.person.name)
    return shapes.DecisionTaken(case_id=case.id, **taken.model_dump())


@router.post("/{case_id}/claims/{claim_id}/further", status_code=202, responses=problems(404, 409))
@router.post("/{case_id}/further", status_code=202, responses=problems(404, 409))
async def further(body: MoreBody, case: SeenCase, acting: Investigating, claim_id: str = "") -> shapes.CaseCreated:
    """Begin a further round about a claim, or a case as a whole, that has a report. Its plan waits for a decision;
    until the round ends, the case shows its earlier result."""
    await reopen(acting.app, case, claim_id, body.words, by=acting.person.name, dispatcher=acting.works)
    return created(await acting.app.case(case.id))


@router.post("/{case_id}/questions", responses=problems(404, 409))
async def ask(body: QuestionBody, case: SeenCase, acting: Investigating) -> shapes.QuestionAnswered:
    """Answer a question from the archived pages of a case that has ended, with the model in the settings, or else by
    rules. Question and answer are stored with the case."""
    asked, citations = await ask_case(acting.app, case, body.question, by=acting.person.name)
    shown = asked.model_dump() | {"citations": [each.model_dump() for each in citations]}
    return shapes.QuestionAnswered(case_id=case.id, **fit(shown))


@router.post("/{case_id}/assignment", responses=problems(404))
async def assign(body: Assigning, case: SeenCase, acting: Investigating) -> Assignment:
    """Assign the case to a user who may see it, set its desk status, or add a note. Each is an event of the case."""
    kept = await looking.assign(acting.app, case, body, by=acting.person.name)
    return assignment_in([kept])


@router.post("/{case_id}/cancel", status_code=202, responses=problems(404, 409))
async def cancel(
    case: SeenCase,
    acting: Investigating,
    then: Annotated[
        Literal["report", "nothing"], Query(description="report: end with a report on the findings so far")
    ] = "report",
) -> shapes.CaseCreated:
    """Stop a case, or reject its waiting plan."""
    await case_actions.cancel(acting.app, acting.works, case, by=acting.person.name, report=then == "report")
    return created(await acting.app.case(case.id))


@router.post("/{case_id}/resume", status_code=202, responses=problems(404, 409))
async def resume(case: SeenCase, acting: Investigating) -> shapes.CaseCreated:
    """Resume a case that was stopped or interrupted."""
    await case_actions.resume(acting.app, acting.works, case)
    return created(case)


async def _opened(
    acting: Acting,
    request: CaseRequest,
    delivery: shapes.Delivery | shapes.UploadForm,
    keyed: Keyed,
    upload: Path | None = None,
) -> shapes.CaseCreated:
    app, person = acting.app, acting.person
    team_id = await team_for(app, person, delivery.team_id)
    owner = Owner(person.name, team_id, person.sees_all, delivery.callback_url)
    await require_seen(app, person, request)

    async def work() -> str:
        case = await open_new(app, acting.works, request, owner, approve=delivery.approve, upload=upload)
        return created(case).model_dump_json()

    reply = shapes.CaseCreated.model_validate_json(await once(app, person, keyed.key, keyed.fingerprint, work))
    keyed.response.headers["Location"] = reply.url
    return reply


parts = APIRouter(prefix="/cases/{case_id}", tags=["parts of a case"])


ListedPart = StrEnum("ListedPart", "sources claims findings verdicts timeline citations outages")
"""The parts that are lists."""


class PartQuery(shapes.Body):
    """A selection of items."""

    offset: int = Field(0, ge=0, le=1_000_000)
    limit: int = Field(100, ge=1, le=1000)
    claim_id: str = Field("", max_length=100, description="only items about this claim")


class PartPage(BaseModel):
    """Items of a part, in their form in `inquest/case/1`."""

    case_id: str
    items: list[dict[str, Any]]
    total: int
    next_offset: int | None = Field(description="the `offset` of the next page; null: this is the last")


class BiasShape(BaseModel):
    """The bias of the coverage: 0 to 10 with one decimal, and the sources on each side; null: not assessed."""

    case_id: str
    bias: Bias | None


class SpanQuery(shapes.Body):
    """A span of the page's readable text to show in its context."""

    start: int = Field(0, ge=0, le=1_000_000_000)
    end: int = Field(0, ge=0, le=1_000_000_000)
    around: int = Field(500, ge=0, le=100_000, description="characters of context on each side")


@parts.get("/bias", responses=problems(404))
async def bias(case: SeenCase) -> BiasShape:
    """The bias of the coverage."""
    return BiasShape(case_id=case.id, bias=case.bias)


@parts.get("/pages/{snapshot}", responses=problems(404, 424))
async def archived_page(snapshot: str, case: SeenCase, app: Opened, query: Annotated[SpanQuery, Query()]) -> Highlight:
    """A span of an archived page of the case, by the page's hash, with the text before and after it. It is the page's
    own text, to be shown as text."""
    return await highlighted(app, snapshots_of(case), snapshot, (query.start, query.end), query.around)


@parts.get("/{part}", responses=problems(404))
async def part(part: ListedPart, case: SeenCase, app: Opened, query: Annotated[PartQuery, Query()]) -> PartPage:
    """Sources, claims, findings, verdicts, timeline, citations or outages of a case."""
    found: list[dict[str, Any]] = (await case_document(app, case))[part.value]
    items = [each for each in found if not query.claim_id or query.claim_id in (each.get("claim_id"), each.get("id"))]
    end = query.offset + query.limit
    return PartPage(
        case_id=case.id,
        items=fit(items[query.offset : end]),
        total=len(items),
        next_offset=end if end < len(items) else None,
    )
