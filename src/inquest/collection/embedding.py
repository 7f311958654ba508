"""Giving every document of a collection its vectors, so that it is found by meaning too: what has none yet, a batch at
a time, each kept before the next is begun. Stopped anywhere, it goes on from there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from inquest.collection.entry import FoundEntry
from inquest.collection.index import Index
from inquest.collection.ingest import settled
from inquest.collection.searching import Encoding
from inquest.collection.vectors import Row, State, VectorTable, append, begin, drop, hash_of, state
from inquest.text.languages import language_of
from inquest.text.similarity import windows_to_encode

_BATCH = 32
# Documents: some seconds of work on a small machine, which is what a stop may cost.
_MOST_AT_ONCE = 8_000
# Documents that are looked through at a time, by the beginning of their hash, so that no list of all is ever held.
_SAMPLE = 2_000
# Characters of a text by which its language is detected.


@dataclass(frozen=True, slots=True)
class Embedded:
    """How far the vectors of a collection are."""

    collection: str
    documents: int
    """In the collection."""
    by_meaning: int = 0
    """With vectors: found by meaning, too."""
    unread: int = 0
    """In a language that the encoder does not read: found by words alone."""
    added: int = 0
    """Given vectors in this run."""
    removed: int = 0
    """Rows of documents that are gone, thrown away in this run."""
    replaced: str | None = None
    """The encoder whose vectors were thrown away in this run, because another is used now."""
    encoder: str | None = None

    @property
    def left(self) -> int:
        """Documents still to be looked at."""
        return max(0, self.documents - self.by_meaning - self.unread)


@dataclass(slots=True)
class Embedding:
    """One run. The caller holds the collection's lock. Not for use by two tasks at once."""

    collection: str
    folder: Path
    index: Index
    encoding: Encoding
    tell: Callable[[Embedded], None] | None = None
    _reached: Embedded = field(init=False)

    async def run(self) -> Embedded:
        """Give vectors to all that have none. Raises ModelUnavailable and StorageError; what was done before is kept,
        as it is when cancelled."""
        known, table = await settled(self._open)
        for snapshots in self._missing(table):
            known = await settled(self._encoded, known, snapshots)
            self._say()
        self._say()
        return self._reached

    def _open(self) -> tuple[State, VectorTable]:
        known, encoder = state(self.folder), self.encoding.encoder
        replaced = known.encoder if known and known.encoder != encoder.name else None
        if known is None or replaced or known.size != encoder.size:
            known = begin(self.folder, encoder.name, encoder.size)
        before = known.rows
        known = forget(self.folder, self.index, known)
        self._reached = Embedded(
            self.collection,
            self.index.documents,
            by_meaning=known.documents,
            unread=known.unread,
            removed=before - known.rows,
            replaced=replaced,
            encoder=known.encoder,
        )
        return known, VectorTable(self.folder, known)

    def _missing(self, table: VectorTable) -> Iterator[list[str]]:
        batch: list[str] = []
        for beginning in _beginnings(self.index.documents):
            for snapshot in self.index.snapshots(beginning):
                if snapshot in table:
                    continue
                batch.append(snapshot)
                if len(batch) == _BATCH:
                    yield batch
                    batch = []
        if batch:
            yield batch

    def _encoded(self, known: State, snapshots: Sequence[str]) -> State:
        plans = [(found, self._windows(found, text)) for found, text in self.index.texts(snapshots)]
        vectors = iter(self.encoding.encoder.encode([window for _, windows in plans for _, window in windows]))
        documents: list[list[Row]] = [
            [(found.snapshot, start, next(vectors)) for start, _ in windows] or [(found.snapshot, 0, b"")]
            for found, windows in plans
        ]
        further = append(self.folder, known, documents)
        added = further.documents - known.documents
        self._reached = replace(
            self._reached, by_meaning=further.documents, unread=further.unread, added=self._reached.added + added
        )
        return further

    def _windows(self, found: FoundEntry, text: str) -> list[tuple[int, str]]:
        if not self.encoding.reads(language_of(text[:_SAMPLE], found.language)):
            return []
        return [(window.start, window.text) for window in windows_to_encode(found.title, text)]

    def _say(self) -> None:
        if self.tell:
            self.tell(self._reached)


def forget(folder: Path, index: Index, known: State) -> State:
    """Throw away the vectors of documents that are gone or have changed. Raises StorageError."""
    if not known.rows:
        return known
    table = VectorTable(folder, known)
    gone: set[bytes] = set()
    for beginning in _beginnings(max(known.rows, index.documents)):
        gone |= table.hashes(beginning) - {hash_of(snapshot) for snapshot in index.snapshots(beginning)}
    return drop(folder, known, gone)


def _beginnings(documents: int) -> list[str]:
    """The beginnings of hashes by which so many documents fall into parts of a bearable size."""
    digits = 0
    while digits < 4 and documents > _MOST_AT_ONCE * 16**digits:
        digits += 1
    return ["".join(one) for one in product("0123456789abcdef", repeat=digits)]
