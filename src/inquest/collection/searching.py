"""Search of a collection by words and by meaning, or by words alone without vectors; and the making of the vectors.

Each document found by either is scored by both. Exact words win: a document with a rare name of letters and digits
('XK-4471') from the question comes before those that are merely similar, and a phrase is left to the index alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product
from pathlib import Path
from typing import NamedTuple

from inquest.collection.analysis import best_window, terms, window_around
from inquest.collection.entry import USUAL, FoundEntry, SearchFilter
from inquest.collection.index import Index, Stored
from inquest.collection.ingest import settled
from inquest.collection.library import Library
from inquest.collection.vectors import Alike, Row, State, VectorTable, append, begin, drop, hash_of, state
from inquest.domain.errors import ModelUnavailable, StorageError
from inquest.kit.ports import SentenceEncoder
from inquest.text.languages import detect_language, language_of
from inquest.text.regex import regex
from inquest.text.sentences import Span
from inquest.text.similarity import LEAST_LIKENESS, fused, windows_to_encode


@dataclass(frozen=True, slots=True)
class Encoding:
    """The sentence encoder and its languages."""

    encoder: SentenceEncoder
    languages: tuple[str, ...] = ()
    """ISO 639-1; empty: any."""

    def reads(self, language: str | None) -> bool:
        """True if the encoder is made for the language, or either is unknown."""
        return not (self.languages and language) or language.partition("-")[0].lower() in self.languages


class CollectionAnswer(NamedTuple):
    """The results of a search."""

    found: list[FoundEntry]
    by_meaning: bool = False
    """True: searched by words and meaning, with scores from 0 to 1; false: by words, with BM25 scores."""
    note: str = ""
    """The reason why a collection with vectors was searched by words alone, if the user can change that."""


class CollectionSearch:
    """Searches the collections of a library. Safe for several threads."""

    def __init__(self, library: Library, encoding: Encoding | None) -> None:
        self._library, self._encoding = library, encoding
        self._unusable = ""

    def __call__(self, name: str, text: str, wanted: SearchFilter = USUAL) -> CollectionAnswer:
        """The documents that match best. Raises NotFound, StorageError."""
        index = self._library.index(name)
        note = ""
        if wanted.semantic and not wanted.exact and self._encoding and self._encoding.reads(detect_language(text)):
            try:
                vectors = self._library.vectors(name)
                if vectors and not (note := self._why_not(name, vectors.state.encoder, self._encoding.encoder.name)):
                    found = search_by_both(index, vectors, self._encoding.encoder, text, wanted)
                    return CollectionAnswer(found, by_meaning=True)
            except StorageError as error:
                note = f"Searched by words only: {error.sentence}"
            except ModelUnavailable as error:
                # Not retried for every question.
                note = self._unusable = f"Searched by words only: {error.sentence}"
        return CollectionAnswer(index.search(text, wanted), note=note)

    def _why_not(self, name: str, encoder: str, used: str) -> str:
        if self._unusable or encoder == used:
            return self._unusable
        return (
            f"Searched by words only: {name} has the vectors of {encoder}, but the encoder is now {used}. "
            f"Replace them: inquest collection embed {name}"
        )


_CANDIDATES = 100
"""Documents by words and by meaning: one in neither hundred is not among the best ten."""
_RARE = 10
"""Documents: a name in more of them is not rare."""
_SIGN = regex(r"(?=\S*\d)(?=\S*[^\W\d_])\w[\w./-]*\w|\d{5,}")
"""A token of letters and digits, or a long number: an account, a docket, a chemical, a gene, a part."""


def search_by_both(
    index: Index, vectors: VectorTable, encoder: SentenceEncoder, text: str, wanted: SearchFilter
) -> list[FoundEntry]:
    """The documents that match best by words and meaning, best first, with scores from 0 to 1 (a rare exact name adds
    1). A document that shares no word with the question must be similar in meaning. Raises ModelUnavailable."""
    limit = wanted.limit
    if limit < 1 or not text.strip():
        return []
    [question] = encoder.encode([text])
    likenesses = vectors.compared_with(question)
    wide = max(_CANDIDATES, limit)
    weights = index.weights(text)
    similar = likenesses.best(wide, LEAST_LIKENESS)
    candidates = index.candidates(weights, wide, list(similar), wanted)
    meanings = [similar.get(one.snapshot) or likenesses.of(one.snapshot) for one in candidates]
    scores = fused([one.words for one in candidates], [each.score if each else None for each in meanings])
    named = _holders_of_rare_names(index, text)
    ranked = [
        (score + (one.snapshot in named), one, each)
        for score, one, each in zip(scores, candidates, meanings, strict=True)
    ]
    ranked.sort(key=lambda item: (-item[0], item[1].snapshot))
    return [one.found(score, _snippet(one, each, weights)) for score, one, each in ranked[:limit]]


def _holders_of_rare_names(index: Index, text: str) -> frozenset[str]:
    """The documents with a name of letters and digits from the question, by its rarest part, if they are few."""
    found: frozenset[str] = frozenset()
    for match in _SIGN.finditer(text):
        parts = terms(match.group())
        rarest = min(parts, key=index.holding, default="")
        if rarest and 0 < index.holding(rarest) <= _RARE:
            found |= index.holders(rarest, _RARE)
    return found


def _snippet(one: Stored, similar: Alike | None, weights: dict[str, float]) -> str:
    if one.words > 0 or similar is None:
        return best_window(one.text, weights)
    return window_around(one.text, Span(similar.start, similar.start))


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
