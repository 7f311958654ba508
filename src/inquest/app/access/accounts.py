"""Users, sign-in, passwords, tokens, and links for readers."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from inquest.domain.case import Case
from inquest.domain.errors import Conflict, InputError, NotFound, NotSignedIn
from inquest.domain.person import Credential, Person, Role, Share, Team, User

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from inquest.app.wiring.resources import Resources
    from inquest.store.accounts import Accounts, Shares
    from inquest.store.requests import RateLimits


SHORTEST, MOST = 12, 1024
"""Characters of a password (NIST SP 800-63B asks for at least 8, and 15 where it is the only factor)."""
_AT_ONCE = 2


class Passwords:
    """Makes and checks hashes. One for each server."""

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def hashed(self, password: str) -> str:
        """The hash to keep. Raises InputError for a password that is too short or too long."""
        if not SHORTEST <= len(password) <= MOST:
            raise InputError(
                f"A password has {SHORTEST} to {MOST:,} characters.",
                advice="A sentence that only you know is best.",
                field="password",
            )
        async with self._room:
            return await asyncio.to_thread(_hasher().hash, password)

    async def right(self, password: str, kept: str | None) -> bool:
        """True where it is the password. Where there is none to compare with it takes as long and is false, so that
        the time does not tell who is a user."""
        if len(password) > MOST:
            return False
        async with self._room:
            return await asyncio.to_thread(_verified, password, kept)


def _verified(password: str, kept: str | None) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        matches = _hasher().verify(kept or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return matches and kept is not None


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()  # RFC 9106, low-memory recommendation


@cache
def _nobodys() -> str:
    return _hasher().hash("the password of nobody")


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
    from inquest.store.accounts import Accounts

    return Accounts(await app.database())


async def limits_of(app: Resources) -> RateLimits:
    """How often somebody has asked."""
    from inquest.store.requests import RateLimits

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
    changed = [*sorted(values), *(["teams"] if changes.teams is not None else [])]
    await accounts.note("user changed", f"{user.name}: {', '.join(changed)}", by=by, at=now)
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


LONGEST_DAYS, USUAL_DAYS = 365, 30
OPENED_A_MINUTE = 300
"""How often one link may be opened: a report that many read, and no more."""


@dataclass(frozen=True)
class NewShare:
    """A new link with its secret, which is shown this once."""

    share: Share
    secret: str

    @property
    def path(self) -> str:
        """Where on this server it leads."""
        return f"/shared/{self.secret}"


async def add_share(app: Resources, case: Case, name: str, *, days: int, by: str) -> NewShare:
    """A link to a case for so many days. Raises InputError, Conflict where the case has no report yet, StorageError."""
    called = named(name, "link", advice="Say who it is for.")
    if not 1 <= days <= LONGEST_DAYS:
        raise InputError(f"{days} is no number of days for a link.", advice=f"Give one from 1 to {LONGEST_DAYS}.")
    if case.summary is None:
        raise Conflict(f"The case {case.id} has no report to share.", advice="Wait until it has ended with one.")
    now, secret = app.clock.now(), secrets.token_urlsafe(32)
    share = Share(id=0, case_id=case.id, name=called, by=by, created_at=now, expires_at=now + timedelta(days=days))
    kept = await (await _shares(app)).add(share, digest_of(secret))
    await (await accounts_of(app)).note("link made", f"{case.id} {kept.id} for {called}", by=by, at=now)
    return NewShare(kept, secret)


async def shares_of(app: Resources, case: Case) -> list[Share]:
    """All links to a case, newest first; those that have ended too. Raises StorageError."""
    return await (await _shares(app)).of_case(case.id)


async def revoke_share(app: Resources, case: Case, number: int, *, by: str) -> Share:
    """End a link. Raises NotFound, StorageError."""
    now = app.clock.now()
    share = await (await _shares(app)).revoke(case.id, number, at=now)
    await (await accounts_of(app)).note("link revoked", f"{case.id} {share.id} for {share.name}", by=by, at=now)
    return share


async def opened_share(app: Resources, secret: str) -> tuple[Share, Case]:
    """The link with this secret and the one case that it opens. Raises NotFound where there is none or it has ended,
    which is not distinguished; TooManyRequests, StorageError."""
    now = app.clock.now()
    share = await (await _shares(app)).opened(digest_of(secret), at=now)
    if share is None:
        raise NotFound("This link opens nothing: it has expired, or was revoked.", advice="Ask whoever sent it to you.")
    await (await limits_of(app)).count(f"link {share.id}", OPENED_A_MINUTE, at=now)
    return share, await app.case(share.case_id)


async def _shares(app: Resources) -> Shares:
    from inquest.store.accounts import Shares

    return Shares(await app.database())
