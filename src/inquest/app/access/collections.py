"""Whose collections are whose: what a team put in is asked by its members and by nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inquest.app.access.ownership import is_theirs, require_team, team_for
from inquest.domain.errors import Conflict, NotFound
from inquest.domain.person import Person

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.store.service.collection_owners import CollectionOwners


async def _owners(app: Resources) -> CollectionOwners:
    from inquest.store.service.collection_owners import CollectionOwners

    return CollectionOwners(await app.database())


async def seen_collections(app: Resources, person: Person) -> list[str]:
    """The names that the person may see: their teams' and their own; an admin's are all. Raises StorageError."""
    await app.collections.refresh()
    names = app.collections.names()
    if person.sees_all:
        return list(names)
    owned = await (await _owners(app)).all()
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
    await (await _owners(app)).put(name, await team_for(app, person, team_id), person.name)


async def give_collection(app: Resources, person: Person, name: str, team_id: int) -> None:
    """Have a collection that is there belong to a team. Raises NotFound, StorageError."""
    await require_collections(app, person, [name])
    await require_team(app, team_id)
    await (await _owners(app)).put(name, team_id, person.name)


async def disown_collection(app: Resources, name: str) -> None:
    """The collection is gone. Raises StorageError."""
    await (await _owners(app)).remove(name)
