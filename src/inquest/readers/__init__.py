"""Readers that turn fetched bytes into documents, chosen by content, declared type and file name."""

from __future__ import annotations

import re
import zlib
from importlib import import_module

from inquest.domain.errors import PageTooLarge, PageUnreadable
from inquest.kit.files import MARK, in_words
from inquest.kit.reader import Reader
from inquest.text.regex import regex

ROW_TYPE = "application/vnd.inquest.row+json"
"""The media type of one row of a CSV or JSONL file, as a collection stores it."""
MSG_MARK = "__properties_version1.0".encode("utf-16-le")
"""The name of a stream that every Outlook message has and no other compound file (MS-OXMSG 2.4)."""
_MARKDOWN = ("text/markdown", "text/x-markdown")
_VAGUE = ("", *"text/plain application/octet-stream binary/octet-stream application/x-download unknown/unknown".split())
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
_OFFICE_TYPES = tuple(f"application/{name}" for name in "vnd.openxmlformats vnd.oasis vnd.ms- msword rtf epub".split())
"""Declared types of files that are read as text if they do not begin like an office document."""
_OTHERS = {
    _ZIP: "a ZIP archive without documents",
    _OLE: "a file of an old Microsoft format",
    b"RIFF": "an audio or video file",
    b"\x00\x00\x00\x18ftyp": "a video file",
    b"\x00\x00\x00\x20ftyp": "a video file",
    b"ID3": "an audio file",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"x\x9f>\x22": "an Outlook attachment wrapper (winmail.dat: ask for the message to be sent again as plain text)",
    b"WARC/": "a web archive, which can be added to a collection",
}
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*")
_HTML = regex(rb"<(?:!doctype\s+html|html|head|body|title|meta|div|article|script|p|h1|table)[\s>/]", re.IGNORECASE)
_HTML_STARTS = (b"<!-", b"<!D", b"<!d", b"<ht", b"<HT", b"<?x", b"<he", b"<bo", b"<di")
_JSON_FEED = regex(rb"\{[^{]*/jsonfeed\.org\\?/version")
_FEED = regex(rb"<(?:rss|feed|rdf:RDF)[\s>]", re.IGNORECASE)
_MODULES = {
    "html": "html.reader", "pdf": "pdf.reader", "feed": "feed", "markdown": "text", "text": "text", "row": "text",
    "image": "ocr", "eml": "mail", "mhtml": "mail", "msg": "mail", "docx": "office.ooxml", "xlsx": "office.sheets",
    "xls": "office.sheets", "pptx": "office.ooxml", "odt": "office.odf", "ods": "office.odf", "odp": "office.odf",
    "epub": "office.epub", "rtf": "office.rtf",
}  # fmt: skip
"""The module of each reader, loaded when it is first needed."""
GZIP = b"\x1f\x8b\x08"


def pick(content_type: str, body: bytes, url: str) -> Reader:
    """Return the reader for a body, by its first bytes, then the declared type, then the ending of its name.

    Servers often declare the wrong type, so the declaration decides only between kinds of text. Raises PageUnreadable,
    naming the type, if there is no reader.
    """
    if body.startswith(GZIP):
        body = unpacked(body, url, 50_000_000)
    declared, ending = content_type.split(";")[0].strip().lower(), ending_of(url)
    if is_picture(body):
        return _reader("image")
    if (office := _office(body, url, ending)) is not None:
        return _reader(office)
    named = next((named for magic, named in _OTHERS.items() if body.startswith(magic)), None)
    if named is not None and b"%PDF-" not in body[:1024]:
        raise _no_reader(url, named)
    form = _form_of(body, declared, ending)
    if form is None:
        is_text = declared.startswith(("text/", *_OFFICE_TYPES)) or declared.endswith(("json", "+xml", "/xml", "yaml"))
        if not (is_text or declared in _VAGUE) or _looks_binary(body):
            raise _no_reader(url, declared or "an unknown type")
        form = "html" if ending in ("html", "htm", "xhtml") else "text"
    return _reader(form)


def _office(body: bytes, url: str, ending: str) -> str | None:
    if not body.startswith((_ZIP, _OLE)):
        return "rtf" if body.startswith(b"{\\rtf") else None
    from inquest.readers.office.package import old_form, zip_form

    if body.startswith(_ZIP):
        return zip_form(body, ending)
    return "msg" if ending == "msg" or MSG_MARK in body else old_form(body, url)


def is_picture(body: bytes) -> bool:
    """Return True for a file that begins like a picture in a supported format: PNG, JPEG, GIF, TIFF, WebP, BMP."""
    container, kind = body[:4], body[8:12]
    is_bitmap = body[:2] == b"BM" and body[6:10] == b"\0\0\0\0"  # its reserved field; a text may begin with BMW
    return body.startswith(_PICTURES) or (container, kind) == (b"RIFF", b"WEBP") or is_bitmap


def _form_of(body: bytes, declared: str, ending: str) -> str | None:
    """Return the reader that the first bytes, the declared type or the name call for, or None."""
    head = body[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    wide = head.lstrip(b"\xff\xfe").replace(b"\x00", b"")  # UTF-16
    is_html = wide[:3] in _HTML_STARTS and _HTML.search(wide) is not None
    feed, is_vague = _FEED.search(head), declared in _VAGUE
    is_pdf = declared in ("application/pdf", "application/x-pdf")
    is_feed = feed is not None and head.startswith(b"<") and not _HTML.search(head[: feed.start()])
    fits = {
        "pdf": b"%PDF-" in body[:1024] or (is_pdf and not is_html),
        "row": declared == ROW_TYPE,
        "html": is_pdf,  # an error page or a paywall in place of a document
        "feed": is_feed or _JSON_FEED.match(head) is not None,
        "markdown": declared in _MARKDOWN or (is_vague and ending in ("md", "markdown")),
        "mhtml": declared == "multipart/related" or (ending in ("mhtml", "mht") and not is_html),
        "eml": declared == "message/rfc822" or (is_vague and ending == "eml"),
    }
    otherwise = "html" if is_html or declared in ("text/html", "application/xhtml+xml") else None
    return next((form for form, fit in fits.items() if fit), otherwise)


def _looks_binary(body: bytes) -> bool:
    sample = body[:2000]
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")) or not sample:
        return False
    zeros = sample.count(0)
    return bool(zeros) and not 0.3 < zeros / len(sample) < 0.6  # UTF-16 without a mark is half zeros


def ending_of(url: str) -> str:
    """Return the ending of the file's name in an address, in lower case, without that of its compression."""
    # The address of a part (kit.parts) ends in the part's name.
    own = url if MARK in url else url.split("?")[0].split("#")[0]
    name = own.rsplit("/", 1)[-1].lower().removesuffix(".gz")
    return name.rsplit(".", 1)[-1] if "." in name else ""


def _no_reader(url: str, named: str) -> PageUnreadable:
    what = named if " " in named else f"of the type {named}"
    advice = f"{in_words('one')} are read; save it as one of these."
    return PageUnreadable(url, f"The document at {url} is {what}, which is not supported.", advice=advice)


def _reader(form: str) -> Reader:
    module = import_module(f"{__name__}.{_MODULES[form]}")
    made: Reader = getattr(module, f"{form.capitalize()}Reader")()
    return made


def unpacked(body: bytes, url: str, limit: int, named: str = "document") -> bytes:
    """Return the content of a gzip body, unpacked once, or any other body unchanged.

    A truncated body gives what can be unpacked. `named` is used in messages. Raises PageTooLarge above `limit` bytes,
    and PageUnreadable for a damaged file.
    """
    if not body.startswith(GZIP):
        if len(body) > limit:
            megabytes = f"{len(body) / 1e6:.0f} MB; the limit is {limit // 1_000_000} MB"
            raise PageTooLarge(url, f"The {named} at {url} has {megabytes}.")
        return body
    found: list[bytes] = []
    size, rest = 0, body
    try:
        while rest.startswith(GZIP):
            stream = zlib.decompressobj(31)
            part = stream.decompress(rest, limit + 1 - size)
            size += len(part)
            found.append(part)
            if size > limit:
                raise PageTooLarge(url, f"The {named} at {url} unpacks to more than {limit // 1_000_000} MB.")
            rest = stream.unused_data
    except zlib.error as error:
        if not size:
            why = f"The {named} at {url} is a damaged gzip file."
            raise PageUnreadable(url, why, advice="Fetch or copy it again.") from error
    return b"".join(found)
