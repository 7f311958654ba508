"""Writing to a collection's index: one writer at a time, in atomic batches.

The index itself is the only list of its documents, so there is no other that could differ from it after a crash.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from inquest.collection.analysis import indexable
from inquest.collection.entry import Entry, period
from inquest.collection.index import open_index
from inquest.domain.errors import Busy, StorageError

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
        """Add a document and return True if it replaces an earlier version; `commit` makes both permanent.

        Documents with the same key in one run are not versions. An id that another document already has is made unique
        with the beginning of the hash.
        """
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
