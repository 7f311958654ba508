"""What routes take and give, with examples for OpenAPI. The case itself keeps the form of `inquest/case/1`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import UploadFile
from pydantic import BaseModel, ConfigDict, Field

from inquest.app.cases.requests import decision_from
from inquest.app.files import KINDS_READ
from inquest.app.service.deciding import PlanAnswer
from inquest.domain.case import CaseKind, CaseStatus
from inquest.domain.errors import InputError
from inquest.domain.plan import Decision

Text = Annotated[str, Field(max_length=20_000)]
Short = Annotated[str, Field(max_length=500)]
Address = Annotated[str, Field(max_length=4_000)]


class Body(BaseModel):
    """Base of what is taken: a field that does not exist is refused, so that a misspelt one is an error."""

    model_config = ConfigDict(extra="forbid")


class CaseSettings(Body):
    """What every case can be told."""

    engines: list[Short] | None = Field(None, max_length=50, description="names, best first; none: whatever is ready")
    collections: list[Short] = Field([], max_length=50, description="collections to ask, too")
    languages: list[Short] = Field([], max_length=5, description="of the pages looked for, like de; none: any")
    as_of: Short | None = Field(None, description="a date: nothing published after it is evidence", examples=[None])
    budget_usd: float | None = Field(None, ge=0, description="when it is spent the case stops and reports")
    deadline: Short | None = Field(None, description="like 90s or 5m; then the case stops and reports")
    team_id: int | None = Field(None, ge=1, le=2**63 - 1, description="whose case it is; none: your first team's")
    callback_url: Address = Field(
        "", description="told what happens, in order, at least once (spec 004)", examples=[""]
    )
    approve: bool = Field(False, description="true: the plan runs as it is, without waiting for a decision")


class InquiryRequest(CaseSettings):
    """A journalist's brief."""

    kind: Literal["inquiry"]
    brief: Text = Field(examples=["Did the Tarn Bridge works exceed its dust limit in 2023?"])
    urls: list[Address] = Field([], max_length=50, description="pages to read before planning")
    mode: Literal["quick", "detailed"] = "quick"


class GivenClaim(Body):
    """A claim with what is known of it."""

    text: Annotated[str, Field(max_length=2_000)]
    id: Short | None = None
    company: Short | None = None
    type: Short | None = None
    page: int | None = Field(None, ge=0, le=1_000_000)


class CheckRequestBody(CaseSettings):
    """Claims to check, or the address of a company's report; `POST /api/v1/cases/upload` takes the report itself."""

    kind: Literal["claims"]
    claims: list[Annotated[str, Field(max_length=2_000)] | GivenClaim] = Field(
        [], max_length=500, examples=[["Calder Stone Ltd was fined 150,000 euros in 2023."]]
    )
    company: Short = Field("", description="whose claims they are; only a report needs it")
    report: Address = Field("", description="the address of a report", examples=[""])
    industry: Short = ""
    desks: list[Short] = Field([], max_length=20, description="news, academic; none: all")
    max_claims: int | None = Field(None, ge=1, le=500)
    rounds: int | None = Field(None, ge=0, le=5)


class TopicRequest(CaseSettings):
    """A topic to verify."""

    kind: Literal["topic"]
    topic: Address = Field(description="a kept topic's number, or a page's address", examples=["17"])
    priority: Literal["high", "normal", "low"] | None = None
    again: bool = Field(False, description="though it was investigated lately")
    mode: Literal["quick", "detailed"] = "detailed"


class MarketQuestion(CaseSettings):
    """A question to the market desk, which is answered without a plan to approve."""

    kind: Literal["market"]
    question: Text = Field(examples=["Why is NVDA down today?"])
    tickers: list[Short] = Field([], max_length=50)
    company: Short = ""
    sector: Short = ""
    filings: list[Address] = Field([], max_length=20, description="addresses or SEC numbers of filings")
    save: bool = Field(False, description="keep it for longer than a day")


CaseRequest = Annotated[InquiryRequest | CheckRequestBody | TopicRequest | MarketQuestion, Field(discriminator="kind")]


class UploadForm(Body):
    """A company's report, sent with the request."""

    report: UploadFile = Field(description=f"the report; read are {KINDS_READ}")
    company: Annotated[str, Field(min_length=1, max_length=500, description="whose report it is")]
    approve: bool = False
    callback_url: Address = Field(
        "", description="told what happens, in order, at least once (spec 004)", examples=[""]
    )
    team_id: int | None = Field(None, ge=1, le=2**63 - 1)
    max_claims: int | None = Field(None, ge=1, le=500)
    collections: list[Short] = Field([], max_length=50)
    languages: list[Short] = Field([], max_length=5, description="of the pages looked for, like de; none: any")


class CaseFilter(Body):
    """Which cases are listed."""

    kind: list[CaseKind] = Field([], max_length=4, description="only of these kinds")
    status: list[CaseStatus] = Field([], max_length=6, description="only with these statuses")
    q: str = Field("", max_length=200, description="each of these words stands in the title")
    after: str = Field("", max_length=500, description="`next` of the page before")
    limit: int = Field(50, ge=1, le=200)


class CaseCreated(BaseModel):
    """A case that is kept and will be worked on."""

    case_id: str = Field(examples=["20261122-7f3a0c12"])
    kind: str
    status: str
    url: str = Field(examples=["/api/v1/cases/20261122-7f3a0c12"])
    events: str = Field(examples=["/api/v1/cases/20261122-7f3a0c12/events"])


class CaseLineShape(BaseModel):
    """A case as a list shows it."""

    case_id: str
    kind: str
    status: str
    title: str
    created_at: datetime
    updated_at: datetime
    kept_until: datetime | None = Field(description="when it is forgotten; null: it is kept")
    team_id: int | None
    by: str | None = Field(description="who opened it; null: it was made in the terminal")


class CasePage(BaseModel):
    """Cases, newest first."""

    cases: list[CaseLineShape]
    next: str | None = Field(description="give it as `after` for those that follow; null: there are no more")


class CaseDocument(BaseModel):
    """The whole case, in the form `inquest/case/1`."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)

    schema_: str = Field(alias="schema", examples=["inquest/case/1"])
    case_id: str
    kind: str
    status: str
    mode: str
    input: dict[str, Any]
    as_of: str
    plan: dict[str, Any] | None
    sources: list[dict[str, Any]]
    claims: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    bias: dict[str, Any] | None
    timeline: list[dict[str, Any]]
    summary: str | None
    citations: list[dict[str, Any]]
    outages: list[dict[str, Any]]
    cost: dict[str, Any]
    timings: dict[str, Any]


class PlanShape(BaseModel):
    """The plan as it stands; null while it is being made."""

    case_id: str
    status: str
    plan: dict[str, Any] | None
    approvals: list[dict[str, Any]] = Field(description="every decision on it, oldest first: who, when, what")


class DecisionBody(Body):
    """A decision on the plan that waits: typed, or in words, as in a chat."""

    decision: Literal["approve", "revise", "reject"] | None = Field(None, examples=["approve"])
    text: Annotated[str, Field(max_length=5_000)] = Field("", description="with revise: what to change")
    words: Annotated[str, Field(max_length=5_000)] = Field(
        "", description="instead of `decision`: approve, reject, or what to change", examples=[""]
    )
    revision: int | None = Field(None, ge=1, le=1_000_000, description="the revision of the plan that was looked at")

    @property
    def said(self) -> PlanAnswer:
        """The decision. Raises InputError where none is said, or two are."""
        if bool(self.words.strip()) == (self.decision is not None):
            raise InputError("It is not said what you decide.", advice="Give either `decision` or `words`.")
        typed = (Decision(self.decision), self.text) if self.decision else decision_from(self.words)
        return PlanAnswer(*typed, self.revision)


class DecisionTaken(BaseModel):
    """What was decided, by whom, when."""

    case_id: str
    decision: Literal["approve", "revise", "reject"]
    text: str
    by: str
    at: datetime
    revision: int


class EventShape(BaseModel):
    """One line of what happened."""

    id: int
    case_id: str
    at: datetime
    type: str = Field(examples=["source_found"])
    stage: str | None
    text: str
    marker: str | None
    data: dict[str, Any]


class EventPage(BaseModel):
    """Events after a number, oldest first."""

    events: list[EventShape]
    last: int = Field(description="give it as `after` for those that follow")
    ended: bool = Field(description="true: the case has ended and there will be no more")
