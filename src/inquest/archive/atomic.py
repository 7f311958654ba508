"""Atomic writes of files, safe with concurrent writers and power failures."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from inquest.domain.errors import StorageError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Translate OSErrors of a folder into StorageErrors."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StorageError(
                f"The archive at {folder} cannot be written: the disk is full.", advice="Free some space and resume."
            ) from error
        if error.errno in _CLOSED:
            raise StorageError(
                f"The archive at {folder} cannot be used: it is read-only or belongs to someone else.",
                advice="Check its permissions, or set INQUEST_HOME to another folder.",
            ) from error
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
        _lock(file.fileno())
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


def _lock(descriptor: int) -> None:
    """Lock an open file exclusively until it is closed."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)
