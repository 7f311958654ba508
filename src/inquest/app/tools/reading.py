"""The JSON of a page or file as read, and of the standards that claims are checked against."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from inquest.app.wiring.pages import local_path, page_address, parts_in
from inquest.app.wiring.ratings import Ratings
from inquest.domain.errors import InputError
from inquest.kit.parts import MARK, Part, PartProblem
from inquest.sources.standards import standard_called
from inquest.sources.standards_book import standards_book
from inquest.text.blocks import blocks_of

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_OF_DOCUMENT = {
    *("title", "author", "publisher", "language", "text", "pages", "parent", "links", "text_links", "more_pages"),
    *("kind", "notes"),
}
"""Fields of a page's JSON that are copied from its document unchanged."""


async def read_page(app: Resources, what: str) -> dict[str, Any]:
    """The JSON of `inquest read` (INTERFACES.md). Raises InputError, PageError."""
    path = local_path(what)
    if path is not None:
        snapshot, document = await app.pages_offline.read_file(path)
    else:
        snapshot, document = await app.pages(await app.door()).read(page_address(what))
    is_message = path is not None and document.kind in ("eml", "msg") and MARK not in what
    parts = [_part(each, what) for each in await asyncio.to_thread(parts_in, path)] if path and is_message else []
    rating = Ratings(app.settings).document(document)
    return {
        "url": what,
        "final_url": snapshot.final_url,
        **document.model_dump(mode="json", include=_OF_DOCUMENT),
        "published": document.published.iso if document.published else None,
        "published_how": document.published.how if document.published else None,
        "parts": parts,
        "blocks": [block.model_dump(mode="json", exclude_none=True) for block in blocks_of(document)],
        "tier": rating.tier,
        "rating": rating.model_dump(mode="json"),
        "snapshot": snapshot.hash,
        "retrieved_at": snapshot.retrieved_at.isoformat(),
        "provenance": snapshot.provenance,
    }


def _part(part: Part | PartProblem, of: str) -> dict[str, Any]:
    """The JSON of an attachment, with the argument that reads it."""
    if isinstance(part, PartProblem):
        return {"part": part.number, "name": part.where, "problem": part.why}
    return {
        "part": part.number,
        "name": part.where,
        "content_type": part.content_type,
        "size": len(part.body),
        "read": f"{of}{MARK}{part.number}",
    }


def standards_json(name: str | None = None) -> list[dict[str, Any]]:
    """All standards, or those that a name may mean, with rules, figures, editions, dates and sources. Raises InputError
    for an unknown name."""
    found = standards_book() if name is None else standard_called(name)
    if not found:
        raise InputError(f"There is no standard called '{name}'.", advice="`inquest standards` lists them all.")
    return [standard.model_dump(mode="json") for standard in found]
