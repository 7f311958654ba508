"""Whose things are: what belongs to a team is there for its members and for nobody else."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from inquest.app.cases.topic_records import investigations_of, topics_of
from inquest.domain.errors import Conflict, NotFound
from inquest.domain.person import Person
from inquest.domain.topic import Topic

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.domain.topic_history import Investigation
    from inquest.store.accounts import CollectionOwners, TopicOwners


def team_of(person: Person, wanted: int | None) -> int | None:
    """The team that a new thing is to belong to: the one that is wanted, or the person's first; None: the person's
    alone. Raises NotFound for a team that the person is not in."""
    if wanted is None:
        return person.teams[0] if person.teams else None
    if not person.sees_all and wanted not in person.teams:
        raise NotFound(f"There is no team {wanted} here.", advice="GET /api/v1/me lists your teams.")
    return wanted


async def require_team(app: Resources, team_id: int) -> None:
    """Raises NotFound for a team that there is not, StorageError."""
    from inquest.app.access.accounts import accounts_of

    if team_id not in [team.id for team in await (await accounts_of(app)).teams()]:
        raise NotFound(f"There is no team {team_id} here.", advice="GET /api/v1/teams lists them.")


async def team_for(app: Resources, person: Person, wanted: int | None) -> int | None:
    """As `team_of`; an admin, who is in no team, may name any that there is. Raises NotFound, StorageError."""
    team_id = team_of(person, wanted)
    if wanted is not None and person.sees_all:
        await require_team(app, wanted)
    return team_id


def is_theirs(person: Person, team_id: int | None, by: str) -> bool:
    """True for what belongs to a team of the person, or to no team and was made by them."""
    return by == person.name if team_id is None else team_id in person.teams


async def _collection_owners(app: Resources) -> CollectionOwners:
    from inquest.store.accounts import CollectionOwners

    return CollectionOwners(await app.database())


async def seen_collections(app: Resources, person: Person) -> list[str]:
    """The names that the person may see: their teams' and their own; an admin's are all. Raises StorageError."""
    await app.collections.refresh()
    names = app.collections.names()
    if person.sees_all:
        return list(names)
    owned = await (await _collection_owners(app)).all()
    return [name for name in names if name in owned and is_theirs(person, *owned[name])]


async def require_collections(app: Resources, person: Person, names: Sequence[str]) -> None:
    """Raises NotFound for the first that the person may not see, in the words for one that is not there."""
    if not names:
        return
    seen = await seen_collections(app, person)
    for name in names:
        if name not in seen:
            raise NotFound(f"There is no collection '{name[:200]}'.", advice="GET /api/v1/collections lists yours.")
    await app.collections.refresh(*names)


async def claim_collection(app: Resources, person: Person, name: str, team_id: int | None) -> None:
    """Have a collection that is to be filled belong to the person's team, or see that it does already. Raises NotFound
    (the team), Conflict where the name is another team's, StorageError."""
    await app.collections.refresh()
    if name in app.collections.names():
        if name not in await seen_collections(app, person):
            raise Conflict(f"The name '{name[:200]}' is taken.", advice="Choose another.")
        return
    await (await _collection_owners(app)).put(name, await team_for(app, person, team_id), person.name)


async def give_collection(app: Resources, person: Person, name: str, team_id: int) -> None:
    """Have a collection that is there belong to a team. Raises NotFound, StorageError."""
    await require_collections(app, person, [name])
    await require_team(app, team_id)
    await (await _collection_owners(app)).put(name, team_id, person.name)


async def disown_collection(app: Resources, name: str) -> None:
    """The collection is gone. Raises StorageError."""
    await (await _collection_owners(app)).remove(name)


async def _topic_owners(app: Resources) -> TopicOwners:
    from inquest.store.accounts import TopicOwners

    return TopicOwners(await app.database())


async def seen_topics(app: Resources, person: Person) -> Container[int | None] | None:
    """Numbers of the topics that the person may see; None: an admin's are all. Raises StorageError."""
    return None if person.sees_all else await (await _topic_owners(app)).owned(person.teams, person.name)


async def seen_topic(app: Resources, person: Person, topic_id: int) -> Topic:
    """The topic, where the person may see it; another team's is not there. Raises NotFound, StorageError."""
    if not person.sees_all:
        owner = await (await _topic_owners(app)).owner(topic_id)
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
    """Have a kept topic belong to a team, or to this person alone, unless it belongs to somebody."""
    assert topic.id is not None
    await (await _topic_owners(app)).put(topic.id, team_id, by)
