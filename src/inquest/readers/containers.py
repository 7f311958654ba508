"""Messages and ZIP archives: files that hold several documents, unpacked within limits.

Nothing is written to disk; names in an archive are only displayed, whatever folders they point to.
"""

from __future__ import annotations

import io
import lzma
import stat
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from inquest.kit.files import Part, PartProblem
from inquest.readers import GZIP, MSG_MARK
from inquest.readers.mail import Inner, mail_in, mail_of, parsed, shown_name, words
from inquest.text.regex import regex

_WINMAIL = b"\x78\x9f\x3e\x22"  # The start of TNEF, Outlook's message format (MS-OXTNEF 2.1.3.2).
_MAIL = regex(rb"(?:\A|(?<=\n)\r?\n)From \S+ +\w{3} +\w{3} [^\n]*\d{4}[^\n]*\n")
_QUOTED_FROM = regex(rb"(?m)^>(?=>*From )")
_DOCUMENTS = frozenset(("[Content_Types].xml", "mimetype", "META-INF/container.xml", "datapackage.json"))
# File names that mark an office document, an e-book or a web archive.
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, LookupError, RuntimeError)
# Exceptions for damaged or unusual archives (RuntimeError: a password).


class Limits(NamedTuple):
    """Limits for the content of a container; what exceeds them is reported and left out."""

    depth: int = 3
    """Levels of nesting, including the file itself."""
    parts: int = 1000
    unpacked: int = 500 * 2**20
    """Bytes in all."""
    part: int = 100 * 2**20
    ratio: int = 200
    """Unpacked to packed bytes, above `harmless`: text packs to a tenth, a log of repeats to a fiftieth."""
    harmless: int = 64 * 2**20


LIMITS = Limits()


@dataclass(slots=True)
class _Room:
    """The part of the limits that is used up."""

    limits: Limits
    parts: int = 0
    unpacked: int = 0


def parts_of(body: bytes, name: str, content_type: str = "", limits: Limits = LIMITS) -> Iterator[Part | PartProblem]:
    """Yield every document in a file. See kit.parts.Parts."""
    yield from _parts(Part("", name, content_type, body), 1, _Room(limits))


def is_archive(body: bytes, name: str) -> bool:
    """Return True for a ZIP archive or a mailbox, which hold documents but are not documents."""
    return _form(Part("", name, "", body)) in ("zip", "mbox")


def _form(part: Part) -> str:
    """Return eml, msg, mbox or zip, or '' if the file is not a container."""
    name, body = part.name.lower(), part.body
    if body.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        try:
            return "" if _DOCUMENTS & set(zipfile.ZipFile(io.BytesIO(body)).namelist()) else "zip"
        except _DAMAGED:
            return "zip" if name.endswith(".zip") else ""
    if body.startswith(b"\xd0\xcf\x11\xe0"):
        return "msg" if name.endswith(".msg") or MSG_MARK in body else ""
    if body.startswith(b"From ") and name.endswith((".mbox", ".mbx")):
        return "mbox"
    is_mail = name.endswith(".eml") or part.content_type == "message/rfc822"
    return "eml" if is_mail and not body.startswith((b"%PDF-", GZIP)) else ""


def _parts(part: Part, depth: int, room: _Room) -> Iterator[Part | PartProblem]:
    form = _form(part)
    parent, inside = part.name, iter(tuple[Inner, ...]())
    if form and depth > room.limits.depth:
        why = f"is nested more than {room.limits.depth} levels deep and is not opened"
        yield PartProblem(part.number, part.where, why)
        return
    if form == "zip":
        inside = _zipped(part.body, room)
    elif form == "mbox":
        inside = _mails(part.body)
    elif part.body.startswith(_WINMAIL):
        why = "is an Outlook wrapper (winmail.dat), which is not read: have the message sent again as plain text"
        yield PartProblem(part.number, part.where, why)
    else:
        yield part  # the reader of a message reports its faults
    if form in ("eml", "msg"):
        message = mail_in(part.body) if form == "msg" else parsed(part.body)
        if message is not None:
            mail = mail_of(message)
            parent, inside = f"{part.name} ({mail.subject})" if mail.subject else part.name, iter(mail.attached)
    for number, each in enumerate(inside, 1):
        place = f"{part.number}.{number}" if part.number else str(number)
        room.parts += 1
        if room.parts > room.limits.parts:
            yield PartProblem(part.number, part.where, f"contains over {room.limits.parts} files; the rest is left out")
            return
        where = " > ".join(filter(None, (part.where, each.name)))
        if each.why:
            yield PartProblem(place, where, each.why)
        else:
            yield from _parts(Part(place, each.name, each.content_type, each.body, parent, where), depth + 1, room)


def _mails(body: bytes) -> Iterator[Inner]:
    """Yield the messages of a mailbox (RFC 4155), without the quote marks before their own lines with 'From'."""
    for each in _MAIL.split(body)[1:]:
        whole = _QUOTED_FROM.sub(b"", each)
        message = parsed(whole)
        name = shown_name((words(message.get("Subject")) if message else "").replace("/", "-") or "message")
        yield Inner(f"{name}.eml", "message/rfc822", whole)


def _zipped(body: bytes, room: _Room) -> Iterator[Inner]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
    except _DAMAGED:
        yield Inner("", why="is a damaged ZIP archive: copy it again")
        return
    most = max(room.limits.harmless, len(body) * room.limits.ratio)
    for entry in archive.infolist():
        name = shown_name(entry.filename)
        if entry.is_dir() or name.startswith(".") or entry.filename.startswith("__MACOSX/"):
            continue
        why, data = _left_out(entry, min(room.limits.unpacked - room.unpacked, most), room.limits), b""
        if not why:
            try:
                data = archive.read(entry)  # never more than is declared
            except _DAMAGED:
                why = "is damaged in its archive: copy it again"
        most -= len(data)
        room.unpacked += len(data)
        yield Inner(name, body=data, why=why)


def _left_out(entry: zipfile.ZipInfo, left: int, limits: Limits) -> str:
    """Return the reason why an entry is not read, or ''. `left`: bytes that may still be unpacked."""
    if entry.flag_bits & 1:
        return "is encrypted: unpack it with its password and add the file"
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        return "is a link or a special file and is not read"
    if entry.file_size > limits.part:
        return f"unpacks to more than {limits.part // 2**20} MB, the limit for one file"
    fills = "unpacks to far more than a document would, or exceeds the limit of the archive"
    return f"{fills}: unpack it and add the files" if entry.file_size > left else ""
