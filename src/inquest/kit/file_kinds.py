"""The accepted kinds of files: the one list for the command line, the pages, the API and collections."""

from __future__ import annotations

from dataclasses import dataclass

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
