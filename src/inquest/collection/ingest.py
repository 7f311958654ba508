"""Adding documents: read, archive and index them in batches, each kept whatever happens later."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import ParamSpec, TypeVar

from inquest.collection.entry import Entry, Original
from inquest.collection.files import Takers, documents_under, require
from inquest.collection.index import IndexWriter
from inquest.collection.items import FileDone, Found, Item, ItemProblem, Records
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageError
from inquest.domain.reasons import Reason, coded, noted
from inquest.kit.ports import Archive, Clock
from inquest.kit.rows import ROW_TYPE
from inquest.text.urls import is_web_url

P = ParamSpec("P")
T = TypeVar("T")

Read = Callable[[bytes, Snapshot], Awaitable[Document]]
"""Converts bytes to a document. Raises PageError if they have no text."""

MOST_PROBLEMS_KEPT = 1000
"""Problems that are kept in memory; further ones are only counted."""
_BATCH_DOCUMENTS, _BATCH_BYTES = 64, 16 * 2**20
_COMMIT_DOCUMENTS, _COMMIT_BYTES, _COMMIT_AFTER = 50_000, 256 * 2**20, timedelta(seconds=30)
"""A commit takes a tenth of a second and leaves a segment to merge; a power failure loses uncommitted documents."""


@dataclass(frozen=True, slots=True)
class Added:
    """The result of adding paths to a collection."""

    collection: str
    documents: int = 0
    """New documents, committed."""
    updated: int = 0
    """The number of them that replaced an earlier version."""
    skipped: int = 0
    """Documents whose bytes the collection already had."""
    files: int = 0
    unreadable: int = 0
    """Documents, rows and files that could not be read."""
    left_out: int = 0
    """Files in folders, and records of web archives, of unsupported kinds."""
    records: tuple[Records, ...] = ()
    """The records of web archives by type and outcome; those that only accompany others (requests, metadata) are not
    counted in `left_out`."""
    problems: tuple[ItemProblem, ...] = ()
    """The first thousand unreadable or left out."""


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """The state after a batch."""

    so_far: Added
    committed: int
    """Documents that are kept whatever happens now."""
    path: str
    """The file of the batch's last document."""
    news: tuple[ItemProblem, ...] = ()
    """Problems since the last report."""


@dataclass(slots=True)
class Ingest:
    """One run that adds documents, for use by one task."""

    collection: str
    writer: IndexWriter
    read: Read
    archive: Archive
    clock: Clock
    takers: Takers
    report: Callable[[IngestProgress], None] | None = None
    _added: Added = field(init=False)
    _committed: int = field(init=False, default=0)
    _pending_bytes: int = field(init=False, default=0)
    _records: Counter[tuple[str, str]] = field(init=False, default_factory=Counter)

    async def run(self, paths: Sequence[Path]) -> Added:
        """Add everything under the paths, reading nothing twice and continuing after unreadable files. If cancelled, it
        commits first. Raises InputError for a missing path, StorageError."""
        require(paths)
        self._added = Added(self.collection)
        source = documents_under(paths, self.takers)
        last_commit = self.clock.now()
        try:
            while batch := await settled(_take, source):
                await self._add(batch)
                if self._is_due(last_commit):
                    await self._commit()
                    last_commit = self.clock.now()
        except asyncio.CancelledError:
            self.writer.commit()
            self._committed = self._added.documents
            self._report(())
            raise
        await self._commit()
        self._report(())
        return self._added

    async def _add(self, batch: list[Found]) -> None:
        path, news = "", []
        for item, digest in await settled(self._new, batch):
            if isinstance(item, Records):
                self._records[item.record, item.outcome] += item.count
                continue
            if isinstance(item, Item):
                problem = await self._keep(item, digest)
                path = item.where
                self._records[item.record, "unreadable" if problem else "read"] += 1
            elif isinstance(item, FileDone):
                self._count(files=1)
                path, problem = item.path, None
            else:
                problem = item
                self._records[item.record, "left out" if item.left_out else "unreadable"] += item.count
            if problem:
                news.append(problem)
        self._count(
            unreadable=sum(problem.count for problem in news if not problem.left_out),
            left_out=sum(problem.count for problem in news if problem.left_out),
        )
        room = MOST_PROBLEMS_KEPT - len(self._added.problems)
        records = tuple(Records(*of, count) for of, count in self._records.items() if of[0])
        self._added = replace(self._added, problems=(*self._added.problems, *news[: max(0, room)]), records=records)
        self._report(tuple(news), path)

    def _new(self, batch: list[Found]) -> list[tuple[Found, str]]:
        """The batch without known documents, each document with its hash."""
        kept: list[tuple[Found, str]] = []
        seen: set[str] = set()
        for item in batch:
            digest = ""
            if isinstance(item, Item):
                digest = "sha256:" + hashlib.sha256(item.body).hexdigest()
                # For known bytes at another address the id is of both.
                of = hashlib.sha256(f"{digest} {item.url}".encode()).hexdigest() if item.repeats else digest[7:]
                item = replace(item, id=item.id or of[:12])
                identity, is_known = (item.id, self.writer.has_id) if item.repeats else (digest, self.writer.has)
                if identity in seen or is_known(identity):
                    self._count(skipped=1)
                    self._records[item.record, "already there"] += 1
                    continue
                seen.add(identity)
            kept.append((item, digest))
        return kept

    async def _keep(self, item: Item, digest: str) -> ItemProblem | None:
        snapshot = Snapshot(
            hash=digest,
            url=item.url,
            final_url=item.url,
            status=item.status,
            content_type=item.content_type,
            headers=item.headers,
            retrieved_at=item.retrieved_at or self.clock.now(),
            size=len(item.body),
            provenance=f"collection {self.collection}",
            parent=item.parent,
        )
        try:
            document = await self.read(item.body, snapshot)
        except PageError as error:
            return ItemProblem(item.where, error.sentence.rstrip("."))
        except (ValueError, LookupError, ArithmeticError, RecursionError, MemoryError) as error:
            # A file that makes a reader's library fail is a bad file, and the others are still to be read.
            return ItemProblem(item.where, f"cannot be read ({type(error).__name__}: {str(error)[:120]})")
        if not document.text.strip():
            return ItemProblem(item.where, "has no text")
        cut = Reason(code="pages.cut_off") if item.is_cut else None
        notes = noted((*coded(document.notes, document.note_codes), cut))
        document = document.model_copy(update={"parent": item.parent, **notes})
        if not is_web_url(document.url) and document.canonical_url and is_web_url(document.canonical_url):
            # A saved page is cited, rated and compared by its own address.
            document = document.model_copy(update={"url": document.canonical_url})
        original = None
        if item.content_type == ROW_TYPE:
            # A million rows would be a million files: the index keeps them, and the archive those that are found.
            original = Original(item.body, snapshot, document)
        else:
            await self.archive.put(item.body, snapshot)
            document = document.model_copy(update={"text": (await self.archive.put_document(document)).text})
        replaced = self.writer.add(
            Entry(
                id=item.id,
                key=item.key,
                snapshot=digest,
                url=document.url,
                title=document.title,
                text=document.text,
                author=document.author,
                published=document.published,
                language=document.language,
                kind=document.kind,
                original=original,
            )
        )
        self._pending_bytes += len(document.text)
        self._count(documents=1, updated=int(replaced))
        return None

    def _is_due(self, last_commit: datetime) -> bool:
        waited = self.clock.now() - last_commit
        return self.writer.pending > 0 and (
            self.writer.pending >= _COMMIT_DOCUMENTS or self._pending_bytes >= _COMMIT_BYTES or waited >= _COMMIT_AFTER
        )

    async def _commit(self) -> None:
        await settled(self.writer.commit)
        self._committed, self._pending_bytes = self._added.documents, 0

    def _count(self, **more: int) -> None:
        self._added = replace(self._added, **{name: getattr(self._added, name) + by for name, by in more.items()})

    def _report(self, news: tuple[ItemProblem, ...], path: str = "") -> None:
        if self.report:
            self.report(IngestProgress(self._added, self._committed, path, news))


async def settled(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run in a thread and wait for its end even if cancelled, because it has exclusive use of the index."""
    running = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise


def _take(source: Iterator[Found]) -> list[Found]:
    """The next batch, limited in documents and bytes; empty at the end."""
    batch: list[Found] = []
    size = 0
    for item in source:
        batch.append(item)
        size += len(item.body) if isinstance(item, Item) else 0
        if len(batch) >= _BATCH_DOCUMENTS or size >= _BATCH_BYTES:
            break
    return batch
