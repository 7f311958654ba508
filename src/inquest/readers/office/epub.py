"""Books in EPUB: chapters in the order of reading, each read as HTML."""

from __future__ import annotations

from typing import ClassVar

from lxml.etree import _Element as Element

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.html.tree import parse
from inquest.readers.office.package import Package, child, local, resolved, value, words
from inquest.readers.office.writing import MAX_CHARACTERS, Draft, Facts, leaves_of
from inquest.readers.plain import decode
from inquest.text.sentences import shorten

_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Algorithms that obfuscate only fonts, so that the text can be read."""


class EpubReader(Reader):
    """Reads EPUB 2 and 3 without copy protection."""

    name: ClassVar[str] = "epub"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the chapters of the spine as places. Raises PageUnreadable (copy protection), PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        protection = package.xml("META-INF/encryption.xml")
        for each in protection.iter("{*}EncryptionMethod") if protection is not None else ():
            if value(each, "Algorithm") not in _FONTS:
                why = "is copy-protected (DRM), so that only its seller's software can read it"
                raise package.damaged(why, "Ask for a copy without protection.")
        root = package.xml("META-INF/container.xml")
        found = next(root.iter("{*}rootfile"), None) if root is not None else None
        opf = resolved("", value(found, "full-path") or "")
        book = package.xml(opf)
        if book is None:
            raise package.damaged("is damaged: its list of chapters is missing")
        draft = Draft(self.name)
        items = {value(each, "id"): each for each in book.iter("{*}item")}
        spine = (items.get(value(each, "idref")) for each in book.iter("{*}itemref"))
        own = (each for each in spine if each is not None and "nav" not in (value(each, "properties") or "").split())
        for number, each in enumerate(own, 1):
            part = resolved(opf, value(each, "href") or "")
            data = package.read(part)
            tree = parse(decode(data, "application/xhtml+xml").text) if data else None
            if tree is None:
                draft.notes.append(f"chapter {number} is missing from the file or empty")
                continue
            leaves = leaves_of(tree.root, part)
            heading = next((leaf.text for leaf in leaves if leaf.kind is BlockKind.HEADING), "")
            draft.place(f"chapter {number}: {shorten(heading, 80)}" if heading else f"chapter {number}")
            draft.write(leaves)
            if draft.length > MAX_CHARACTERS:
                break
        return draft.document(snapshot, _facts(book), "holds no text: its chapters are pictures or empty")


def _facts(book: Element) -> Facts:
    meta = child(book, "metadata")

    def named(name: str, most: int = 1) -> str:
        return ", ".join([words(each) for each in (meta if meta is not None else ()) if local(each) == name][:most])

    dates = [("the book's date", named("date"))]
    return Facts(named("title"), named("creator", 20), dates, named("publisher"), named("language"))
