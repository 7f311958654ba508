"""Users and programs that call the service, their roles, and links for readers without an account."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from inquest.domain.value import Value


class Role(StrEnum):
    """Roles in ascending order; each includes the rights of those before it."""

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
        """0 for the lowest role."""
        return tuple(Role).index(self)


class Person(Value):
    """The user or program that makes a request."""

    id: int | None = None
    """The user's number; None: the local user, over loopback."""
    name: str
    role: Role
    teams: tuple[int, ...] = ()
    """Numbers of the teams whose cases and collections are visible; an admin sees every team's."""
    how: Literal["loopback", "session", "token"] = "loopback"
    credential: int | None = None
    """The number of the session or token used."""

    def may(self, needed: Role) -> bool:
        """Return True if the role is at least the required one."""
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
    """A user account."""

    id: int
    name: str
    role: Role
    teams: tuple[Team, ...] = ()
    active: bool = True
    has_password: bool = False
    subject: str | None = None
    """The identity at the provider: issuer, a space, its `sub`."""
    created_at: datetime


class Credential(Value):
    """A session or token; only the digest of its secret is stored."""

    id: int
    kind: Literal["session", "token"]
    user_id: int
    name: str
    """The user's name for a token; for a session, where it began."""
    scope: Role
    """The highest role it grants, whatever the user's own."""
    created_at: datetime
    used_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


class AuditLine(Value):
    """One line of the audit log."""

    id: int
    at: datetime
    by: str
    action: str
    what: str
    address: str


class Share(Value):
    """A share link; only the digest of its secret is stored."""

    id: int
    case_id: str
    name: str
    """The recipient, as named by its creator."""
    by: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None
    used_at: datetime | None = None
    """When it was last opened, to the minute; None: never."""

    def ended(self, now: datetime) -> bool:
        """True once it is expired or revoked."""
        return self.revoked_at is not None or self.expires_at <= now
