"""Files that hold several documents, taken apart within limits: messages, mailboxes, winmail.dat and ZIP archives.

Nothing is ever written to disk: the names in an archive are names for a person, whatever folders they point to.
"""

from __future__ import annotations

import io
import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from inquest.kit.parts import Part, PartProblem
from inquest.readers import MSG_MARK, tnef
from inquest.readers.mail import Mail, mail_of, parsed
from inquest.readers.msg import mail_in
from inquest.readers.plain import one_line
from inquest.readers.unpack import GZIP


class Limits(NamedTuple):
    """What a container may hold; what is beyond is named and left out."""

    depth: int = 3
    """Containers within one another, the file itself counted."""
    parts: int = 1000
    unpacked: int = 500 * 2**20
    """Bytes in all."""
    part: int = 100 * 2**20
    """Bytes of one part."""
    ratio: int = 200
    """Unpacked to packed bytes, above `harmless`: text packs to a tenth, a log of repeats to a fiftieth."""
    harmless: int = 64 * 2**20


LIMITS = Limits()


@dataclass(slots=True)
class _Room:
    """What of the limits is left over."""

    limits: Limits
    parts: int = 0
    unpacked: int = 0


class _Inner(NamedTuple):
    name: str
    content_type: str
    body: bytes
    why: str = ""
    """Why it is not read; '': it is."""


def parts_of(body: bytes, name: str, content_type: str = "", limits: Limits = LIMITS) -> Iterator[Part | PartProblem]:
    """Every document in a file's bytes. See kit.parts.Parts."""
    yield from _parts(Part("", name, content_type, body), 1, _Room(limits))


def is_archive(body: bytes, name: str) -> bool:
    """True for a ZIP of files or a mailbox: what holds documents and is none itself."""
    return _form(Part("", name, "", body)) in ("zip", "mbox", "tnef")


def _form(part: Part) -> str:
    """eml, msg, mbox, tnef or zip; '' for what is no container."""
    name, body = part.name.lower(), part.body
    if body.startswith(b"PK\x03\x04") or body.startswith(b"PK\x05\x06"):
        return "zip" if not _is_document(body, name) else ""
    if body.startswith(b"\xd0\xcf\x11\xe0"):
        return "msg" if name.endswith(".msg") or MSG_MARK in body else ""
    if body.startswith(tnef.MAGIC):
        return "tnef"
    if name.endswith(".mbox") or part.content_type == "application/mbox":
        return "mbox" if body.startswith(b"From ") else ""
    is_mail = name.endswith(".eml") or part.content_type == "message/rfc822"
    return "eml" if is_mail and not body.startswith((b"%PDF-", GZIP)) else ""


_DOCUMENTS = frozenset(("[Content_Types].xml", "mimetype", "META-INF/container.xml", "word/document.xml"))
"""Names in an archive that make it an office document or a book."""


def _is_document(body: bytes, name: str) -> bool:
    try:
        names = set(zipfile.ZipFile(io.BytesIO(body)).namelist())
    except _DAMAGED:
        return not name.endswith(".zip")
    return bool(names & _DOCUMENTS) or (
        "datapackage.json" in names and any(each.startswith("archive/") for each in names)
    )


def _parts(part: Part, depth: int, room: _Room) -> Iterator[Part | PartProblem]:
    form = _form(part)
    if form and depth > room.limits.depth:
        yield PartProblem(part.number, part.where, f"lies more than {room.limits.depth} files deep and is not opened")
        return
    parent = part.name
    if form in ("eml", "msg"):
        message = mail_in(part.body) if form == "msg" else parsed(part.body)
        mail = mail_of(message) if message is not None else None
        yield part  # its reader says what is wrong with it
        if mail is None:
            return
        inside, parent = _attached(mail), f"{part.name} ({mail.subject})" if mail.subject else part.name
    elif form:
        inside = {"zip": _zipped, "mbox": _mailbox, "tnef": _wrapped}[form](part.body, room)
    else:
        yield part
        return
    for number, each in enumerate(inside, 1):
        place = f"{part.number}.{number}" if part.number else str(number)
        room.parts += 1
        if room.parts > room.limits.parts:
            yield PartProblem(part.number, part.where, f"holds more than the {room.limits.parts} files that are read")
            return
        where = " > ".join(filter(None, (part.where, each.name)))
        if each.why:
            yield PartProblem(place, where, each.why)
        else:
            yield from _parts(Part(place, each.name, each.content_type, each.body, parent, where), depth + 1, room)


def _attached(mail: Mail) -> Iterator[_Inner]:
    for each in mail.attached:
        yield _Inner(_shown(each.name), each.content_type, each.body)


def _wrapped(body: bytes, room: _Room) -> Iterator[_Inner]:
    found = False
    for name, data in tnef.files_in(body):
        found = True
        yield _Inner(_shown(name), "", data)
    if not found:
        yield _Inner("", "", b"", "is Outlook's wrapping (TNEF) without a file: have it sent as plain text")


_MESSAGE = re.compile(rb"(?:\A|(?<=\n))From \S[^\n]*\d{4}\r?\n")
"""The line before each message of a mailbox (RFC 4155)."""


def _mailbox(body: bytes, room: _Room) -> Iterator[_Inner]:
    starts = [(match.start(), match.end()) for match in _MESSAGE.finditer(body)]
    ends = [start for start, _ in starts[1:]] + [len(body)]
    for number, ((_, start), end) in enumerate(zip(starts, ends, strict=True), 1):
        yield _Inner(f"message {number}.eml", "message/rfc822", re.sub(rb"(?m)^>(>*From )", rb"\1", body[start:end]))


_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, LookupError, RuntimeError)
"""What reading a damaged or unusual entry raises (RuntimeError: a password)."""


def _zipped(body: bytes, room: _Room) -> Iterator[_Inner]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
    except _DAMAGED:
        yield _Inner("", "", b"", "is a damaged ZIP archive: copy it again")
        return
    most = max(room.limits.harmless, len(body) * room.limits.ratio)
    given = 0
    for entry in archive.infolist():
        name = _shown(entry.filename)
        if entry.is_dir() or name.startswith(".") or entry.filename.startswith("__MACOSX/"):
            continue
        if why := _left_out(entry):
            yield _Inner(name, "", b"", why)
            continue
        left = min(room.limits.part, room.limits.unpacked - room.unpacked, most - given)
        if entry.file_size > left:  # zipfile gives no more than is declared
            yield _Inner(name, "", b"", _too_much(left, room.limits))
            continue
        try:
            data = archive.read(entry)
        except _DAMAGED:
            yield _Inner(name, "", b"", "is damaged in its archive: copy it again")
            continue
        given += len(data)
        room.unpacked += len(data)
        yield _Inner(name, "", data)


def _left_out(entry: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if entry.flag_bits & 1:
        return "is encrypted: unpack it with its password and add the file"
    if kind == stat.S_IFLNK:
        return "is a link, which is not followed"
    return "is no file" if kind and kind != stat.S_IFREG else ""


def _too_much(left: int, limits: Limits) -> str:
    if left == limits.part:
        return f"unpacks to more than the {limits.part // 2**20} MB that are read of one part"
    return "unpacks to far more than documents do, or fills up what is read of one archive: unpack it and add the files"


def _shown(name: str) -> str:
    """A name for a person, without folders that lead out of the archive."""
    pieces = one_line(name).replace("\\", "/").split("/")
    return "/".join(piece for piece in pieces if piece not in ("", ".", "..")) or "file"
