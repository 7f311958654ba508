"""Creation of the vectors for searching documents by meaning, in batches that survive an interruption."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product
from pathlib import Path

from inquest.collection.entry import FoundEntry
from inquest.collection.index import Index
from inquest.collection.ingest import settled
from inquest.collection.searching import Encoding
from inquest.collection.vectors import Row, State, VectorTable, append, begin, drop, hash_of, state
from inquest.text.languages import language_of
from inquest.text.similarity import windows_to_encode

_BATCH = 32
"""Documents: some seconds of work on a small machine, lost by an interruption."""
_MOST_AT_ONCE = 8_000
"""Documents listed at a time, by the beginning of their hash."""
_SAMPLE = 2_000
"""Characters of a text by which its language is detected."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The state of a collection's vectors."""

    collection: str
    documents: int
    """Documents in the collection."""
    by_meaning: int = 0
    """Documents with vectors."""
    unread: int = 0
    """Documents in a language that the encoder does not support, found by words alone."""
    added: int = 0
    """Documents that received vectors in this run."""
    removed: int = 0
    """Rows of removed documents deleted in this run."""
    replaced: str | None = None
    """The former encoder, if its vectors were deleted in this run."""
    encoder: str | None = None

    @property
    def left(self) -> int:
        """The number of remaining documents."""
        return max(0, self.documents - self.by_meaning - self.unread)


@dataclass(slots=True)
class Embedding:
    """One run, for use by one task. The caller holds the collection's lock."""

    collection: str
    folder: Path
    index: Index
    encoding: Encoding
    report: Callable[[Embedded], None] | None = None
    _reached: Embedded = field(init=False)

    async def run(self) -> Embedded:
        """Make the missing vectors. Finished batches are kept after a cancellation or an error. Raises
        ModelUnavailable, StorageError."""
        known, table = await settled(self._open)
        every = chain.from_iterable(map(self.index.snapshots, _beginnings(self.index.documents)))
        missing = (snapshot for snapshot in every if snapshot not in table)
        while snapshots := list(islice(missing, _BATCH)):
            known = await settled(self._encoded, known, snapshots)
            self._report()
        self._report()
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
        return windows_to_encode(found.title, text)

    def _report(self) -> None:
        if self.report:
            self.report(self._reached)


def forget(folder: Path, index: Index, known: State) -> State:
    """Delete the vectors of removed and changed documents. Raises StorageError."""
    if not known.rows:
        return known
    table = VectorTable(folder, known)
    gone: set[bytes] = set()
    for beginning in _beginnings(max(known.rows, index.documents)):
        gone |= table.hashes(beginning) - {hash_of(snapshot) for snapshot in index.snapshots(beginning)}
    return drop(folder, known, gone)


def _beginnings(documents: int) -> list[str]:
    """The beginnings of hashes that divide this number of documents into small parts."""
    digits = 0
    while digits < 4 and documents > _MOST_AT_ONCE * 16**digits:
        digits += 1
    return ["".join(one) for one in product("0123456789abcdef", repeat=digits)]
