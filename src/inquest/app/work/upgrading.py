"""The tables of the database, and whether they are those that this version wants."""

from __future__ import annotations

from typing import TypedDict

from inquest.app.settings import Settings, load_settings
from inquest.app.work.queue import check_installed, prepare


class DatabaseStatus(TypedDict):
    """What `inquest db status --json` says."""

    where: str
    revision: str | None
    wanted: str
    up_to_date: bool


async def database_status(settings: Settings | None = None) -> DatabaseStatus:
    """Which revision the tables have. Raises SettingError, StorageError."""
    from inquest.store.database import Database
    from inquest.store.schema import revision_of
    from inquest.store.tables import SCHEMA

    url = (settings or load_settings()).resolved_database_url
    database = await Database.open(url, migrate=False)
    try:
        revision = await database.read(revision_of)
        return DatabaseStatus(where=database.where, revision=revision, wanted=SCHEMA, up_to_date=revision == SCHEMA)
    finally:
        await database.close()


async def upgrade_database(settings: Settings | None = None) -> str:
    """Bring the tables up to date, those of the queue too; returns where they are. Raises SettingError,
    StorageError."""
    from inquest.store.database import Database

    url = (settings or load_settings()).resolved_database_url
    database = await Database.open(url)
    await database.close()
    if not database.is_sqlite:
        check_installed()
        await prepare(url)
    return database.where
