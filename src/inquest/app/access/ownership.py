"""Whose things are: what belongs to a team is there for its members and for nobody else."""

from __future__ import annotations

from inquest.domain.errors import NotFound
from inquest.domain.person import Person


def team_of(person: Person, wanted: int | None) -> int | None:
    """The team that a new thing is to belong to: the one that is wanted, or the person's first; None: the person's
    alone. Raises NotFound for a team that the person is not in."""
    if wanted is None:
        return person.teams[0] if person.teams else None
    if not person.sees_all and wanted not in person.teams:
        raise NotFound(f"There is no team {wanted} here.", advice="GET /api/v1/me lists your teams.")
    return wanted


def is_theirs(person: Person, team_id: int | None, by: str) -> bool:
    """True for what belongs to a team of the person, or to no team and was made by them."""
    return by == person.name if team_id is None else team_id in person.teams
