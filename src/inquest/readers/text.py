"""Readers of plain text, Markdown and rows of tables, whose layout is preserved."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar
from urllib.parse import unquote

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers import ending_of, unpacked
from inquest.readers.documents import Laid, document_of, first_line, own_text
from inquest.readers.plain import OVERLAID, Decoded, clean, decode, one_line, struck_note, without_overlays
from inquest.sources.dating import from_text, from_url, from_value
from inquest.text.blocks import blocks_by_layout
from inquest.text.languages import language_of
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url

MAX_BYTES = 50_000_000
"""Far more than any article; more would exhaust the memory of a small machine."""
_BINARY_SHARE = 0.02  # Share of control bytes above which a file is not text.
_CONTROL = bytes(code for code in range(32) if code not in (9, 10, 12, 13, 27))
_FRONT = pattern(__name__, "front")
_FIELD = regex(r"^([A-Za-z_][\w -]{0,40}?)\s*[:=]\s*(.*)$")
_LINK = regex(r"\[[^\]\n]{0,500}\]\(<?(https?://[^\s)>]{1,2000})>?[^)\n]{0,300}\)|<(https?://[^\s>]{1,2000})>")
_HEADING = regex(r"^#{1,2}\s+(.+?)\s*#*$", re.MULTILINE)
_STRUCK = regex(
    r"(?s) ?(?:(?<!~)~~(?=[^\s~])((?:(?!\n\n).){1,2000}?)(?<![\s~])~~(?!~)"
    r"|<(del|s|strike)\b[^>]{0,200}>((?:(?!\n\n).){0,2000}?)</\2>|<!--.{0,2000}?-->"
    rf"|({OVERLAID}))"
)
"""Markup of text that readers of the page see struck out, or not at all."""
_OVERLAID = regex(rf" ?({OVERLAID})")
_RECORDS = frozenset("csv tsv json jsonl ndjson".split())
_DATES = ("date", "published", "pubdate", "created")


class TextReader(Reader):
    """Reads plain text."""

    name: ClassVar[str] = "text"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Leave the lines as they are. The first line is the title, but of a file of records, whose lines are data, it
        is the file's name. A file of the user's own may name publisher and address at its top, one in a line; both
        must be there, since notes can begin with the address that they are about. Raises PageUnreadable,
        PageTooLarge."""
        url = snapshot.final_url or snapshot.url
        text, note = decoded_file(body, snapshot)
        laid = _struck_apart(text, _OVERLAID)
        text = "".join(laid.parts) or text
        own = own_text(text, laid.blocks)
        is_data, top = ending_of(url) in _RECORDS, text.partition("\n\n")[0]
        fields = {} if is_data or is_web_url(url) else _fields(top)
        publisher, given = fields.get("publisher"), _address(fields) if "publisher" in fields else None
        title = one_line(unquote(url.rpartition("/")[2])) if is_data else fields.get("title") or first_line(own)
        dates = (None if is_data else from_text(own), from_url(given or url))
        return document_of(
            snapshot,
            text,
            dates,
            [note, *struck_note(laid.blocks)],
            url=given or url,
            title=title,
            publisher=publisher,
            canonical_url=given,
            kind=self.name,
            blocks=tuple(laid.blocks),
        )


def decoded_file(body: bytes, snapshot: Snapshot) -> tuple[str, str | None]:
    """Return the cleaned text of a file in its layout, and a note on its decoding. Raises PageUnreadable for a file
    that is not text or is empty, PageTooLarge above 50 MB."""
    url = snapshot.final_url or snapshot.url
    decoded = decoded_bytes(body, snapshot, "file")
    text = clean(decoded.text, keep_spacing=True)
    if not any(char.isalnum() for char in text):
        raise PageUnreadable(url, f"The file at {url} contains no text.")
    return text, decoded.note


def decoded_bytes(body: bytes, snapshot: Snapshot, named: str) -> Decoded:
    """Unpack and decode a file or page. Raises PageUnreadable if it is not text, PageTooLarge above 50 MB."""
    url = snapshot.final_url or snapshot.url
    body = unpacked(body, url, MAX_BYTES, named)
    decoded = decode(body, snapshot.content_type)
    sample = b"" if decoded.encoding.startswith(("utf-16", "utf-32")) else body[:100_000]
    is_markup = sample.lstrip().startswith(b"<")
    if not is_markup and len(sample) - len(sample.translate(None, _CONTROL)) > _BINARY_SHARE * len(sample):
        raise PageUnreadable(url, f"The {named} at {url} is not text.", advice="Check its name and its content.")
    return decoded


class MarkdownReader(Reader):
    """Reads Markdown."""

    name: ClassVar[str] = "markdown"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The text after the front matter, verbatim but for struck-out passages, which follow their paragraph, and
        comments. `url` in the front matter becomes the document's address, since the file is a saved copy of that page.
        Raises PageUnreadable, PageTooLarge."""
        whole, note = decoded_file(body, snapshot)
        fields, text = _split(whole)
        given = _address(fields)
        address = given or snapshot.final_url or snapshot.url
        dates = [from_value(fields.get(key), f"the front matter's {key}", now=snapshot.retrieved_at) for key in _DATES]
        links = (clean_url(match[1] or match[2]) for match in _LINK.finditer(text))
        laid = _struck_apart(text, _STRUCK)
        text = "".join(laid.parts) or text
        own = own_text(text, laid.blocks)
        heading = _HEADING.search(own)
        declared = fields.get("language") or fields.get("lang")
        return document_of(
            snapshot,
            text,
            (*dates, from_text(own), from_url(address)),
            [note, *struck_note(laid.blocks)],
            url=address,
            title=fields.get("title") or (one_line(heading[1]) if heading else first_line(own)),
            author=fields.get("author") or fields.get("authors") or None,
            publisher=fields.get("publisher") or None,
            language=language_of(text, declared[:2].lower() if declared else None),
            links=tuple(dict.fromkeys(link for link in links if is_web_url(link))),
            canonical_url=given,
            kind=self.name,
            blocks=tuple(laid.blocks),
        )


def _struck_apart(text: str, struck: re.Pattern[str]) -> Laid:
    """Write each paragraph without struck-out passages and comments, then its struck-out passages as blocks; nothing if
    there are none."""
    laid = Laid()
    for paragraph in text.split("\n\n") if struck.search(text) else ():
        if any(map(str.isalnum, own := struck.sub("", paragraph).strip("\n"))):
            laid.put(own, blocks_by_layout(own)[0].kind)
        for match in struck.finditer(paragraph):
            if match.lastindex and (words := one_line(without_overlays(match[match.lastindex]))):
                laid.put(words, BlockKind.WITHDRAWN)
    return laid


def _split(whole: str) -> tuple[dict[str, str], str]:
    """The fields of the front matter (YAML or TOML, one `name: value` a line; nested values are ignored) and the text
    after it. A file that is nothing but front matter is all text."""
    match = _FRONT.match(whole)
    if not match or not any(char.isalnum() for char in whole[match.end() :]):
        return {}, whole
    return _fields(match["fields"]), whole[match.end() :]


def _address(fields: dict[str, str]) -> str | None:
    given = fields.get("url") or fields.get("source") or fields.get("link") or ""
    return given if is_web_url(given) else None


def _fields(written: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in written.split("\n"):
        if field := _FIELD.match(line):
            value = one_line(field[2])
            if value.startswith("[") and value.endswith("]"):
                value = ", ".join(part.strip(" \"'") for part in value[1:-1].split(","))
            elif value[:1] in "\"'" and value[-1:] == value[:1]:
                value = value[1:-1]
            if value:
                fields.setdefault(field[1].strip().lower(), value)
    return fields


class RowReader(Reader):
    """Reads one row of a CSV or JSONL file, kept as a JSON object of its columns."""

    name: ClassVar[str] = "row"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the cleaned text column. Raises PageUnreadable if there is no JSON object or no text in it."""
        url = snapshot.final_url or snapshot.url
        try:
            row = json.loads(body)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise PageUnreadable(url, f"The row at {url} is not a JSON object.")
        text = clean(_written(row, "text"), keep_spacing=True)
        if not any(char.isalnum() for char in text):
            raise PageUnreadable(url, f"The row at {url} has no text.", advice="The column is called 'text'.")
        given = _written(row, "url")
        address = given if is_web_url(given) else url
        date = from_value(row.get("date") or row.get("published"), "the row's date", now=snapshot.retrieved_at)
        declared = _written(row, "language")[:2].lower()
        return document_of(
            snapshot,
            text,
            (date, from_url(address)),
            url=address,
            title=one_line(_written(row, "title")) or first_line(text),
            author=one_line(_written(row, "author")) or None,
            publisher=one_line(_written(row, "publisher")) or None,
            language=language_of(text, declared or None),
            canonical_url=given if is_web_url(given) else None,
            kind=self.name,
        )


def _written(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
