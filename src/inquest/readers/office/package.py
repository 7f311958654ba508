"""ZIP packages of XML parts, opened with limits; entities are not expanded and nothing is fetched."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from lxml import etree
from lxml.etree import _Element as Element

from inquest.domain.errors import PageTooLarge, PageUnreadable

MAX_BYTES = 150_000_000
_MAX_PART = 100_000_000  # Unpacked bytes of one part; the text of a book of 10,000 pages has about 30 MB.
_MAX_PARTS, _MAX_RATIO, _SMALL = 20_000, 200, 5_000_000
_MAX_ELEMENT = 30_000_000  # Bytes of XML between two wanted elements when a part is streamed.
_MAX_TAGS = 2_000_000  # In a part that is held in memory, at about 300 bytes an element.
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
"""Exceptions of the standard library for ZIP files that are damaged or use unknown compression."""

_MAIN = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx", "META-INF/container.xml": "epub"}
_MIMETYPES = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/epub+zip": "epub",
}
_STREAMS = {
    "EncryptedPackage": ("an office document that opens only with a password", "Save it without a password."),
    "WordDocument": ("a Word document in the old format (.doc)", "Save it as DOCX."),
    "PowerPoint Document": ("a PowerPoint presentation in the old format (.ppt)", "Save it as PPTX."),
}
_WORKBOOKS = ("Workbook", "Book")
_DEFINING = ("defines XML entities, which office programs never do", "Do not trust it.")


def zip_form(body: bytes, ending: str) -> str | None:
    """Return docx, xlsx, pptx, odt, ods, odp or epub for a ZIP file by its parts, or None. A truncated file, which
    lacks a list of parts, is recognised by the names at its beginning or by its own name."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as opened:
            names = opened.namelist()[:_MAX_PARTS]
            mimetype = opened.read("mimetype")[:200].decode("latin-1") if "mimetype" in names else ""
        is_office = "[Content_Types].xml" in names or "META-INF/container.xml" in names
        forms = (form for at, form in _MAIN.items() if is_office and any(name.startswith(at) for name in names))
        return _MIMETYPES.get(mimetype.strip().removesuffix("-template")) or next(forms, None)
    except _BROKEN:
        head = body[:4096].decode("latin-1")
        named = {f"mimetype{mimetype}": form for mimetype, form in _MIMETYPES.items()} | _MAIN
        known = next((form for at, form in named.items() if at in head), None)
        return known or (ending if ending in named.values() else None)


def old_form(body: bytes, url: str) -> str | None:
    """Return xls for an OLE workbook, by the names of its streams, or None. Raises PageUnreadable for documents with a
    password and for old Word and PowerPoint files."""
    for stream, (named, advice) in _STREAMS.items():
        if stream.encode("utf-16-le") in body:
            raise PageUnreadable(url, f"The file at {url} is {named}.", advice=advice)
    return "xls" if any(name.encode("utf-16-le") + b"\0\0" in body for name in _WORKBOOKS) else None


class Package:
    """The parts of a ZIP-based document. Every method may raise PageUnreadable or PageTooLarge."""

    def __init__(self, body: bytes, url: str) -> None:
        self.url = url
        if len(body) > MAX_BYTES:
            raise self.too_large(f"has {len(body) / 1e6:.0f} MB; the limit is {MAX_BYTES // 1_000_000} MB")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
        except _BROKEN as error:
            raise self.damaged() from error
        self._sizes = {each.filename: each for each in self._zip.infolist()}
        if len(self._sizes) > _MAX_PARTS:
            raise self.too_large(f"has {len(self._sizes):,} parts; the limit is {_MAX_PARTS:,}")
        self.names = frozenset(self._sizes)

    def damaged(self, how: str = "is damaged or incomplete", advice: str = "Fetch or copy it again.") -> PageUnreadable:
        """Return the error for this document; `how` completes the sentence."""
        return PageUnreadable(self.url, f"The document at {self.url} {how}.", advice=advice)

    def locked(self) -> PageUnreadable:
        """Return the error for a document with a password."""
        return self.damaged("opens only with a password", "Save it without a password.")

    def malformed(self, error: Exception, name: str) -> PageUnreadable:
        """Return the error for a part that is not XML."""
        if "depth" in str(error).lower():
            return self.damaged(f"is nested too deeply in the part {name}", "Save it again in an office program.")
        return self.damaged(f"is damaged: the part {name} is not well-formed XML")

    def too_large(self, how: str) -> PageTooLarge:
        """Return the error for a document over a limit."""
        return PageTooLarge(self.url, f"The document at {self.url} {how}.", advice="Save only the part you need.")

    def read(self, name: str) -> bytes:
        """Return the bytes of a part, or b'' if it is missing."""
        if name not in self._sizes:
            return b""
        with self.stream(name) as stream:
            try:
                data = stream.read(_MAX_PART + 1)
            except _BROKEN as error:
                raise self.damaged() from error
        if len(data) > _MAX_PART:
            raise self.too_large(f"unpacks to more than {_MAX_PART // 1_000_000} MB in the part {name}")
        return data

    def stream(self, name: str) -> BinaryIO:
        """Open a part as a stream, for readers with a limit of their own."""
        part = self._sizes[name]
        if part.flag_bits & 1:
            raise self.locked()
        if part.file_size > _SMALL and part.file_size > _MAX_RATIO * max(1, part.compress_size):
            raise self.too_large(f"unpacks to more than {_MAX_RATIO} times its size in the part {name}")
        try:
            return self._zip.open(part)  # type: ignore[return-value]
        except _BROKEN as error:
            raise self.damaged() from error

    def xml(self, name: str) -> Element | None:
        """Parse a part; return None if it is missing or empty."""
        data = self.read(name)
        if not data.strip():
            return None
        if data.count(b"<") > _MAX_TAGS:
            raise self.too_large(f"has more than {_MAX_TAGS:,} tags in the part {name}")
        if b"<!ENTITY" in data.replace(b"\0", b""):
            raise self.damaged(*_DEFINING)
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True,
            remove_pis=True,
        )  # fmt: skip
        try:
            return etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise self.malformed(error, name) from error

    def ended(self, name: str, tags: tuple[str, ...]) -> Iterator[Element]:
        """Yield the elements of a part with these local names, each after its end tag and then emptied."""
        with self.stream(name) as stream:
            guarded = _Guarded(stream, self)
            try:
                for _, element in etree.iterparse(
                    guarded, tag=[f"{{*}}{tag}" for tag in tags], resolve_entities=False, no_network=True,
                    huge_tree=False,
                ):  # fmt: skip
                    yield element
                    guarded.since = 0
                    element.clear()
                    before = element.getprevious()
                    if before is not None and before.getparent() is not None:
                        before.getparent().remove(before)  # type: ignore[union-attr]
            except (etree.XMLSyntaxError, *_BROKEN) as error:
                raise self.malformed(error, name) from error

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """Return the relations of a part by id: their type (styles, slide, hyperlink, ...) and the target part or
        address."""
        folder, name = posixpath.split(part)
        found = {}
        for each in children(self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))):
            kind, target = each.get("Type", "").rpartition("/")[2], each.get("Target", "")
            if each.get("TargetMode") != "External":
                target = resolved(part, target)
            found[each.get("Id", "")] = (kind, target)
        return found

    def main(self, name: str) -> tuple[Element, str]:
        """Return the main part of an Office document and its name, `name` by default."""
        targets = (target for kind, target in self.related("").values() if kind == "officeDocument")
        name = next((target for target in targets if target in self.names), name)
        root = self.xml(name)
        if root is None:
            raise self.damaged("is damaged: its main part is missing")
        return root, name


class _Guarded:
    """A stream that fails if its beginning defines entities or an element never ends."""

    def __init__(self, stream: BinaryIO, package: Package) -> None:
        self._stream, self._package, self._first = stream, package, True
        self.since = 0
        """Bytes since the last element."""

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if self._first and b"<!DOCTYPE" in data.replace(b"\0", b""):
            raise self._package.damaged(*_DEFINING)
        self._first = False
        self.since += len(data)
        if self.since > _MAX_ELEMENT:
            raise self._package.too_large(f"has more than {_MAX_ELEMENT // 1_000_000} MB in one row or string")
        return data


def resolved(base: str, target: str) -> str:
    """Return the name of a referenced part. A path cannot leave the package."""
    target = unquote(urlsplit(target).path)
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(base), target)).lstrip("/")


def local(element: Element) -> str:
    """Return an element's name without its namespace, or '' for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def value(element: Element | None, name: str = "val") -> str | None:
    """Return the attribute with that local name, or None."""
    if element is not None:
        for key, held in element.attrib.items():
            if str(key).rpartition("}")[2] == name:
                return str(held)
    return None


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first descendant down a path of local names, or None."""
    for name in path:
        if element is None:
            return None
        element = next(element.iterchildren(f"{{*}}{name}"), None)
    return element


def words(element: Element | None) -> str:
    """Return all text of an element on one line."""
    return " ".join("".join(map(str, element.itertext())).split()) if element is not None else ""


def children(element: Element | None) -> list[Element]:
    """Return the child elements, or [] for None."""
    return [each for each in element if isinstance(each.tag, str)] if element is not None else []


def whole(given: str | None, default: int) -> int:
    """Return the number in an attribute of at most nine digits, or `default`."""
    return int(given) if given and given.isascii() and given.isdigit() and len(given) < 10 else default
