"""WACZ 1.1.1: one file that replays a case's pages in any viewer of web archives.

archive/data.warc.gz     the snapshots           pages/pages.jsonl     the pages of interest to people
indexes/index.cdxj       positions of records    datapackage.json      every file with its hash
datapackage-digest.json  the hash of datapackage.json
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, BinaryIO, cast
from urllib.parse import urlsplit

from inquest.archive.files import storage_errors
from inquest.archive.warc import Placed, write_warc
from inquest.domain.document import Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.parts import NoCapture
from inquest.text.urls import is_web_url

_MOST_FILES, _MOST_PAGE_BYTES = 20_000, 64 * 2**20
_HARMLESS, _RATIO = 64 * 2**20, 200
# Bytes any file of a package may decompress to, and the maximum ratio to its compressed size.
_WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")

_WARC, _INDEX, _PAGES = "archive/data.warc.gz", "indexes/index.cdxj", "pages/pages.jsonl"


def write_wacz(
    path: Path,
    snapshots: Iterable[tuple[bytes, Snapshot]],
    *,
    title: str,
    software: str,
    made_at: datetime,
    titles: Mapping[str, str] | None = None,
) -> None:
    """Write the package deterministically. `titles`: the documents' titles by snapshot hash.

    Raises StorageError; then a file that existed under that name is unchanged, and none is created.
    """
    with storage_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".wacz-") as folder:
            warc, package = Path(folder) / "data.warc.gz", Path(folder) / "package.wacz"
            with warc.open("wb") as stream:
                placed = write_warc(stream, snapshots, software=software, made_at=made_at, title=title)
            description = {
                "profile": "data-package",
                "wacz_version": "1.1.1",
                "title": title,
                "software": software,
                "created": made_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
            files = {_INDEX: _index(placed), _PAGES: _pages(placed, titles or {})}
            _pack(package, warc, files, description, made_at.astimezone(UTC))
            package.replace(path)


def _pack(
    package: Path, warc: Path, files: Mapping[str, str], description: Mapping[str, object], stamp: datetime
) -> None:
    """`stamp`: in UTC."""
    resources = []
    # Stored, not deflated: viewers read single records from the middle of the file.
    with zipfile.ZipFile(package, "w", compression=zipfile.ZIP_STORED) as wacz:
        with warc.open("rb") as source:
            resources.append(_add(wacz, _WARC, source, stamp))
        for name, text in files.items():
            resources.append(_add(wacz, name, text.encode(), stamp))
        datapackage = json.dumps({**description, "resources": resources}, indent=2, ensure_ascii=False).encode()
        _add(wacz, "datapackage.json", datapackage, stamp)
        digest = {"path": "datapackage.json", "hash": "sha256:" + hashlib.sha256(datapackage).hexdigest()}
        _add(wacz, "datapackage-digest.json", json.dumps(digest, indent=2).encode(), stamp)


def _add(wacz: zipfile.ZipFile, name: str, content: bytes | IO[bytes], stamp: datetime) -> dict[str, str | int]:
    """Add a file and return its entry for datapackage.json."""
    # ZIP has no years before 1980.
    entry = zipfile.ZipInfo(name, max(stamp, datetime(1980, 1, 1, tzinfo=UTC)).timetuple()[:6])
    digest, size = hashlib.sha256(), 0
    with wacz.open(entry, "w", force_zip64=True) as target:
        chunks = [content] if isinstance(content, bytes) else iter(lambda: content.read(1 << 20), b"")
        for chunk in chunks:
            target.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return {"name": name.rsplit("/", 1)[-1], "path": name, "hash": "sha256:" + digest.hexdigest(), "bytes": size}


def _index(placed: list[Placed]) -> str:
    """Return the CDXJ index: sort key, time and position of each record, sorted for binary search."""
    lines = []
    for one in placed:
        snapshot = one.snapshot
        url = snapshot.final_url or snapshot.url
        fields = {
            "url": url,
            "mime": snapshot.content_type.split(";")[0].strip() or "application/octet-stream",
            "status": str(snapshot.status),
            "digest": snapshot.hash,
            "length": str(one.length),
            "offset": str(one.offset),
            "filename": _WARC.rsplit("/", 1)[-1],
            "recordDigest": one.record_digest,
        }
        stamp = snapshot.retrieved_at.astimezone(UTC).strftime("%Y%m%d%H%M%S")
        lines.append(f"{_sort_key(url)} {stamp} {json.dumps(fields, ensure_ascii=False)}")
    return "".join(f"{line}\n" for line in sorted(lines))


def _sort_key(url: str) -> str:
    """Return the URL as a sort key with reversed host: `https://www.example.org/A?b` -> `org,example)/a?b`."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return url.replace(" ", "%20").lower()
    if not host:
        return url.replace(" ", "%20").lower()
    place = ",".join(reversed(host.split("."))) + (f":{port}" if port and port not in (80, 443) else "")
    rest = parts.path or "/"
    return f"{place}){rest}{'?' + parts.query if parts.query else ''}".replace(" ", "%20").lower()


def _pages(placed: list[Placed], titles: Mapping[str, str]) -> str:
    lines: list[dict[str, str]] = [{"format": "json-pages-1.0", "id": "pages", "title": "All pages"}]
    for one in placed:
        snapshot = one.snapshot
        url = snapshot.final_url or snapshot.url
        if is_web_url(url):
            when = snapshot.retrieved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            page = {"id": snapshot.hash.removeprefix("sha256:")[:16], "url": url, "ts": when}
            lines.append(page | ({"title": titles[snapshot.hash]} if titles.get(snapshot.hash) else {}))
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


class Package(zipfile.ZipFile):
    """Reads the web archives of a WACZ package by any software. Nothing is extracted to disk, so names in it cannot
    cause path traversal. As a context manager it closes the package, but not the stream."""

    def __init__(self, stream: BinaryIO) -> None:
        """Raises PageUnreadable if the package is damaged, encrypted, too large or contains no web archive."""
        try:
            super().__init__(stream)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise self._fault("is damaged or truncated", "Copy it again.") from error
        self._warcs = [entry for entry in self.infolist() if entry.filename.lower().endswith(_WARC_ENDINGS)]
        if len(self.infolist()) > _MOST_FILES:
            raise self._fault(f"holds more than {_MOST_FILES:,} files", "Unpack it and add the WARC files in it.")
        if not self._warcs:
            raise self._fault("holds no web archive (archive/*.warc.gz)", "Check that it is a WACZ file.")
        if any(entry.flag_bits & 1 for entry in self._warcs):
            raise self._fault("is encrypted", "Save it without a password.")

    def _fault(self, what: str, advice: str) -> PageUnreadable:
        return PageUnreadable("the package", f"The WACZ package {what}.", advice=advice)

    def left_out(self) -> Iterator[NoCapture]:
        """Yield the web archives that are not opened."""
        for entry in filter(_is_bomb, self._warcs):
            why = f"{entry.filename} unpacks to more than {_RATIO} times its size"
            yield NoCapture(record="file", outcome="unreadable", why=why)

    def warcs(self) -> Iterator[tuple[str, BinaryIO]]:
        """Yield each web archive with its name, opened until the next one. Raises PageUnreadable."""
        for entry in self._warcs:
            if not _is_bomb(entry):
                try:
                    with self.open(entry) as stream:
                        yield entry.filename, cast(BinaryIO, stream)
                except _DAMAGED as error:
                    raise self._fault(f"holds {entry.filename}, which is damaged", "Copy it again.") from error

    def pages(self) -> dict[str, bool]:
        """Return the URLs in the package's lists of pages, and whether a list contains the page's text."""
        found: dict[str, bool] = {}
        for entry in self.infolist():
            if not (entry.filename.startswith("pages/") and entry.filename.endswith(".jsonl")):
                continue
            with suppress(ValueError, *_DAMAGED), self.open(entry) as stream:  # optional information
                for line in stream.read(_MOST_PAGE_BYTES).splitlines():
                    page = json.loads(line) if line.startswith(b"{") else {}
                    if isinstance(page.get("url"), str):
                        found[page["url"]] = bool(page.get("text"))
        return found


_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)
"""Errors raised by opening and reading a file in a package."""


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > max(_HARMLESS, entry.compress_size * _RATIO)
