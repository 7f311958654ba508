"""Single judgments: a pair assessed, sources rated, a page read, the web searched."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from inquest.api.access import CurrentPerson, Investigating, Opened
from inquest.api.problems import problems
from inquest.api.shapes import Body
from inquest.app.cases.case_request import Address
from inquest.app.nodes.searching_web import SearchArguments, search_web
from inquest.app.service.case_actions import web_address
from inquest.app.tools.for_models import fit
from inquest.app.tools.reading import Judgement, PageShape, judged_pair, read_page
from inquest.app.wiring.case_services import rate_urls

router = APIRouter(tags=["single judgments"])


class Pair(Body):
    """A claim and a text that may support or contradict it."""

    claim: Annotated[str, Field(min_length=1, max_length=2_000)] = Field(examples=["The fine was 150,000 euros."])
    passage: Annotated[str, Field(min_length=1, max_length=50_000)] = Field(
        examples=["The Air Authority fined the operator 150,000 euros."]
    )


class Urls(Body):
    """Sources to rate."""

    urls: list[Address] = Field(min_length=1, max_length=200, examples=[["https://www.reuters.com/", "example.org"]])


class Ratings(BaseModel):
    """Ratings in the order of the request."""

    ratings: list[dict[str, Any]]


class PageBody(Body):
    """A page to read."""

    url: Address = Field(examples=["https://example.org/page"])


class PageRead(PageShape, extra="allow"):
    """A page with its readable text and metadata."""

    tier: int


class SearchFound(BaseModel):
    """Results with type and tier of each source: leads, not evidence."""

    model_config = ConfigDict(extra="allow")

    results: list[dict[str, Any]]


@router.post("/assess", responses=problems())
async def assess(body: Pair, person: CurrentPerson, app: Opened) -> Judgement:
    """Judge whether a passage supports or contradicts a claim, without a search."""
    return Judgement(**await judged_pair(app.settings, body.claim, body.passage))


@router.post("/tier", responses=problems())
async def tier(body: Urls, person: CurrentPerson, app: Opened) -> Ratings:
    """Rate the credibility of sources: tier 1 (best) to 4, score 0 to 100, and the rules that apply."""
    return Ratings(ratings=fit(await asyncio.to_thread(rate_urls, body.urls, app.settings)))


@router.post("/read", responses=problems(404, 424))
async def read(body: PageBody, acting: Investigating) -> PageRead:
    """Fetch and archive a page, and return its readable text with title, author, date and rating."""
    return PageRead(**await read_page(acting.app, web_address(body.url)))


@router.post("/search", responses=problems(409, 424))
async def search(body: SearchArguments, acting: Investigating) -> SearchFound:
    """Search the web once, with the engines of the settings (`search_web`)."""
    return SearchFound(**fit(await search_web(acting.app, body)))
