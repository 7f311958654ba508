"""The tools that judge, rate, search and read without a case."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated

from fastmcp import FastMCP
from fastmcp.tools.base import ToolResult
from mcp_types import ToolAnnotations
from pydantic import Field

from inquest.app.build import App
from inquest.app.tools.assessing import judgement_json, pair_judge
from inquest.app.tools.for_models import marked
from inquest.app.wiring.collections import found_json, search_filter
from inquest.app.wiring.ratings import rate_urls
from inquest.domain.errors import InputError
from inquest.mcp.case_tools import web_only
from inquest.mcp.results import in_one_sentence, result
from inquest.mcp.shapes import FoundDocument, FoundDocuments, JudgementResult, PageResult, RatingResult, Ratings


def add_look_tools(server: FastMCP, app: App, *, files: bool) -> None:
    """Add assess, rate_source, search_collection and read_page."""
    inside = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    outside = ToolAnnotations(read_only_hint=True, open_world_hint=True)

    @server.tool(annotations=inside, output_schema=JudgementResult.model_json_schema())
    @in_one_sentence
    async def assess(
        claim: Annotated[str, Field(description="one sentence")],
        passage: Annotated[str, Field(description="the text that may bear on it")],
    ) -> ToolResult:
        """Judge whether a passage supports or contradicts a claim: nothing is searched."""
        why: list[str] = []
        async with pair_judge(app.settings, note=why.append) as judge:
            (judged,) = await judge.pairs([(claim, passage)])
        return result(JudgementResult(**judgement_json(judged), judged_without=" ".join(why)))

    @server.tool(annotations=inside, output_schema=Ratings.model_json_schema())
    @in_one_sentence
    async def rate_source(
        urls: Annotated[list[str], Field(min_length=1, max_length=200, description="addresses or domains")],
    ) -> ToolResult:
        """Say what sources are worth: tier 1 (best) to 4, score 0 to 100, and the rules that say so."""
        rated = await asyncio.to_thread(rate_urls, urls)
        return result(Ratings(ratings=[RatingResult(**row) for row in rated]))

    @server.tool(annotations=inside, output_schema=FoundDocuments.model_json_schema())
    @in_one_sentence
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

    @server.tool(annotations=outside, output_schema=PageResult.model_json_schema())
    @in_one_sentence
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
