"""What taking in a file yields: documents to read, and problems to tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from inquest.kit.capture import Capture

ROW_TYPE = "application/vnd.inquest.row+json"
"""The content type of a table's row: canonical JSON (sorted names, UTF-8, no spaces) with the fields of a document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The bytes of one document, and where they are from."""

    where: str
    """The file, and the place in it, for a person: `news.csv, row 12`."""
    body: bytes
    url: str
    final_url: str = ""
    """'': as `url`."""
    content_type: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    id: str = ""
    """Its own id, where it has one."""
    key: str = ""
    """What it is a version of; '': of nothing."""
    retrieved_at: datetime | None = None
    """When a web archive captured it; None: now."""


@dataclass(frozen=True, slots=True)
class ItemProblem:
    """What could not be taken in, and why."""

    where: str
    why: str
    left_out: bool = False
    """It is of no kind that could be read, and nobody named it: nothing went wrong."""

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


@dataclass(frozen=True, slots=True)
class FileDone:
    """A file has been gone through."""

    path: str


Unpack = Callable[[BinaryIO], Iterator[Capture]]
"""The captures of a web archive (packed or not), in order. Raises PageError where it is damaged, after those before."""
