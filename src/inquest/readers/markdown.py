"""Markdown, kept as written; front matter gives title, author, date, address and language."""

from __future__ import annotations

import re
from typing import ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.documents import document_of, first_line
from inquest.readers.plain import one_line
from inquest.readers.text import decoded_file
from inquest.sources.dating import from_text, from_url, from_value
from inquest.text.languages import language_of
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url

_FRONT = pattern(__name__, "front")
_FIELD = regex(r"^([A-Za-z_][\w -]{0,40}?)\s*[:=]\s*(.*)$")
_LINK = regex(r"\[[^\]\n]{0,500}\]\(<?(https?://[^\s)>]{1,2000})>?[^)\n]{0,300}\)|<(https?://[^\s>]{1,2000})>")
_HEADING = regex(r"^#{1,2}\s+(.+?)\s*#*$", re.MULTILINE)


class MarkdownReader(Reader):
    """Reads Markdown."""

    name: ClassVar[str] = "markdown"
    content_types: ClassVar[tuple[str, ...]] = ("text/markdown", "text/x-markdown")

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The text after the front matter, verbatim. `url` in the front matter becomes the document's address, since
        the file is a saved copy of that page. Raises PageUnreadable, PageTooLarge."""
        whole, note = decoded_file(body, snapshot)
        fields, text = _split(whole)
        url = snapshot.final_url or snapshot.url
        given = fields.get("url") or fields.get("source") or fields.get("link") or ""
        address = given if is_web_url(given) else url
        dates = [from_value(fields.get(key), f"the front matter's {key}", now=snapshot.retrieved_at) for key in _DATES]
        heading = _HEADING.search(text)
        links = (clean_url(match[1] or match[2]) for match in _LINK.finditer(text))
        declared = fields.get("language") or fields.get("lang")
        return document_of(
            snapshot,
            text,
            (*dates, from_text(text), from_url(address)),
            [note],
            url=address,
            title=fields.get("title") or (one_line(heading[1]) if heading else first_line(text)),
            author=fields.get("author") or fields.get("authors") or None,
            publisher=fields.get("publisher") or None,
            language=language_of(text, declared[:2].lower() if declared else None),
            links=tuple(dict.fromkeys(link for link in links if is_web_url(link))),
            canonical_url=given if is_web_url(given) else None,
            kind=self.name,
        )


_DATES = ("date", "published", "pubdate", "created")


def _split(whole: str) -> tuple[dict[str, str], str]:
    """The fields of the front matter (YAML or TOML, one `name: value` a line; nested values are passed over) and the
    text after it. A file that is nothing but front matter is all text."""
    match = _FRONT.match(whole)
    if not match or not any(char.isalnum() for char in whole[match.end() :]):
        return {}, whole
    fields: dict[str, str] = {}
    for line in match["fields"].split("\n"):
        if field := _FIELD.match(line):
            value = one_line(field[2])
            if value.startswith("[") and value.endswith("]"):
                value = ", ".join(part.strip(" \"'") for part in value[1:-1].split(","))
            elif value[:1] in "\"'" and value[-1:] == value[:1]:
                value = value[1:-1]
            if value:
                fields.setdefault(field[1].strip().lower(), value)
    return fields, whole[match.end() :]
