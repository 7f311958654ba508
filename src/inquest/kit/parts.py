"""The contracts of files that hold several documents: a message with its attachments, an archive, captures of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import quote

MARK = "#part="
"""Parts the address or path of a file from the number of a part: `mail.eml#part=2`."""


@dataclass(frozen=True, slots=True)
class Part:
    """One document in a file."""

    number: str
    """'2', or '2.1' within another part; '' for the message itself."""
    name: str
    """Its own name, never a path to write to."""
    content_type: str
    """As declared; '' where nothing is."""
    body: bytes
    parent: str = ""
    """The file that it is part of, for a person: 'mail.eml (The new terminal)'."""
    where: str = ""
    """The way to it within the file, for a person: 'old.zip > report.pdf'; '' for the file itself."""

    def address(self, of: str) -> str:
        """The address of this part in the file at the address `of`: file:///mail.eml#part=2/report.pdf."""
        return f"{of}{MARK}{self.number}/{quote(self.name)}" if self.number else of


@dataclass(frozen=True, slots=True)
class PartProblem:
    """A part that is not read."""

    number: str
    where: str
    """As of a Part."""
    why: str
    """What follows its name in a sentence: 'is encrypted'."""


Parts = Callable[[bytes, str, str], Iterator[Part | PartProblem]]
"""Every document in the bytes of a file with this name and declared media type, nested ones included: of a message the
message itself first, of bytes that are no container these alone. Lazy: one part at a time. Never raises; damage is a
PartProblem."""


def split_part(path: str) -> tuple[Path, str]:
    """A path as the user writes it, and the number of the part that is meant; '' for the file itself."""
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
    """Names in lower case; without those that described the bytes on the wire."""
    retrieved_at: datetime | None
    """None: the archive does not say."""
    record: str = "response"
    """The type of its record in the archive."""
    repeats: bool = False
    """The record only names another one with the same bytes at another address, which are these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCapture:
    """A record of a web archive that gives no page, or a place in it that is damaged."""

    record: str
    """The type of the record: request, revisit, ...; damage: 'damaged'."""
    outcome: Literal["accompanies", "seen again", "left out", "unreadable"]
    """accompanies: it belongs to other records and never is a page (request, warcinfo, metadata)."""
    why: str = ""
    """In words, after the address: 'is ...'."""
    url: str = ""
    """'': it has none; `why` names the place."""
