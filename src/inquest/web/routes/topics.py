"""Topics of the newsroom and their watches."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Path, Response
from fastapi.responses import RedirectResponse

from inquest.api.access import Editing, Investigating, Reading
from inquest.app.access.ownership import seen_topic
from inquest.app.cases.case_request import TopicRequest
from inquest.app.desks import watching
from inquest.app.pages.desk_page import take_topic, topic_page, topics_page
from inquest.app.service.new_cases import open_new, owner_of
from inquest.domain.errors import InputError
from inquest.web.render import page, page_router

router = page_router()

Number = Annotated[int, Path(ge=1, le=2**63 - 1)]
_BACK = "/topics"


@router.get("/topics")
async def topics(visit: Reading) -> Response:
    """Show the table of topics."""
    return page(visit, "topics.html", topics=await topics_page(visit.app, visit.person), error=None)


@router.get("/topics/{topic_id}")
async def topic(visit: Reading, topic_id: Number) -> Response:
    """Show a topic with its investigations and the level after each."""
    seen = await seen_topic(visit.app, visit.person, topic_id)
    return page(visit, "topic.html", shown=await topic_page(visit.app, seen))


@router.post("/topics")
async def add(
    visit: Investigating,
    title: Annotated[str, Form(max_length=2_000)] = "",
    url: Annotated[str, Form(max_length=4_000)] = "",
) -> Response:
    """Add a topic."""
    try:
        await take_topic(visit.app, title, url, owner_of(visit.person))
    except InputError as error:
        return page(visit, "topics.html", status=422, topics=await topics_page(visit.app, visit.person), error=error)
    return RedirectResponse(_BACK, 303)


@router.post("/topics/{topic_id}/investigate")
async def investigate(visit: Investigating, topic_id: Number) -> Response:
    """Open a case on a topic; the plan waits for approval."""
    await seen_topic(visit.app, visit.person, topic_id)
    request = TopicRequest(topic=str(topic_id), again=True)
    case = await open_new(visit.app, visit.works, request, owner_of(visit.person))
    return RedirectResponse(f"/cases/{case.id}", 303)


@router.post("/topics/{topic_id}/watch")
async def watch(visit: Editing, topic_id: Number, every: Annotated[str, Form(max_length=20)] = "24h") -> Response:
    """Watch a topic."""
    topic = await seen_topic(visit.app, visit.person, topic_id)
    await watching.watch(visit.app, topic, every=watching.parse_every(every), by=visit.person.name)
    return RedirectResponse(_BACK, 303)


@router.post("/topics/{topic_id}/unwatch")
async def unwatch(visit: Editing, topic_id: Number) -> Response:
    """Stop watching a topic."""
    await watching.unwatch(visit.app, await seen_topic(visit.app, visit.person, topic_id))
    return RedirectResponse(_BACK, 303)
