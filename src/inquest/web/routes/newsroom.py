"""The newsroom's topics with their watches, and its own documents."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Form, Path, Query, Response, UploadFile
from fastapi.responses import RedirectResponse
from starlette.datastructures import UploadFile as SentFile

from inquest.api.access import Acting, Editing, Investigating, Reading
from inquest.api.routes import collections as api_collections
from inquest.app.access import accounts
from inquest.app.cases.case_request import TopicRequest
from inquest.app.desks import watching
from inquest.app.pages.desk_page import take_topic, topic_page, topics_page
from inquest.app.service.case_actions import open_new, owner_of
from inquest.app.wiring.collections import records_in_words
from inquest.domain.errors import InputError
from inquest.web.render import page, page_router

router = page_router()

Number = Annotated[int, Path(ge=1, le=2**63 - 1)]


@router.get("/topics")
async def topics(visit: Reading) -> Response:
    """Show the table of topics."""
    return page(visit, "topics.html", topics=await topics_page(visit.app, visit.person), error=None)


@router.get("/topics/{topic_id}")
async def topic(visit: Reading, topic_id: Number) -> Response:
    """Show a topic with its investigations and the level after each."""
    seen = await accounts.seen_topic(visit.app, visit.person, topic_id)
    return page(visit, "topic.html", shown=await topic_page(visit.app, seen))


@router.post("/topics")
async def add_topic(
    visit: Investigating,
    title: Annotated[str, Form(max_length=2_000)] = "",
    url: Annotated[str, Form(max_length=4_000)] = "",
) -> Response:
    """Add a topic."""
    try:
        await take_topic(visit.app, title, url, owner_of(visit.person))
    except InputError as error:
        return page(visit, "topics.html", status=422, topics=await topics_page(visit.app, visit.person), error=error)
    return RedirectResponse("/topics", 303)


@router.post("/topics/{topic_id}/investigate")
async def investigate(visit: Investigating, topic_id: Number) -> Response:
    """Open a case on a topic; the plan waits for approval."""
    await accounts.seen_topic(visit.app, visit.person, topic_id)
    request = TopicRequest(topic=str(topic_id), again=True)
    case = await open_new(visit.app, visit.works, request, owner_of(visit.person))
    return RedirectResponse(f"/cases/{case.id}", 303)


@router.post("/topics/{topic_id}/watch")
async def watch(visit: Editing, topic_id: Number, every: Annotated[str, Form(max_length=20)] = "24h") -> Response:
    """Watch a topic."""
    topic = await accounts.seen_topic(visit.app, visit.person, topic_id)
    await watching.watch(visit.app, topic, every=watching.parse_every(every), by=visit.person.name)
    return RedirectResponse("/topics", 303)


@router.post("/topics/{topic_id}/unwatch")
async def unwatch(visit: Editing, topic_id: Number) -> Response:
    """Stop watching a topic."""
    await watching.unwatch(visit.app, await accounts.seen_topic(visit.app, visit.person, topic_id))
    return RedirectResponse("/topics", 303)


Name = Annotated[str, Path(min_length=1, max_length=100)]
_MOST_FILES = 100


@router.get("/collections")
async def collections(visit: Reading) -> Response:
    """List the collections."""
    return await _listed(visit)


@router.post("/collections")
async def add_documents(visit: Editing) -> Response:
    """Add documents to a new or existing collection, and show which could not be read."""
    async with visit.request.form(max_files=_MOST_FILES, max_fields=10) as sent:
        name = str(sent.get("name") or "").strip()
        files = [each for each in sent.getlist("files") if isinstance(each, SentFile) and each.filename]
        if not name or not files:
            error = InputError("Missing name or files.", advice="Enter a name and choose files.")
            return await _listed(visit, error=error)
        given = [UploadFile(each.file, filename=each.filename) for each in files]
        try:
            added = await api_collections.documents_added(visit, name, given)
        except InputError as error:
            return await _listed(visit, error=error)
    return await _listed(visit, added=added, records=records_in_words(added))


@router.get("/collections/{name}")
async def search(visit: Reading, name: Name, q: Annotated[str, Query(max_length=2_000)] = "") -> Response:
    """Show a collection and the results of a search in it."""
    await accounts.require_collections(visit.app, visit.person, [name])
    info = await asyncio.to_thread(visit.app.collections.info, name)
    found = await visit.app.collections.search(name, q) if q.strip() else []
    return page(visit, "collection.html", info=info, found=found, q=q)


@router.post("/collections/{name}/remove")
async def remove(visit: Editing, name: Name) -> Response:
    """Delete a collection; pages cited by cases stay in the archive."""
    await api_collections.remove(name, visit)
    return RedirectResponse("/collections", 303)


async def _listed(
    visit: Acting, *, added: object = None, records: str = "", error: InputError | None = None
) -> Response:
    names = await accounts.seen_collections(visit.app, visit.person)
    infos = [await asyncio.to_thread(visit.app.collections.info, name) for name in names]
    shown = {"infos": infos, "added": added, "records": records, "error": error}
    return page(visit, "collections.html", status=422 if error else 200, **shown)
