"""The documents in files and folders, and the problems of those that cannot be read."""

from __future__ import annotations

import io
import stat
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

from inquest.collection.bytes_in import DAMAGED, Bomb, is_web_archive, kind_of, streamed, why_damaged
from inquest.collection.items import FileDone, Found, Item, ItemProblem, Records, Unpack, csv_items, jsonl_items
from inquest.domain.errors import InputError, PageError
from inquest.kit.files import KINDS, Capture, DocumentKind, NoCapture, PartProblem, Parts, in_words
from inquest.kit.rows import ROW_TYPE


class Takers(NamedTuple):
    """The readers of files that contain several documents."""

    captures: Unpack
    parts: Parts


@dataclass(frozen=True, slots=True)
class _File:
    """A file, or a part of one."""

    where: str
    url: str
    name: str
    named: bool = False
    """True if the user named this file, so that an unknown kind is a problem."""
    parent: str = ""
    content_type: str = ""


def documents_under(paths: Sequence[Path], takers: Takers) -> Iterator[Found]:
    """Everything under the paths, one document at a time."""
    for found in files_under(paths):
        if isinstance(found, ItemProblem):
            yield found
            continue
        path, named = found
        file = _File(str(path), path.absolute().as_uri(), path.name, named)
        try:
            with path.open("rb") as raw:
                yield from _documents(raw, path.stat().st_size, file, takers)
        except (Bomb, *DAMAGED) as error:
            yield ItemProblem(file.where, why_damaged(error))
        yield FileDone(str(path))


def _documents(raw: BinaryIO, size: int, file: _File, takers: Takers) -> Iterator[Found]:
    if is_web_archive(Path(file.name)):
        yield from _captures(raw, file.where, takers.captures)
    else:
        with streamed(raw, size) as stream:
            yield from _of_kind(stream, raw, file, takers)


def _of_kind(stream: BinaryIO, raw: BinaryIO, file: _File, takers: Takers) -> Iterator[Found]:
    beginning = stream.peek(4096)  # type: ignore[attr-defined]
    kind = kind_of(Path(file.name), beginning)
    if kind is None and file.content_type:
        kind = next((each for each in KINDS.values() if each.content_type == file.content_type), None)
    if kind is None:
        ending = Path(file.name).suffix or "no extension"
        why = f"is of an unsupported type ({ending}); {in_words()} are supported" if beginning else "is empty"
        yield ItemProblem(file.where, why, left_out=not file.named)
    elif kind.holds == "captures":
        raw.seek(0)
        yield from _captures(raw, file.where, takers.captures)
    elif kind.holds == "rows":
        yield from _rows(kind, stream, beginning, file)
    else:
        whole = _whole(kind, stream, file)
        apart = kind.holds == "parts" and not file.parent and isinstance(whole, Item)
        yield from _parts(whole, file, takers) if apart else (whole,)  # type: ignore[arg-type]


def _whole(kind: DocumentKind, stream: BinaryIO, file: _File) -> Item | ItemProblem:
    body = stream.read(kind.most + 1)
    if len(body) > kind.most:
        most = kind.most // 2**20
        return ItemProblem(file.where, f"is larger than {most} MB, the limit for a {kind.name} file")
    if not body.strip():
        return ItemProblem(file.where, "is empty")
    return Item(where=file.where, body=body, url=file.url, content_type=kind.content_type, key=file.url)


def _parts(whole: Item, file: _File, takers: Takers) -> Iterator[Found]:
    """A message and its attachments, or the files of an archive; damaged ones are problems."""
    for part in takers.parts(whole.body, file.name, whole.content_type):
        where = f"{file.where} > {part.where}" if part.where else file.where
        if isinstance(part, PartProblem):
            yield ItemProblem(where, part.why)
        elif not part.number:
            yield whole
        else:
            inner = _File(where, part.address(file.url), part.name, False, part.parent, part.content_type)
            try:
                with io.BufferedReader(io.BytesIO(part.body)) as raw:
                    for found in _documents(raw, len(part.body), inner, takers):
                        yield replace(found, parent=part.parent) if isinstance(found, Item) else found
            except (Bomb, *DAMAGED) as error:
                yield ItemProblem(where, why_damaged(error))


def _rows(kind: DocumentKind, stream: BinaryIO, beginning: bytes, file: _File) -> Iterator[Item | ItemProblem]:
    if not beginning.strip():
        yield ItemProblem(file.where, "is empty")
    elif kind.name == "CSV":
        yield from csv_items(stream, file.where, file.url)
    elif beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        yield ItemProblem(file.where, "is a single JSON list: put each object on a separate line (JSONL)")
    else:
        yield from jsonl_items(stream, file.where, file.url)


def _captures(stream: BinaryIO, where: str, unpack: Unpack) -> Iterator[Found]:
    """The pages of a web archive and, last, a line for each kind of record that was left out."""
    tally, any_page = _Tally(where), False
    try:
        for found in unpack(stream):
            place = f"{where}, {found.url}" if found.url else where
            if isinstance(found, NoCapture):
                if found.outcome == "unreadable":
                    any_page = True
                    yield ItemProblem(place, found.why, record=found.record)
                else:
                    tally.add(found.record, found.outcome, found.why, place)
            elif why := _no_page(found):
                tally.add(found.record, "left out", why, place)
            else:
                any_page = True
                yield Item(where=place, **asdict(found))
                if found.is_cut:
                    yield ItemProblem(place, "is cut off in the archive, and read as far as it goes", True, count=0)
    except PageError as error:
        any_page = True
        yield ItemProblem(where, error.sentence.rstrip("."))
    yield from tally.lines(any_page=any_page)


def _no_page(capture: Capture) -> str:
    if not 200 <= capture.status < 300:
        return f"is a reply with status {capture.status}, not a page"
    part = dict(capture.headers).get("content-range", "") if capture.status == 206 else ""
    size = part.rpartition("/")[2][-18:]
    if part and not (size.isdecimal() and part == f"bytes 0-{int(size) - 1}/{size}"):
        return "is a reply with status 206, a part of a page"
    if not capture.body.strip():
        return "is empty"
    media_type = capture.content_type.partition(";")[0].strip()
    return "" if media_type.lower() in _OF_TEXT else f"is {media_type[:60]}"


_MOST_LINES = 100
"""Kinds of left-out records that are named per archive, because servers invent media types."""


class _Tally:
    """The records of an archive that are not pages, counted by kind."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._counted: dict[tuple[str, str, str], tuple[int, str]] = {}

    def add(self, record: str, outcome: str, why: str, place: str) -> None:
        """Count a record. `place`: shown for the first of its kind."""
        if len(self._counted) >= _MOST_LINES and (record, outcome, why) not in self._counted:
            why = "is of another type that is not read"
        count, first = self._counted.get((record, outcome, why), (0, place))
        self._counted[record, outcome, why] = count + 1, first

    def lines(self, *, any_page: bool) -> Iterator[ItemProblem | Records]:
        """A line for each kind, and one for an archive without pages."""
        lines = 0
        for (record, outcome, why), (count, first) in self._counted.items():
            if outcome == "left out":
                lines += 1
                more = f" (and {count - 1:,} more)" if count > 1 else ""
                yield ItemProblem(first, why + more, left_out=True, count=count, record=record)
            else:
                yield Records(record, "left out" if outcome == "accompanies" else outcome, count)
        if not any_page and not lines:
            kinds = ", ".join(f"{count:,} {record}" for (record, _, _), (count, _) in self._counted.items())
            yield ItemProblem(self._where, f"contains no page ({kinds or 'no'} records)", left_out=True)


_OF_TEXT = {"", ROW_TYPE} | {
    kind.content_type for kind in KINDS.values() if kind.holds == "one" and kind.name != "pictures"
}
"""Media types that are read in a web archive: also the rows of an exported case, but no pictures, which are mostly
ornaments."""


def require(paths: Sequence[Path]) -> None:
    """Raise InputError for the first path that does not exist."""
    if not paths:
        raise InputError("No path was given.", advice="Name files or folders to add.")
    for path in paths:
        if not path.exists():
            raise InputError(f"There is no file or folder {path}.", advice="Check the path; nothing was added.")


def files_under(paths: Sequence[Path]) -> Iterator[tuple[Path, bool] | ItemProblem]:
    """Every file with True if the user named it, and the problems of those that cannot be opened. Folders are read in
    alphabetical order and only once, so circular links end. Names that begin with a dot are skipped, unless the user
    named them."""
    entered: set[tuple[int, int]] = set()
    # A stack instead of recursion, because folders may be nested deeper than Python recurses.
    waiting = [(path, True) for path in reversed(paths)]
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
        else:
            yield ItemProblem(str(path), "is neither a file nor a folder", left_out=not named)
