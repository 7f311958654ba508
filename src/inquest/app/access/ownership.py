"""Whose things are: what belongs to a team is there for its members and for nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.domain.errors import NotFound
from inquest.domain.person import Person

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources


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
