"""A user's files: errors in one sentence, and no partly written files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from inquest.domain.errors import InputError
from inquest.kit.files import endings, in_words

KINDS_READ, ENDINGS_READ = in_words("one", "parts", "rows"), endings("one", "parts", "rows")
"""The kinds of files that can be read one at a time, in words, and their file name extensions."""
KINDS_KEPT, ENDINGS_KEPT = in_words(), endings()
"""The kinds that can be added to a collection."""


def without_folders(url: str) -> str:
    """The address; for a user's file only the file name, because folders may contain the user's name."""
    return f"file:///{url.rsplit('/', 1)[-1]}" if url[:5].lower() == "file:" else url


def is_there(path: Path) -> bool:
    """True for an existing file or folder; also False for a name that is too long."""
    try:
        return path.exists()
    except OSError:
        return False


@contextmanager
def readable(path: Path, *, missing: str = "Check the path.") -> Iterator[None]:
    """Raise InputError for a file that is missing (with `missing` as advice), is not UTF-8 text or cannot be read."""
    try:
        yield
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.", advice=missing) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text.", advice="Save it as UTF-8.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from error


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A file beside the target that replaces it at the end, or is removed if the block fails. Raises OSError."""
    part = target.with_name(f".{target.name}.{token_hex(4)}.part")
    try:
        yield part
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def written(target: Path) -> Iterator[Path]:
    """Like `replacing`. Raises InputError if the target cannot be written."""
    try:
        with replacing(target) as part:
            yield part
    except OSError as error:
        raise InputError(
            f"{target} cannot be written ({error.strerror or error}).", advice="Choose another place."
        ) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all. Raises InputError if it cannot be written."""
    if path.is_dir():
        raise InputError(f"{path} is a folder.", advice="Name a file in it.")
    with written(path) as part:
        part.write_bytes(content)
