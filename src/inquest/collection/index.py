"""The full-text index of a collection: BM25 over stemmed words, in a folder of its own, with one writer at a time.

Title and text are one field, so a word's weight depends on the whole document. The title is also a second field that
adds to the score, because a document named after the words is likely to be about them. `python -m bench.quality
retrieval` measures the result. The index is the only list of its documents, so there is no other that could differ from
it after a crash.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from inquest.collection.analysis import (
    TOKENIZER,
    analyzer,
    best_window,
    first_occurrence,
    indexable,
    positions,
    terms,
    window_around,
)
from inquest.collection.entry import ALWAYS, USUAL, Entry, FoundEntry, Info, Original, SearchFilter, period, seconds
from inquest.domain.errors import Busy, StorageError

TITLE_WEIGHT = 0.2
"""Weight of a match in the title, in addition to 1 for the same match in title and text together."""
_LONGEST_QUESTION = 64
"""Terms of a question; of a longer one the rarest are used."""
_PHRASE_CANDIDATES = 1000
"""Documents with the words of a phrase in order that are searched for the phrase itself."""


def schema() -> Any:
    """The fields. The last four are stored, the others are searchable."""
    from tantivy import SchemaBuilder

    built = SchemaBuilder()
    for name in ("id", "key", "snapshot"):
        built = built.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("kind", "language"):
        built = built.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True)
    built = built.add_text_field("words", tokenizer_name=TOKENIZER, index_option="position")
    built = built.add_text_field("title", tokenizer_name=TOKENIZER, index_option="freq")
    for name in ("first", "last", "run"):
        built = built.add_integer_field(name, fast=True, indexed=name != "run")
    for name in ("shown", "text", "body", "facts"):
        built = built.add_bytes_field(name, stored=True)
    return built.build()


def open_index(folder: Path, *, create: bool = False) -> Any:
    """The index in the folder. Raises StorageError."""
    import tantivy

    try:
        opened = tantivy.Index(schema(), str(folder)) if create else tantivy.Index.open(str(folder))
    except (ValueError, OSError) as error:
        if "No space left" in str(error):  # the index library has no error code
            raise StorageError(
                f"The disk is full: the index in {folder} could not be written.", advice="Free some space and continue."
            ) from error
        raise _unreadable(folder, str(error).splitlines()[0]) from error
    opened.register_tokenizer(TOKENIZER, analyzer())
    opened.config_reader("manual")
    return opened


@dataclass(frozen=True, slots=True)
class Stored:
    """A document found by a search, decoded when needed."""

    snapshot: str
    words: float
    """BM25."""
    shown: bytes
    document: Any

    @property
    def text(self) -> str:
        return str(self.document["text"][0].decode())

    def found(self, score: float, snippet: str) -> FoundEntry:
        """The search result with this score and snippet."""
        return FoundEntry.from_stored(self.shown, score=round(score, 6), snippet=snippet)


class Index:
    """A collection's index for searching, as of its opening or the last refresh."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = open_index(folder)
        self._schema = self._index.schema
        self._searcher = self._index.searcher()
        self._state = self._committed()

    def refresh(self) -> None:
        """Include the commits of any process since. Fast if there are none."""
        state = self._committed()
        if state != self._state:
            # Opened again, because the collection may have been removed and created again.
            self._index = open_index(self._folder)
            self._searcher = self._index.searcher()
            self._state = state

    @property
    def documents(self) -> int:
        return int(self._searcher.num_docs)

    def search(self, text: str, wanted: SearchFilter = USUAL) -> list[FoundEntry]:
        """The documents that match the words best, best first. A document is in range if its date can mean a moment in
        the wanted period, or is unknown. The text has no query syntax."""
        weights, limit, exact = self.weights(text), wanted.limit, wanted.exact
        if not weights or limit < 1:
            return []
        query = self._in_range(self._phrase(text) if exact else self._any_of(weights), wanted)
        found: list[FoundEntry] = []
        for one in self._stored(query, _PHRASE_CANDIDATES if exact else limit):
            body = one.text
            place = first_occurrence(text, body) if exact else None
            answer = one.found(one.words, window_around(body, place) if place else best_window(body, weights))
            if exact and place is None and first_occurrence(text, answer.title) is None:
                continue
            found.append(answer)
            if len(found) == limit:
                break
        return sorted(found, key=lambda one: (-one.score, one.id))

    def candidates(
        self, weights: Mapping[str, float], limit: int, also: Sequence[str], wanted: SearchFilter
    ) -> list[Stored]:
        """The `limit` documents that match the terms best, then the known documents of the snapshots `also` that are in
        range. The score by words is 0 for a document without the terms."""
        from tantivy import Occur, Query

        found: dict[str, Stored] = {}
        any_of = self._any_of(weights)
        if weights and limit:
            for one in self._stored(self._in_range(any_of, wanted), limit):
                found[one.snapshot] = one
        if missing := [snapshot for snapshot in also if snapshot not in found]:
            # Faster than a set of terms, which is first compiled to an automaton.
            among = Query.const_score_query(self._one_of(missing), 0.0)
            query = Query.boolean_query([(Occur.Must, among), (Occur.Should, any_of)])
            for one in self._stored(self._in_range(query, wanted), len(missing)):
                found[one.snapshot] = one
        return list(found.values())

    def holding(self, term: str) -> int:
        """The number of documents that contain a term."""
        return min(int(self._searcher.doc_freq("words", term)), self.documents)

    def holders(self, term: str, limit: int) -> frozenset[str]:
        """The snapshots of at most `limit` documents that contain a term."""
        from tantivy import Query

        return frozenset(one.snapshot for one in self._stored(Query.term_query(self._schema, "words", term), limit))

    def snapshots(self, beginning: str) -> list[str]:
        """The snapshots with this beginning (hexadecimal digits) in order."""
        from tantivy import Query

        every = Query.all_query()  # excludes the terms of removed documents
        found = self._searcher.terms_with_prefix("snapshot", f"sha256:{beginning}", every)
        return sorted(term for term, _ in found)

    def texts(self, snapshots: Sequence[str]) -> list[tuple[FoundEntry, str]]:
        """The known documents among these, with their texts."""
        query = self._one_of(snapshots)
        return [(one.found(0.0, ""), one.text) for one in self._stored(query, len(snapshots))] if snapshots else []

    def original(self, snapshot: str) -> Original | None:
        """The bytes of a document and their metadata, if the index keeps them itself."""
        for found in self._stored(self._one_of([snapshot]), 1):
            stored = found.document.to_dict()
            if "body" in stored:
                return Original.from_stored(stored["body"][0], stored["facts"][0], found.text)
        return None

    def info(self, name: str) -> Info:
        """The figures of the collection."""
        from tantivy import FieldType, Query

        by_name = {name: {"terms": {"field": name, "size": 1000}} for name in ("kind", "language")}
        counted = self._searcher.aggregate(Query.all_query(), by_name)
        dated = Query.range_query(self._schema, "first", FieldType.Integer, ALWAYS, None, include_lower=False)
        dates = self._searcher.aggregate(
            dated,
            {
                "count": {"value_count": {"field": "first"}},
                "first": {"min": {"field": "first"}},
                "last": {"max": {"field": "first"}},
            },
        )
        return Info(
            name=name,
            documents=self.documents,
            kinds=_buckets(counted["kind"]),
            languages=_buckets(counted["language"]),
            dated=int(dates["count"]["value"] or 0),
            first=_moment(dates["first"]["value"]),
            last=_moment(dates["last"]["value"]),
            bytes_indexed=sum(file.stat().st_size for file in self._folder.iterdir() if file.is_file()),
        )

    def weights(self, text: str) -> dict[str, float]:
        """The known terms of a question with their inverse frequency (BM25)."""
        total = self.documents
        weights = {}
        for term in terms(text):
            if holding := self.holding(term):
                weights[term] = math.log(1 + (total - holding + 0.5) / (holding + 0.5))
        if len(weights) <= _LONGEST_QUESTION:
            return weights
        return dict(sorted(weights.items(), key=lambda pair: -pair[1])[:_LONGEST_QUESTION])

    def _any_of(self, words: Iterable[str]) -> Any:
        from tantivy import Occur, Query

        parts = []
        for term in words:
            parts.append((Occur.Should, Query.term_query(self._schema, "words", term, "freq")))
            in_title = Query.term_query(self._schema, "title", term, "freq")
            parts.append((Occur.Should, Query.boost_query(in_title, TITLE_WEIGHT)))
        return Query.boolean_query(parts)

    def _phrase(self, text: str) -> Any:
        from tantivy import Query

        placed = positions(text)
        if len(placed) == 1:
            return Query.term_query(self._schema, "words", placed[0][1], "freq")
        return Query.phrase_query(self._schema, "words", [*placed])

    def _in_range(self, query: Any, wanted: SearchFilter) -> Any:
        from tantivy import FieldType, Occur, Query

        parts = [(Occur.Must, query)]
        for name, low, high in (("last", wanted.since, None), ("first", None, wanted.until)):
            if low or high:
                bounds = (low and seconds(low), high and seconds(high))
                within = Query.range_query(self._schema, name, FieldType.Integer, *bounds)
                parts.append((Occur.Must, Query.const_score_query(within, 0.0)))
        return Query.boolean_query(parts) if len(parts) > 1 else query

    def _one_of(self, snapshots: Sequence[str]) -> Any:
        from tantivy import Occur, Query

        terms_of = (Query.term_query(self._schema, "snapshot", snapshot, "basic") for snapshot in snapshots)
        return Query.boolean_query([(Occur.Should, term) for term in terms_of])

    def _stored(self, query: Any, limit: int) -> Iterator[Stored]:
        for score, address in self._searcher.search(query, limit, count=False).hits:
            stored = self._searcher.doc(address)
            shown = stored["shown"][0]
            yield Stored(json.loads(shown)["snapshot"], float(score), shown, stored)

    def _committed(self) -> tuple[int, int]:
        try:
            state = (self._folder / "meta.json").stat()
        except OSError as error:
            raise _unreadable(self._folder, error.strerror) from error
        return state.st_mtime_ns, state.st_ino


def _unreadable(folder: Path, why: str | None) -> StorageError:
    return StorageError(
        f"The index in {folder} cannot be read ({why}).",
        advice="If the disk works, remove the collection and add its documents again.",
    )


def _buckets(aggregated: Any) -> dict[str, int]:
    return {bucket["key"]: int(bucket["doc_count"]) for bucket in aggregated["buckets"] if bucket["key"]}


def _moment(value: float | None) -> datetime | None:
    return None if value is None else datetime.fromtimestamp(value, UTC)


_HEAP = 64_000_000
"""Bytes of terms in memory before they are written as a segment."""


class IndexWriter:
    """Adds documents. The end of the context releases the index and drops uncommitted documents."""

    def __init__(self, folder: Path, name: str) -> None:
        """`name`: the collection's, for messages. Raises Busy, StorageError."""
        from tantivy import Query

        self._name = name
        self._index = open_index(folder)
        self._schema = self._index.schema
        try:
            # One thread keeps the order of documents, and two gain little on small machines.
            self._writer: Any = self._index.writer(_HEAP, 1)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise self._failed(error) from error
            raise Busy(
                f"Another process is adding to the collection {name}.", advice="Wait until it is done, then try again."
            ) from error
        self._searcher = self._index.searcher()
        last = self._searcher.aggregate(Query.all_query(), {"run": {"max": {"field": "run"}}})["run"]["value"]
        self._run = int(last or 0) + 1
        self._forget()

    def __enter__(self) -> IndexWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def has(self, snapshot: str) -> bool:
        """True for the bytes of a known document."""
        if snapshot in self._pending_snapshots:
            return True
        return snapshot not in self._replaced and self._holder("snapshot", snapshot) is not None

    def has_id(self, id: str) -> bool:
        """True for the id of a known document."""
        return id in self._pending_ids or self._holder("id", id) is not None

    def add(self, entry: Entry) -> bool:
        """Add a document and return True if it replaces an earlier version; `commit` makes both permanent. Documents
        with the same key in one run are not versions. An id that another document already has is made unique with the
        beginning of the hash."""
        earlier = self._earlier(entry.key) if entry.key else None
        if entry.key and earlier is None and (entry.key in self._pending_keys or self._holder("key", entry.key)):
            entry = replace(entry, key="")
        with self._storage_errors():
            if earlier:
                self._writer.delete_documents_by_term("key", entry.key)
                self._replaced.add(earlier["snapshot"])
            own_id = earlier is not None and earlier["id"] == entry.id
            if entry.id in self._pending_ids or (not own_id and self._holder("id", entry.id)):
                entry = replace(entry, id=f"{entry.id}-{entry.snapshot.removeprefix('sha256:')[:8]}")
            self._writer.add_document(self._stored(entry))
        self._pending_snapshots.add(entry.snapshot)
        self._pending_ids.add(entry.id)
        self._pending_keys.add(entry.key)
        self.pending += 1
        return earlier is not None

    def commit(self) -> None:
        """Make the added documents permanent and visible. Raises StorageError."""
        with self._storage_errors():
            self._writer.commit()
            self._index.reload()
        self._searcher = self._index.searcher()
        self._forget()

    def close(self) -> None:
        """Drop pending documents, finish merging and release the index."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        if self.pending:
            writer.rollback()
        with self._storage_errors():
            writer.wait_merging_threads()

    def _forget(self) -> None:
        self._pending_snapshots: set[str] = set()
        self._pending_keys: set[str] = set()
        self._pending_ids: set[str] = set()
        # Replaced versions: the same bytes may be added again from another file.
        self._replaced: set[str] = set()
        self.pending = 0
        """Documents added since the last commit."""

    def _holder(self, name: str, value: str) -> Any:
        """The address of a committed document with this term, if any."""
        from tantivy import Query

        # The dictionary still counts deleted documents, so only its zero is certain.
        if not self._searcher.doc_freq(name, value):
            return None
        hits = self._searcher.search(Query.term_query(self._schema, name, value), 1, count=False).hits
        return hits[0][1] if hits else None

    def _earlier(self, key: str) -> dict[str, str] | None:
        """The stored fields of the version that an earlier run added."""
        if key in self._pending_keys or (address := self._holder("key", key)) is None:
            return None
        if self._searcher.fast_field_values("run", [address])[0] == self._run:
            return None
        shown: dict[str, str] = json.loads(self._searcher.doc(address)["shown"][0])
        return shown

    def _stored(self, entry: Entry) -> Any:
        from tantivy import Document

        first, last = period(entry.published)
        title = indexable(entry.title)
        original = entry.original
        kept = {"body": original.body, "facts": original.facts()} if original else {}
        return Document(
            id=entry.id,
            key=entry.key,
            snapshot=entry.snapshot,
            kind=entry.kind,
            language=entry.language or "",
            words=f"{title}\n{indexable(entry.text)}",
            title=title,
            first=first,
            last=last,
            run=self._run,
            shown=entry.shown(),
            text=entry.text.encode("utf-8", "replace"),
            **kept,
        )

    @contextmanager
    def _storage_errors(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, OSError) as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> StorageError:
        # On a full disk the library only reports that its thread was killed.
        why = "the disk is full or fails" if "killed" in str(error) else str(error).splitlines()[0][:200]
        return StorageError(
            f"The collection {self._name} cannot be written ({why}).",
            advice="Committed documents are kept. Free some space or repair the disk, then add the same paths again.",
        )
