"""Users, teams, sessions, tokens, owners, links for readers, and the audit log."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, Table, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquest.domain.errors import Conflict, NotFound
from inquest.domain.person import AuditLine, Credential, Role, Share, Team, User
from inquest.domain.value import Value, grouped
from inquest.store import tables
from inquest.store.database import Database, Kept
from inquest.store.schema import columns, storable
from inquest.store.tables import audit, credentials, shares, users

V = TypeVar("V", bound=Value)

_USED_AGAIN = timedelta(minutes=1)
"""Minimum age of a stored time of last use before it is updated."""


class Accounts(Kept):
    """Rows of users, teams, credentials and the audit log. Permissions are checked elsewhere."""

    # -- users -------------------------------------------------------------------------------------------------------

    async def add_user(
        self, name: str, role: Role, *, at: datetime, password: str | None = None, subject: str | None = None
    ) -> User:
        """Add a user; `password` is a hash. Raises Conflict if the name is taken."""
        row = {
            "key": _key(name),
            "name": storable(name),
            "role": role.value,
            "password": password,
            "subject": subject,
            "active": True,
            "created_at": at,
        }

        def work(connection: Connection) -> User:
            try:
                number = connection.execute(insert(users).values(row).returning(users.c.id)).scalar_one()
            except IntegrityError as error:
                raise Conflict(f"The user {name} already exists.", advice="Choose another name.") from error
            return _user(connection, users.c.id == number)

        return await self._database.write(work)

    async def users(self) -> list[User]:
        """Return all users, sorted by name."""

        def look(connection: Connection) -> list[User]:
            rows = connection.execute(select(users).order_by(users.c.key)).all()
            teams = _teams_of(connection)
            return [_made_user(row, teams.get(row.id, ())) for row in rows]

        return await self._database.read(look)

    async def user(self, name: str) -> User:
        """Return a user by name, ignoring case. Raises NotFound."""
        return await self._database.read(lambda connection: _user(connection, users.c.key == _key(name), name))

    async def user_of(self, number: int) -> User:
        """Return a user by number. Raises NotFound."""
        return await self._database.read(lambda connection: _user(connection, users.c.id == number, number))

    async def user_of_subject(self, subject: str) -> User | None:
        """Return the user with this identity-provider subject, or None."""

        return await self._database.read(lambda connection: _find(connection, users.c.subject == subject))

    async def password_of(self, name: str) -> tuple[int, str | None] | None:
        """Return the number and password hash of an active user, or None."""
        row = await self._first(select(users.c.id, users.c.password).where(users.c.key == _key(name), users.c.active))
        return None if row is None else (row.id, row.password)

    async def change_user(self, number: int, **values: Any) -> User:
        """Change `role`, `active` or `password`. Deactivation revokes sessions and tokens; a new password revokes
        sessions. Raises NotFound."""

        def work(connection: Connection) -> User:
            connection.execute(update(users).where(users.c.id == number).values(values))
            if values.get("active") is False or "password" in values:
                mine = credentials.c.user_id == number
                kinds = ("session",) if values.get("active", True) else ("session", "token")
                connection.execute(
                    update(credentials)
                    .where(mine, credentials.c.kind.in_(kinds), credentials.c.revoked_at.is_(None))
                    .values(revoked_at=func.current_timestamp())
                )
            return _user(connection, users.c.id == number, number)

        return await self._database.write(work)

    # -- teams -------------------------------------------------------------------------------------------------------

    async def add_team(self, name: str, *, at: datetime) -> Team:
        """Add a team. Raises Conflict if the name is taken."""

        def work(connection: Connection) -> Team:
            table = tables.teams
            try:
                row = {"name": storable(name), "created_at": at}
                number = connection.execute(insert(table).values(row).returning(table.c.id)).scalar_one()
            except IntegrityError as error:
                raise Conflict(f"The team {name} already exists.") from error
            return Team(id=number, name=storable(name))

        return await self._database.write(work)

    async def teams(self) -> builtins.list[Team]:
        """Return all teams, sorted by number."""
        rows = await self._rows(select(tables.teams).order_by(tables.teams.c.id))
        return [Team(id=row.id, name=row.name) for row in rows]

    async def set_teams(self, user_id: int, names: Sequence[str]) -> User:
        """Replace the teams of a user. Raises NotFound."""

        def work(connection: Connection) -> User:
            known = {row.name: row.id for row in connection.execute(select(tables.teams))}
            for name in names:
                if name not in known:
                    raise NotFound(f"There is no team '{name}'.", advice=f"Teams: {', '.join(known) or 'none yet'}.")
            connection.execute(delete(tables.memberships).where(tables.memberships.c.user_id == user_id))
            rows = [{"user_id": user_id, "team_id": known[name]} for name in dict.fromkeys(names)]
            if rows:
                connection.execute(insert(tables.memberships), rows)
            return _user(connection, users.c.id == user_id, user_id)

        return await self._database.write(work)

    # -- sessions and tokens -----------------------------------------------------------------------------------------

    async def add_credential(self, credential: Credential, digest: str) -> Credential:
        """Store a session or token under its digest."""
        row = columns(credential, exclude=("id",)) | {"digest": digest}
        return credential.model_copy(update={"id": await self._number(insert(credentials).values(row))})

    async def credential(self, digest: str, *, at: datetime) -> tuple[Credential, User] | None:
        """Return the credential and its user if both are active, else None. The time of last use is updated at most
        once a minute."""

        def look(connection: Connection) -> tuple[Credential, User] | None:
            row = connection.execute(select(credentials).where(credentials.c.digest == digest)).first()
            if row is None or row.revoked_at is not None or (row.expires_at is not None and row.expires_at <= at):
                return None
            user = _user(connection, users.c.id == row.user_id)
            return (_of(Credential, row), user) if user.active else None

        found = await self._database.read(look)
        if found is not None and (found[0].used_at is None or at - found[0].used_at > _USED_AGAIN):
            await self._run(update(credentials).where(credentials.c.id == found[0].id).values(used_at=at))
        return found

    async def credentials(self, user_id: int | None, kind: str) -> builtins.list[Credential]:
        """List the credentials of a user (None: of all), newest first, including revoked ones."""
        query = select(credentials).where(credentials.c.kind == kind).order_by(credentials.c.id.desc())
        if user_id is not None:
            query = query.where(credentials.c.user_id == user_id)
        return [_of(Credential, row) for row in await self._rows(query)]

    async def revoke(self, number: int, *, at: datetime, user_id: int | None = None) -> None:
        """Revoke a session or token; `user_id` restricts it to that user's. Raises NotFound."""
        query = update(credentials).where(credentials.c.id == number, credentials.c.revoked_at.is_(None))
        if user_id is not None:
            query = query.where(credentials.c.user_id == user_id)
        revoked = query.values(revoked_at=at)
        if not await self._database.write(lambda connection: connection.execute(revoked).rowcount):
            raise NotFound(f"There is no token {number} to revoke.", advice="List the tokens.")

    # -- audit log ---------------------------------------------------------------------------------------------------

    async def note(self, action: str, what: str, *, by: str, at: datetime, address: str = "") -> None:
        """Append a line to the audit log; lines cannot be changed or removed."""
        row = {"at": at, "by": storable(by), "action": action, "what": storable(what), "address": storable(address)}
        await self._run(insert(audit).values(row))

    async def log(self, *, before: int | None, limit: int) -> builtins.list[AuditLine]:
        """Return lines of the audit log, newest first."""
        query: Select[Any] = select(audit).order_by(audit.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(audit.c.id < before)
        return [AuditLine(**row._mapping) for row in await self._rows(query)]


def _key(name: str) -> str:
    return storable(" ".join(name.split()).casefold())


def _find(connection: Connection, where: Any) -> User | None:
    row = connection.execute(select(users).where(where)).first()
    return None if row is None else _made_user(row, _teams_of(connection, row.id).get(row.id, ()))


def _user(connection: Connection, where: Any, named: object = "") -> User:
    if (found := _find(connection, where)) is None:
        raise NotFound(f"There is no user {named}.", advice="`inquest users list` shows them.")
    return found


def _made_user(row: Row[Any], teams: Sequence[Team]) -> User:
    return _of(User, row, teams=tuple(teams), has_password=row.password is not None)


def _teams_of(connection: Connection, user_id: int | None = None) -> dict[int, list[Team]]:
    member, team = tables.memberships, tables.teams
    query = select(member.c.user_id, team.c.id, team.c.name).join(team, team.c.id == member.c.team_id)
    if user_id is not None:
        query = query.where(member.c.user_id == user_id)
    rows = connection.execute(query.order_by(team.c.id))
    return grouped((row.user_id, Team(id=row.id, name=row.name)) for row in rows)


def _of(kind: type[V], row: Row[Any], **more: Any) -> V:
    return kind(**{name: value for name, value in row._mapping.items() if name in kind.model_fields}, **more)


class Owners(Kept):
    """The team and the person of each thing in a table of owners. A thing without a row was created in the terminal."""

    def __init__(self, database: Database, table: Table) -> None:
        super().__init__(database)
        self._table = table
        (self._key,) = table.primary_key.columns

    async def all(self) -> dict[Any, tuple[int | None, str]]:
        """Return all owners by the key of what they own."""
        rows = await self._rows(select(self._key.label("key"), self._table.c.team_id, self._table.c.by))
        return {row.key: (row.team_id, row.by) for row in rows}

    async def owner(self, key: int | str) -> tuple[int | None, str] | None:
        """Return team and person, or None for a thing created elsewhere."""
        row = await self._first(select(self._table.c.team_id, self._table.c.by).where(self._key == key))
        return None if row is None else (row.team_id, row.by)

    async def own(self, key: int | str, team_id: int | None, by: str, *, anew: bool = False) -> None:
        """Set the owner unless there is one; `anew`: in place of the one there is."""
        owner = {"team_id": team_id, "by": storable(by)}
        await self._run(self._database.upsert(self._table, {self._key.name: key, **owner}, owner if anew else None))

    async def remove(self, key: int | str) -> None:
        """Delete the owner."""
        await self._run(delete(self._table).where(self._key == key))


class Shares(Kept):
    """Rows of links. Permissions are checked elsewhere."""

    async def add(self, share: Share, digest: str) -> Share:
        """Store a link under its digest."""
        row = columns(share, exclude=("id",)) | {"digest": digest}
        return share.model_copy(update={"id": await self._number(insert(shares).values(row))})

    async def of_case(self, case_id: str) -> list[Share]:
        """Return all links to a case, newest first, including expired and revoked ones."""
        rows = await self._rows(select(shares).where(shares.c.case_id == case_id).order_by(shares.c.id.desc()))
        return [_of(Share, row) for row in rows]

    async def opened(self, digest: str, *, at: datetime) -> Share | None:
        """Return the link with this digest if it is still valid, else None. The time of last use is updated at most
        once a minute."""
        row = await self._first(select(shares).where(shares.c.digest == digest))
        share = _of(Share, row) if row is not None else None
        if share is None or share.ended(at):
            return None
        if share.used_at is None or at - share.used_at > _USED_AGAIN:
            await self._run(update(shares).where(shares.c.id == share.id).values(used_at=at))
        return share

    async def revoke(self, case_id: str, number: int, *, at: datetime) -> Share:
        """Revoke a link to this case. Raises NotFound if it does not exist or is already revoked."""
        mine = (shares.c.id == number) & (shares.c.case_id == case_id) & shares.c.revoked_at.is_(None)
        revoked = update(shares).where(mine).values(revoked_at=at).returning(shares)
        row = await self._database.write(lambda connection: connection.execute(revoked).first())
        if row is None:
            raise NotFound(f"Case {case_id} has no link {number} to revoke.", advice="List its links.")
        return _of(Share, row)
