"""Whose topics are whose. Two teams that take in the same story have a topic each: what one finds out of it is not told
to the other."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from inquest.app.access.ownership import is_theirs
from inquest.app.cases.topic_records import investigations_of, topics_of
from inquest.domain.errors import NotFound
from inquest.domain.person import Person
from inquest.domain.topic import Topic

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.domain.topic_history import Investigation
    from inquest.store.service.topic_owners import TopicOwners


async def _owners(app: Resources) -> TopicOwners:
    from inquest.store.service.topic_owners import TopicOwners

    return TopicOwners(await app.database())


async def seen_topics(app: Resources, person: Person) -> Container[int | None] | None:
    """Numbers of the topics that the person may see; None: an admin's are all. Raises StorageError."""
    return None if person.sees_all else await (await _owners(app)).owned(person.teams, person.name)


async def seen_topic(app: Resources, person: Person, topic_id: int) -> Topic:
    """The topic, where the person may see it; another team's is not there. Raises NotFound, StorageError."""
    if not person.sees_all:
        owner = await (await _owners(app)).owner(topic_id)
        if owner is None or not is_theirs(person, *owner):
            raise NotFound(f"There is no topic {topic_id} here.", advice="GET /api/v1/topics lists those there are.")
    return await (await topics_of(app)).get(topic_id)


async def seen_investigation(app: Resources, person: Person, investigation_id: int) -> Investigation:
    """The investigation, where the person may see its topic. Raises NotFound, StorageError."""
    found = await (await investigations_of(app)).get(investigation_id)
    try:
        await seen_topic(app, person, found.topic_id)
    except NotFound:
        raise NotFound(f"There is no investigation {investigation_id} here.") from None
    return found


async def own_topic(app: Resources, topic: Topic, team_id: int | None, by: str) -> None:
    """Have a kept topic belong to a team, or to this person alone, unless it belongs to somebody. Raises
    StorageError."""
    assert topic.id is not None
    await (await _owners(app)).put(topic.id, team_id, by)
