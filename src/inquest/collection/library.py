"""Where the collections lie: `<home>/collections/NAME/` with `collection.json`, `index/` and perhaps `ratings.csv`,
`vectors.json` and `vectors-N.bin`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import threading
import uuid
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from inquest.collection.entry import FoundEntry
from inquest.collection.index import Index, open_index
from inquest.collection.vectors import VectorTable, state, written_at
from inquest.collection.writer import IndexWriter
from inquest.domain.errors import InputError, NotFound, StorageError
from inquest.kit.ports import Archive
from inquest.sources.ratings_table import load_ratings
from inquest.text.regex import regex

FORMAT = 1
"""Of the folder and the index. A folder of a newer format is left alone."""
_NAME = regex(r"[A-Za-z0-9_-](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")


class Library:
    """The collections under one data folder."""

    def __init__(self, home: Path) -> None:
        self._root = home / "collections"
        self._open: dict[str, Index] = {}
        self._tables: dict[str, tuple[tuple[int, int] | None, VectorTable]] = {}
        self._opening = threading.Lock()

    def names(self) -> tuple[str, ...]:
        """In alphabetical order."""
        if not self._root.is_dir():
            return ()
        return tuple(
            sorted(entry.parent.name for entry in self._root.glob("*/collection.json") if _valid(entry.parent.name))
        )

    def exists(self, name: str) -> bool:
        """Whether there is a collection of that name. Raises InputError for what cannot be a name."""
        return (self._place(name) / "collection.json").is_file()

    def create(self, name: str, *, now: datetime) -> None:
        """Make an empty collection. Raises InputError and StorageError."""
        place = self._place(name)
        try:
            (place / "index").mkdir(parents=True, exist_ok=True)
            open_index(place / "index", create=True)
            # Last, and in one step: what has no such file is no collection yet.
            made = place / f".collection-{uuid.uuid4().hex}.json"
            made.write_text(json.dumps({"format": FORMAT, "name": name, "created_at": now.isoformat()}) + "\n")
            made.replace(place / "collection.json")
        except OSError as error:
            raise StorageError(
                f"The collection {name} cannot be made in {place} ({error.strerror}).",
                advice="Make room there, or choose another data folder with INQUEST_HOME.",
            ) from error

    def index(self, name: str) -> Index:
        """The index, as it is now, for searching. Raises NotFound and StorageError."""
        folder = self.folder(name) / "index"
        with self._opening:
            index = self._open.get(name)
            if index is None:
                index = self._open[name] = Index(folder)
            else:
                index.refresh()
        return index

    def writer(self, name: str) -> IndexWriter:
        """The one writer. Raises NotFound, Busy and StorageError."""
        return IndexWriter(self.folder(name) / "index", name)

    def vectors(self, name: str) -> VectorTable | None:
        """The vectors, as they stand now; None: it has none. Raises NotFound and StorageError."""
        folder = self.folder(name)
        known, written = state(folder), written_at(folder)
        with self._opening:
            stamp, table = self._tables.pop(name, (None, None))
            if known is None:
                return None
            if table is None or stamp != written:
                table = VectorTable(folder, known)
            self._tables[name] = (written, table)
        return table

    def remove(self, name: str) -> None:
        """Remove the collection. What cases have archived of it stays. Raises NotFound, Busy and StorageError."""
        if not self.exists(name):
            raise self._unknown(name)
        folder = self._place(name)
        with contextlib.suppress(StorageError):  # What is beyond opening can still be thrown away.
            self.writer(name).close()
        gone = folder.with_name(f".removed-{uuid.uuid4().hex}")
        try:
            folder.rename(gone)
            shutil.rmtree(gone)
        except OSError as error:
            raise StorageError(f"The collection {name} cannot be removed from {folder} ({error.strerror}).") from error
        self._open.pop(name, None)
        self._tables.pop(name, None)

    def keep_ratings(self, name: str, ratings: Path) -> int:
        """Copy a ratings file into the collection and return how many domains it rates.

        A table as `sources.ratings_table.load_ratings` takes it. Raises InputError and StorageError.
        """
        count = rated_domains(ratings)
        folder = self.folder(name)
        try:
            (folder / ".ratings.csv").write_bytes(ratings.read_bytes())
            (folder / ".ratings.csv").replace(folder / "ratings.csv")
        except OSError as error:
            raise StorageError(f"{ratings} cannot be copied into the collection {name} ({error.strerror}).") from error
        return count

    def ratings(self, name: str) -> Path | None:
        """The collection's own ratings file; None: it has none. Raises NotFound."""
        path = self.folder(name) / "ratings.csv"
        return path if path.is_file() else None

    def folder(self, name: str) -> Path:
        """Where the collection lies. Raises NotFound and StorageError."""
        if not self.exists(name):
            raise self._unknown(name)
        folder = self._place(name)
        try:
            made = int(json.loads((folder / "collection.json").read_text())["format"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StorageError(
                f"The collection {name} cannot be read: its collection.json is damaged.",
                advice=f"Remove it with `inquest collection remove {name}` only if you can add its documents again.",
            ) from error
        if made > FORMAT:
            raise StorageError(
                f"The collection {name} is of format {made}, which a newer version of Inquest made.",
                advice="Install that version, or use another name.",
            )
        return folder

    def _unknown(self, name: str) -> NotFound:
        known = ", ".join(self.names())
        return NotFound(
            f"There is no collection {name} here.",
            advice=f"There are: {known}."
            if known
            else f"There is none yet. One is made with: inquest collection add {name} PATH...",
        )

    def _place(self, name: str) -> Path:
        if not _valid(name):
            raise InputError(
                f"{name!r} cannot be the name of a collection.",
                advice="Use letters, digits, '-', '_' and '.', at most 64, with no '.' at either end.",
            )
        return self._root / name


def rated_domains(ratings: Path) -> int:
    """How many domains a ratings file rates. Raises InputError, with the line, where it is not of that form."""
    try:
        return len(load_ratings(ratings.read_text("utf-8-sig"), ratings.name).rows)
    except FileNotFoundError as error:
        raise InputError(f"There is no file {ratings}.", advice="Check the path.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{ratings} cannot be read as text.", advice="Save it as CSV in UTF-8.") from error


def _valid(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


async def keep_originals(index: Index, found: Sequence[FoundEntry], archive: Archive) -> None:
    """Archive the found documents whose bytes only the index has. Raises StorageError."""

    async def keep(snapshot: str) -> None:
        original = await asyncio.to_thread(index.original, snapshot)
        if original:
            await archive.put(original.body, original.snapshot)
            await archive.put_document(original.document)

    await asyncio.gather(*(keep(one.snapshot) for one in found))
