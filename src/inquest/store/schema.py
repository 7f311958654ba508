"""Migration of a database's tables, exactly once even if several processes start at the same time, and the conversion
between values and columns that both databases accept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, text

from inquest.domain.errors import SettingError, StorageError
from inquest.domain.value import Value
from inquest.store.tables import SCHEMA, metadata

V = TypeVar("V", bound=Value)


def made(kind: type[V], fields: dict[str, Any], *, lists: Iterable[str], what: str) -> V:
    """Return the value of a row; `lists` names the JSON fields. Raises StorageError if the row is malformed."""
    try:
        values = {name: json.loads(value) if name in set(lists) else value for name, value in fields.items()}
        return kind.model_validate(values)
    except (ValidationError, ValueError, TypeError) as error:
        raise unreadable(what) from error


def unreadable(what: str, why: str = "") -> StorageError:
    """Return the error for stored data that this version cannot read."""
    return StorageError(
        f"The stored data of {what} cannot be read{why}.",
        advice="It was written by another version of Inquest, or edited by hand.",
    )


def columns(value: Value, exclude: Iterable[str] = ()) -> dict[str, Any]:
    """Return the fields of a value as columns: storable texts, lists and objects as JSON."""
    plain, as_lists = value.model_dump(exclude=set(exclude)), value.model_dump(mode="json", exclude=set(exclude))
    return {
        name: storable(each)
        if isinstance(each, str)
        else json.dumps(as_lists[name])
        if isinstance(each, list | tuple | dict)
        else each
        for name, each in plain.items()
    }


_UNSTORABLE = dict.fromkeys([0, *range(0xD800, 0xE000)], "\ufffd")


def storable(text: str) -> str:
    """Replace NULs (which PostgreSQL refuses) and lone surrogates (which UTF-8 cannot encode) by U+FFFD."""
    return text.translate(_UNSTORABLE)


VERSION_TABLE = "inquest_schema"
"""The table of the revision; not Alembic's default name, because the database may be shared with another program."""

_LOCK = 0x1A9E57
"""The key of PostgreSQL's advisory lock: an arbitrary number that no other program is likely to use."""


def is_up_to_date(connection: Connection, where: str) -> bool:
    """Return True if no migration is needed. Raises SettingError if the tables are of an unknown version."""
    revision = revision_of(connection)
    if revision is not None and revision not in _known():
        raise SettingError(
            f"This data was written by another version of Inquest ({where}, revision {revision}; this one reads "
            f"{SCHEMA}).",
            advice="Use that version, or choose another data folder with INQUEST_HOME.",
        )
    return revision == SCHEMA


def bring_up_to_date(connection: Connection, where: str) -> None:
    """Create the tables or run the missing migrations, in the transaction of the connection. A second process waits
    (SQLite: for the write transaction; PostgreSQL: for an advisory lock) and then finds nothing to do. Raises
    SettingError as `is_up_to_date`."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if is_up_to_date(connection, where):
        return
    # Tables of ours without a revision are not a new database: the migrations then fail, and a person must look into
    # it.
    if not {VERSION_TABLE, *metadata.tables} & set(inspect(connection).get_table_names()):
        create(connection)
    else:
        migrate(connection)


def create(connection: Connection) -> None:
    """Create all tables in an empty database: the result of all migrations, in a tenth of their time."""
    metadata.create_all(connection, checkfirst=False)
    column = Column("version_num", String(32), nullable=False)
    version = Table(VERSION_TABLE, MetaData(), column, PrimaryKeyConstraint(column, name=f"{VERSION_TABLE}_pkc"))
    version.create(connection)
    connection.execute(version.insert().values(version_num=SCHEMA))


def migrate(connection: Connection) -> None:
    """Run the missing migrations."""
    from alembic import command
    from alembic.config import Config

    configuration = Config()
    configuration.set_main_option("script_location", "inquest.store:migrations")
    configuration.attributes["connection"] = connection
    command.upgrade(configuration, "head")


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the tables, or None before the first one."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    row = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).first()
    return row[0] if row else None


def _known() -> frozenset[str]:
    # Read from the file names because importing Alembic takes longer than everything else here.
    versions = files("inquest.store") / "migrations" / "versions"
    return frozenset(file.name.split("_")[0] for file in versions.iterdir() if file.name.endswith(".py"))
