"""The vectors of a collection: a file that only grows, and a small one with the number of its valid rows.

`vectors-N.bin` holds rows of one length: the document's hash, the beginning of the window in the text, and the vector
as signed bytes with a scale. `vectors.json` names the file, the encoder and the number of rows. A batch is written and
flushed before it is counted atomically, so readers never see the rows of a crashed write, which the next write cuts
off. Rows of documents that are no longer in the index match nothing and are removed by the next rewriting. A question
is compared with all vectors, in parts that bound the memory.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from inquest.domain.errors import StorageError
from inquest.text.similarity import MOST_WINDOWS

if TYPE_CHECKING:
    import numpy

FORMAT = 1
HASH = 32
"""Bytes of a document's hash (SHA-256)."""
_STATE = "vectors.json"
_CHUNK = 65_536
"""Rows copied at a time."""

Row = tuple[str, int, bytes]
"""A document's snapshot, the beginning of the window, and its vector; an empty vector: the encoder does not support the
document's language."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of a collection's vectors."""

    encoder: str
    """The encoder; vectors of different encoders cannot be compared."""
    size: int
    """Numbers in a vector."""
    file: str
    rows: int = 0
    documents: int = 0
    """Documents with vectors."""
    unread: int = 0
    """Documents in a language that the encoder does not support."""
    format: int = FORMAT


def state(folder: Path) -> State | None:
    """The state; None without usable vectors."""
    try:
        stored = State(**json.loads((folder / _STATE).read_text("utf-8")))
        written = (folder / stored.file).stat().st_size // row_type(stored.size).itemsize
    except (OSError, ValueError, TypeError):
        return None
    return stored if stored.format == FORMAT and 0 <= stored.rows <= written else None


def written_at(folder: Path) -> tuple[int, int] | None:
    """A value that changes with the state; None without a state."""
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
    """The valid rows, mapped into memory. Raises StorageError."""
    import numpy

    kind = row_type(known.size)
    if not known.rows:
        return numpy.empty(0, kind)
    try:
        return numpy.memmap(folder / known.file, dtype=kind, mode="r", shape=(known.rows,))
    except (OSError, ValueError) as error:
        raise _failed(folder, error) from error


def hash_of(snapshot: str) -> bytes:
    """The hash of a document, as it is in a row."""
    return bytes.fromhex(snapshot.removeprefix("sha256:"))


def begin(folder: Path, encoder: str, size: int) -> State:
    """Create an empty file of vectors and delete earlier ones. Raises StorageError."""
    old = [path.name[8:-4] for path in folder.glob("vectors-*.bin")]
    number = 1 + max((int(name) for name in old if name.isdigit()), default=0)
    begun = State(encoder, size, f"vectors-{number}.bin")
    try:
        (folder / begun.file).touch()
        _keep(folder, begun)
    except OSError as error:
        raise _failed(folder, error) from error
    _clear(folder, begun.file)
    return begun


def append(folder: Path, known: State, documents: Sequence[Sequence[Row]]) -> State:
    """Add the rows of whole documents and return the new state, or raise StorageError and add none. The caller holds
    the collection's lock."""
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
            _flush(file)
        _keep(folder, further)
    except OSError as error:
        raise _failed(folder, error) from error
    return further


def drop(folder: Path, known: State, gone: Collection[bytes]) -> State:
    """Rewrite the file without the rows of these hashes. Raises StorageError."""
    import numpy

    if not gone:
        return known
    old = rows(folder, known)
    fresh = replace(known, file=f"vectors-{int(known.file[8:-4]) + 1}.bin")
    count = documents = unread = 0
    last = b""
    try:
        with (folder / fresh.file).open("wb") as file:
            for begin_at in range(0, len(old), _CHUNK):
                part = old[begin_at : begin_at + _CHUNK]
                digests = [digest.tobytes() for digest in part["hash"]]
                keep = numpy.fromiter((digest not in gone for digest in digests), bool, len(part))
                file.write(part[keep].tobytes())
                count += int(keep.sum())
                for digest, kept, scale in zip(digests, keep, part["scale"], strict=True):
                    if kept and digest != last:  # the rows of a document are contiguous
                        documents, unread = documents + int(scale > 0), unread + int(scale == 0)
                    last = digest
            _flush(file)
        fresh = replace(fresh, rows=count, documents=documents, unread=unread)
        _keep(folder, fresh)
    except OSError as error:
        raise _failed(folder, error) from error
    del old
    _clear(folder, fresh.file)
    return fresh


def _keep(folder: Path, known: State) -> None:
    """Replace the state atomically."""
    beside = folder / f".{_STATE}.part"
    with beside.open("w", encoding="utf-8") as file:
        file.write(json.dumps(asdict(known)) + "\n")
        _flush(file)
    beside.replace(folder / _STATE)


def _flush(file: IO[Any]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _clear(folder: Path, kept: str) -> None:
    for path in folder.glob("vectors-*.bin"):
        if path.name != kept:
            with contextlib.suppress(OSError):  # the next rewriting removes a file that a reader still maps
                path.unlink()


def _failed(folder: Path, error: Exception) -> StorageError:
    why = getattr(error, "strerror", None) or str(error).splitlines()[0][:200]
    return StorageError(
        f"The vectors in {folder} cannot be read or written ({why}).",
        advice="Free some space or repair the disk, then run `inquest collection embed` again.",
    )


_COMPARED = 8_192
"""Rows compared at a time: 12 MB as floats, which fit into the processor's cache."""


class Alike(NamedTuple):
    """A document's window that is most similar to a question."""

    score: float
    """Cosine, -1 to 1."""
    start: int
    """Beginning of the window in the text."""


class VectorTable:
    """The vectors of one collection at one moment; safe for several threads."""

    def __init__(self, folder: Path, state: State) -> None:
        """Raises StorageError."""
        import numpy

        self.state = state
        self._rows = rows(folder, state)
        hashes = numpy.frombuffer(self._rows["hash"].tobytes(), numpy.uint8).reshape(-1, HASH)
        # The first eight bytes as big-endian numbers have the order of the hashes; a lookup compares the whole hash.
        beginnings = hashes[:, :8].copy().view(">u8").ravel().astype(numpy.uint64)
        self._order = numpy.argsort(beginnings, kind="stable").astype(numpy.uint32)
        self._sorted = beginnings[self._order]

    def __contains__(self, snapshot: str) -> bool:
        return bool(self.places(snapshot))

    def places(self, snapshot: str) -> list[int]:
        """The rows of a document."""
        import numpy

        wanted = hash_of(snapshot)
        beginning = numpy.uint64(int.from_bytes(wanted[:8]))
        left, right = (int(numpy.searchsorted(self._sorted, beginning, side)) for side in ("left", "right"))
        return [int(row) for row in self._order[left:right] if self._rows["hash"][row].tobytes() == wanted]

    def hashes(self, beginning: str) -> set[bytes]:
        """The hashes with this beginning (hexadecimal digits)."""
        import numpy

        low, high = (int(beginning.ljust(16, digit) or "0", 16) for digit in "0f")
        left = int(numpy.searchsorted(self._sorted, numpy.uint64(low), "left"))
        right = int(numpy.searchsorted(self._sorted, numpy.uint64(high), "right"))
        return {self._rows["hash"][row].tobytes() for row in self._order[left:right]}

    def compared_with(self, vector: bytes) -> Likenesses:
        """The similarity of every document to a question's vector (little-endian 32-bit floats, of length 1)."""
        import numpy

        question = numpy.frombuffer(vector, "<f4")
        scores = numpy.empty(len(self._rows), numpy.float32)
        for begin in range(0, len(scores), _COMPARED):
            part = self._rows[begin : begin + _COMPARED]
            numpy.dot(part["vector"].astype(numpy.float32), question, out=scores[begin : begin + len(part)])
            scores[begin : begin + len(part)] *= part["scale"]
        return Likenesses(self, self._rows, numpy.round(scores, 4))


class Likenesses:
    """The similarity of every document to one question."""

    def __init__(self, table: VectorTable, stored: Any, scores: Any) -> None:
        self._table, self._rows, self._scores = table, stored, scores

    def best(self, limit: int, least: float) -> Mapping[str, Alike]:
        """The snapshots of the `limit` most similar documents with at least this score, best first."""
        import numpy

        count = min(len(self._scores), limit * MOST_WINDOWS)
        if not count:
            return {}
        top = numpy.argpartition(-self._scores, count - 1)[:count]
        # Ties keep the order of the rows, so the result does not depend on the size of the parts.
        top = top[numpy.lexsort((top, -self._scores[top]))]
        found: dict[str, Alike] = {}
        for row in top:
            score = float(self._scores[row])
            if score < least or len(found) == limit:
                break
            snapshot = "sha256:" + self._rows["hash"][row].tobytes().hex()
            found.setdefault(snapshot, Alike(score, int(self._rows["start"][row])))
        return found

    def of(self, snapshot: str) -> Alike | None:
        """A document's best window; None without vectors."""
        places = [row for row in self._table.places(snapshot) if self._rows["scale"][row] > 0]
        if not places:
            return None
        row = max(places, key=lambda place: (self._scores[place], -place))
        return Alike(float(self._scores[row]), int(self._rows["start"][row]))
