"""What taking in a file yields: documents to read, and problems to tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from inquest.kit.parts import Capture, NoCapture


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The bytes of one document, and where they are from."""

    where: str
    """The file, and the place in it, for a person: `news.csv, row 12`."""
    body: bytes
    url: str
    content_type: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    parent: str = ""
    """The name of the file that it is part of: the message of an attachment, the archive of a file."""
    id: str = ""
    """Its own id, where it has one."""
    key: str = ""
    """What it is a version of; '': of nothing."""
    retrieved_at: datetime | None = None
    """When a web archive captured it; None: now."""
    record: str = ""
    """The type of its record in a web archive."""
    repeats: bool = False
    """Its bytes are known to be those of another document, and it is one of its own for its address."""


@dataclass(frozen=True, slots=True)
class ItemProblem:
    """What could not be taken in, and why."""

    where: str
    why: str
    left_out: bool = False
    """It is of no kind that could be read, and nobody named it: nothing went wrong."""
    count: int = 1
    """How many there are of this kind, of which `where` names the first."""
    record: str = ""
    """The type of its record in a web archive."""

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


@dataclass(frozen=True, slots=True)
class Records:
    """How many records of a type in web archives had one outcome."""

    record: str
    """Its type: response, request, revisit, ...; for damage 'damaged'."""
    outcome: str
    """read, already there, seen again, left out, unreadable."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class FileDone:
    """A file has been gone through."""

    path: str


Found = Item | ItemProblem | Records | FileDone
"""What going through files yields, one by one."""

Unpack = Callable[[BinaryIO], Iterator[Capture | NoCapture]]
"""The captures of a web archive (as it lies on the disk), in order. Raises PageError where it is not one at all."""
