"""What can be done with the user's own documents: the use cases behind `inquest collection` and the library."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from inquest.collection.entry import Found, Info
from inquest.collection.ingest import Added, Ingest, Progress, Read
from inquest.collection.items import Problem, Unpack
from inquest.collection.library import Library, rated_domains
from inquest.collection.originals import keep_originals
from inquest.collection.service import CollectionService
from inquest.collection.walk import require
from inquest.domain.document import Published
from inquest.domain.errors import InputError
from inquest.domain.value import JsonObject
from inquest.kit.ports import Archive, Clock
from inquest.logic.dates import parse_date

__all__ = [
    "Added",
    "Collections",
    "Found",
    "Info",
    "Problem",
    "Progress",
    "Read",
    "Unpack",
    "first_moment",
    "last_moment",
]


class Collections:
    """The collections under one data folder."""

    def __init__(self, home: Path, *, archive: Archive, read: Read, unpack: Unpack, clock: Clock) -> None:
        """`read` makes the document of bytes; `unpack` takes a web archive apart into captures."""
        self._library = Library(home)
        self._archive, self._read, self._unpack, self._clock = archive, read, unpack, clock

    @cached_property
    def service(self) -> CollectionService:
        """What answers `collection://` requests; to be mounted on the door."""
        return CollectionService(self._library, self._archive, self._clock)

    def names(self) -> tuple[str, ...]:
        """The collections there are, in alphabetical order."""
        return self._library.names()

    async def add(
        self,
        name: str,
        paths: Sequence[Path],
        *,
        ratings: Path | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> Added:
        """Add the documents under the paths; a collection of a new name is made.

        Raises InputError (a name or path that cannot be used; nothing was added), Busy, StorageError. Cancelled, what
        was read until then stays, and the same call again goes on from there.
        """
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
            with self._library.writer(name) as writer:
                run = Ingest(name, writer, self._read, self._archive, self._clock, self._unpack, progress)
                added = await run.run(paths)
        if made and not added.documents and not ratings:
            self._library.remove(name)
        return added

    async def search(
        self,
        name: str,
        text: str,
        *,
        limit: int = 10,
        exact: bool = False,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[Found]:
        """The documents that fit the words best; each is in the archive afterwards.

        Raises InputError for an empty question, NotFound, StorageError.
        """
        if not text.strip():
            raise InputError("The search is empty.", advice="Give the words to look for.")
        _require_limit(limit)
        index = self._library.index(name)
        found = await asyncio.to_thread(index.search, text, limit=limit, exact=exact, since=since, until=until)
        await keep_originals(index, found, self._archive)
        return found

    def search_many(self, name: str, queries: Iterable[dict[str, Any]], *, limit: int = 10) -> Iterator[JsonObject]:
        """For each query (`id`, `text`) its results, in order, as it is asked for; memory does not grow with them.

        Raises NotFound at once, and InputError at the query that has no id or no text.
        """
        _require_limit(limit)
        index = self._library.index(name)
        return (_answer(query, number, index.search, limit) for number, query in enumerate(queries, 1))

    def info(self, name: str) -> Info:
        """What the collection holds. Raises NotFound, StorageError."""
        ratings = self._library.ratings(name)
        counted = self._library.index(name).info(name)
        return replace(counted, rated_domains=rated_domains(ratings) if ratings else None)

    def ratings(self, name: str) -> Path | None:
        """The collection's own ratings file (columns domain and score); None: it has none. Raises NotFound."""
        return self._library.ratings(name)

    def remove(self, name: str) -> None:
        """Remove the collection, its index and its ratings. What the archive keeps for cases stays.

        Raises NotFound, Busy, StorageError.
        """
        self._library.remove(name)


def first_moment(date: str) -> datetime:
    """The beginning of what a person writes as a date: 2024, 2024-03, 2024-03-05. Raises InputError."""
    return _date(date).at


def last_moment(date: str) -> datetime:
    """The end of it. Raises InputError."""
    return _date(date).latest


def _date(date: str) -> Published:
    found = parse_date(date.strip(), how="user")
    if found is None:
        raise InputError(f"'{date}' is not a date.", advice="Write it like 2024, 2024-03 or 2024-03-05.")
    return found


def _answer(query: dict[str, Any], number: int, search: Callable[..., list[Found]], limit: int) -> JsonObject:
    identity = next((query[name] for name in ("id", "_id", "query_id") if query.get(name) is not None), None)
    text = next((query[name] for name in ("text", "query", "question") if query.get(name) is not None), None)
    if identity is None or not isinstance(text, str):
        raise InputError(f"Query {number} has no id or no text.", advice='Each line is {"id": ..., "text": "..."}.')
    results = [
        {"id": found.id, "score": found.score, "title": found.title, "snippet": found.snippet}
        for found in search(text, limit=limit)
    ]
    return {"id": identity, "results": results}


def _require_limit(limit: int) -> None:
    if limit < 1:
        raise InputError("The limit must be 1 or more.", advice="Leave --limit out for 10.")
