"""Brings a database's tables up to date, once, whoever else starts at the same moment."""

from __future__ import annotations

from importlib.resources import files

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, text

from inquest.domain.errors import SettingError
from inquest.store.tables import SCHEMA, metadata

VERSION_TABLE = "inquest_schema"
"""Where the revision appears; not Alembic's usual name, as the database may be shared with another program."""

_LOCK = 0x1A9E57
"""Any number that no other program uses: the key of PostgreSQL's advisory lock."""


def is_up_to_date(connection: Connection, where: str) -> bool:
    """Whether nothing is to be done. Raises SettingError where the tables are those of another Inquest."""
    revision = revision_of(connection)
    if revision is not None and revision not in _known():
        raise SettingError(
            f"This data was written by another version of Inquest ({where}, revision {revision}; this one reads "
            f"{SCHEMA}).",
            advice="Use that version, or choose another data folder with INQUEST_HOME.",
        )
    return revision == SCHEMA


def bring_up_to_date(connection: Connection, where: str) -> None:
    """Make the tables or run the migrations that are missing, in the transaction of the connection.

    SQLite: the transaction is the writer's, so a second process waits and then finds nothing to do. PostgreSQL: an
    advisory lock does the same. Raises SettingError as `is_up_to_date`.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if is_up_to_date(connection, where):
        return
    if _is_new(connection):
        create(connection)
    else:
        migrate(connection)


def create(connection: Connection) -> None:
    """All tables at once, where there are none: what all migrations come to, in a tenth of their time."""
    metadata.create_all(connection, checkfirst=False)
    column = Column("version_num", String(32), nullable=False)
    version = Table(VERSION_TABLE, MetaData(), column, PrimaryKeyConstraint(column, name=f"{VERSION_TABLE}_pkc"))
    version.create(connection)
    connection.execute(version.insert().values(version_num=SCHEMA))


def migrate(connection: Connection) -> None:
    """The migrations that are missing, one after another."""
    from alembic import command
    from alembic.config import Config

    configuration = Config()
    configuration.set_main_option("script_location", "inquest.store:migrations")
    configuration.attributes["connection"] = connection
    command.upgrade(configuration, "head")


def _is_new(connection: Connection) -> bool:
    """Whether there is no table of ours: where there is one without a revision, somebody must look into it."""
    return not {VERSION_TABLE, *metadata.tables} & set(inspect(connection).get_table_names())


def revision_of(connection: Connection) -> str | None:
    """The revision of the tables; None: there are none yet."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    row = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).first()
    return row[0] if row else None


def _known() -> frozenset[str]:
    # Read from the names and not through Alembic, which takes longer to import than all else here.
    versions = files("inquest.store") / "migrations" / "versions"
    return frozenset(file.name.split("_")[0] for file in versions.iterdir() if file.name.endswith(".py"))
