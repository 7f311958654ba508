"""The bodies and replies of several routes, with examples for OpenAPI, and uploaded files, stored under safe names.

A case has the form `inquest/case/1`."""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from anyio import open_file, to_thread
from fastapi import UploadFile
from pydantic import BaseModel, ConfigDict, Field

from inquest.app.cases.case_request import (
    Address,
    AuditRequest,
    ClaimsRequest,
    InquiryRequest,
    MarketQuestion,
    Short,
    TopicRequest,
    declared,
    option,
    request_of,
)
from inquest.app.cases.requests import decision_from
from inquest.app.files import KINDS_READ
from inquest.app.service.case_actions import PlanAnswer
from inquest.app.service.looking import CaseLine
from inquest.domain.case import CaseStatus
from inquest.domain.errors import InputError
from inquest.domain.event import CaseQuestion, Event
from inquest.domain.finding import Finding
from inquest.domain.plan import Approval, Decision, Plan


class Body(BaseModel):
    """A body whose unknown fields are errors, for example misspelt ones."""

    model_config = ConfigDict(extra="forbid")


LARGEST = 2**63 - 1
Number = Annotated[int, Field(ge=1, le=LARGEST)]  # the number of a team, topic, token or link
Name = Annotated[str, Field(min_length=1, max_length=200)]

_CALLBACK = "Address to which events are sent in order, each at least once (spec 004)."
_TEAM = "Team that owns the case; by default your first."
_APPROVE = "true: the plan runs as it is, without waiting for a decision."


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """The owner of a case, and the receiver of its events."""

    team_id: int | None = option(None, _TEAM, ge=1, le=LARGEST)
    callback_url: Address = option("", _CALLBACK, examples=[""])
    approve: bool = option(False, _APPROVE)


@dataclass(frozen=True, kw_only=True)
class InquiryBody(InquiryRequest, Delivery):
    """A journalist's brief."""

    kind: Literal["inquiry"]


@dataclass(frozen=True, kw_only=True)
class ClaimsBody(ClaimsRequest, Delivery):
    """Claims to check, or the address of a company's report; `POST /api/v1/cases/upload` takes the report itself."""

    kind: Literal["claims"]


@dataclass(frozen=True, kw_only=True)
class TopicBody(TopicRequest, Delivery):
    """A topic to verify."""

    kind: Literal["topic"]


@dataclass(frozen=True, kw_only=True)
class MarketBody(MarketQuestion, Delivery):
    """A question to the market desk, which needs no approval."""

    kind: Literal["market"]


@dataclass(frozen=True, kw_only=True)
class AuditedText(AuditRequest, Delivery):
    """A text whose citations are audited, which needs no approval."""

    kind: Literal["audit"]


CaseBody = Annotated[InquiryBody | ClaimsBody | TopicBody | MarketBody | AuditedText, Field(discriminator="kind")]


class UploadForm(Body):
    """A company's report, sent with the request."""

    report: UploadFile = Field(description=f"the report: {KINDS_READ}")
    company: Short = Field(min_length=1, description="The company that the report is about.")
    approve: bool = Field(False, description=_APPROVE)
    callback_url: Address = Field("", description=_CALLBACK, examples=[""])
    team_id: Number | None = Field(None, description=_TEAM)
    max_claims: int | None = declared(ClaimsRequest, "max_claims")
    collections: list[Short] = declared(ClaimsRequest, "collections")
    languages: list[Short] | None = declared(ClaimsRequest, "languages")

    @property
    def request(self) -> ClaimsRequest:
        """The same request as in other interfaces."""
        names = ("company", "max_claims", "collections", "languages")
        return request_of(ClaimsRequest, {name: getattr(self, name) for name in names})


class CaseCreated(BaseModel):
    """A stored case."""

    case_id: str = Field(examples=["20261122-7f3a0c12"])
    kind: str
    status: str
    url: str = Field(examples=["/api/v1/cases/20261122-7f3a0c12"])
    events: str = Field(examples=["/api/v1/cases/20261122-7f3a0c12/events"])


class QuestionAnswered(CaseQuestion):
    """A question to a case and its answer."""

    case_id: str
    findings: tuple[Finding, ...] = Field((), exclude=True)
    citations: list[dict[str, Any]] = Field(description="the quotes of the answer, numbered as in the case")


class CasePage(BaseModel):
    """Cases, newest first."""

    cases: list[CaseLine]
    next: str | None = Field(description="the `after` of the next page; null: this is the last")


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
    """The current plan; null while it is being made."""

    case_id: str
    status: CaseStatus
    plan: Plan | None
    approvals: tuple[Approval, ...] = Field(description="every decision on it with its author and time, oldest first")


class DecisionBody(Body):
    """A decision on the waiting plan: as a value, or in words as in a chat."""

    decision: Literal["approve", "revise", "reject"] | None = Field(None, examples=["approve"])
    text: Annotated[str, Field(max_length=5_000)] = Field("", description="with revise: what to change")
    words: Annotated[str, Field(max_length=5_000)] = Field(
        "", description="instead of `decision`: approve, reject, or what to change", examples=[""]
    )
    revision: int | None = Field(None, ge=1, le=1_000_000, description="the revision of the plan that was read")

    @property
    def plan_answer(self) -> PlanAnswer:
        """The decision. Raises InputError unless there is exactly one."""
        if bool(self.words.strip()) == (self.decision is not None):
            raise InputError("Missing decision.", advice="Give either `decision` or `words`.")
        typed = (Decision(self.decision), self.text) if self.decision else decision_from(self.words)
        return PlanAnswer(*typed, self.revision)


class DecisionTaken(Approval):
    """A decision with its author and time."""

    case_id: str


class EventPage(BaseModel):
    """Events after a number, oldest first."""

    events: list[Event]
    last: int = Field(description="the `after` of the next page")
    ended: bool = Field(description="true: the case has ended, and no events will follow")


_CHUNK = 1 << 20
_PDF, _PDF_WITHIN = b"%PDF-", 1024
"""A PDF has this header within its first 1,024 bytes (as Acrobat accepts: PDF Reference 1.7, appendix H, note 13)."""


@asynccontextmanager
async def kept_for_now(upload: UploadFile) -> AsyncIterator[Path]:
    """The path of the file during the context. Raises InputError for a false PDF."""
    beginning = await upload.read(_PDF_WITHIN)
    await upload.seek(0)
    if beginning and (upload.filename or "").lower().endswith(".pdf") and _PDF not in beginning:
        raise InputError(
            f"{_harmless(upload.filename or '')} is not a PDF, despite its name.",
            advice="Send the PDF itself, or correct the file name.",
        )
    folder = await to_thread.run_sync(lambda: tempfile.TemporaryDirectory(prefix="inquest-"))
    try:
        yield await _written(upload, Path(folder.name))
    finally:
        await to_thread.run_sync(folder.cleanup)


async def kept_for_good(uploads: Sequence[UploadFile], home: Path, collection: str) -> list[Path]:
    """Permanent paths of the files; a file replaces an earlier one of the same name."""
    folder = home / _harmless(collection)
    folder.mkdir(parents=True, exist_ok=True)
    return [await _written(upload, folder) for upload in uploads]


async def _written(upload: UploadFile, folder: Path) -> Path:
    path = folder / _harmless((upload.filename or "").replace("\\", "/").rsplit("/", 1)[-1])
    async with await open_file(path, "wb") as file:
        while chunk := await upload.read(_CHUNK):
            await file.write(chunk)
    return path


def _harmless(name: str) -> str:
    """A safe file name: no folders, no leading dot."""
    return re.sub(r"[^\w.-]+", "-", name).strip(".-")[-100:] or "document"
