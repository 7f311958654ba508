"""Users, sign-in, passwords, tokens, links for readers, and ownership: what belongs to a team only its members see."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Container, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from inquest.app.cases.case_request import Short
from inquest.app.cases.topic_records import investigations_of, topics_of
from inquest.domain.case import Case
from inquest.domain.errors import Conflict, InputError, NotFound, NotSignedIn
from inquest.domain.person import Credential, Person, Role, Share, Team, User
from inquest.domain.topic import Topic
from inquest.store.accounts import Accounts, Owners, Shares
from inquest.store.quotas import RateLimits
from inquest.store.tables import collection_owners, topic_owners

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from inquest.app.wiring.resources import Resources
    from inquest.domain.investigation import Investigation

SHORTEST, MOST = 12, 1024
"""Minimum and maximum length of a password in characters (NIST SP 800-63B asks for at least 8, or 15 as the only
factor)."""
_AT_ONCE = 2
"""Passwords hashed at a time: each takes much memory."""


async def _hashed(password: str) -> str:
    """Return the hash of a password. Raises InputError if it is too short or too long."""
    if not SHORTEST <= len(password) <= MOST:
        raise InputError(
            f"Invalid password: expected {SHORTEST} to {MOST:,} characters.",
            advice="A sentence that only you know is best.",
            field="password",
        )
    return await asyncio.get_running_loop().run_in_executor(_threads(), _hasher().hash, password)


async def _is_right(password: str, kept: str | None) -> bool:
    """Return True if the password matches. Without a stored hash it takes just as long, so that the time does not
    reveal which users exist."""
    if len(password) > MOST:
        return False
    return await asyncio.get_running_loop().run_in_executor(_threads(), _verified, password, kept)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="passwords")


def _verified(password: str, kept: str | None) -> bool:
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        matches = _hasher().verify(kept or _dummy_hash(), password)
    except (VerificationError, InvalidHashError):
        return False
    return matches and kept is not None


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()  # RFC 9106, low-memory recommendation


@cache
def _dummy_hash() -> str:
    return _hasher().hash("not a password")


SESSION_FOR = timedelta(days=14)
TOKEN_PREFIX = "inq_"
TRIES_A_MINUTE, FROM_ONE_ADDRESS = 5, 60
"""Sign-in attempts per minute for one name, and from one address, which all users may share behind a proxy."""
LONGEST_NAME = 200


@dataclass(frozen=True)
class Shown:
    """A new session or token with its secret, which is shown only once."""

    credential: Credential
    secret: str


async def accounts_of(app: Resources) -> Accounts:
    """Return the store of users, teams, credentials and the audit log."""
    return Accounts(await app.database())


async def limits_of(app: Resources) -> RateLimits:
    """Return the rate limits."""
    return RateLimits(await app.database())


async def sign_in(app: Resources, name: str, password: str, *, address: str) -> Shown:
    """Open a session by name and password. Raises NotSignedIn (for either), TooManyRequests, StorageError."""
    accounts, limits, now = await accounts_of(app), await limits_of(app), app.clock.now()
    await limits.count(f"sign-in {digest_of(name.casefold())[:16]}", TRIES_A_MINUTE, at=now)
    await limits.count(f"sign-in from {address}", FROM_ONE_ADDRESS, at=now)
    found = await accounts.password_of(name)
    if not await _is_right(password, found[1] if found else None) or found is None:
        await accounts.note("sign-in refused", name[:LONGEST_NAME], by="", at=now, address=address)
        raise NotSignedIn("The name or the password is wrong.", advice="Try again, or ask an admin for a new password.")
    return await begin_session(app, await accounts.user_of(found[0]), address=address)


async def begin_session(app: Resources, user: User, *, address: str) -> Shown:
    """Open a session for an authenticated user. Raises StorageError."""
    now = app.clock.now()
    shown = await _kept(app, user, "session", {"name": address, "scope": user.role, "expires_at": now + SESSION_FOR})
    await (await accounts_of(app)).note("signed in", user.name, by=user.name, at=now, address=address)
    return shown


async def person_of(app: Resources, secret: str, *, kind: str) -> Person:
    """Return the person behind a session or token. Raises NotSignedIn, StorageError."""
    found = await (await accounts_of(app)).credential(digest_of(secret), at=app.clock.now())
    if found is None or found[0].kind != kind:
        raise NotSignedIn(f"This {kind} is unknown, expired or revoked.", advice="Sign in again, or make a new token.")
    credential, user = found
    # A session has the current role of its user; a token at most its scope.
    role = user.role if kind == "session" else min(credential.scope, user.role, key=lambda each: each.rank)
    return Person(
        id=user.id,
        name=user.name,
        role=role,
        teams=tuple(team.id for team in user.teams),
        how=credential.kind,
        credential=credential.id,
    )


async def add_user(
    app: Resources, name: str, role: Role, *, teams: Sequence[str] = (), password: str | None, by: str
) -> User:
    """Add a user, and teams that do not exist yet. Raises InputError, Conflict (name taken), StorageError."""
    name = named(name, "user")
    accounts, now = await accounts_of(app), app.clock.now()
    hashed = await _hashed(password) if password is not None else None
    await _add_missing(app, teams, by=by)
    user = await accounts.add_user(name, role, at=now, password=hashed)
    if teams:
        user = await accounts.set_teams(user.id, teams)
    await accounts.note("user added", f"{name} ({role.value})", by=by, at=now)
    return user


class AccountChanges(BaseModel, extra="forbid"):
    """New values for a user; a missing one changes nothing."""

    role: Role | None = Field(None, examples=["editor"])
    active: bool | None = Field(None, description="false: signed out everywhere and locked")
    teams: list[Short] | None = Field(None, max_length=50)
    password: str | None = Field(None, max_length=MOST)


async def change_user(app: Resources, name: str, changes: AccountChanges, *, by: str) -> User:
    """Change a user's role, teams or password, or deactivate them. Raises InputError, NotFound, StorageError."""
    accounts, now = await accounts_of(app), app.clock.now()
    user = await accounts.user(name)
    given: dict[str, str | bool | None] = {"role": changes.role and changes.role.value, "active": changes.active}
    new = {name: value for name, value in given.items() if value not in (None, getattr(user, name))}
    changed = [f"role {new['role']}"] if "role" in new else []
    changed += ["activated" if new["active"] else "deactivated"] if "active" in new else []
    if changes.password is not None:
        new["password"] = await _hashed(changes.password)
        changed.append("password")
    if changes.teams is not None:
        await _add_missing(app, changes.teams, by=by)
        user = await accounts.set_teams(user.id, changes.teams)
        changed.append(f"teams {', '.join(changes.teams) or 'none'}")
    if new:
        user = await accounts.change_user(user.id, **new)
    await accounts.note("user changed", f"{user.name}: {', '.join(changed)}", by=by, at=now)
    return user


async def add_team(app: Resources, name: str, *, by: str) -> Team:
    """Add a team. Raises InputError, Conflict, StorageError."""
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
    """Return the name of a user, team, token or link with single spaces. Raises InputError if empty or too long."""
    name = " ".join(given.split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"Invalid {what} name: expected 1 to {LONGEST_NAME} characters.", advice=advice, field="name")
    return name


async def add_token(app: Resources, user: User, name: str, *, scope: Role, days: int | None, by: str) -> Shown:
    """Add a token with at most the role `scope`, for `days` (None: for ever). Raises InputError, StorageError."""
    name = named(name, "token", advice="Write what it is for.")
    if scope.rank > user.role.rank:
        raise InputError(f"Invalid scope {scope.value}: {user.name} has the role {user.role.value}.", field="scope")
    if days is not None and not 1 <= days <= 3650:
        raise InputError(f"Invalid days {days}: expected 1 to 3650 for a token.")
    now = app.clock.now()
    ends = now + timedelta(days=days) if days is not None else None
    shown = await _kept(app, user, "token", {"name": name, "scope": scope, "expires_at": ends})
    await (await accounts_of(app)).note("token added", f"{shown.credential.id} {name} ({scope.value})", by=by, at=now)
    return shown


async def _kept(app: Resources, user: User, kind: str, fields: dict[str, Any]) -> Shown:
    made = Credential.model_validate(
        {"id": 0, "kind": kind, "user_id": user.id, "created_at": app.clock.now(), **fields}
    )
    secret = (TOKEN_PREFIX if kind == "token" else "") + secrets.token_urlsafe(32)
    return Shown(await (await accounts_of(app)).add_credential(made, digest_of(secret)), secret)


def digest_of(secret: str) -> str:
    """Return the SHA-256 under which a secret of 256 random bits is stored; the secret itself is not."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


LONGEST_DAYS, USUAL_DAYS = 365, 30
OPENED_A_MINUTE = 300
"""Openings of one link per minute: enough for a report with many readers."""


async def add_share(app: Resources, case: Case, name: str, *, days: int, by: str) -> tuple[Share, str]:
    """Add a link to a case, valid for `days`; return it with its path on this server, whose secret is shown only once.
    Raises InputError, Conflict (no report yet), StorageError."""
    called = named(name, "link", advice="Write who it is for.")
    if not 1 <= days <= LONGEST_DAYS:
        raise InputError(f"Invalid days {days}: expected 1 to {LONGEST_DAYS} for a link.")
    if case.summary is None:
        raise Conflict(f"The case {case.id} has no report to share.", advice="Wait until it has ended with a report.")
    now, secret = app.clock.now(), secrets.token_urlsafe(32)
    share = Share(id=0, case_id=case.id, name=called, by=by, created_at=now, expires_at=now + timedelta(days=days))
    kept = await Shares(await app.database()).add(share, digest_of(secret))
    await (await accounts_of(app)).note("link made", f"{case.id} {kept.id} for {called}", by=by, at=now)
    return kept, f"/shared/{secret}"


async def shares_of(app: Resources, case: Case) -> list[Share]:
    """Return all links to a case, newest first, expired and revoked ones too. Raises StorageError."""
    return await Shares(await app.database()).of_case(case.id)


async def revoke_share(app: Resources, case: Case, number: int, *, by: str) -> Share:
    """Revoke a link. Raises NotFound, StorageError."""
    now = app.clock.now()
    share = await Shares(await app.database()).revoke(case.id, number, at=now)
    await (await accounts_of(app)).note("link revoked", f"{case.id} {share.id} for {share.name}", by=by, at=now)
    return share


async def opened_share(app: Resources, secret: str) -> tuple[Share, Case]:
    """Return the link and its case. Raises NotFound (for every invalid link), TooManyRequests, StorageError."""
    now = app.clock.now()
    share = await Shares(await app.database()).opened(digest_of(secret), at=now)
    if share is None:
        raise NotFound(
            "This link does not work: it has expired or was revoked.",
            advice="Ask the person who sent it for a new one.",
        )
    await (await limits_of(app)).count(f"link {share.id}", OPENED_A_MINUTE, at=now)
    return share, await app.case(share.case_id)


def team_of(person: Person, wanted: int | None) -> int | None:
    """Return the team of what the person creates: `wanted`, or the first; None: nobody else. Raises NotFound."""
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
    """Return True for something of one of the person's teams, or of the person alone."""
    return by == person.name if team_id is None else team_id in person.teams


async def seen_collections(app: Resources, person: Person) -> list[str]:
    """Return the names of collections that the person may see; an admin sees all. Raises StorageError."""
    await app.collections.refresh()
    names = app.collections.names()
    if person.sees_all:
        return list(names)
    owned = await Owners(await app.database(), collection_owners).all()
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
    owners, team = Owners(await app.database(), collection_owners), await team_for(app, person, team_id)
    await owners.own(name, team, person.name, anew=True)


async def give_collection(app: Resources, person: Person, name: str, team_id: int) -> None:
    """Transfer an existing collection to a team. Raises NotFound, StorageError."""
    await require_collections(app, person, [name])
    await require_team(app, team_id)
    await Owners(await app.database(), collection_owners).own(name, team_id, person.name, anew=True)


async def disown_collection(app: Resources, name: str) -> None:
    """Remove the owner of a deleted collection. Raises StorageError."""
    await Owners(await app.database(), collection_owners).remove(name)


async def seen_topics(app: Resources, person: Person) -> Container[int | None] | None:
    """Return the numbers of topics that the person may see; None: all, for an admin. Raises StorageError."""
    if person.sees_all:
        return None
    owned = await Owners(await app.database(), topic_owners).all()
    return frozenset(topic_id for topic_id, owner in owned.items() if is_theirs(person, *owner))


async def seen_topic(app: Resources, person: Person, topic_id: int) -> Topic:
    """Return a topic that the person may see. Raises NotFound (also if it is another team's), StorageError."""
    if not person.sees_all:
        owner = await Owners(await app.database(), topic_owners).owner(topic_id)
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
    await Owners(await app.database(), topic_owners).own(topic.id, team_id, by)
