"""Ownership of cases, collections and topics: those of a team are visible to its members only."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from inquest.app.access.accounts import accounts_of
from inquest.app.cases.topic_records import investigations_of, topics_of
from inquest.domain.errors import Conflict, NotFound
from inquest.domain.person import Person
from inquest.domain.topic import Topic
from inquest.store.accounts import CollectionOwners, TopicOwners

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.domain.investigation import Investigation


def team_of(person: Person, wanted: int | None) -> int | None:
    """Return the team that owns what the person creates: the requested one, or the person's first; None: the person
    alone. Raises NotFound for a team that the person is not in."""
    if wanted is None:
        return person.teams[0] if person.teams else None
    if not person.sees_all and wanted not in person.teams:
        raise NotFound(f"There is no team {wanted} here.", advice="GET /api/v1/me lists your teams.")
    return wanted


async def require_team(app: Resources, team_id: int) -> None:
    """Raise NotFound for an unknown team, StorageError."""
    if team_id not in [team.id for team in await (await accounts_of(app)).teams()]:
        raise NotFound(f"There is no team {team_id} here.", advice="GET /api/v1/teams lists them.")


async def team_for(app: Resources, person: Person, wanted: int | None) -> int | None:
    """Like `team_of`, but an admin may name any existing team. Raises NotFound, StorageError."""
    team_id = team_of(person, wanted)
    if wanted is not None and person.sees_all:
        await require_team(app, wanted)
    return team_id


def is_theirs(person: Person, team_id: int | None, by: str) -> bool:
    """Return True for something that belongs to one of the person's teams, or to no team and was created by the
    person."""
    return by == person.name if team_id is None else team_id in person.teams


async def seen_collections(app: Resources, person: Person) -> list[str]:
    """Return the names of collections that the person may see; an admin sees all. Raises StorageError."""
    await app.collections.refresh()
    names = app.collections.names()
    if person.sees_all:
        return list(names)
    owned = await CollectionOwners(await app.database()).all()
    return [name for name in names if name in owned and is_theirs(person, *owned[name])]


async def require_collections(app: Resources, person: Person, names: Sequence[str]) -> None:
    """Raise NotFound for the first collection that the person may not see, as if it did not exist."""
    if not names:
        return
    seen = await seen_collections(app, person)
    for name in names:
        if name not in seen:
            raise NotFound(f"There is no collection '{name[:200]}'.", advice="GET /api/v1/collections lists yours.")
    await app.collections.refresh(*names)


async def claim_collection(app: Resources, person: Person, name: str, team_id: int | None) -> None:
    """Make a new collection the team's; an existing one must be visible to the person. Raises NotFound (the team),
    Conflict if the name is taken, StorageError."""
    await app.collections.refresh()
    if name in app.collections.names():
        if name not in await seen_collections(app, person):
            raise Conflict(f"The name '{name[:200]}' is taken.", advice="Choose another.")
        return
    await CollectionOwners(await app.database()).put(name, await team_for(app, person, team_id), person.name)


async def give_collection(app: Resources, person: Person, name: str, team_id: int) -> None:
    """Transfer an existing collection to a team. Raises NotFound, StorageError."""
    await require_collections(app, person, [name])
    await require_team(app, team_id)
    await CollectionOwners(await app.database()).put(name, team_id, person.name)


async def disown_collection(app: Resources, name: str) -> None:
    """Remove the owner of a deleted collection. Raises StorageError."""
    await CollectionOwners(await app.database()).remove(name)


async def seen_topics(app: Resources, person: Person) -> Container[int | None] | None:
    """Return the numbers of topics that the person may see; None: all, for an admin. Raises StorageError."""
    return None if person.sees_all else await TopicOwners(await app.database()).owned(person.teams, person.name)


async def seen_topic(app: Resources, person: Person, topic_id: int) -> Topic:
    """Return a topic that the person may see. Raises NotFound, also for another team's, StorageError."""
    if not person.sees_all:
        owner = await TopicOwners(await app.database()).owner(topic_id)
        if owner is None or not is_theirs(person, *owner):
            raise NotFound(f"There is no topic {topic_id} here.", advice="GET /api/v1/topics lists them.")
    return await (await topics_of(app)).get(topic_id)


async def seen_investigation(app: Resources, person: Person, investigation_id: int) -> Investigation:
    """Return an investigation whose topic the person may see. Raises NotFound, StorageError."""
    found = await (await investigations_of(app)).get(investigation_id)
    try:
        await seen_topic(app, person, found.topic_id)
    except NotFound:
        raise NotFound(f"There is no investigation {investigation_id} here.") from None
    return found


async def own_topic(app: Resources, topic: Topic, team_id: int | None, by: str) -> None:
    """Make a stored topic the team's, or this person's, unless it has an owner."""
    assert topic.id is not None
    await TopicOwners(await app.database()).put(topic.id, team_id, by)
