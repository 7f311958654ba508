"""The archive in a folder: `objects/ab/cdef...` (bytes by their SHA-256), `retrievals/` and `documents/` beside them.
Writes are atomic, safe with concurrent writers and power failures.

objects/ab/cdef....gz        the bytes, compressed if that makes them smaller; else without the suffix
retrievals/ab/cdef....jsonl  one line per retrieval of these bytes: time, URL, status and headers
documents/ab/cdef....json    the text first extracted from them; offsets of findings always refer to it
"""

from __future__ import annotations

import asyncio
import errno
import gzip
import hashlib
import os
import tempfile
import zlib
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from pydantic import ValidationError

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import NotFound, StorageError
from inquest.text.regex import regex

P = ParamSpec("P")
T = TypeVar("T")
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}
_HASH = regex(r"sha256:([0-9a-f]{2})([0-9a-f]{62})")
STILL_USED = timedelta(hours=23)
"""Replies are reused by other cases for a day, so one fetched since then may be in use by another case."""
_ALREADY_PACKED = (b"%PDF", b"\x1f\x8b", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff")


def in_thread(work: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Make a method that works in a thread, because it waits for files."""

    @wraps(work)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(work, *args, **kwargs)

    return run


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Translate OSErrors of a folder into StorageErrors."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            why = f"The archive at {folder} cannot be written: the disk is full."
            raise StorageError(why, advice="Free some space and resume.") from error
        if error.errno in _CLOSED:
            why = f"The archive at {folder} cannot be used: it is read-only or belongs to another user."
            advice = "Check its permissions, or set INQUEST_HOME to another folder."
            raise StorageError(why, advice=advice) from error
        raise StorageError(f"The archive at {folder} cannot be used: {error.strerror or error}.") from error


def create_once(path: Path, data: bytes) -> bool:
    """Write a new file; return False if it exists, without changing it.

    The data is on disk before the name, so that a crash or a full disk leaves no partial file under that name.
    """
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return _publish(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _publish(temporary: Path, path: Path) -> bool:
    """Rename the finished file unless another process was first."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        # A file system without hard links: the rename may replace a file, but only by one with the same content or a
        # document extracted from the same bytes.
        if path.exists():
            return False
        temporary.replace(path)
    return True


def append_line(path: Path, line: bytes) -> None:
    """Append a line (without its line feed) atomically, unless the file contains it.

    Processes lock the file if the system supports that.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        with suppress(ImportError):  # Windows has no such locks
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX)  # until it is closed
        file.seek(0)
        present = file.read()
        if line in present.split(b"\n"):
            return
        size = len(present)
        # A line truncated by a crash stays on its own line and is skipped when read.
        gap = b"" if not present or present.endswith(b"\n") else b"\n"
        try:
            file.write(gap + line + b"\n")
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                os.ftruncate(file.fileno(), size)
            if not size:
                path.unlink(missing_ok=True)
            raise


class FileArchive:
    """kit.ports.Archive in a folder. Safe for concurrent tasks and processes; files are accessed in threads."""

    def __init__(self, folder: Path) -> None:
        """`folder` is created when something is first stored."""
        self.folder = folder

    @in_thread
    def put(self, body: bytes, snapshot: Snapshot) -> None:
        """Store the bytes (once per hash) and this retrieval of them.

        Raises StorageError if the disk is full, the folder is not writable, or the bytes do not match the hash.
        """
        check_hash(body, snapshot)
        plain, packed = self._objects(snapshot.hash)
        with storage_errors(self.folder):
            if not plain.exists() and not packed.exists():
                kept = squeezed(body)
                create_once(plain if kept is body else packed, kept)
            line = snapshot.model_dump_json(exclude_defaults=True).encode()
            append_line(self._path("retrievals", snapshot.hash, ".jsonl"), line)

    @in_thread
    def body(self, snapshot_hash: str) -> bytes:
        """Return the bytes after checking their hash. Raises NotFound, and StorageError if they are damaged."""
        for path in self._objects(snapshot_hash):
            with storage_errors(self.folder), suppress(FileNotFoundError):
                return original(path.read_bytes(), snapshot_hash)
        raise not_found(snapshot_hash)

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        """Return the first retrieval of these bytes. Raises NotFound."""
        return first_of(await self.retrievals(snapshot_hash), snapshot_hash)

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """Return all retrievals of these bytes in the order of storage, possibly none."""
        return await asyncio.to_thread(self._retrievals, snapshot_hash)

    @in_thread
    def put_document(self, document: Document) -> Document:
        """Store the text extracted from a snapshot unless there is one; return the stored one. Raises StorageError."""
        path = self._path("documents", document.snapshot, ".json")
        with storage_errors(self.folder):
            created = create_once(path, document.model_dump_json(exclude_defaults=True).encode())
        return document if created else self._document(document.snapshot) or document

    async def document(self, snapshot_hash: str) -> Document | None:
        """Return the text extracted from the snapshot, or None. Raises StorageError if it is damaged."""
        return await asyncio.to_thread(self._document, snapshot_hash)

    @in_thread
    def remove(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> None:
        """Delete these snapshots, except those retrieved again less than 23 hours before `untouched_since`, which may
        be in use. Raises StorageError."""
        before = untouched_since - STILL_USED
        for name in snapshot_hashes:
            if any(snapshot.retrieved_at > before for snapshot in self._retrievals(name)):
                continue
            paths = [*self._objects(name), self._path("documents", name, ".json")]
            with storage_errors(self.folder):
                for path in (*paths, self._path("retrievals", name, ".jsonl")):
                    path.unlink(missing_ok=True)

    def _retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        path = self._path("retrievals", snapshot_hash, ".jsonl")
        with storage_errors(self.folder):
            if not path.exists():
                return ()
            lines = path.read_bytes().split(b"\n")
        found = []
        for line in lines:
            try:
                found.append(Snapshot.model_validate_json(line))
            except ValidationError:
                continue  # truncated by a crash; the retrieval was never reported as stored
        return tuple(found)

    def _document(self, snapshot_hash: str) -> Document | None:
        path = self._path("documents", snapshot_hash, ".json")
        with storage_errors(self.folder):
            if not path.exists():
                return None
            kept = path.read_bytes()
        return parsed_text(kept, snapshot_hash)

    def _objects(self, snapshot_hash: str) -> tuple[Path, Path]:
        return self._path("objects", snapshot_hash, ""), self._path("objects", snapshot_hash, ".gz")

    def _path(self, kind: str, snapshot_hash: str, ending: str) -> Path:
        match = _HASH.fullmatch(snapshot_hash)
        if not match:
            raise not_found(snapshot_hash)  # so that a forged hash cannot lead to another path
        return self.folder / kind / match[1] / f"{match[2]}{ending}"


def not_found(snapshot_hash: str) -> NotFound:
    """The error for a hash that the archive does not have."""
    return NotFound(f"There is no snapshot {snapshot_hash[:80]} in the archive.")


def first_of(retrievals: Sequence[Snapshot], snapshot_hash: str) -> Snapshot:
    """Return the first retrieval. Raises NotFound if there is none."""
    if not retrievals:
        raise not_found(snapshot_hash)
    return retrievals[0]


def parsed_text(kept: bytes, snapshot_hash: str) -> Document:
    """Return a stored text. Raises StorageError if it is not a document of this version."""
    try:
        return Document.model_validate_json(kept)
    except ValidationError as error:
        advice = "It may be from a newer version, or damaged."
        raise StorageError(f"The stored text of {snapshot_hash} cannot be read.", advice=advice) from error


def check_hash(body: bytes, snapshot: Snapshot) -> None:
    """Raise StorageError for bytes that are not those of the snapshot."""
    if hash_of(body) != snapshot.hash:
        raise StorageError(f"The bytes from {snapshot.url} do not match {snapshot.hash}.")


def hash_of(body: bytes) -> str:
    """Return the hash that names these bytes."""
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


def squeezed(body: bytes) -> bytes:
    """Return the bytes compressed, or as they are if that makes them hardly smaller."""
    packed = body if body.startswith(_ALREADY_PACKED) else gzip.compress(body, 6, mtime=0)
    return packed if len(packed) < 0.9 * len(body) else body


def original(kept: bytes, name: str) -> bytes:
    """Return the bytes with this hash: the stored ones, or their decompressed content. Raises StorageError."""
    if hash_of(kept) == name:
        return kept
    with suppress(OSError, EOFError, zlib.error):
        if hash_of(body := gzip.decompress(kept)) == name:
            return body
    advice = "Restore the archive from a copy, or fetch the page again."
    raise StorageError(f"The archived bytes of {name} are damaged: they no longer have this hash.", advice=advice)
