"""The folders of the collections: `<home>/collections/NAME/` with `collection.json`, `index/` and optionally
`ratings.csv`, `vectors.json` and `vectors-N.bin`."""

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
from inquest.collection.index import Index, IndexWriter, open_index
from inquest.collection.vectors import VectorTable, state, written_at
from inquest.domain.errors import InputError, NotFound, StorageError
from inquest.kit.ports import Archive
from inquest.sources.ratings_table import load_ratings
from inquest.text.regex import regex

FORMAT = 1
"""Version of the folder and the index. A folder of a newer format is not used."""
_NAME = regex(r"[A-Za-z0-9_-](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")


class Library:
    """The collections under one data folder."""

    def __init__(self, home: Path) -> None:
        self._root = home / "collections"
        self._open: dict[str, Index] = {}
        self._tables: dict[str, tuple[tuple[int, int] | None, VectorTable]] = {}
        self._opening = threading.Lock()

    def names(self) -> tuple[str, ...]:
        """The names of the collections in alphabetical order."""
        found = (path.parent.name for path in self._root.glob("*/collection.json"))
        return tuple(sorted(name for name in found if _NAME.fullmatch(name)))

    def exists(self, name: str) -> bool:
        """True if there is a collection of this name. Raises InputError for an invalid name."""
        return (self._path(name) / "collection.json").is_file()

    def create(self, name: str, *, now: datetime) -> None:
        """Create an empty collection. Raises InputError, StorageError."""
        folder = self._path(name)
        try:
            (folder / "index").mkdir(parents=True, exist_ok=True)
            open_index(folder / "index", create=True)
            # Last and atomically, because this file makes the folder a collection.
            made = folder / f".collection-{uuid.uuid4().hex}.json"
            made.write_text(json.dumps({"format": FORMAT, "name": name, "created_at": now.isoformat()}) + "\n")
            made.replace(folder / "collection.json")
        except OSError as error:
            raise StorageError(
                f"The collection {name} cannot be created in {folder} ({error.strerror}).",
                advice="Free some space, or choose another data folder with INQUEST_HOME.",
            ) from error

    def index(self, name: str) -> Index:
        """The current index, for searching. Raises NotFound, StorageError."""
        folder = self.folder(name) / "index"
        with self._opening:
            index = self._open.get(name)
            if index is None:
                index = self._open[name] = Index(folder)
            else:
                index.refresh()
        return index

    def writer(self, name: str) -> IndexWriter:
        """The one writer. Raises NotFound, Busy, StorageError."""
        return IndexWriter(self.folder(name) / "index", name)

    def vectors(self, name: str) -> VectorTable | None:
        """The current vectors, if any. Raises NotFound, StorageError."""
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
        """Remove the collection, but not what cases archived from it. Raises NotFound, Busy, StorageError."""
        folder = self._existing(name)
        with contextlib.suppress(StorageError):  # a damaged collection can still be removed
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
        """Copy a ratings file (for `sources.ratings_table.load_ratings`) into the collection and return the number of
        its domains. Raises InputError, StorageError."""
        count = rated_domains(ratings)
        folder = self.folder(name)
        try:
            (folder / ".ratings.csv").write_bytes(ratings.read_bytes())
            (folder / ".ratings.csv").replace(folder / "ratings.csv")
        except OSError as error:
            raise StorageError(f"{ratings} cannot be copied into the collection {name} ({error.strerror}).") from error
        return count

    def ratings(self, name: str) -> Path | None:
        """The collection's own ratings file, if any. Raises NotFound."""
        path = self.folder(name) / "ratings.csv"
        return path if path.is_file() else None

    def folder(self, name: str) -> Path:
        """The collection's folder. Raises NotFound, StorageError."""
        folder = self._existing(name)
        try:
            version = int(json.loads((folder / "collection.json").read_text())["format"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StorageError(
                f"The collection {name} cannot be read: its collection.json is damaged.",
                advice=f"Remove it with `inquest collection remove {name}` only if you can add its documents again.",
            ) from error
        if version > FORMAT:
            raise StorageError(
                f"The collection {name} has format {version}, from a newer version of Inquest.",
                advice="Install that version, or use another name.",
            )
        return folder

    def _existing(self, name: str) -> Path:
        if not self.exists(name):
            known = ", ".join(self.names())
            create = f"There are no collections yet. Create one with: inquest collection add {name} PATH..."
            raise NotFound(f"There is no collection {name} here.", advice=f"Collections: {known}." if known else create)
        return self._root / name

    def _path(self, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise InputError(
                f"{name!r} is not a valid name for a collection.",
                advice="Use letters, digits, '-', '_' and '.', at most 64, with no '.' at either end.",
            )
        return self._root / name


def rated_domains(ratings: Path) -> int:
    """The number of domains in a ratings file. Raises InputError, with the line, if it is invalid."""
    try:
        return len(load_ratings(ratings.read_text("utf-8-sig"), ratings.name).rows)
    except FileNotFoundError as error:
        raise InputError(f"There is no file {ratings}.", advice="Check the path.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{ratings} cannot be read as text.", advice="Save it as CSV in UTF-8.") from error


async def keep_originals(index: Index, found: Sequence[FoundEntry], archive: Archive) -> None:
    """Archive the documents found if only the index has their bytes. Raises StorageError."""

    async def keep(snapshot: str) -> None:
        original = await asyncio.to_thread(index.original, snapshot)
        if original:
            await archive.put(original.body, original.snapshot)
            await archive.put_document(original.document)

    await asyncio.gather(*(keep(one.snapshot) for one in found))
