"""Tables of registers: the use cases of `inquest registries`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from inquest.app.wiring.pages import sha256
from inquest.collection.registry_service import RegistryService
from inquest.collection.registry_store import RegistryFacts, RegistryStore
from inquest.collection.registry_tables import RegistryTable, registry_tables, rows_of_table, table_named
from inquest.domain.document import Snapshot
from inquest.domain.errors import InputError, Outage, StorageError
from inquest.kit.exchange import Request
from inquest.kit.ports import Archive, Clock

if TYPE_CHECKING:
    from inquest.net.door import Door

_MOST_BYTES = 2 * 2**30


def tables_in(home: Path) -> tuple[str, ...]:
    """The names of the tables in a data folder."""
    store = RegistryStore(home)
    return tuple(name for name in registry_tables() if store.has(name))


class Registries:
    """The tables of one data folder."""

    def __init__(self, home: Path, archive: Archive, clock: Clock, door: Callable[[], Awaitable[Door]]) -> None:
        self._archive, self._clock, self._door = archive, clock, door
        self._store = RegistryStore(home)

    @cached_property
    def service(self) -> RegistryService:
        """Answers requests whose scheme is `registry`."""
        return RegistryService(self._store, self._archive, self._clock)

    async def update(self, name: str, file: Path | None = None) -> dict[str, Any]:
        """Replace a table from its publisher or a file, and return its row of `list`. Raises InputError, Outage,
        StorageError; the earlier table then stays in use."""
        table = table_named(name)
        body, source, content_type = await (self._from_file(table, file) if file else self._fetched(table))
        now = self._clock.now()
        facts = RegistryFacts(name, sha256(body), source, now.isoformat(), rows=0)
        # Archived first, so that the file of every cited row is in the archive.
        snapshot = Snapshot(
            hash=facts.snapshot,
            url=source,
            final_url=source,
            content_type=content_type,
            retrieved_at=now,
            size=len(body),
            provenance=f"registry {name}",
        )
        await self._archive.put(body, snapshot)
        from inquest.readers.office.xlsx import sheet_rows

        await asyncio.to_thread(self._store.build, table, rows_of_table(table, body, sheet_rows), facts)
        return self._row(table)

    def list(self) -> list[dict[str, Any]]:
        """Every table with its source, terms and state on this machine."""
        return [self._row(table) for table in registry_tables().values()]

    def _row(self, table: RegistryTable) -> dict[str, Any]:
        row: dict[str, Any] = {
            **{name: getattr(table, name) for name in ("name", "title", "address", "licence", "attribution")},
            "there": self._store.has(table.name),
            "update": table.command,
        }
        if not row["there"]:
            return row
        try:
            facts = self._store.facts(table)
        except StorageError as error:
            return row | {"problem": error.sentence}
        age = self._clock.now() - datetime.fromisoformat(facts.retrieved_at)
        return row | {
            **{name: getattr(facts, name) for name in ("source", "retrieved_at", "rows", "wrong_numbers", "snapshot")},
            "age_days": age.days,
            "bytes": self._store.path(table.name).stat().st_size,
        }

    async def _from_file(self, table: RegistryTable, file: Path) -> tuple[bytes, str, str]:
        try:
            return await asyncio.to_thread(file.read_bytes), f"file:///{quote(file.name)}", "application/octet-stream"
        except OSError as error:
            raise InputError(f"{file} cannot be read ({error.strerror}).", advice="Check the path.") from error

    async def _fetched(self, table: RegistryTable) -> tuple[bytes, str, str]:
        sink, door = InMemory(), await self._door()
        reply = await door.download(Request(url=table.address), sink, largest=_MOST_BYTES, label=table.title)
        if not 200 <= reply.status < 300:
            raise Outage(
                f"{table.title} could not be downloaded: {table.address} answered with status {reply.status}.",
                advice=f"Download the file in a browser and pass it with {table.command} --file PATH",
            )
        if sink.size is not None and sink.size != len(sink.body) and not reply.header("content-encoding"):
            raise Outage(f"The download of {table.title} is incomplete.", advice=f"Try again: {table.command}")
        return bytes(sink.body), reply.url, reply.content_type


class InMemory:
    """A sink for a download that is kept in memory, with its declared size."""

    def __init__(self) -> None:
        self.begin(None)

    def begin(self, size: int | None) -> None:
        self.body, self.size = bytearray(), size

    def write(self, piece: bytes) -> None:
        self.body += piece
