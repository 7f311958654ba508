"""Collections shared by several machines: one writer at a time publishes files, and every machine searches a copy.

The object store holds each file under its hash (`collections/NAME/HASH`). One database row lists the files of the
collection; it is replaced atomically when all of them are stored. Segments of the index never change, so a new version
costs only its new files. A copy can be deleted at any time. Documents that a writer had not published when it died are
not part of the collection until they are added again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path

from inquest.domain.errors import StorageError, Superseded
from inquest.kit.ports import CollectionRecords, Objects

_LEASE = timedelta(seconds=30)
_RENEWED = 5.0
"""Seconds between two renewals of a lease."""
_TRIES = 5
"""Attempts at a copy if new versions are published meanwhile."""
_RECORD = ".shared.json"
_HEADS = ("index/meta.json", "vectors.json", "collection.json")
"""Files that name others, in the order in which they are replaced, after all others."""


@dataclass(frozen=True)
class _Copy:
    """The local copy of a collection."""

    files: Mapping[str, str] = field(default_factory=dict)
    """Paths and hashes, as published."""
    writing: int | None = None
    """The epoch of a local writer that is changing them, or was when it died."""


class Sharing:
    """The shared collections, with copies under `root`. `records` opens the database when it is first needed."""

    def __init__(
        self, root: Path, objects: Objects, records: Callable[[], Awaitable[CollectionRecords]], writer: str
    ) -> None:
        """`writer`: the name of this process in messages to others."""
        self._root, self._objects, self._records, self._writer = root, objects, records, writer
        self._pulling: dict[str, asyncio.Lock] = {}
        self._writing: set[str] = set()
        self.names: tuple[str, ...] = ()
        """The collections as of the last `refresh`."""

    async def refresh(self) -> None:
        """Update `names`. Raises StorageError."""
        self.names = tuple(await (await self._records()).names())

    async def pull(self, name: str) -> None:
        """Update this machine's copy to the version published last, or remove it. Raises StorageError."""
        if name in self._writing:
            return
        async with self._pulling.setdefault(name, asyncio.Lock()):
            for _ in range(_TRIES):
                published = await (await self._records()).files(name)
                copy = await asyncio.to_thread(self._copy, name)
                if published is None or not published.files:
                    if copy is not None and not (published and published.is_written):
                        await asyncio.to_thread(shutil.rmtree, self._root / name, ignore_errors=True)
                    return
                if copy is not None and copy.writing is not None:
                    if published.is_written and published.epoch == copy.writing:
                        return  # another process of this machine is writing
                    copy = _Copy()
                elif copy is not None and copy.files == published.files:
                    return
                if await self._bring(name, published.files, copy or _Copy()):
                    return
            raise StorageError(
                f"Files of the collection {name} are missing in the object store.",
                advice="Restore the store from a copy, or remove the collection and add its documents again.",
            )

    @asynccontextmanager
    async def writing(self, name: str) -> AsyncIterator[None]:
        """The right to write to the local copy, which is published at the end, even after an error. Raises Busy if
        there is another writer, Superseded if another has taken over meanwhile, StorageError."""
        records = await self._records()
        epoch = await records.take(name, self._writer, lease=_LEASE)
        alive = asyncio.create_task(self._renew(records, name, epoch))
        try:
            await self.pull(name)
            before = await asyncio.to_thread(self._copy, name) or _Copy()
            self._writing.add(name)
            if before.files:
                await asyncio.to_thread(self._note, name, _Copy(before.files, epoch))
            try:
                yield
            finally:
                await self._publish(records, name, epoch, before)
        finally:
            self._writing.discard(name)
            alive.cancel()
            with suppress(asyncio.CancelledError):
                await alive
            with suppress(StorageError):  # the lease expires anyway
                await records.release(name, epoch)

    async def _renew(self, records: CollectionRecords, name: str, epoch: int) -> None:
        while True:
            await asyncio.sleep(_RENEWED)
            with suppress(StorageError, Superseded):  # publishing raises it again
                await records.renew(name, epoch, lease=_LEASE)

    async def _publish(self, records: CollectionRecords, name: str, epoch: int, before: _Copy) -> None:
        files = await asyncio.to_thread(_files_of, self._root / name)
        if files == before.files:
            await asyncio.to_thread(self._note, name, before)
            return
        known = set(before.files.values())
        for path, digest in files.items():
            if digest not in known:
                await self._objects.put(_key(name, digest), self._root / name / path)
        # Another machine may still be copying the previous version.
        needed = {_key(name, digest) for digest in (*files.values(), *known)} if files else set()
        unneeded = [key for key in await self._objects.keys(f"collections/{name}") if key not in needed]
        await records.publish(name, epoch, files)
        await asyncio.to_thread(self._note, name, _Copy(files))
        await self.refresh()
        await self._objects.delete(unneeded)

    async def _bring(self, name: str, files: Mapping[str, str], copy: _Copy) -> bool:
        """Complete the copy; False: a file is gone, because another version was published meanwhile."""
        folder = self._root / name
        for path in sorted(files, key=lambda path: (_HEADS.index(path) if path in _HEADS else -1, path)):
            there, digest = folder / path, files[path]
            if there.is_file() and (copy.files.get(path) == digest or await asyncio.to_thread(_hash, there) == digest):
                continue
            if not await self._fetch(_key(name, digest), there, digest):
                return False
        await asyncio.to_thread(self._note, name, _Copy(files))
        # The previous version stays until the next, because a search may be opening it.
        await asyncio.to_thread(_tidy, folder, {*files, *copy.files})
        return True

    async def _fetch(self, key: str, there: Path, digest: str) -> bool:
        await asyncio.to_thread(there.parent.mkdir, parents=True, exist_ok=True)
        beside = there.with_name(f".{uuid.uuid4().hex}.part")
        try:
            if not await self._objects.get_file(key, beside):
                return False
            if await asyncio.to_thread(_hash, beside) != digest:
                raise StorageError(
                    f"{key} in the object store is damaged: it no longer has this hash.",
                    advice="Restore the store from a copy, or remove the collection and add its documents again.",
                )
            await asyncio.to_thread(beside.replace, there)
        finally:
            await asyncio.to_thread(beside.unlink, missing_ok=True)
        return True

    def _copy(self, name: str) -> _Copy | None:
        try:
            return _Copy(**json.loads((self._root / name / _RECORD).read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def _note(self, name: str, copy: _Copy) -> None:
        folder = self._root / name
        if copy.files and folder.is_dir():
            beside = folder / f".{uuid.uuid4().hex}.part"
            beside.write_text(json.dumps(asdict(copy)), "utf-8")
            beside.replace(folder / _RECORD)


def _key(name: str, digest: str) -> str:
    return f"collections/{name}/{digest}"


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _files_of(folder: Path) -> dict[str, str]:
    """The files of the collection with their hashes; empty without a collection."""
    if not (folder / "collection.json").is_file():
        return {}
    index = folder / "index"
    segments = {
        segment["segment_id"].replace("-", "") for segment in json.loads((index / "meta.json").read_text())["segments"]
    }
    paths = [index / "meta.json", index / ".managed.json"]
    paths += [path for path in index.iterdir() if path.name.partition(".")[0] in segments]
    paths += [folder / name for name in ("collection.json", "ratings.csv", "vectors.json")]
    with suppress(OSError, ValueError, KeyError):
        paths.append(folder / json.loads((folder / "vectors.json").read_text())["file"])
    return {path.relative_to(folder).as_posix(): _hash(path) for path in paths if path.is_file()}


def _tidy(folder: Path, kept: Iterable[str]) -> None:
    """Remove the files of older versions; locks and partial downloads begin with a dot."""
    kept = set(kept)
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith(".") and path.relative_to(folder).as_posix() not in kept:
            path.unlink(missing_ok=True)
