"""The results of going through files: documents to read, and problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO

from inquest.kit.parts import Capture, NoCapture


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The bytes of one document and their origin."""

    where: str
    """The file and the place in it, for readers: `news.csv, row 12`."""
    body: bytes
    url: str
    content_type: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    parent: str = ""
    """The file it is part of: a message or archive."""
    id: str = ""
    """Its own id, if any."""
    key: str = ""
    """Identity of its versions; '': none."""
    retrieved_at: datetime | None = None
    """The time at which a web archive captured it; None: now."""
    record: str = ""
    """The type of its record in a web archive."""
    repeats: bool = False
    """True for a capture with the bytes of another document, from a different address."""


@dataclass(frozen=True, slots=True)
class ItemProblem:
    """Something that could not be read, with the reason."""

    where: str
    why: str
    left_out: bool = False
    """True for an unsupported kind that the user did not name: nothing failed."""
    count: int = 1
    """The number of such problems, the first at `where`."""
    record: str = ""
    """The type of its record in a web archive."""

    def __str__(self) -> str:
        return f"{self.where}: {self.why}"


@dataclass(frozen=True, slots=True)
class Records:
    """The number of records of a type in web archives with one outcome."""

    record: str
    """The type: response, request, revisit, ... or 'damaged'."""
    outcome: str
    """read, already there, seen again, left out, unreadable."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class FileDone:
    """A finished file."""

    path: str


Found = Item | ItemProblem | Records | FileDone

Unpack = Callable[[BinaryIO], Iterator[Capture | NoCapture]]
"""The captures of a web archive in order, compressed or not. Raises PageError for anything else."""
