"""Parts of office documents: ZIP files of XML, opened with limits; no entity expands and nothing is fetched."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import unquote, urlsplit

from inquest.domain.errors import PageTooLarge, PageUnreadable

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

MAX_BYTES = 150_000_000
"""Bytes of a packed document."""
MAX_PART = 100_000_000
"""Bytes of one part, unpacked; the text of a book of 10,000 pages has about 30 MB."""
_MAX_PARTS, _MAX_RATIO, _SMALL = 20_000, 200, 5_000_000
_MAX_ELEMENT = 30_000_000
_MAX_TAGS = 1_000_000
"""Elements of a part that is held in memory whole, at some 300 bytes each."""

_MAIN = {"word/": "docx", "xl/": "xlsx", "ppt/": "pptx"}
_DECLARED = {"wordprocessingml": "docx", "spreadsheetml": "xlsx", "presentationml": "pptx"}
_MIMETYPES = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/epub+zip": "epub",
}
_STREAMS = {
    "EncryptedPackage": ("an office document that opens with a password only", "Save it without a password."),
    "WordDocument": ("a Word document of the old kind (.doc)", "Save it as DOCX."),
    "PowerPoint Document": ("a PowerPoint presentation of the old kind (.ppt)", "Save it as PPTX."),
}
_WORKBOOKS = ("Workbook", "Book")


def zip_form(body: bytes) -> str | None:
    """The format of a ZIP file's document, by its parts: docx, xlsx, pptx, odt, ods, odp, epub; None: another ZIP.

    A file that breaks off has no list of parts and is known by the names at its beginning.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as opened:
            names = set(opened.namelist()[:_MAX_PARTS])
            mimetype = opened.read("mimetype")[:200] if "mimetype" in names else b""
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, ValueError):
        return beginning_form(body[:4096])
    if form := _MIMETYPES.get(mimetype.decode("latin-1").strip().removesuffix("-template")):
        return form
    if "[Content_Types].xml" in names:
        return next((form for at, form in _MAIN.items() if any(name.startswith(at) for name in names)), None)
    return "epub" if "META-INF/container.xml" in names else None


def beginning_form(head: bytes) -> str | None:
    """The format by the first bytes of a ZIP file alone, where they say it."""
    for mimetype, form in _MIMETYPES.items():
        if b"mimetype" + mimetype.encode() in head:
            return form
    if b"[Content_Types].xml" in head or b"_rels/.rels" in head:
        return next((form for at, form in _MAIN.items() if at.encode() in head), None)
    return None


def named_form(declared: str, ending: str, body: bytes) -> str | None:
    """The format that a ZIP file without a list of parts is said to have; None for a whole one."""
    if zipfile.is_zipfile(io.BytesIO(body)):
        return None
    if form := _MIMETYPES.get(declared):
        return form
    return next((form for at, form in _DECLARED.items() if at in declared), None) or (
        ending if ending in (*_MAIN.values(), *_MIMETYPES.values()) else None
    )


def old_form(body: bytes, url: str) -> str | None:
    """The format of an OLE file, by the names of its streams: xls; None: neither of the office kinds.

    Raises PageUnreadable for a document with a password, and for Word and PowerPoint of the old kind.
    """
    for stream, (named, advice) in _STREAMS.items():
        if stream.encode("utf-16-le") in body:
            raise PageUnreadable(url, f"The file at {url} is {named}.", advice=advice)
    return "xls" if any(name.encode("utf-16-le") + b"\0\0" in body for name in _WORKBOOKS) else None


class Package:
    """The parts of a ZIP-based document. Every method raises PageUnreadable or PageTooLarge with one sentence."""

    def __init__(self, body: bytes, url: str) -> None:
        self.url = url
        if len(body) > MAX_BYTES:
            raise self.too_large(f"has {len(body) / 1e6:.0f} MB; {MAX_BYTES // 1_000_000} MB are read")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise self.damaged("is damaged or cut off") from error
        self._sizes = {each.filename: each for each in self._zip.infolist()}
        if len(self._sizes) > _MAX_PARTS:
            raise self.too_large(f"has {len(self._sizes):,} parts; {_MAX_PARTS:,} are read")
        self.names = frozenset(self._sizes)

    def damaged(self, how: str, advice: str = "Fetch or copy it again.") -> PageUnreadable:
        """The error for this document: `how` is a verb and what it lacks."""
        return PageUnreadable(self.url, f"The document at {self.url} {how}.", advice=advice)

    def too_large(self, how: str) -> PageTooLarge:
        """The error for a document over a limit."""
        return PageTooLarge(self.url, f"The document at {self.url} {how}.", advice="Save the part that is needed.")

    def read(self, name: str) -> bytes:
        """The bytes of a part; b'' where there is none of the name."""
        if name not in self._sizes:
            return b""
        with self.stream(name) as stream:
            try:
                data = stream.read(MAX_PART + 1)
            except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:
                raise self.damaged("is damaged or cut off") from error
        if len(data) > MAX_PART:
            raise self.too_large(f"unpacks to more than {MAX_PART // 1_000_000} MB in the part {name}")
        return data

    def stream(self, name: str) -> BinaryIO:
        """A part to read bit by bit, for readers that stop at a limit of their own."""
        part = self._sizes[name]
        if part.flag_bits & 1:
            raise self.damaged("opens with a password only", "Save it without a password.")
        if part.file_size > _SMALL and part.file_size > _MAX_RATIO * max(1, part.compress_size):
            raise self.too_large(f"unpacks to more than {_MAX_RATIO} times its size in the part {name}")
        try:
            return self._zip.open(part)  # type: ignore[return-value]
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
            raise self.damaged("is damaged or cut off") from error

    def xml(self, name: str) -> Element | None:
        """The root of a part; None where there is no such part or it is empty."""
        data = self.read(name)
        return self.parsed(data, name) if data.strip() else None

    def parsed(self, data: bytes, name: str) -> Element:
        """The root of XML. Entities that a part declares are an attack: no office program writes any."""
        from lxml import etree

        if b"<!ENTITY" in data.replace(b"\0", b""):
            raise self.damaged(
                f"declares entities in the part {name}, which no office program does", "Do not trust it."
            )
        if data.count(b"<") > 2 * _MAX_TAGS:
            raise self.too_large(f"has more than {_MAX_TAGS:,} elements in the part {name}")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True,
            remove_pis=True, collect_ids=False,
        )  # fmt: skip
        try:
            return etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise self.damaged(f"is damaged: the part {name} is not well-formed XML") from error

    def ended(self, stream: BinaryIO, tags: tuple[str, ...]) -> Iterator[Element]:
        """The elements of a stream of XML whose local names are given, each once it has ended and then emptied."""
        from lxml import etree

        guarded = _Guarded(stream)
        try:
            for _, element in etree.iterparse(
                guarded, tag=[f"{{*}}{tag}" for tag in tags], resolve_entities=False, no_network=True, huge_tree=False
            ):
                yield element
                guarded.since = 0
                element.clear()
                before = element.getprevious()
                if before is not None and before.getparent() is not None:
                    before.getparent().remove(before)  # type: ignore[union-attr]
        except _Entities as error:
            raise self.damaged("declares entities, which no office program does", "Do not trust it.") from error
        except _TooMuch as error:
            raise self.too_large(f"has more than {_MAX_ELEMENT // 1_000_000} MB in one row or string") from error
        except (etree.XMLSyntaxError, zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
            raise self.damaged("is damaged or cut off") from error

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """The relations of a part by their ids: the kind (styles, slide, hyperlink, ...) and the part or address."""
        folder, name = posixpath.split(part)
        root = self.xml(f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels")
        found = {}
        for each in root if root is not None else ():
            kind, target = each.get("Type", "").rpartition("/")[2], each.get("Target", "")
            if each.get("TargetMode") != "External":
                target = resolved(part, target)
            found[each.get("Id", "")] = (kind, target)
        return found

    def main(self, fallback: str) -> str:
        """The name of an Office document's main part."""
        targets = (target for kind, target in self.related("").values() if kind == "officeDocument")
        return next((target for target in targets if target in self.names), fallback)


class _Entities(ValueError):
    """A stream of XML declares entities."""


class _TooMuch(ValueError):
    """A stream of XML has an element that would fill the memory."""


class _Guarded:
    """A stream that ends with an error where its beginning declares entities, or where one element never ends."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._first = stream, True
        self.since = 0
        """Bytes since the last element."""

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if self._first and b"<!DOCTYPE" in data.replace(b"\0", b""):
            raise _Entities
        self._first = False
        self.since += len(data)
        if self.since > _MAX_ELEMENT:
            raise _TooMuch
        return data


def resolved(base: str, target: str) -> str:
    """The name of the part that a part refers to. A path that climbs out of the package names no part."""
    target = unquote(urlsplit(target).path)
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), target))


def local(element: Element) -> str:
    """The name of an element without its namespace; '' for what is no element. Strict and transitional documents
    differ in nothing else."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def value(element: Element | None, name: str = "val") -> str | None:
    """The attribute of that local name; None where there is none."""
    if element is not None:
        for key, held in element.attrib.items():
            if str(key).rpartition("}")[2] == name:
                return str(held)
    return None


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant down a path of local names."""
    for name in path:
        element = next((each for each in element if local(each) == name), None) if element is not None else None
    return element


def words(element: Element | None) -> str:
    """All text in an element on one line."""
    return " ".join("".join(map(str, element.itertext())).split()) if element is not None else ""


def children(element: Element | None) -> list[Element]:
    """The elements in an element; [] where there is none."""
    return [each for each in element if isinstance(each.tag, str)] if element is not None else []


def whole(given: str | None, default: int) -> int:
    """The number that an attribute gives; `default` where it gives none. At most nine digits are read."""
    return int(given) if given and given.isascii() and given.isdigit() and len(given) < 10 else default
