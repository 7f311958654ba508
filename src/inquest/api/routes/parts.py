"""The parts of a case, page by page."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from inquest.api.access import Opened, SeenCase
from inquest.api.problems import problems
from inquest.api.shapes import Body
from inquest.app.cases.exporting import snapshots_of
from inquest.app.service.looking import Highlight, highlighted
from inquest.app.tools.for_models import fit

router = APIRouter(prefix="/cases/{case_id}", tags=["parts of a case"])


ListedPart = StrEnum("ListedPart", "sources claims findings verdicts timeline citations outages")
"""The parts that are lists."""


class PartQuery(Body):
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
    bias: dict[str, Any] | None


class SpanQuery(Body):
    """A span of the page's readable text to show in its context."""

    start: int = Field(0, ge=0, le=1_000_000_000)
    end: int = Field(0, ge=0, le=1_000_000_000)
    around: int = Field(500, ge=0, le=100_000, description="characters of context on each side")


@router.get("/bias", responses=problems(404))
async def bias(case: SeenCase) -> BiasShape:
    """The bias of the coverage."""
    return BiasShape(case_id=case.id, bias=case.bias.model_dump(mode="json") if case.bias else None)


@router.get("/pages/{snapshot}", responses=problems(404, 424))
async def archived_page(snapshot: str, case: SeenCase, app: Opened, query: Annotated[SpanQuery, Query()]) -> Highlight:
    """A span of an archived page of the case, by the page's hash, with the text before and after it. It is the page's
    own text, to be shown as text."""
    return await highlighted(app, snapshots_of(case), snapshot, (query.start, query.end), query.around)


@router.get("/{part}", responses=problems(404))
async def part(part: ListedPart, case: SeenCase, app: Opened, query: Annotated[PartQuery, Query()]) -> PartPage:
    """Sources, claims, findings, verdicts, timeline, citations or outages of a case."""
    found: list[dict[str, Any]] = (await app.case_document(case))[part.value]
    items = [each for each in found if not query.claim_id or query.claim_id in (each.get("claim_id"), each.get("id"))]
    end = query.offset + query.limit
    return PartPage(
        case_id=case.id,
        items=fit(items[query.offset : end]),
        total=len(items),
        next_offset=end if end < len(items) else None,
    )
