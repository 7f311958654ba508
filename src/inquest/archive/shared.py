"""The archive of several machines: bytes in an object store, keyed by hash; retrievals and texts in the database.

objects/ab/<hash>   the bytes of a snapshot, compressed if that makes them smaller
texts/ab/<hash>     the text extracted from a snapshot, under the hash of the text

Stores are S3, Google Cloud Storage and Azure through obstore, or a folder with our own atomic writes. Credentials are
found as by each service's own tools: keys in the environment, or a role of the machine.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import wraps
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from inquest.archive.files import (
    STILL_USED,
    check_hash,
    create_once,
    first_of,
    hash_of,
    in_thread,
    not_found,
    original,
    parsed_text,
    squeezed,
    storage_errors,
)
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import SettingError, StorageError
from inquest.kit.ports import EvidenceRecords, Objects
from inquest.text.regex import regex

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore

P = ParamSpec("P")
T = TypeVar("T")

_CLOUDS = ("s3", "gs", "az", "azure", "abfs", "abfss")
_TIMEOUT = 60.0
"""Seconds for which requests to an unreachable store are retried."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
_CHUNK = 2**20
_HASH = regex(r"sha256:([0-9a-f]{64})")


def objects_at(url: str) -> Objects:
    """Return the store of INQUEST_STORAGE_URL. Raises SettingError."""
    scheme, _, rest = url.partition("://")
    if scheme == "file" and rest:
        return FolderObjects(Path(rest))
    if scheme not in _CLOUDS or not rest.strip("/"):
        advice = "Write it like s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX."
        raise SettingError("INQUEST_STORAGE_URL does not name an object store.", advice=advice)
    if find_spec("obstore") is None:
        advice = "Install it with: pip install 'inquest[server]'."
        raise SettingError("An object store needs a package that is not installed.", advice=advice)
    return CloudObjects(url)


def _retried(
    act: Callable[Concatenate[CloudObjects, P], Awaitable[T]],
) -> Callable[Concatenate[CloudObjects, P], Coroutine[Any, Any, T]]:
    """Retry an operation during short outages. All operations may be repeated, because keys are content hashes."""

    @wraps(act)
    async def retried(self: CloudObjects, /, *args: P.args, **kwargs: P.kwargs) -> T:
        from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

        until, pause = time.monotonic() + self.timeout, _FIRST_PAUSE
        while True:
            try:
                return await act(self, *args, **kwargs)
            except (PermissionDeniedError, UnauthenticatedError) as error:
                why = f"The object store {self.where} rejected the credentials."
                raise StorageError(why, advice="Check its keys and permissions.") from error
            except BaseError as error:
                if time.monotonic() + pause > until:
                    why = f"The object store {self.where} could not be used ({_first_line(error)})."
                    advice = "Check that it is reachable; the case continues from its last checkpoint."
                    raise StorageError(why, advice=advice) from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    return retried


class CloudObjects:
    """One bucket and prefix (kit.evidence.Objects)."""

    def __init__(self, url: str, *, timeout: float = _TIMEOUT) -> None:
        """Create the client without connecting. Raises SettingError if the URL is invalid."""
        import obstore
        from obstore.exceptions import BaseError
        from obstore.store import from_url

        self._obstore, self.where, self.timeout = obstore, url, timeout
        plain: ClientConfig = {"allow_http": True}  # internal stores often have no certificate
        try:
            self._store: ObjectStore = from_url(url, client_options=plain)
        except (BaseError, ValueError) as error:
            raise SettingError(f"INQUEST_STORAGE_URL is invalid: {_first_line(error)}.") from error

    @_retried
    async def put_absent(self, key: str, data: bytes) -> bool:
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        try:
            await self._obstore.put_async(self._store, key, data, mode="create", use_multipart=False)
        except (AlreadyExistsError, PreconditionError):
            return False
        return True

    @_retried
    async def put(self, key: str, data: bytes | Path) -> None:
        await self._obstore.put_async(self._store, key, data)

    @_retried
    async def get(self, key: str) -> bytes | None:
        try:
            found = await self._obstore.get_async(self._store, key)
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            return None

    @_retried
    async def get_file(self, key: str, path: Path) -> bool:
        try:
            found = await self._obstore.get_async(self._store, key)
        except FileNotFoundError:
            return False
        with storage_errors(path.parent), path.open("wb") as file:
            async for chunk in found.stream():
                await asyncio.to_thread(file.write, chunk)
        return True

    async def delete(self, keys: Iterable[str]) -> None:
        if gone := list(keys):
            await self._delete(gone)

    @_retried
    async def _delete(self, keys: list[str]) -> None:
        with suppress(FileNotFoundError):
            await self._obstore.delete_async(self._store, keys)

    @_retried
    async def keys(self, prefix: str) -> Sequence[str]:
        return sorted([each["path"] async for batch in self._obstore.list(self._store, prefix) for each in batch])


class FolderObjects:
    """A folder mounted by all machines, or local to one (kit.evidence.Objects)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @in_thread
    def put_absent(self, key: str, data: bytes) -> bool:
        with storage_errors(self._folder):
            return create_once(self._folder / key, data)

    @in_thread
    def put(self, key: str, data: bytes | Path) -> None:
        with storage_errors(self._folder):
            there = self._folder / key
            there.parent.mkdir(parents=True, exist_ok=True)
            beside = there.with_name(f".{there.name}.{os.getpid()}.new")
            with BytesIO(data) if isinstance(data, bytes) else data.open("rb") as given, beside.open("wb") as file:
                shutil.copyfileobj(given, file, _CHUNK)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(there)

    @in_thread
    def get(self, key: str) -> bytes | None:
        with storage_errors(self._folder):
            try:
                return (self._folder / key).read_bytes()
            except FileNotFoundError:
                return None

    @in_thread
    def get_file(self, key: str, path: Path) -> bool:
        with storage_errors(self._folder):
            try:
                shutil.copyfile(self._folder / key, path)
            except FileNotFoundError:
                return False
            return True

    @in_thread
    def delete(self, keys: Iterable[str]) -> None:
        with storage_errors(self._folder):
            for key in keys:
                (self._folder / key).unlink(missing_ok=True)

    @in_thread
    def keys(self, prefix: str) -> Sequence[str]:
        with storage_errors(self._folder):
            files = (path for path in (self._folder / prefix).rglob("*") if path.is_file())
            return sorted(path.relative_to(self._folder).as_posix() for path in files)


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


class SharedArchive:
    """kit.ports.Archive over an object store. `records` is opened on first use."""

    def __init__(self, objects: Objects, records: Callable[[], Awaitable[EvidenceRecords]]) -> None:
        self._objects = objects
        self._records = records

    async def put(self, body: bytes, snapshot: Snapshot) -> None:
        """Store the bytes (once per hash) and this retrieval of them. Raises StorageError."""
        check_hash(body, snapshot)
        # Bytes first: a retrieval without its bytes would be a loss, bytes without a retrieval are merely unused.
        await self._objects.put_absent(_key("objects", _digest(snapshot.hash)), await asyncio.to_thread(squeezed, body))
        await (await self._records()).add_retrieval(snapshot)

    async def body(self, snapshot_hash: str) -> bytes:
        """Return the bytes after checking their hash. Raises NotFound, and StorageError if they are damaged."""
        kept = await self._objects.get(_key("objects", _digest(snapshot_hash)))
        if kept is None:
            raise not_found(snapshot_hash)
        return await asyncio.to_thread(original, kept, snapshot_hash)

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        """Return the first retrieval of these bytes. Raises NotFound."""
        return first_of(await self.retrievals(snapshot_hash), snapshot_hash)

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """Return all retrievals of these bytes in the order of storage, possibly none."""
        return await (await self._records()).retrievals(snapshot_hash)

    async def put_document(self, document: Document) -> Document:
        """Store the text extracted from a snapshot unless there is one; return the stored one. Raises StorageError."""
        records = await self._records()
        if (first := await records.text_of(document.snapshot)) is None:
            text = document.model_dump_json(exclude_defaults=True).encode()
            digest = _digest(hash_of(text))
            await self._objects.put_absent(_key("texts", digest), await asyncio.to_thread(squeezed, text))
            first = await records.settle_text(document.snapshot, digest)
            if first == digest:
                return document
        return await self._text(first, document.snapshot)

    async def document(self, snapshot_hash: str) -> Document | None:
        """Return the text extracted from the snapshot, or None. Raises StorageError if it is damaged."""
        _digest(snapshot_hash)
        digest = await (await self._records()).text_of(snapshot_hash)
        return None if digest is None else await self._text(digest, snapshot_hash)

    async def remove(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> None:
        """Delete these snapshots, except those retrieved again less than 23 hours before `untouched_since`. Texts stay
        because two snapshots may share one. Raises StorageError."""
        gone = await (await self._records()).forget(snapshot_hashes, untouched_since=untouched_since - STILL_USED)
        await self._objects.delete(_key("objects", _digest(name)) for name in gone)

    async def _text(self, digest: str, snapshot_hash: str) -> Document:
        kept = await self._objects.get(_key("texts", digest))
        if kept is None:
            why = f"The stored text of {snapshot_hash} is not in the object store."
            raise StorageError(why, advice="Restore the store from a copy.")
        return parsed_text(original(kept, f"sha256:{digest}"), snapshot_hash)


def _key(kind: str, digest: str) -> str:
    return f"{kind}/{digest[:2]}/{digest}"


def _digest(snapshot_hash: str) -> str:
    match = _HASH.fullmatch(snapshot_hash)
    if not match:
        raise not_found(snapshot_hash)
    return match[1]
