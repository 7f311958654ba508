"""Taking documents in: read, archive, index; in batches that are kept whatever happens afterwards."""

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
from inquest.collection.items import FileDone, Found, Item, ItemProblem, Records
from inquest.collection.writer import IndexWriter
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageError
from inquest.kit.ports import Archive, Clock
from inquest.kit.rows import ROW_TYPE
from inquest.text.urls import is_web_url

P = ParamSpec("P")
T = TypeVar("T")

Read = Callable[[bytes, Snapshot], Awaitable[Document]]
"""Makes the document of bytes. Raises PageError where no text can be made of them."""

MOST_PROBLEMS_KEPT = 1000
"""Problems that are reported one by one; of more, only how many there were: a million bad rows must not fill the
memory."""
_BATCH_DOCUMENTS, _BATCH_BYTES = 64, 16 * 2**20
_COMMIT_DOCUMENTS, _COMMIT_BYTES, _COMMIT_AFTER = 50_000, 256 * 2**20, timedelta(seconds=30)
# A commit costs a tenth of a second and leaves a segment to merge; what is not committed is lost in a power cut.


@dataclass(frozen=True, slots=True)
class Added:
    """What came of adding paths to a collection."""

    collection: str
    documents: int = 0
    """New here, committed."""
    updated: int = 0
    """Of them, those that took the place of an earlier version."""
    skipped: int = 0
    """Already here, byte for byte."""
    files: int = 0
    unreadable: int = 0
    """Documents, rows and files that could not be taken in."""
    left_out: int = 0
    """Files found in folders, and records of web archives, that are of no kind that is read."""
    records: tuple[Records, ...] = ()
    """What the records of web archives came to, by type and outcome; those that only accompany others (requests,
    metadata) are counted here and not in `left_out`."""
    problems: tuple[ItemProblem, ...] = ()
    """Both of them, the first thousand."""


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """How far it has come; reported after every batch."""

    so_far: Added
    committed: int
    """Documents that are kept whatever happens now."""
    path: str
    """The file available."""
    news: tuple[ItemProblem, ...] = ()
    """Problems since the last report."""


@dataclass(slots=True)
class Ingest:
    """One run of adding. Not for use by two tasks at once."""

    collection: str
    writer: IndexWriter
    read: Read
    archive: Archive
    clock: Clock
    takers: Takers
    tell: Callable[[IngestProgress], None] | None = None
    _added: Added = field(init=False)
    _committed: int = field(init=False, default=0)
    _pending_bytes: int = field(init=False, default=0)
    _records: Counter[tuple[str, str]] = field(init=False, default_factory=Counter)

    async def run(self, paths: Sequence[Path]) -> Added:
        """Add everything under the paths. Goes on after what cannot be read; nothing is read twice.

        Raises InputError where a path does not exist, StorageError where nothing more can be written. Cancelled, it
        first commits what it has read.
        """
        require(paths)
        self._added = Added(self.collection)
        source = documents_under(paths, self.takers)
        last_commit = self.clock.now()
        try:
            while batch := await settled(_take, source):
                await self._take_in(batch)
                if self._is_due(last_commit):
                    await self._commit()
                    last_commit = self.clock.now()
        except asyncio.CancelledError:
            self.writer.commit()
            self._committed = self._added.documents
            self._say(())
            raise
        await self._commit()
        self._say(())
        return self._added

    async def _take_in(self, batch: list[Found]) -> None:
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
        self._say(tuple(news), path)

    def _new(self, batch: list[Found]) -> list[tuple[Found, str]]:
        """The batch without documents that are here already; each document with its hash."""
        kept: list[tuple[Found, str]] = []
        met: set[str] = set()
        for item in batch:
            digest = ""
            if isinstance(item, Item):
                digest = "sha256:" + hashlib.sha256(item.body).hexdigest()
                item = replace(item, id=item.id or _own_id(item, digest))
                if self._is_here(item, digest, met):
                    self._count(skipped=1)
                    self._records[item.record, "already there"] += 1
                    continue
                met.add(item.id if item.repeats else digest)
            kept.append((item, digest))
        return kept

    def _is_here(self, item: Item, digest: str, met: set[str]) -> bool:
        if item.repeats:
            return item.id in met or self.writer.has_id(item.id)
        return digest in met or self.writer.has(digest)

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
            document = (await self.read(item.body, snapshot)).model_copy(update={"parent": item.parent})
        except PageError as error:
            return ItemProblem(item.where, error.sentence.rstrip("."))
        except (ValueError, LookupError, ArithmeticError, RecursionError, MemoryError) as error:
            # A file that a reader's library chokes on is a bad file; the others are still to be read.
            return ItemProblem(item.where, f"cannot be read ({type(error).__name__}: {str(error)[:120]})")
        if not document.text.strip():
            return ItemProblem(item.where, "has no text")
        if not is_web_url(document.url) and document.canonical_url and is_web_url(document.canonical_url):
            # A saved page is that page: it is cited, rated and compared by the address it gives for itself.
            document = document.model_copy(update={"url": document.canonical_url})
        original = None
        if item.content_type == ROW_TYPE:
            # A million rows would be millions of files; the index keeps them, and the archive those that are found.
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

    def _say(self, news: tuple[ItemProblem, ...], path: str = "") -> None:
        if self.tell:
            self.tell(IngestProgress(self._added, self._committed, path, news))


async def settled(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run in a thread; when cancelled, let it come to its end first, since nothing else may use what it uses."""
    running = asyncio.ensure_future(asyncio.to_thread(work, *args, **kwargs))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        raise


def _take(source: Iterator[Found]) -> list[Found]:
    """The next batch: so many documents or so many bytes of them; empty: there is no more."""
    batch: list[Found] = []
    size = 0
    for item in source:
        batch.append(item)
        size += len(item.body) if isinstance(item, Item) else 0
        if len(batch) >= _BATCH_DOCUMENTS or size >= _BATCH_BYTES:
            break
    return batch


def _own_id(item: Item, digest: str) -> str:
    """The beginning of the hash; of the same bytes at another address, one of the address, too."""
    return (hashlib.sha256(f"{digest} {item.url}".encode()).hexdigest() if item.repeats else digest[7:])[:12]
