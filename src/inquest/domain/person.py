"""A person or program that asks the service for something, what their role lets them do, and links for those without
an account."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from inquest.domain.value import Value


class Role(StrEnum):
    """Each role may do what those before it may."""

    READER = "reader"
    """Reads cases, reports and pages."""
    INVESTIGATOR = "investigator"
    """Opens cases, decides on their plans, stops and resumes them."""
    EDITOR = "editor"
    """Reviews levels, deletes cases, keeps collections, topics and callbacks."""
    ADMIN = "admin"
    """Keeps users, teams and tokens, and sees every team's cases."""

    @property
    def rank(self) -> int:
        """0 for the role that may least."""
        return tuple(Role).index(self)


class Person(Value):
    """Whoever a request comes from."""

    id: int | None = None
    """The number of the user; None: the user of this machine, at the loopback."""
    name: str
    role: Role
    teams: tuple[int, ...] = ()
    """Numbers of the teams whose cases and collections they see; an admin sees every team's."""
    how: Literal["loopback", "session", "token"] = "loopback"
    credential: int | None = None
    """The number of the session or token that was shown."""

    def may(self, needed: Role) -> bool:
        """True where the role is the needed one or above it."""
        return self.role.rank >= needed.rank

    @property
    def sees_all(self) -> bool:
        """True for an admin, whose view is of every team."""
        return self.role is Role.ADMIN


class Team(Value):
    """People who share cases and collections."""

    id: int
    name: str


class User(Value):
    """Somebody who may sign in."""

    id: int
    name: str
    role: Role
    teams: tuple[Team, ...] = ()
    active: bool = True
    has_password: bool = False
    subject: str | None = None
    """Who the identity provider says it is: issuer, a space, its `sub`."""
    created_at: datetime


class Credential(Value):
    """A session or a token; what it is proved with is never kept, only its digest."""

    id: int
    kind: Literal["session", "token"]
    user_id: int
    name: str
    """What the user calls a token; of a session where it began."""
    scope: Role
    """The highest role that it lends, whatever the user's own is."""
    created_at: datetime
    used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


class AuditLine(Value):
    """One thing that somebody did."""

    id: int
    at: datetime
    by: str
    action: str
    what: str
    address: str


class Share(Value):
    """One link. What it is proved with is never kept, only its digest."""

    id: int
    case_id: str
    name: str
    """Who it is for, as whoever made it calls them."""
    by: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    used_at: datetime | None = None
    """When it was last opened, to the minute; None: never."""

    def ended(self, now: datetime) -> bool:
        """True once it opens nothing any more."""
        return self.revoked_at is not None or self.expires_at <= now
