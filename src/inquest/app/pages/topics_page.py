"""The topics of a newsroom as a page shows them: level, watch, and which call for an investigation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquest.app.access.ownership import seen_topics
from inquest.app.cases.reviewing import decisions_of
from inquest.app.cases.topic_records import investigations_of
from inquest.app.desks.topics import candidates, list_topics
from inquest.app.desks.watching import watched
from inquest.app.service.new_cases import Owner
from inquest.app.service.topics import add_rows
from inquest.domain.errors import InputError
from inquest.domain.person import Person
from inquest.domain.topic import Topic
from inquest.domain.topic_history import Investigation, Review, Watch

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_MOST = 500


@dataclass(frozen=True)
class TopicRow:
    """A topic, its watch, and whether the trigger rules call for an investigation."""

    topic: Topic
    watch: Watch | None
    wanted: bool


@dataclass(frozen=True)
class TopicsPage:
    """Topics, those that call for an investigation first, then the newest."""

    rows: tuple[TopicRow, ...]
    total: int


async def topics_page(app: Resources, person: Person) -> TopicsPage:
    """All that the person may see. Raises StorageError."""
    seen = await seen_topics(app, person)
    topics = await list_topics(app, seen)
    watches: Mapping[int | None, Watch] = {topic.id: watch for watch, topic in await watched(app)}
    calling = [each["topic_id"] for each in (await candidates(app, limit=100, seen=seen))["topics"]]
    rank = {number: place for place, number in enumerate(calling)}
    topics.sort(key=lambda each: (rank.get(each.id or 0, len(rank)), -(each.id or 0)))
    rows = tuple(TopicRow(each, watches.get(each.id), each.id in rank) for each in topics[:_MOST])
    return TopicsPage(rows, len(topics))


@dataclass(frozen=True)
class TopicStep:
    """One investigation, and what people decided on its level, oldest first."""

    investigation: Investigation
    reviews: tuple[Review, ...]


@dataclass(frozen=True)
class TopicPage:
    """A topic, its watch, and how its level came about, the latest first."""

    topic: Topic
    watch: Watch | None
    history: tuple[TopicStep, ...]


async def topic_page(app: Resources, topic: Topic) -> TopicPage:
    """The history of a kept topic that the person may see. Raises StorageError."""
    assert topic.id is not None
    found = await (await investigations_of(app)).of_topic(topic.id)
    history = [
        TopicStep(each, await decisions_of(app, each.case_id) if each.case_id else ())
        for each in sorted(found, key=lambda each: each.id, reverse=True)
    ]
    watches = {kept.id: watch for watch, kept in await watched(app)}
    return TopicPage(topic, watches.get(topic.id), tuple(history))


async def take_topic(app: Resources, title: str, url: str, owner: Owner) -> str:
    """Take a topic in, as the owner's; '' or what is to be known of it. Raises InputError where it is refused."""
    if not title.strip() and not url.strip():
        raise InputError("The topic has no title and no address.", advice="Give one of them.", field="title")
    row = {name: value.strip() for name, value in (("title", title), ("url", url)) if value.strip()}
    found = await add_rows(app, [row], owner)
    if found.refused:
        raise InputError(found.refused[0][1])
    return " ".join(note for _, note in found.notes)
