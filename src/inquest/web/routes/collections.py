"""Collections of a newsroom's own documents."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Path, Query, Response, UploadFile
from fastapi.responses import RedirectResponse
from starlette.datastructures import UploadFile as SentFile

from inquest.api.access import Acting, Editing, Reading
from inquest.api.routes import collections as api_collections
from inquest.api.uploads import kept_for_good
from inquest.app.access.ownership import (
    claim_collection,
    disown_collection,
    require_collections,
    seen_collections,
)
from inquest.app.wiring.collections import records_in_words
from inquest.domain.errors import InputError
from inquest.web.render import page, page_router

router = page_router()

Name = Annotated[str, Path(min_length=1, max_length=100)]
_MOST_FILES = 100


@router.get("/collections")
async def collections(visit: Reading) -> Response:
    """List the collections."""
    return await _shown(visit)


@router.post("/collections")
async def add(visit: Editing) -> Response:
    """Add documents to a new or existing collection, and show which could not be read."""
    async with visit.request.form(max_files=_MOST_FILES, max_fields=10) as sent:
        name = str(sent.get("name") or "").strip()
        files = [each for each in sent.getlist("files") if isinstance(each, SentFile) and each.filename]
        if not name or not files:
            error = InputError("Missing name or files.", advice="Enter a name and choose files.")
            return await _shown(visit, error=error)
        app = visit.app
        await claim_collection(app, visit.person, name, None)
        given = [UploadFile(each.file, filename=each.filename) for each in files]
        paths = await kept_for_good(given, app.settings.home / "uploads", name)
        try:
            added = await app.collections.add(name, paths)
        except InputError as error:
            return await _shown(visit, error=error)
        finally:
            if name not in app.collections.names():
                await disown_collection(app, name)
    return await _shown(visit, added=added, records=records_in_words(added))


@router.get("/collections/{name}")
async def search(visit: Reading, name: Name, q: Annotated[str, Query(max_length=2_000)] = "") -> Response:
    """Show a collection and the results of a search in it."""
    await require_collections(visit.app, visit.person, [name])
    info = await asyncio.to_thread(visit.app.collections.info, name)
    found = await visit.app.collections.search(name, q) if q.strip() else []
    return page(visit, "collection.html", info=info, found=found, q=q)


@router.post("/collections/{name}/remove")
async def remove(visit: Editing, name: Name) -> Response:
    """Delete a collection; pages cited by cases stay in the archive."""
    await api_collections.remove(name, visit)
    return RedirectResponse("/collections", 303)


async def _shown(
    visit: Acting, *, added: object = None, records: str = "", error: InputError | None = None
) -> Response:
    names = await seen_collections(visit.app, visit.person)
    infos = [await asyncio.to_thread(visit.app.collections.info, name) for name in names]
    shown = {"infos": infos, "added": added, "records": records, "error": error}
    return page(visit, "collections.html", status=422 if error else 200, **shown)
