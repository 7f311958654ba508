"""The vectors of a collection: one file that only grows, and a small one beside it that says how much of it counts.

`vectors-N.bin` holds rows of one length: the document's hash, where in the text the window begins, and the vector as
signed bytes with its scale. `vectors.json` names the file, the encoder and the number of rows. A batch is written and
flushed first and counted afterwards, in one step: what a crash leaves behind the last row that counts is cut off when
more is written, and no reader ever sees it. Which documents there are, the index alone says; a row of one that is gone
finds nothing, and goes with the next rewriting.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquest.domain.errors import StorageError

if TYPE_CHECKING:
    import numpy

FORMAT = 1
HASH = 32
"""Bytes of a document's hash (SHA-256)."""
_STATE = "vectors.json"
_CHUNK = 65_536
# Rows that are copied at a time.

Row = tuple[str, int, bytes]
"""A document's snapshot, where the window begins, and its vector; an empty vector: looked at, but of a language that
the encoder does not read."""


@dataclass(frozen=True, slots=True)
class State:
    """How far the vectors of a collection are."""

    encoder: str
    """Whose vectors they are: those of another are of no use."""
    size: int
    """Numbers in a vector."""
    file: str
    rows: int = 0
    documents: int = 0
    """With vectors."""
    unread: int = 0
    """Documents of a language that the encoder does not read."""
    format: int = FORMAT


def state(folder: Path) -> State | None:
    """How far it is; None: there are no vectors, or none that can be used, which is the same: they are made anew."""
    try:
        said = State(**json.loads((folder / _STATE).read_text("utf-8")))
        there = (folder / said.file).stat().st_size // row_type(said.size).itemsize
    except (OSError, ValueError, TypeError):
        return None
    return said if said.format == FORMAT and 0 <= said.rows <= there else None


def written_at(folder: Path) -> tuple[int, int] | None:
    """Changes whenever the state does; None: there is none."""
    try:
        known = (folder / _STATE).stat()
    except OSError:
        return None
    return known.st_mtime_ns, known.st_ino


def row_type(size: int) -> numpy.dtype[Any]:
    """The layout of a row."""
    import numpy

    return numpy.dtype([("hash", f"V{HASH}"), ("start", "<u4"), ("scale", "<f4"), ("vector", "i1", (size,))])


def rows(folder: Path, known: State) -> Any:
    """The rows that count, mapped and not read into memory. Raises StorageError."""
    import numpy

    kind = row_type(known.size)
    if not known.rows:
        return numpy.empty(0, kind)
    try:
        return numpy.memmap(folder / known.file, dtype=kind, mode="r", shape=(known.rows,))
    except (OSError, ValueError) as error:
        raise _failed(folder, error) from error


def hash_of(snapshot: str) -> bytes:
    """The hash of a document, as it stands in a row."""
    return bytes.fromhex(snapshot.removeprefix("sha256:"))


def begin(folder: Path, encoder: str, size: int) -> State:
    """Begin anew; earlier vectors are thrown away. Raises StorageError."""
    old = {path.name for path in folder.glob("vectors-*.bin")}
    number = 1 + max((int(name[8:-4]) for name in old if name[8:-4].isdigit()), default=0)
    begun = State(encoder, size, f"vectors-{number}.bin")
    try:
        (folder / begun.file).touch()
        _keep(folder, begun)
    except OSError as error:
        raise _failed(folder, error) from error
    _clear(folder, begun.file)
    return begun


def append(folder: Path, known: State, documents: Sequence[Sequence[Row]]) -> State:
    """Add the rows of whole documents, and return how far it is then. Nothing is kept of it where StorageError is
    raised. One writer at a time: the caller holds the collection's lock."""
    import numpy

    flat = [row for document in documents for row in document]
    block = numpy.zeros(len(flat), row_type(known.size))
    for place, (snapshot, start, vector) in enumerate(flat):
        block[place]["hash"] = hash_of(snapshot)
        block[place]["start"] = min(start, 2**32 - 1)
        if vector:
            numbers = numpy.frombuffer(vector, "<f4")
            scale = float(numpy.abs(numbers).max()) / 127 or 1.0
            block[place]["scale"] = scale
            block[place]["vector"] = numpy.rint(numbers / scale).astype("i1")
    unread = sum(not document[0][2] for document in documents if document)
    further = replace(
        known,
        rows=known.rows + len(flat),
        documents=known.documents + sum(map(bool, documents)) - unread,
        unread=known.unread + unread,
    )
    try:
        with (folder / known.file).open("r+b") as file:
            file.truncate(known.rows * block.itemsize)
            file.seek(0, os.SEEK_END)
            file.write(block.tobytes())
            file.flush()
            os.fsync(file.fileno())
        _keep(folder, further)
    except OSError as error:
        raise _failed(folder, error) from error
    return further


def drop(folder: Path, known: State, gone: Collection[bytes]) -> State:
    """Write the file anew without the rows of the hashes that are gone. Raises StorageError."""
    if not gone:
        return known
    return _rewritten(folder, known, lambda digest: digest not in gone)


def _rewritten(folder: Path, known: State, stays: Callable[[bytes], bool]) -> State:
    import numpy

    old = rows(folder, known)
    fresh = replace(known, file=f"vectors-{int(known.file[8:-4]) + 1}.bin")
    count = documents = unread = 0
    last = b""
    try:
        with (folder / fresh.file).open("wb") as file:
            for begin_at in range(0, len(old), _CHUNK):
                part = old[begin_at : begin_at + _CHUNK]
                digests = [digest.tobytes() for digest in part["hash"]]
                keep = numpy.fromiter(map(stays, digests), bool, len(part))
                file.write(part[keep].tobytes())
                count += int(keep.sum())
                for digest, kept, scale in zip(digests, keep, part["scale"], strict=True):
                    if kept and digest != last:  # the rows of a document stand together
                        documents, unread = documents + int(scale > 0), unread + int(scale == 0)
                    last = digest
            file.flush()
            os.fsync(file.fileno())
        fresh = replace(fresh, rows=count, documents=documents, unread=unread)
        _keep(folder, fresh)
    except OSError as error:
        raise _failed(folder, error) from error
    del old
    _clear(folder, fresh.file)
    return fresh


def _keep(folder: Path, known: State) -> None:
    """Make the state count, in one step."""
    beside = folder / f".{_STATE}.part"
    with beside.open("w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(known)) + "\n")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(folder / _STATE)


def _clear(folder: Path, kept: str) -> None:
    for path in folder.glob("vectors-*.bin"):
        if path.name != kept:
            with contextlib.suppress(OSError):  # Where a reader still maps it, the next rewriting takes it away.
                path.unlink()


def _failed(folder: Path, error: Exception) -> StorageError:
    why = getattr(error, "strerror", None) or str(error).splitlines()[0][:200]
    return StorageError(
        f"The vectors in {folder} cannot be read or written ({why}).",
        advice="Make room or mend the disk, then run `inquest collection embed` again; searching by words goes on.",
    )
