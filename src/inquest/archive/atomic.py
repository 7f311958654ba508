"""Files that are there whole or not at all, whoever else writes, and whenever the power goes."""

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
    """Turns what the operating system says of a folder into a StorageError of one sentence."""
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
    """Write a file that does not exist yet; False where it does, and then it stays as it is.

    The data is on the disk before the name is: a crash or a full disk leaves no half file behind under that name.
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
    """Give the finished file its name, unless another process was first."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        # A file system without hard links: the rename may replace a file, but only by one of the same content or,
        # for a document, by one made of the same bytes a moment later.
        if path.exists():
            return False
        temporary.replace(path)
    return True


def append_line(path: Path, line: bytes) -> None:
    """Add a line (without its line feed) unless it is there already. A line is there whole or not at all.

    Processes take turns on the file itself, where the system can lock files.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        _lock(file.fileno())
        file.seek(0)
        present = file.read()
        if line in present.split(b"\n"):
            return
        size = len(present)
        # A line that was cut off by a crash stays alone on its line, and is passed over when read.
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
    """Wait for the exclusive use of an open file; it ends when the file is closed."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)
