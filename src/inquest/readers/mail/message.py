"""Parsing of e-mail messages: headers in any character set, new and quoted text, attachments."""

from __future__ import annotations

import base64
import binascii
import mimetypes
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from email.errors import (
    CloseBoundaryNotFoundDefect,
    MessageDefect,
    MissingHeaderBodySeparatorDefect,
    StartBoundaryNotFoundDefect,
)
from email.header import Header, decode_header
from email.message import Message
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime
from itertools import groupby
from typing import NamedTuple

from inquest.readers.charset import decode
from inquest.readers.plain import clean, listed, one_line
from inquest.text.regex import regex

_BROKEN_OFF = (CloseBoundaryNotFoundDefect, StartBoundaryNotFoundDefect, MissingHeaderBodySeparatorDefect)
_SEALS = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
_CIPHERS = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
_BAD = (ValueError, LookupError, TypeError, AttributeError, MessageDefect, binascii.Error)
"""Exceptions of the standard library for malformed headers and bodies."""


class Inner(NamedTuple):
    """A file in a message or an archive."""

    name: str
    content_type: str = ""
    body: bytes = b""
    why: str = ""
    """The reason why it is not read, or ''."""


class Mail(NamedTuple):
    """The content and the attachments of a message."""

    headers: tuple[tuple[str, str], ...]
    """From, To, Cc, Date and Subject, as far as present, each on one line."""
    sender: str
    subject: str
    sent: datetime | None
    plain: str
    """The cleaned text parts, or ''."""
    html: tuple[bytes, str]
    """The HTML part and its declared type, or empty."""
    attached: tuple[Inner, ...]
    notes: tuple[str, ...] = ()
    encrypted: bool = False


def parsed(body: bytes) -> Message | None:
    """Parse a message; return None if there are no message headers."""
    try:
        message = BytesParser().parsebytes(body.lstrip())
    except (*_BAD, RecursionError):
        return None
    return message if any(name in message for name in ("From", "Subject", "Date", "Received", "To")) else None


def mail_of(message: Message) -> Mail:
    """Extract the text, headers and attachments of a message."""
    texts: list[tuple[str, bytes, str]] = []
    attached: list[Inner] = []
    encrypted = _collect(message, texts, attached)
    plain = "\n\n".join(filter(None, (_plain(*text[1:]) for text in texts if text[0] == "text/plain")))
    page = next(((body, kind) for form, body, kind in texts if form == "text/html"), (b"", ""))
    broken = any(isinstance(defect, _BROKEN_OFF) for part in message.walk() for defect in part.defects)
    notes = ["the message is truncated: its last part may be incomplete"] if broken else []
    if attached:
        names = listed([each.name for each in attached])
        notes.append(f"{len(attached)} attached, each read as a separate document: {names}")
    written = words(message.get("From"))
    senders = getaddresses([written]) if "@" in written else [(written, "")]
    sent = None
    with suppress(*_BAD):
        sent = parsedate_to_datetime(words(message.get("Date")))
    return Mail(
        headers=tuple(
            (name, words(message[name])) for name in ("From", "To", "Cc", "Date", "Subject") if message[name]
        ),
        sender=one_line(senders[0][0] or senders[0][1]) if senders else written,
        subject=words(message.get("Subject")),
        sent=sent,
        plain=plain,
        html=page,
        attached=tuple(attached),
        notes=tuple(notes),
        encrypted=encrypted or plain.startswith("-----BEGIN PGP MESSAGE-----"),
    )


def words(header: object) -> str:
    """Return a header on one line with its encoded words (RFC 2047) decoded."""
    try:
        pieces = decode_header(header if isinstance(header, Header) else str(header or ""))
    except _BAD:
        return one_line(str(header))
    text = ""
    for piece, charset in pieces:
        # Undeclared bytes in a header are too few for a guess.
        declared = charset if charset and charset != "unknown-8bit" else "windows-1252"
        text += piece if isinstance(piece, str) else decode(piece, f"text/plain; charset={declared}").text
    return one_line(text)


def shown_name(name: str) -> str:
    """Return a file name for display, without parts that lead out of its folder."""
    pieces = one_line(name).replace("\\", "/").split("/")
    return "/".join(piece for piece in pieces if piece not in ("", ".", "..")) or "file"


def _collect(part: Message, texts: list[tuple[str, bytes, str]], attached: list[Inner]) -> bool:
    """Add the texts and attachments of a part; return True if any of it is encrypted."""
    form = part.get_content_type()
    if form == "multipart/encrypted" or form in _CIPHERS:
        return True
    if form in ("message/rfc822", "message/global"):
        attached.extend(_message_within(part))
        return False
    if part.is_multipart():
        return sum(_collect(each, texts, attached) for each in _children(part)) > 0
    try:
        name, body = words(part.get_filename()), part.get_payload(decode=True)
    except _BAD:
        return False
    if form in ("text/plain", "text/html") and not name and part.get_content_disposition() != "attachment":
        texts.append((form, bytes(body or b""), str(part.get("Content-Type", ""))))
    elif form not in _SEALS and body:
        name = name or f"part {len(attached) + 1}{mimetypes.guess_extension(form) or ''}"
        attached.append(Inner(shown_name(name).rsplit("/", 1)[-1], form, bytes(body)))
    return False


def _children(part: Message) -> Iterator[Message]:
    for each in filter(lambda one: isinstance(one, Message), part.get_payload() or ()):
        cut = any(isinstance(defect, MissingHeaderBodySeparatorDefect) for defect in each.defects)
        if "Content-Type" in each or not cut:  # else the message ends within the header of this part
            yield each


def _message_within(part: Message) -> Iterator[Inner]:
    for inner in _children(part):
        try:
            body = inner.as_bytes()
            if "base64" in str(part.get("Content-Transfer-Encoding", "")).lower():
                body = base64.b64decode(str(inner.get_payload()))  # violates RFC 2046, but common
            name = words(part.get_filename()) or words(inner.get("Subject")) or "message"
        except _BAD:
            continue
        yield Inner(shown_name(name.replace("/", "-")).removesuffix(".eml") + ".eml", "message/rfc822", body)


_FLOWED = regex(r"(?<=\S) \n(?!>|-- ?\n| )")


def _plain(body: bytes, content_type: str) -> str:
    text = decode(body, content_type).text.replace("\r\n", "\n")
    return clean(_FLOWED.sub(" ", text) if "flowed" in content_type.lower() else text, keep_spacing=True)


# The beginning of a repeated message in a reply, in any language: rows of labels as Outlook writes them ('From: ...
# Sent: ...'), a line of dashes with words in it, a line that ends in a colon after an address ('On ..., A <a@b.example>
# wrote:').
_LABELS = regex(r"(?m)^(?:[^\W\d_][^:\n]{0,24}:[ \t]+\S[^\n]*(?:\n|$)){3,}")
_HAS_SENDER = regex(r"@|\n[^\n]*\b\d{4}\b[^\n]*\b\d{1,2}[:.]\d{2}\b")
_RULE = regex(r"(?m)^[ \t]*(?:-{3,}[^\n-]+-{3,}|_{10,})[ \t]*$")
_WROTE = regex(r"(?m)^[^\n]{0,200}(?:\n[^\n]{0,80})?<[^<>\s]+@[^<>\s]+>[^\n]{0,40}:[ \t]*$")
_INTRODUCES = regex(r"(?m)^(?:[^\n>]+\n){0,1}[^\n>]+:[ \t]*\n+(?=>)")


def repeated_from(text: str, start: int = 0) -> int:
    """Return the offset from which a message repeats earlier ones, or the length of the text."""
    found = [match.start() for form in (_RULE, _WROTE) if (match := form.search(text, start))]
    found += [match.start() for match in _LABELS.finditer(text, start) if _HAS_SENDER.search(match[0])]
    return min(found, default=len(text))


def own_and_repeated(text: str) -> list[tuple[str, bool]]:
    """Return the paragraphs of a plain text without quote marks ('> '), and for each True if it repeats a message."""
    text = _INTRODUCES.sub(lambda match: "".join(f"> {line}\n" for line in [*match[0].strip().split("\n"), ""]), text)
    own, repeated = text[: repeated_from(text)], text[repeated_from(text) :]
    lines = [(line.startswith(">"), line) for line in own.split("\n")]
    lines += [(True, line) for line in repeated.split("\n")]
    found = []
    for (marked, blank), group in groupby(lines, lambda each: (each[0], not each[1].lstrip("> "))):
        if not blank:
            found.append(("\n".join(line.lstrip("> ") if line[0] == ">" else line for _, line in group), marked))
    return [(paragraph.rstrip(), marked) for paragraph, marked in found]
