"""The accepted kinds of files, and the contracts of files with several documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal
from urllib.parse import quote

_MB = 2**20


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of file."""

    name: str
    content_type: str
    holds: str = "one"
    """one document, rows (a table or lines of JSON), captures (a web archive) or parts (a message or archive)."""
    most: int = 50 * _MB
    """Maximum unpacked bytes of the document, or of one row."""


_OPEN_XML = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
_LIST = (
    (DocumentKind("PDF", "application/pdf", most=200 * _MB), ".pdf"),
    (DocumentKind("HTML", "text/html"), ".html .htm"),
    (DocumentKind("HTML", "application/xhtml+xml"), ".xhtml"),
    (DocumentKind("HTML", "multipart/related"), ".mhtml .mht"),
    (DocumentKind("feeds", "application/xml"), ".rss .atom .xml"),
    (DocumentKind("text", "text/plain"), ".txt .text"),
    (DocumentKind("Markdown", "text/markdown"), ".md .markdown"),
    (DocumentKind("RTF", "application/rtf"), ".rtf"),
    (DocumentKind("Word", f"{_OPEN_XML}wordprocessingml.document"), ".docx .docm .dotx"),
    (DocumentKind("Excel", f"{_OPEN_XML}spreadsheetml.sheet", most=200 * _MB), ".xlsx .xlsm .xltx"),
    (DocumentKind("Excel", "application/vnd.ms-excel", most=200 * _MB), ".xls"),
    (DocumentKind("PowerPoint", f"{_OPEN_XML}presentationml.presentation", most=200 * _MB), ".pptx .pptm .ppsx"),
    (DocumentKind("OpenDocument", f"{_OPEN_DOCUMENT}text"), ".odt"),
    (DocumentKind("OpenDocument", f"{_OPEN_DOCUMENT}spreadsheet"), ".ods"),
    (DocumentKind("OpenDocument", f"{_OPEN_DOCUMENT}presentation", most=200 * _MB), ".odp"),
    (DocumentKind("EPUB", "application/epub+zip", most=200 * _MB), ".epub"),
    (DocumentKind("pictures", "image/png"), ".png"),
    (DocumentKind("pictures", "image/jpeg"), ".jpg .jpeg"),
    (DocumentKind("pictures", "image/tiff"), ".tif .tiff"),
    (DocumentKind("pictures", "image/webp"), ".webp"),
    (DocumentKind("pictures", "image/gif"), ".gif"),
    (DocumentKind("pictures", "image/bmp"), ".bmp"),
    (DocumentKind("e-mail", "message/rfc822", holds="parts", most=200 * _MB), ".eml"),
    (DocumentKind("e-mail", "application/vnd.ms-outlook", holds="parts", most=200 * _MB), ".msg"),
    (DocumentKind("e-mail", "application/mbox", holds="parts", most=500 * _MB), ".mbox .mbx"),
    (DocumentKind("ZIP", "application/zip", holds="parts", most=500 * _MB), ".zip"),
    (DocumentKind("WARC", "application/warc", holds="captures"), ".warc .arc"),
    (DocumentKind("WACZ", "application/wacz", holds="captures"), ".wacz"),
    (DocumentKind("CSV", "text/csv", holds="rows"), ".csv"),
    (DocumentKind("CSV", "text/tab-separated-values", holds="rows"), ".tsv"),
    (DocumentKind("JSONL", "application/jsonl", holds="rows"), ".jsonl .ndjson .json"),
)
KINDS = {ending: kind for kind, endings in _LIST for ending in endings.split()}
"""By the last extension without `.gz`."""


def in_words(*holding: str) -> str:
    """List the kinds for a person: 'PDF, HTML, ... and JSONL'. `holding`: only those with this content; () for all."""
    *names, last = dict.fromkeys(kind.name for kind, _ in _LIST if not holding or kind.holds in holding)
    return f"{', '.join(names)} and {last}"


def endings(*holding: str) -> tuple[str, ...]:
    """Return the extensions with dots, as in a form's `accept`. `holding`: as in `in_words`."""
    return tuple(ending for ending, kind in KINDS.items() if not holding or kind.holds in holding)


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
    is_cut: bool = False
    """True if the record says, or its length shows, that `body` is only the beginning."""


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
