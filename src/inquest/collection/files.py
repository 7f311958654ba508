"""From paths to files to documents: what each file holds, one by one, and what of it cannot be taken in."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from inquest.collection.bytes_in import DAMAGED, Bomb, DocumentKind, kind_of, opened, why_damaged
from inquest.collection.items import ROW_TYPE, FileDone, Item, ItemProblem, Unpack
from inquest.collection.rows import csv_items, jsonl_items
from inquest.domain.errors import InputError, PageError

_KINDS_IN_WORDS = "PDF, HTML, WARC, Markdown, text, CSV and JSONL are read"


def documents_under(paths: Sequence[Path], unpack: Unpack) -> Iterator[Item | ItemProblem | FileDone]:
    """Everything under the paths, streamed: never more than one document in memory."""
    for found in files_under(paths):
        if isinstance(found, ItemProblem):
            yield found
            continue
        path, named = found
        yield from documents_in(path, unpack, named=named)
        yield FileDone(str(path))


def documents_in(path: Path, unpack: Unpack, *, named: bool = True) -> Iterator[Item | ItemProblem]:
    """What one file holds. `named`: the user asked for this very file, so that its being of no kind is a problem."""
    where = str(path)
    try:
        with opened(path) as stream:
            beginning = stream.peek(4096)  # type: ignore[attr-defined]
            kind = kind_of(path, beginning)
            if kind is None:
                yield ItemProblem(where, _unknown(path, beginning), left_out=not named)
            elif kind.holds == "captures":
                yield from _captures(stream, where, unpack)
            elif kind.holds == "rows":
                yield from _rows(kind, stream, beginning, where, path.absolute().as_uri())
            else:
                yield _whole(kind, stream, where, path.absolute().as_uri())
    except (Bomb, *DAMAGED) as error:
        yield ItemProblem(where, why_damaged(error))


def _whole(kind: DocumentKind, stream: BinaryIO, where: str, url: str) -> Item | ItemProblem:
    body = stream.read(kind.most + 1)
    if len(body) > kind.most:
        return ItemProblem(where, f"is larger than the {kind.most // 2**20} MB that are read of a {kind.name} file")
    if not body.strip():
        return ItemProblem(where, "is empty")
    return Item(where=where, body=body, url=url, content_type=kind.content_type, key=url)


def _rows(kind: DocumentKind, stream: BinaryIO, beginning: bytes, where: str, url: str) -> Iterator[Item | ItemProblem]:
    if not beginning.strip():
        yield ItemProblem(where, "is empty")
    elif kind.name == "CSV":
        yield from csv_items(stream, where, url)
    elif beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        yield ItemProblem(where, "is one JSON list: put each object on a line of its own (JSONL)")
    else:
        yield from jsonl_items(stream, where, url)


def _captures(stream: BinaryIO, where: str, unpack: Unpack) -> Iterator[Item | ItemProblem]:
    try:
        for capture in unpack(stream):
            place = f"{where}, {capture.url}"
            if not 200 <= capture.status < 300:
                yield ItemProblem(place, f"is a reply with status {capture.status}, not a page", left_out=True)
            elif not capture.body.strip():
                yield ItemProblem(place, "is empty", left_out=True)
            elif not _is_text(capture.content_type):
                yield ItemProblem(place, f"is {capture.content_type.partition(';')[0] or 'of no kind'}", left_out=True)
            else:
                yield Item(
                    where=place,
                    body=capture.body,
                    url=capture.url,
                    content_type=capture.content_type,
                    status=capture.status,
                    headers=capture.headers,
                    retrieved_at=capture.retrieved_at,
                )
    except PageError as error:
        yield ItemProblem(where, error.sentence.rstrip("."))


# Rows, too: a case's own evidence, exported as a web archive, can be taken in again.
_OF_TEXT = ("application/pdf", "application/xhtml+xml", "text/html", "text/plain", "text/markdown", ROW_TYPE)


def _is_text(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind in _OF_TEXT


def _unknown(path: Path, beginning: bytes) -> str:
    if not beginning:
        return "is empty"
    return f"is of a kind that is not read ({path.suffix or 'no extension'}); {_KINDS_IN_WORDS}"


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
