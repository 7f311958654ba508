"""From bytes to documents: one reader per kind of bytes, chosen by what the bytes are and what they are said to be."""

from __future__ import annotations

import re
from importlib import import_module

from inquest.domain.errors import PageUnreadable
from inquest.kit.file_kinds import in_words
from inquest.kit.parts import MARK
from inquest.kit.reader import Reader
from inquest.text.regex import regex

ROW_TYPE = "application/vnd.inquest.row+json"
"""The media type of one row of a CSV or JSONL file, as a collection keeps it."""


def all_readers() -> tuple[Reader, ...]:
    """Every reader there is."""
    return tuple(map(_reader, (*_FORMS, *_OFFICE)))


def pick(content_type: str, body: bytes, url: str) -> Reader:
    """The reader for these bytes: by what they begin with, then by the declared type, then by the name's ending.

    Servers often declare the wrong type, and a file's first bytes do not lie; only between kinds of text does the
    declaration decide. Raises PageUnreadable, naming the type, where no reader takes it.
    """
    from inquest.readers.unpack import GZIP, unpacked

    if body.startswith(GZIP):
        body = unpacked(body, url, 50_000_000)
    declared = content_type.split(";")[0].strip().lower()
    if body.startswith(b"\xd0\xcf\x11\xe0") and (_ending(url) == "msg" or MSG_MARK in body):
        return _reader("msg")
    if is_picture(body):
        return _reader("image")
    if (office := _office(body, url)) is not None:
        return _reader(office)
    named = next((named for magic, named in _OTHERS.items() if body.startswith(magic)), None)
    if named is not None and b"%PDF-" not in body[:1024]:
        raise _no_reader(url, named)
    head = body[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    form = _by_content(body, head, declared) or _by_name(declared, _ending(url), head)
    if form is None:
        form = _kind_of_text(declared, _ending(url))
        if form is None:
            raise _no_reader(url, declared)
        if _looks_binary(body):
            raise _no_reader(url, declared or "an unknown type")
    return _reader(form)


def _office(body: bytes, url: str) -> str | None:
    """The reader of an office document or book, by its parts."""
    if body.startswith(b"{\\rtf"):
        return "rtf"
    if not body.startswith((_ZIP, _OLE)):
        return None
    from inquest.readers.office.package import old_form, zip_form

    if body.startswith(_OLE):
        return old_form(body, url)
    return zip_form(body, _ending(url))


def is_picture(body: bytes) -> bool:
    """True for a file that begins as a picture does of a kind that is read: PNG, JPEG, GIF, TIFF, WebP, BMP."""
    container, kind = body[:4], body[8:12]
    is_bitmap = body[:2] == b"BM" and body[6:10] == b"\0\0\0\0"  # its reserved field; a text may begin with BMW
    return body.startswith(_PICTURES) or (container, kind) == (b"RIFF", b"WEBP") or is_bitmap


def _by_content(body: bytes, head: bytes, declared: str) -> str | None:
    """The reader that the first bytes call for; None: the declaration decides."""
    if b"%PDF-" in body[:1024]:
        return "pdf"
    if declared == ROW_TYPE:
        return "row"
    if declared in ("application/pdf", "application/x-pdf"):
        return "html" if _looks_html(head) else "pdf"  # an error page or a wall where a document should be
    return "feed" if _is_feed(head) else None


def _by_name(declared: str, ending: str, head: bytes) -> str | None:
    if declared in _MARKDOWN or (declared in _VAGUE and ending in ("md", "markdown")):
        return "markdown"
    if declared == "message/rfc822" or (declared in _VAGUE and ending == "eml"):
        return "eml"
    return "html" if declared in ("text/html", "application/xhtml+xml") or _looks_html(head) else None


def _kind_of_text(declared: str, ending: str) -> str | None:
    if (
        declared in _VAGUE
        or declared.startswith(("text/", *_OFFICE_TYPES))
        or declared.endswith(("json", "+xml", "/xml", "yaml"))
    ):
        return "html" if ending in ("html", "htm", "xhtml") else "text"
    return None


MSG_MARK = "__properties_version1.0".encode("utf-16-le")
"""The name of a stream that every message of Outlook's has and no other compound file (MS-OXMSG 2.4)."""
_MARKDOWN = ("text/markdown", "text/x-markdown")


_VAGUE = (
    "",
    "text/plain",
    "application/octet-stream",
    "binary/octet-stream",
    "application/x-download",
    "unknown/unknown",
)
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OFFICE_TYPES = (
    "application/vnd.openxmlformats",
    "application/vnd.oasis",
    "application/vnd.ms-",
    "application/msword",
    "application/rtf",
    "application/epub",
)
"""What is declared to be one of these and is text (begins with none of their marks) is read as text."""
_OTHERS = {
    _ZIP: "a ZIP archive of other files than documents",
    _OLE: "a file of an old Microsoft program",
    b"RIFF": "a sound or a film",
    b"\x00\x00\x00\x18ftyp": "a film",
    b"\x00\x00\x00\x20ftyp": "a film",
    b"ID3": "a sound",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"x\x9f>\x22": "Outlook's wrapping of a message (winmail.dat: have it sent again as plain text)",
    b"WARC/": "a web archive, which a collection can take in",
}
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")
_HTML = regex(rb"<(?:!doctype\s+html|html|head|body|title|meta|div|article|script|p|h1|table)[\s>/]", re.IGNORECASE)


def _looks_html(head: bytes) -> bool:
    wide = head.lstrip(b"\xff\xfe").replace(b"\x00", b"")  # UTF-16
    return wide[:3] in (b"<!-", b"<!D", b"<!d", b"<ht", b"<HT", b"<?x", b"<he", b"<bo", b"<di") and bool(
        _HTML.search(wide)
    )


def _is_feed(head: bytes) -> bool:
    from inquest.readers.feed import FEED_START

    found = FEED_START.search(head)
    return bool(found) and head.startswith(b"<") and not _HTML.search(head[: found.start() if found else 0])


def _looks_binary(body: bytes) -> bool:
    sample = body[:2000]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")) or not sample:
        return False
    zeros = sample.count(0)
    return bool(zeros) and not 0.3 < zeros / len(sample) < 0.6  # UTF-16 without a mark is half zeros


def _ending(url: str) -> str:
    # The address of a part (kit.parts) ends in the part's own name.
    own = url if MARK in url else url.split("?")[0].split("#")[0]
    name = own.rsplit("/", 1)[-1].lower().removesuffix(".gz")
    return name.rsplit(".", 1)[-1] if "." in name else ""


def _no_reader(url: str, named: str) -> PageUnreadable:
    return PageUnreadable(
        url,
        f"The document at {url} is {named if ' ' in named else f'of the type {named}'}, which no reader takes.",
        advice=f"{in_words('one')} are read; save it as one of these.",
    )


_FORMS = ("html", "pdf", "feed", "markdown", "text", "row", "image", "eml", "msg")
_OFFICE = {"docx": "docx", "xlsx": "xlsx", "xls": "xls", "pptx": "pptx", "odt": "odf", "ods": "odf", "odp": "odf",
           "epub": "epub", "rtf": "rtf"}  # fmt: skip
"""The modules of `office` by what they read."""


def _reader(form: str) -> Reader:
    """The reader of the file of that name, which is loaded when it is first wanted."""
    module = f"office.{_OFFICE[form]}" if form in _OFFICE else form
    made: Reader = getattr(import_module(f"{__name__}.{module}"), f"{form.capitalize()}Reader")()
    return made
