"""Collections of several machines: one writer at a time publishes files, and every machine has a copy to search.

The store of objects holds each file under its hash (`collections/NAME/HASH`); which files make the collection is in
one row, replaced in one step once all of them are there. Segments of the index never change, so that a new version
costs what is new in it. A copy can be thrown away at any time; what a writer had not published when it died is not part
of the collection, and adding the same documents again adds it.
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
from inquest.kit.evidence import CollectionRecords, Objects

_LEASE = timedelta(seconds=30)
_RENEWED = 5.0
"""Seconds between two signs of life of a writer."""
_TRIES = 5
"""How often a copy is begun anew because the collection was published anew meanwhile."""
_RECORD = ".shared.json"
_HEADS = ("index/meta.json", "vectors.json", "collection.json")
"""Files that name others, in the order in which they take their place: after all others."""


@dataclass(frozen=True)
class _Copy:
    """What lies in a folder of this machine."""

    files: Mapping[str, str] = field(default_factory=dict)
    """As they were published."""
    writing: int | None = None
    """The epoch of a writer that changes them at present, or did when it died."""


class Sharing:
    """The shared collections, with copies under `root`. `records` is opened when it is first needed."""

    def __init__(
        self, root: Path, objects: Objects, records: Callable[[], Awaitable[CollectionRecords]], writer: str
    ) -> None:
        """`writer`: this process, for messages to others."""
        self._root, self._objects, self._records, self._writer = root, objects, records, writer
        self._pulling: dict[str, asyncio.Lock] = {}
        self._writing: set[str] = set()
        self.names: tuple[str, ...] = ()
        """As of the last `refresh`."""

    async def refresh(self) -> None:
        """See which collections there are. Raises StorageError."""
        self.names = tuple(await (await self._records()).names())

    async def pull(self, name: str) -> None:
        """Bring this machine's copy up to what was published last, or remove it. Raises StorageError."""
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
                        return  # another process of this machine writes at present
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
        """The right to write to the collection's copy, which is published at the end, also when it is cut short.

        Raises Busy where another writes, Superseded where another has begun to meanwhile, StorageError.
        """
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
            with suppress(StorageError):  # the lease runs out by itself
                await records.release(name, epoch)

    async def _renew(self, records: CollectionRecords, name: str, epoch: int) -> None:
        while True:
            await asyncio.sleep(_RENEWED)
            with suppress(StorageError, Superseded):  # publishing says it
                await records.renew(name, epoch, lease=_LEASE)

    async def _publish(self, records: CollectionRecords, name: str, epoch: int, before: _Copy) -> None:
        files = await asyncio.to_thread(_files_of, self._root / name)
        if files == before.files:
            await asyncio.to_thread(self._note, name, before)
            return
        known = set(before.files.values())
        for path, digest in files.items():
            if digest not in known:
                await self._objects.put_file(_key(name, digest), self._root / name / path)
        # A copy that is being made of the version before still needs the files of that.
        needed = {_key(name, digest) for digest in (*files.values(), *known)} if files else set()
        unneeded = [key for key in await self._objects.keys(f"collections/{name}") if key not in needed]
        await records.publish(name, epoch, files)
        await asyncio.to_thread(self._note, name, _Copy(files))
        await self.refresh()
        await self._objects.delete(unneeded)

    async def _bring(self, name: str, files: Mapping[str, str], copy: _Copy) -> bool:
        """Make the copy; False: a file is gone, since another version was published meanwhile."""
        folder = self._root / name
        for path in sorted(files, key=lambda path: (_HEADS.index(path) if path in _HEADS else -1, path)):
            there, digest = folder / path, files[path]
            if there.is_file() and (copy.files.get(path) == digest or await asyncio.to_thread(_hash, there) == digest):
                continue
            if not await self._fetch(_key(name, digest), there, digest):
                return False
        await asyncio.to_thread(self._note, name, _Copy(files))
        # What the version before had stays until the next: it may be being opened at this moment.
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
        """None: there is no copy, or none of which anything is known."""
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
    """The files that make the collection, with their hashes; none: it is no collection."""
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
    """Remove what belongs to no version any more; locks and what is being fetched have names that begin with a dot."""
    kept = set(kept)
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith(".") and path.relative_to(folder).as_posix() not in kept:
            path.unlink(missing_ok=True)
