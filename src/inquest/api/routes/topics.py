"""Topics: adding, investigating, reviewing and watching them; and the three endpoints of spec 001."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from inquest.api.access import Acting, CurrentPerson, Editing, Investigating, Opened, SeenCase, Serving
from inquest.api.problems import problems
from inquest.api.shapes import Body, Number
from inquest.app.access.accounts import seen_investigation, seen_topic, seen_topics
from inquest.app.cases.case_request import Short
from inquest.app.cases.topic_records import review, reviews_json
from inquest.app.desks import watching
from inquest.app.desks.topics import (
    CandidatesFound,
    InvestigationBegun,
    candidates,
    investigation_json,
    list_topics,
    topic_json,
)
from inquest.app.service.case_actions import add_rows, begin_investigation, owner_of
from inquest.app.tools.for_models import fit
from inquest.domain.case import Case
from inquest.domain.investigation import Watch
from inquest.domain.topic import Topic

router = APIRouter(tags=["topics"])
spec_001 = APIRouter(prefix="/api/investigations", tags=["investigations (spec 001)"])


class TopicRows(Body):
    """Topics, each with a title or a URL, and with a text, dates and the like if known."""

    topics: list[dict[str, Any]] = Field(
        min_length=1, max_length=1000, examples=[[{"title": "Dockers walk out", "url": "https://example.org/a"}]]
    )


class TopicsAdded(BaseModel):
    """The result of adding topics."""

    added: list[dict[str, Any]]
    known: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    notes: list[dict[str, Any]]


class TopicList(BaseModel):
    """Topics in the order in which they were added."""

    topics: list[dict[str, Any]]
    total: int


class TopicShape(BaseModel):
    """A topic."""

    model_config = ConfigDict(extra="allow")

    topic_id: int
    title: str


class ReviewBody(Body):
    """A person's decision on the level that an investigation recommends."""

    decision: Literal["accept", "overrule"] = Field(examples=["accept"])
    level: Literal["unverified", "verified", "certified"] | None = Field(None, description="with overrule")
    why: Annotated[str, Field(max_length=5_000)] = ""


class Reviews(BaseModel):
    """Every decision, oldest first, and the topic's level now."""

    model_config = ConfigDict(extra="allow")

    case_id: str
    topic_id: int
    level_now: str
    reviews: list[dict[str, Any]]


class WatchBody(Body):
    """The interval between runs of a watch."""

    every: Short = Field("24h", examples=["24h", "7d"])


class WatchShape(BaseModel):
    """A watch, either of a topic or of a case."""

    model_config = ConfigDict(extra="allow")

    topic_id: int | None
    watched_case: str | None
    title: str


class Watches(BaseModel):
    """Watches, the next one first."""

    watches: list[WatchShape]


class InvestigationBody(Body):
    """A topic to investigate."""

    topic_id: Number = Field(examples=[17])
    priority: Literal["high", "normal", "low"] | None = None


class InvestigationShape(BaseModel):
    """The state of an investigation, and its result."""

    model_config = ConfigDict(extra="allow")

    id: int
    topic_id: int
    status: str
    sources_found: int
    verification_upgraded: bool
    new_verification_level: str


@router.post("/topics", status_code=201, responses=problems())
async def add_topics(body: TopicRows, acting: Investigating) -> TopicsAdded:
    """Add topics for your team. Invalid rows are refused separately."""
    return TopicsAdded(**fit((await add_rows(acting.app, body.topics, owner_of(acting.person))).json))


@router.get("/topics", responses=problems())
async def topics(
    person: CurrentPerson,
    app: Opened,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> TopicList:
    """The topics that you may see, in the order in which they were added."""
    found = await list_topics(app, await seen_topics(app, person))
    return TopicList(topics=[fit(topic_json(each)) for each in found[offset : offset + limit]], total=len(found))


@router.get("/topics/{topic_id}", responses=problems(404))
async def topic(topic_id: Number, person: CurrentPerson, app: Opened) -> TopicShape:
    """One topic."""
    return TopicShape(**fit(topic_json(await seen_topic(app, person, topic_id))))


@router.get("/cases/{case_id}/reviews", responses=problems(404))
async def reviews(case: SeenCase, app: Opened) -> Reviews:
    """The decisions on the level of a topic's case, and what to review."""
    return Reviews(**fit(await reviews_json(app, case.id)))


@router.post("/cases/{case_id}/reviews", status_code=201, responses=problems(404))
async def add_review(body: ReviewBody, case: SeenCase, acting: Editing) -> Reviews:
    """Accept the level that an investigation recommends, or decide on another. The decision is never deleted."""
    await review(
        acting.app,
        case.id,
        by=acting.person.name,
        accept=body.decision == "accept",
        overrule=body.level if body.decision == "overrule" else None,
        why=body.why,
    )
    return Reviews(**fit(await reviews_json(acting.app, case.id)))


@router.get("/watches", responses=problems())
async def watches(person: CurrentPerson, app: Opened) -> Watches:
    """The watched topics and cases that you may see."""
    return Watches(watches=[_shape(*each) for each in await watching.seen_watches(app, person)])


@router.put("/topics/{topic_id}/watch", responses=problems(404))
async def watch(topic_id: Number, body: WatchBody, acting: Editing) -> WatchShape:
    """Investigate a topic regularly from now on, through `inquest watch --run`."""
    return await _watch(acting, await seen_topic(acting.app, acting.person, topic_id), body)


@router.put("/cases/{case_id}/watch", responses=problems(404))
async def watch_case(case: SeenCase, body: WatchBody, acting: Editing) -> WatchShape:
    """Run a finished check, inquiry or audit again regularly, through `inquest watch --run`. For a topic's case,
    the topic is watched."""
    return await _watch(acting, await watching.watchable(acting.app, case.id), body)


@router.delete("/cases/{case_id}/watch", status_code=204, responses=problems(404))
async def unwatch_case(case: SeenCase, acting: Editing) -> None:
    """Stop watching a case; it and its later runs remain."""
    await watching.unwatch(acting.app, case)


@router.delete("/topics/{topic_id}/watch", status_code=204, responses=problems(404))
async def unwatch(topic_id: Number, acting: Editing) -> None:
    """Stop watching a topic; it and its investigations remain."""
    await watching.unwatch(acting.app, await seen_topic(acting.app, acting.person, topic_id))


@spec_001.post("/", status_code=202, responses=problems(404, 409))
async def start(
    body: InvestigationBody,
    acting: Investigating,
    serving: Serving,
    again: Annotated[bool, Query(description="even if the trigger rules do not require it")] = False,
) -> InvestigationBegun:
    """Begin the investigation of a topic and reply at once."""
    await seen_topic(acting.app, acting.person, body.topic_id)
    fields, owner, background = body.model_dump(exclude_none=True), owner_of(acting.person), serving.in_background
    return await begin_investigation(acting.app, acting.works, fields, owner, background, again)


@spec_001.get("/candidates", responses=problems())
async def list_candidates(
    person: CurrentPerson, app: Opened, limit: Annotated[int, Query(ge=1, le=1000)] = 20
) -> CandidatesFound:
    """Topics that need an investigation, most urgent and newsworthy first."""
    return await candidates(app, limit=limit, seen=await seen_topics(app, person))


@spec_001.get("/{investigation_id}", responses=problems(404))
async def investigation(investigation_id: Number, person: CurrentPerson, app: Opened) -> InvestigationShape:
    """The state of an investigation, and its result."""
    return InvestigationShape(**fit(investigation_json(await seen_investigation(app, person, investigation_id))))


async def _watch(acting: Acting, subject: Topic | Case, body: WatchBody) -> WatchShape:
    every = watching.parse_every(body.every)
    kept, _ = await watching.watch(acting.app, subject, every=every, by=acting.person.name)
    return _shape(kept, subject)


def _shape(watch: Watch, subject: Topic | Case) -> WatchShape:
    title = watching.described(subject)["title"]
    return WatchShape(**fit(watch.model_dump(mode="json") | {"title": title}))
