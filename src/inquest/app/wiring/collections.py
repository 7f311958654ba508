"""The user's own documents and tables of registers: the use cases of `inquest collection`, `inquest registries` and the
library."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from inquest.app.files import readable, without_folders
from inquest.app.wiring.pages import sha256
from inquest.collection.entry import USUAL, FoundEntry, Info, SearchFilter
from inquest.collection.files import Takers, require
from inquest.collection.ingest import Added, Ingest, IngestProgress, Read
from inquest.collection.items import Unpack
from inquest.collection.library import Library, keep_originals, rated_domains
from inquest.collection.registry_store import RegistryFacts, RegistryStore
from inquest.collection.registry_tables import RegistryTable, registry_tables, rows_of_table, table_named
from inquest.collection.searching import CollectionSearch, Embedded, Embedding, Encoding, forget
from inquest.collection.services import CollectionService, RegistryService
from inquest.collection.sharing import Sharing
from inquest.collection.vectors import state
from inquest.domain.document import Published, Snapshot
from inquest.domain.errors import InputError, ModelUnavailable, Outage, StorageError
from inquest.domain.value import JsonObject
from inquest.kit.exchange import Request
from inquest.kit.ports import Archive, Clock
from inquest.text.dates import parse_date

if TYPE_CHECKING:
    from inquest.app.settings import Settings
    from inquest.net.door import Door

__all__ = ["Added", "Collections", "Embedded", "Encoding", "Info", "IngestProgress"]


class Collections:
    """The collections under one data folder."""

    def __init__(
        self,
        home: Path,
        *,
        archive: Archive,
        read: Read,
        unpack: Unpack,
        clock: Clock,
        encoding: Encoding | None = None,
    ) -> None:
        """`read` makes a document of bytes; `unpack` splits a web archive into captures; `encoding` also finds
        documents by meaning, without it, they are found by words alone."""
        self._library = Library(home)
        self._archive, self._read, self._unpack, self._clock = archive, read, unpack, clock
        self.encoding = encoding
        self.sharing: Sharing | None = None
        """Synchronizes the folder with other machines; None: the collections are local."""

    @cached_property
    def service(self) -> CollectionService:
        """Answers `collection://` requests."""
        return CollectionService(self._library, self._search, self._archive, self._clock)

    @cached_property
    def _search(self) -> CollectionSearch:
        return CollectionSearch(self._library, self.encoding)

    async def refresh(self, *names: str) -> None:
        """Update the list of shared collections and the local copies of these. Await it before any method that is not a
        coroutine. Raises StorageError."""
        if self.sharing is not None:
            await self.sharing.refresh()
            for name in names:
                await self.sharing.pull(name)

    def names(self) -> tuple[str, ...]:
        """The names of all collections in alphabetical order; shared ones as of the last `refresh`."""
        return self._library.names() if self.sharing is None else self.sharing.names

    @asynccontextmanager
    async def _writing(self, name: str) -> AsyncIterator[None]:
        self._library.exists(name)  # raises InputError for an invalid name
        if self.sharing is None:
            yield
            return
        async with self.sharing.writing(name):
            yield

    async def add(
        self,
        name: str,
        paths: Sequence[Path],
        *,
        ratings: Path | None = None,
        progress: Callable[[IngestProgress], None] | None = None,
    ) -> Added:
        """Add the documents under the paths, creating the collection if needed. Raises InputError (invalid name or
        path; nothing was added), Busy, StorageError. After a cancellation, the same call continues from there."""
        async with self._writing(name):
            made = not self._library.exists(name)
            if ratings:
                rated_domains(ratings)
            if paths or not ratings:
                require(paths)
            if made:
                self._library.create(name, now=self._clock.now())
            if ratings:
                self._library.keep_ratings(name, ratings)
            added = Added(name)
            if paths:
                from inquest.readers.containers import parts_of

                takers = Takers(self._unpack, parts_of)
                with self._library.writer(name) as writer:
                    run = Ingest(name, writer, self._read, self._archive, self._clock, takers, progress)
                    added = await run.run(paths)
                    if added.updated:
                        await asyncio.to_thread(self._forget, name)
            if made and not added.documents and not ratings:
                self._library.remove(name)
            return added

    async def embed(self, name: str, *, progress: Callable[[Embedded], None] | None = None) -> Embedded:
        """Make the remaining documents findable by meaning, continuing from the point at which an earlier or cancelled
        call stopped. With a new encoder it starts again and sets `replaced`. Raises NotFound, Busy, StorageError;
        ModelUnavailable without a usable encoder."""
        await self.refresh(name)
        folder = self._library.folder(name)
        if self.encoding is None:
            raise ModelUnavailable(
                "sentences",
                "No sentence encoder is installed, so documents are found by words alone.",
                advice="See `inquest models` and INQUEST_SENTENCE_MODEL.",
            )
        # The writer's lock keeps documents unchanged and other processes from writing vectors.
        async with self._writing(name):
            with self._library.writer(name):
                return await Embedding(name, folder, self._library.index(name), self.encoding, progress).run()

    def embedded(self, name: str) -> Embedded:
        """The number of documents findable by meaning. Raises NotFound, StorageError."""
        known = state(self._library.folder(name))
        documents = self._library.index(name).documents
        if known is None:
            return Embedded(name, documents)
        return Embedded(name, documents, known.documents, known.unread, encoder=known.encoder)

    async def search(
        self, name: str, text: str, wanted: SearchFilter = USUAL, *, note: Callable[[str], None] | None = None
    ) -> list[FoundEntry]:
        """Find and archive the documents that match best by words and, if they have vectors, by meaning. `note` is
        called with the reason if vectors could not be used. Raises InputError for an empty query, NotFound,
        StorageError."""
        if not text.strip():
            raise InputError("The search is empty.", advice="Give the words to search for.")
        _require_limit(wanted.limit)
        await self.refresh(name)
        answer = await asyncio.to_thread(self._search, name, text, wanted)
        if answer.note and note:
            note(answer.note)
        await keep_originals(self._library.index(name), answer.found, self._archive)
        return answer.found

    def search_many(
        self,
        name: str,
        queries: Iterable[dict[str, Any]],
        *,
        limit: int = 10,
        semantic: bool = True,
        note: Callable[[str], None] | None = None,
    ) -> Iterator[JsonObject]:
        """Yield the results of each query (`id`, `text`) in constant memory. `note` is called once per reason why
        vectors could not be used. Raises NotFound at once, InputError at a query without id or text."""
        _require_limit(limit)
        self._library.index(name)
        noted: set[str] = set()

        def found(text: str) -> list[FoundEntry]:
            answer = self._search(name, text, SearchFilter(limit=limit, semantic=semantic))
            if answer.note and note and answer.note not in noted:
                noted.add(answer.note)
                note(answer.note)
            return answer.found

        return (_answer(query, number, found) for number, query in enumerate(queries, 1))

    def info(self, name: str) -> Info:
        """Figures of the collection. Raises NotFound, StorageError."""
        ratings = self._library.ratings(name)
        counted = self._library.index(name).info(name)
        return replace(counted, rated_domains=rated_domains(ratings) if ratings else None)

    def _forget(self, name: str) -> None:
        """Remove the vectors of changed documents."""
        folder = self._library.folder(name)
        if known := state(folder):
            forget(folder, self._library.index(name), known)

    def ratings(self, name: str) -> Path | None:
        """The collection's ratings file (columns domain and score), if any. Raises NotFound."""
        return self._library.ratings(name)

    async def remove(self, name: str) -> None:
        """Remove the collection, its index and ratings, but not what cases keep in the archive. Raises NotFound, Busy,
        StorageError."""
        async with self._writing(name):
            await asyncio.to_thread(self._library.remove, name)


def encoding_of(settings: Settings) -> Encoding | None:
    """The sentence encoder of the settings, not yet loaded; None: words alone. Raises SettingError."""
    from inquest.app.wiring.small_models import chosen, sentence_encoder

    encoder, files = sentence_encoder(settings), chosen(settings, "sentences")
    return Encoding(encoder, files.languages) if encoder and files else None


def search_filter(
    limit: int, since: str | None, until: str | None, *, exact: bool = False, semantic: bool = True
) -> SearchFilter:
    """A filter with dates as a person writes them: 2024, 2024-03, 2024-03-05. Raises InputError for an invalid date."""
    first, last = _date(since).at if since else None, _date(until).latest if until else None
    return SearchFilter(limit, exact, first, last, semantic)


def added_json(added: Added) -> dict[str, Any]:
    """The JSON of added documents."""
    return asdict(added) | {
        "problems": [{"where": one.where, "why": one.why, "left_out": one.left_out} for one in added.problems]
    }


def records_in_words(added: Added) -> str:
    """The outcomes of the records of web archives in a sentence; '' if absent."""
    by_outcome: dict[str, list[str]] = {}
    for records in added.records:
        by_outcome.setdefault(records.outcome, []).append(f"{records.count:,} {records.record}")
    outcomes = "; ".join(f"{outcome}: {', '.join(kinds)}" for outcome, kinds in by_outcome.items())
    return f"Records of web archives - {outcomes}." if outcomes else ""


def found_json(found: FoundEntry, *, files: bool = False) -> dict[str, Any]:
    """The JSON of a search result. `files`: include the folders of the user's files."""
    return {
        **found.model_dump(include={"id", "score", "title", "snippet", "snapshot"}),
        "url": found.url if files else without_folders(found.url),
        "published": found.published.iso if found.published else None,
    }


def _date(date: str) -> Published:
    found = parse_date(date.strip(), how="user")
    if found is None:
        raise InputError(f"Invalid date '{date}': expected 2024, 2024-03 or 2024-03-05.")
    return found


def _answer(query: dict[str, Any], number: int, search: Callable[[str], list[FoundEntry]]) -> JsonObject:
    identity = next((query[name] for name in ("id", "_id", "query_id") if query.get(name) is not None), None)
    text = next((query[name] for name in ("text", "query", "question") if query.get(name) is not None), None)
    if identity is None or not isinstance(text, str):
        raise InputError(f"Query {number} has no id or no text.", advice='Each line is {"id": ..., "text": "..."}.')
    results = [found.model_dump(include={"id", "score", "title", "snippet"}) for found in search(text)]
    return {"id": identity, "results": results}


def _require_limit(limit: int) -> None:
    if limit < 1:
        raise InputError("Invalid limit: expected 1 or more.")


_MOST_BYTES = 2 * 2**30


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
        if file is None:
            body, source, content_type = await self._fetched(table)
        else:
            with readable(file):
                body = await asyncio.to_thread(file.read_bytes)
            source, content_type = f"file:///{quote(file.name)}", "application/octet-stream"
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
        from inquest.readers.office.sheets import sheet_rows

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

    async def _fetched(self, table: RegistryTable) -> tuple[bytes, str, str]:
        door = await self._door()
        reply = await door.download(Request(url=table.address), largest=_MOST_BYTES, label=table.title)
        if not 200 <= reply.status < 300:
            raise Outage(
                f"{table.title} could not be downloaded: {table.address} answered with status {reply.status}.",
                advice=f"Download the file in a browser and pass it with {table.command} --file PATH",
            )
        return reply.body, reply.url, reply.content_type
