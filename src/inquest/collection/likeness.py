"""How alike a question is to every document of a collection: each vector is looked at, a part of the file at a time, so
that memory stays flat however many there are. Nothing is approximate: the best are the best."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from inquest.collection.vectors import HASH, State, hash_of, rows
from inquest.text.meaning_search import MOST_WINDOWS

_CHUNK = 8_192
# Rows that are compared at a time: 12 MB as floats, so that they stay in the processor's cache and out of the memory.


class Alike(NamedTuple):
    """A document's best window."""

    score: float
    """Cosine, -1 to 1."""
    start: int
    """Where the window begins in the text."""


class VectorTable:
    """The vectors of one collection as they stood when it was made; safe to use from several threads."""

    def __init__(self, folder: Path, state: State) -> None:
        """Raises StorageError."""
        import numpy

        self.state = state
        self._rows = rows(folder, state)
        hashes = numpy.frombuffer(self._rows["hash"].tobytes(), numpy.uint8).reshape(-1, HASH)
        # The first eight bytes tell documents apart; the whole hash is compared where they are looked up.
        # As big-endian numbers, so that they stand in the order of the hashes as they are written.
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
        """Of all documents whose hash begins so (hexadecimal digits)."""
        import numpy

        low, high = (int(beginning.ljust(16, digit) or "0", 16) for digit in "0f")
        left = int(numpy.searchsorted(self._sorted, numpy.uint64(low), "left"))
        right = int(numpy.searchsorted(self._sorted, numpy.uint64(high), "right"))
        return {self._rows["hash"][row].tobytes() for row in self._order[left:right]}

    def to(self, vector: bytes) -> Likenesses:
        """How alike every document is to a question's vector (little-endian 32-bit floats, of length 1)."""
        import numpy

        asked = numpy.frombuffer(vector, "<f4")
        scores = numpy.empty(len(self._rows), numpy.float32)
        for begin in range(0, len(scores), _CHUNK):
            part = self._rows[begin : begin + _CHUNK]
            numpy.dot(part["vector"].astype(numpy.float32), asked, out=scores[begin : begin + len(part)])
            scores[begin : begin + len(part)] *= part["scale"]
        return Likenesses(self, self._rows, numpy.round(scores, 4))


class Likenesses:
    """The answer to one question."""

    def __init__(self, table: VectorTable, stored: Any, scores: Any) -> None:
        self._table, self._rows, self._scores = table, stored, scores

    def best(self, limit: int, least: float) -> Mapping[str, Alike]:
        """The snapshots of the `limit` documents that are most alike, with at least that likeness; best first."""
        import numpy

        count = min(len(self._scores), limit * MOST_WINDOWS)
        if not count:
            return {}
        top = numpy.argpartition(-self._scores, count - 1)[:count]
        # Of equals the earlier row: the order must not depend on how the parts were cut.
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
        """A document's best window; None: it has no vector."""
        places = [row for row in self._table.places(snapshot) if self._rows["scale"][row] > 0]
        if not places:
            return None
        row = max(places, key=lambda place: (self._scores[place], -place))
        return Alike(float(self._scores[row]), int(self._rows["start"][row]))
