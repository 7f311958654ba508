"""Signing in and out, users, teams and tokens, and what of it is taken down."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from inquest.app.access.passwords import Passwords
from inquest.domain.errors import InputError, NotSignedIn
from inquest.domain.person import Credential, Person, Role, Team, User

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.store.service.rate_limits import RateLimits
    from inquest.store.service.users import Accounts


SESSION_FOR = timedelta(days=14)
TOKEN_PREFIX = "inq_"
TRIES_A_MINUTE, FROM_ONE_ADDRESS = 5, 60
"""How often a password may be tried for one name, and from one address: behind a proxy that is everybody's."""
LONGEST_NAME = 200


@dataclass(frozen=True)
class Shown:
    """A new session or token with its secret, which is shown this once."""

    credential: Credential
    secret: str


@dataclass(frozen=True)
class NewUser:
    """Somebody who is to be let in."""

    name: str
    role: Role = Role.INVESTIGATOR
    teams: Sequence[str] = ()
    password: str | None = None


async def accounts_of(app: Resources) -> Accounts:
    """The rows of users, teams, credentials and the audit log."""
    from inquest.store.service.users import Accounts

    return Accounts(await app.database())


async def limits_of(app: Resources) -> RateLimits:
    """How often somebody has asked."""
    from inquest.store.service.rate_limits import RateLimits

    return RateLimits(await app.database())


async def sign_in(app: Resources, passwords: Passwords, name: str, password: str, *, address: str) -> Shown:
    """A session for whoever knows the password. Raises NotSignedIn, which does not tell what was wrong;
    TooManyRequests, StorageError."""
    accounts, limits, now = await accounts_of(app), await limits_of(app), app.clock.now()
    await limits.count(f"sign-in {digest_of(name.casefold())[:16]}", TRIES_A_MINUTE, at=now)
    await limits.count(f"sign-in from {address}", FROM_ONE_ADDRESS, at=now)
    found = await accounts.password_of(name)
    if not await passwords.right(password, found[1] if found else None) or found is None:
        await accounts.note("sign-in refused", name[:LONGEST_NAME], by="", at=now, address=address)
        raise NotSignedIn("The name or the password is wrong.", advice="Try again, or ask an admin for a new password.")
    return await begin_session(app, await accounts.user_of(found[0]), address=address)


async def begin_session(app: Resources, user: User, *, address: str) -> Shown:
    """A session for a user who has proved who they are. Raises StorageError."""
    accounts, now = await accounts_of(app), app.clock.now()
    shown = await _kept(
        accounts,
        Credential(
            id=0,
            kind="session",
            user_id=user.id,
            name=address,
            scope=user.role,
            created_at=now,
            expires_at=now + SESSION_FOR,
        ),
    )
    await accounts.note("signed in", user.name, by=user.name, at=now, address=address)
    return shown


async def person_of(app: Resources, secret: str, *, kind: str) -> Person:
    """Whose session or token it is. Raises NotSignedIn, StorageError."""
    found = await (await accounts_of(app)).credential(digest_of(secret), at=app.clock.now())
    if found is None or found[0].kind != kind:
        raise NotSignedIn(f"This {kind} is unknown, expired or revoked.", advice="Sign in again, or make a new token.")
    credential, user = found
    # A session has the role of its user as it is now; a token never more than it was given.
    lends = user.role if kind == "session" else min(credential.scope, user.role, key=lambda role: role.rank)
    return Person(
        id=user.id,
        name=user.name,
        role=lends,
        teams=tuple(team.id for team in user.teams),
        how=credential.kind,
        credential=credential.id,
    )


async def add_user(app: Resources, passwords: Passwords, new: NewUser, *, by: str) -> User:
    """Let somebody in. Raises InputError, NotFound (a team), Conflict (the name is taken), StorageError."""
    name = named(new.name, "user")
    accounts, now = await accounts_of(app), app.clock.now()
    hashed = await passwords.hashed(new.password) if new.password is not None else None
    await _add_missing(app, new.teams, by=by)
    user = await accounts.add_user(name, new.role, at=now, password=hashed)
    if new.teams:
        user = await accounts.set_teams(user.id, new.teams)
    await accounts.note("user added", f"{name} ({new.role.value})", by=by, at=now)
    return user


@dataclass(frozen=True)
class AccountChanges:
    """What is to be otherwise with a user; None: as it is."""

    role: Role | None = None
    active: bool | None = None
    password: str | None = None
    teams: Sequence[str] | None = None


async def change_user(app: Resources, passwords: Passwords, name: str, changes: AccountChanges, *, by: str) -> User:
    """Change a user's role, teams or password, or shut them out. Raises InputError, NotFound, StorageError."""
    accounts, now = await accounts_of(app), app.clock.now()
    user = await accounts.user(name)
    values: dict[str, str | bool] = {}
    if changes.role is not None:
        values["role"] = changes.role.value
    if changes.active is not None:
        values["active"] = changes.active
    if changes.password is not None:
        values["password"] = await passwords.hashed(changes.password)
    if changes.teams is not None:
        await _add_missing(app, changes.teams, by=by)
        user = await accounts.set_teams(user.id, changes.teams)
    if values:
        user = await accounts.change_user(user.id, **values)
    told = [*sorted(values), *(["teams"] if changes.teams is not None else [])]
    await accounts.note("user changed", f"{user.name}: {', '.join(told)}", by=by, at=now)
    return user


async def add_team(app: Resources, name: str, *, by: str) -> Team:
    """A new team. Raises InputError, Conflict, StorageError."""
    name = named(name, "team")
    accounts, now = await accounts_of(app), app.clock.now()
    team = await accounts.add_team(name, at=now)
    await accounts.note("team added", name, by=by, at=now)
    return team


async def _add_missing(app: Resources, teams: Sequence[str], *, by: str) -> None:
    known = {team.name for team in await (await accounts_of(app)).teams()}
    for team in teams:
        if team not in known:
            await add_team(app, team, by=by)


def named(given: str, what: str, *, advice: str = "") -> str:
    """The name that a user, team, token or link is given. Raises InputError for none, or one that is too long."""
    name = " ".join(given.split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"A {what}'s name has 1 to {LONGEST_NAME} characters.", advice=advice, field="name")
    return name


async def add_token(app: Resources, user: User, name: str, *, scope: Role, days: int | None, by: str) -> Shown:
    """A token for programs, which lends at most the role `scope`; `days` until it expires, None: never. Raises
    InputError, StorageError."""
    name = named(name, "token", advice="Say what it is for.")
    if scope.rank > user.role.rank:
        raise InputError(
            f"{user.name} is {user.role.value}: a token cannot lend the role {scope.value}.", field="scope"
        )
    if days is not None and not 1 <= days <= 3650:
        raise InputError(f"{days} is no number of days for a token.", advice="Give one from 1 to 3650.")
    accounts, now = await accounts_of(app), app.clock.now()
    shown = await _kept(
        accounts,
        Credential(
            id=0,
            kind="token",
            user_id=user.id,
            name=name,
            scope=scope,
            created_at=now,
            expires_at=now + timedelta(days=days) if days is not None else None,
        ),
    )
    await accounts.note("token added", f"{shown.credential.id} {name} ({scope.value})", by=by, at=now)
    return shown


async def _kept(accounts: Accounts, credential: Credential) -> Shown:
    secret = (TOKEN_PREFIX if credential.kind == "token" else "") + secrets.token_urlsafe(32)
    return Shown(await accounts.add_credential(credential, digest_of(secret)), secret)


def digest_of(secret: str) -> str:
    """By what a secret of 256 random bits is known here: its SHA-256. The secret itself is kept nowhere."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
