"""Object stores: S3, Google Cloud Storage and Azure through obstore, or a folder with our own atomic writes.

Credentials are found as by each service's own tools: keys in the environment, or a role of the machine.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from inquest.archive.files import create_once, in_thread, storage_errors
from inquest.domain.errors import SettingError, StorageError
from inquest.kit.evidence import Objects

if TYPE_CHECKING:
    from obstore.store import ClientConfig, ObjectStore

P = ParamSpec("P")
T = TypeVar("T")

_CLOUDS = ("s3", "gs", "az", "azure", "abfs", "abfss")
_TIMEOUT = 60.0
"""Seconds for which requests to an unreachable store are retried."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
_CHUNK = 2**20


def objects_at(url: str) -> Objects:
    """Return the store of INQUEST_STORAGE_URL. Raises SettingError."""
    scheme, _, rest = url.partition("://")
    if scheme == "file" and rest:
        return FolderObjects(Path(rest))
    if scheme not in _CLOUDS or not rest.strip("/"):
        raise SettingError(
            "INQUEST_STORAGE_URL does not name an object store.",
            advice="Write it like s3://BUCKET/PREFIX, gs://BUCKET/PREFIX or az://CONTAINER/PREFIX.",
        )
    if find_spec("obstore") is None:
        raise SettingError(
            "An object store needs a package that is not installed.",
            advice="Install it with: pip install 'inquest[server]'.",
        )
    return CloudObjects(url)


def _patiently(
    act: Callable[Concatenate[CloudObjects, P], Awaitable[T]],
) -> Callable[Concatenate[CloudObjects, P], Coroutine[Any, Any, T]]:
    """Retry an operation during short outages. All operations may be repeated, because keys are content hashes."""

    @wraps(act)
    async def patient(self: CloudObjects, /, *args: P.args, **kwargs: P.kwargs) -> T:
        from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

        until, pause = time.monotonic() + self.timeout, _FIRST_PAUSE
        while True:
            try:
                return await act(self, *args, **kwargs)
            except (PermissionDeniedError, UnauthenticatedError) as error:
                raise StorageError(
                    f"The object store {self.where} rejected the credentials.", advice="Check its keys and permissions."
                ) from error
            except BaseError as error:
                if time.monotonic() + pause > until:
                    raise StorageError(
                        f"The object store {self.where} could not be used ({_first_line(error)}).",
                        advice="Check that it is reachable; the case continues from its last checkpoint.",
                    ) from error
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    return patient


class CloudObjects:
    """One bucket and prefix (kit.evidence.Objects)."""

    def __init__(self, url: str, *, timeout: float = _TIMEOUT) -> None:
        """Create the client without connecting. Raises SettingError if the URL is invalid."""
        from obstore.exceptions import BaseError
        from obstore.store import from_url

        self.where, self.timeout = url, timeout
        plain: ClientConfig = {"allow_http": True}  # internal stores often have no certificate
        try:
            self._store: ObjectStore = from_url(url, client_options=plain)
        except (BaseError, ValueError) as error:
            raise SettingError(f"INQUEST_STORAGE_URL is invalid: {_first_line(error)}.") from error

    @_patiently
    async def put_absent(self, key: str, data: bytes) -> bool:
        import obstore
        from obstore.exceptions import AlreadyExistsError, PreconditionError

        try:
            await obstore.put_async(self._store, key, data, mode="create", use_multipart=False)
        except (AlreadyExistsError, PreconditionError):
            return False
        return True

    @_patiently
    async def put(self, key: str, data: bytes | Path) -> None:
        import obstore

        await obstore.put_async(self._store, key, data)

    @_patiently
    async def get(self, key: str) -> bytes | None:
        import obstore

        try:
            found = await obstore.get_async(self._store, key)
            return bytes(await found.bytes_async())
        except FileNotFoundError:
            return None

    @_patiently
    async def get_file(self, key: str, path: Path) -> bool:
        import obstore

        try:
            found = await obstore.get_async(self._store, key)
        except FileNotFoundError:
            return False
        with storage_errors(path.parent), path.open("wb") as file:
            async for chunk in found.stream():
                await asyncio.to_thread(file.write, chunk)
        return True

    async def delete(self, keys: Iterable[str]) -> None:
        if gone := list(keys):
            await self._delete(gone)

    @_patiently
    async def _delete(self, keys: list[str]) -> None:
        import obstore

        with suppress(FileNotFoundError):
            await obstore.delete_async(self._store, keys)

    @_patiently
    async def keys(self, prefix: str) -> Sequence[str]:
        import obstore

        return sorted([each["path"] async for batch in obstore.list(self._store, prefix) for each in batch])


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
