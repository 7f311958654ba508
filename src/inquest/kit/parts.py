"""The contracts of files with several documents: a message with attachments, an archive, captures of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import quote

MARK = "#part="
"""The separator of a file's address or path and the number of a part: `mail.eml#part=2`."""


@dataclass(frozen=True, slots=True)
class Part:
    """One document in a file."""

    number: str
    """'2', or '2.1' within another part; '' for the message itself."""
    name: str
    """Its own name, never used as a path."""
    content_type: str
    """As declared; '' if not declared."""
    body: bytes
    parent: str = ""
    """The containing file, for display: 'mail.eml (The new terminal)'."""
    where: str = ""
    """Its path within the file, for display: 'old.zip > report.pdf'; '' for the file itself."""

    def address(self, of: str) -> str:
        """Return this part's address in the file at the address `of`: file:///mail.eml#part=2/report.pdf."""
        return f"{of}{MARK}{self.number}/{quote(self.name)}" if self.number else of


@dataclass(frozen=True, slots=True)
class PartProblem:
    """A part that could not be read."""

    number: str
    where: str
    """As in Part."""
    why: str
    """The predicate of a sentence on it: 'is encrypted'."""


Parts = Callable[[bytes, str, str], Iterator[Part | PartProblem]]
"""Yields the documents in the bytes of a file with this name and media type, including nested ones: a message before
its attachments, and a file that is not a container as its only part. Never raises; damage is a PartProblem."""


def split_part(path: str) -> tuple[Path, str]:
    """Split a path as the user wrote it into the file and the number of a part; '' for the file itself."""
    file, mark, part = path.partition(MARK)
    return Path(file), part.partition("/")[0] if mark else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One page in a web archive."""

    url: str
    body: bytes
    """After transfer and content decoding."""
    content_type: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Names in lower case, without those of the transfer coding."""
    retrieved_at: datetime | None
    """None: not recorded."""
    record: str = "response"
    """The type of its record in the archive."""
    repeats: bool = False
    """True if the record refers to another one with the same bytes, which `body` holds, at another address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCapture:
    """A record of a web archive without a page, or a damaged place."""

    record: str
    """The type of the record: request, revisit, ...; damage: 'damaged'."""
    outcome: Literal["accompanies", "seen again", "left out", "unreadable"]
    """accompanies: it describes other records (request, warcinfo, metadata)."""
    why: str = ""
    """The predicate of a sentence on it: 'is ...'."""
    url: str = ""
    """'' if unknown; `why` then names the place."""
