"""The files under the paths that a person names: in order, each folder once, nothing hidden."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from inquest.collection.items import ItemProblem
from inquest.domain.errors import InputError


def require(paths: Sequence[Path]) -> None:
    """Raise InputError for the first path that does not exist."""
    if not paths:
        raise InputError("No path was given.", advice="Name files or folders to add.")
    for path in paths:
        if not path.exists():
            raise InputError(f"There is no file or folder {path}.", advice="Check the path; nothing was added.")


def files_under(paths: Sequence[Path]) -> Iterator[tuple[Path, bool] | ItemProblem]:
    """Every file, and whether it was named itself; and what could not be looked into.

    Folders are walked in alphabetical order. Links are followed, but no folder is entered twice, so that links that
    lead in a circle end. Files and folders whose name begins with a dot are passed over, unless named themselves.
    """
    entered: set[tuple[int, int]] = set()
    for path in paths:
        yield from _walk(path, True, entered)


def _walk(path: Path, named: bool, entered: set[tuple[int, int]]) -> Iterator[tuple[Path, bool] | ItemProblem]:
    # A stack of its own instead of recursion: folders may be nested deeper than Python recurses.
    waiting = [(path, named)]
    while waiting:
        path, named = waiting.pop()
        try:
            status = path.stat()
            if stat.S_ISDIR(status.st_mode):
                if (status.st_dev, status.st_ino) not in entered:
                    entered.add((status.st_dev, status.st_ino))
                    inside = sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))
                    waiting += [(entry, False) for entry in reversed(inside)]
                continue
        except OSError as error:
            yield ItemProblem(str(path), f"cannot be opened ({error.strerror})")
            continue
        if stat.S_ISREG(status.st_mode):
            yield path, named
        elif named:
            yield ItemProblem(str(path), "is neither a file nor a folder")
        else:
            yield ItemProblem(str(path), "is neither a file nor a folder", left_out=True)
