"""Books in EPUB: chapters in the order of reading, each read as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.charset import decode
from inquest.readers.html_leaves import leaves
from inquest.readers.html_marks import settle_marks
from inquest.readers.html_shown import lay_out
from inquest.readers.html_styles import styles_of
from inquest.readers.html_tree import drop_hidden, parse
from inquest.readers.office.package import Package, child, local, resolved, value, words
from inquest.readers.office.writing import MAX_CHARACTERS, Facts, Writer
from inquest.text.sentences import shorten

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Ways in which fonts alone are scrambled; the text can be read."""


class EpubReader(Reader):
    """Reads EPUB 2 and 3 without copy protection."""

    name: ClassVar[str] = "epub"
    content_types: ClassVar[tuple[str, ...]] = ("application/epub+zip",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The chapters of the spine, each a place. Raises PageUnreadable (copy protection), PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        _require_open(package)
        root = package.xml("META-INF/container.xml")
        found = next(root.iter("{*}rootfile"), None) if root is not None else None
        opf = resolved("", value(found, "full-path") or "")
        book = package.xml(opf)
        if book is None:
            raise package.damaged("is damaged: it lacks its list of chapters")
        writer = Writer(self.name)
        for number, part in enumerate(_spine(book, opf), 1):
            _chapter(package, part, number, writer)
            if writer.length > MAX_CHARACTERS:
                writer.notes.append(f"the first {number} chapters: the rest is too long")
                break
        return writer.document(snapshot, _facts(book), "holds no text: its chapters are pictures or empty")


def _require_open(package: Package) -> None:
    root = package.xml("META-INF/encryption.xml")
    for each in root.iter("{*}EncryptionMethod") if root is not None else ():
        if value(each, "Algorithm") not in _FONTS:
            raise package.damaged(
                "is copy-protected (DRM), so that only its seller's programs can read it",
                "Ask for a copy without protection.",
            )


def _spine(book: Element, opf: str) -> list[str]:
    """The parts in reading order; the book's own table of contents is none."""
    items = {value(each, "id"): each for each in book.iter("{*}item")}
    found = (items.get(value(each, "idref")) for each in book.iter("{*}itemref"))
    return [
        resolved(opf, value(each, "href") or "")
        for each in found
        if each is not None and "nav" not in (value(each, "properties") or "").split()
    ]


def _chapter(package: Package, part: str, number: int, writer: Writer) -> None:
    data = package.read(part)
    tree = parse(decode(data, "application/xhtml+xml").text) if data else None
    if tree is None:
        writer.notes.append(f"chapter {number} is missing from the file or empty")
        return
    styles = styles_of(tree.root)
    lay_out(tree.root, styles)
    settle_marks(tree.root, part, styles)
    drop_hidden(tree.root)
    found = leaves(tree.root)
    heading = next((leaf.text for leaf in found if leaf.kind is BlockKind.HEADING), "")
    writer.place(f"chapter {number}: {shorten(heading, 80)}" if heading else f"chapter {number}")
    for leaf in found:
        writer.leaf(leaf)


def _facts(book: Element) -> Facts:
    meta = child(book, "metadata")
    each = {name: [words(one) for one in meta if local(one) == name] for name in _FIELDS} if meta is not None else {}
    dates = [("the book's date", date) for date in each.get("date", [])[:1]]
    return Facts(
        title=" ".join(each.get("title", [])[:1]),
        author=", ".join(each.get("creator", [])),
        dates=dates,
        publisher=" ".join(each.get("publisher", [])[:1]),
        language=" ".join(each.get("language", [])[:1]),
    )


_FIELDS = ("title", "creator", "date", "publisher", "language")
