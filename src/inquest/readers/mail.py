"""E-mail messages, as sent (RFC 5322) and as saved by Outlook: headers, own and repeated text, attachments."""

from __future__ import annotations

import base64
import binascii
import mimetypes
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.encoders import encode_base64
from email.errors import (
    CloseBoundaryNotFoundDefect,
    MessageDefect,
    MissingHeaderBodySeparatorDefect,
    StartBoundaryNotFoundDefect,
)
from email.header import Header, decode_header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.parser import BytesParser
from email.utils import format_datetime, formataddr, getaddresses, parsedate_to_datetime
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from inquest.domain.document import Block, BlockKind, Document, Precision, Published, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers import unpacked
from inquest.readers.documents import Laid, document_of
from inquest.readers.html.leaves import Leaf
from inquest.readers.html.meta import links_in, pieces
from inquest.readers.html.reader import HtmlReader
from inquest.readers.html.tree import parse, visible_text
from inquest.readers.office.writing import leaves_of
from inquest.readers.plain import clean, decode, listed, one_line, struck_note
from inquest.sources.dating import DateWitness
from inquest.text.blocks import blocks_by_layout
from inquest.text.languages import detect_language
from inquest.text.regex import regex
from inquest.text.urls import is_web_url

_BROKEN_OFF = (CloseBoundaryNotFoundDefect, StartBoundaryNotFoundDefect, MissingHeaderBodySeparatorDefect)
_SEALS = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
_CIPHERS = ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted")
_BAD = (ValueError, LookupError, TypeError, AttributeError, MessageDefect, binascii.Error)
"""Exceptions of the standard library for malformed headers and bodies."""
_FLOWED = regex(r"(?m)(?<=\S)(?<!^--)( ?) \n(?!>|-- ?\n| )")
_NO_SPACE = regex(r'(?i)\bdelsp\s*=\s*"?yes')
"""The parameter by which the space at the end of a flowed line is deleted (RFC 3676 4.2)."""
# The beginning of a repeated message in a reply, in any language: rows of labels as Outlook writes them ('From: ...
# Sent: ...'), a line of dashes with words in it, a line that ends in a colon after an address ('On ..., A <a@b.example>
# wrote:').
_LABELS = regex(r"(?m)^(?:[^\W\d_][^:\n]{0,24}:[ \t]+\S[^\n]*(?:\n|$)){3,}")
_HAS_SENDER = regex(r"@|\n[^\n]*\b\d{4}\b[^\n]*\b\d{1,2}[:.]\d{2}\b")
_RULE = regex(r"(?m)^[ \t]*(?:-{3,}[^\n-]+-{3,}|_{10,})[ \t]*$")
_WROTE = regex(r"(?m)^(?!>)[^\n]{0,200}(?:\n(?!>)[^\n]{0,80})?<[^<>\s]+@[^<>\s]+>[^\n]{0,40}:[ \t]*$(?!\s*>)")
_INTRODUCES = regex(r"(?m)^(?:(?!>)[^\n]+\n)?(?!>)[^\n]+:[ \t]*\n+(?=>)")
MAX_BYTES = 200_000_000
_STUB = 0.6
"""Share of the page's words below which the plain text is a stub ('your program shows no HTML') or an excerpt."""
_REPEATABLE = (BlockKind.PARAGRAPH, BlockKind.LIST)
_TOP, _WITHIN = 32, 24  # Bytes before the properties of a message, and of a message within another (MS-OXMSG 2.4.1).
_INNER = "__substg1.0_3701000D"  # The storage of an attached message (MS-OXMSG 2.2.2.1).
_DAMAGED = (OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, struct.error, RecursionError)
"""Exceptions of the library for a damaged file."""


class Inner(NamedTuple):
    """A file in a message or an archive."""

    name: str
    content_type: str = ""
    body: bytes = b""
    why: str = ""
    """The reason why it is not read, or ''."""


_Version = tuple[str, bytes, str]  # A text's type without parameters, its bytes, and its whole declared type.


class Mail(NamedTuple):
    """The content and the attachments of a message."""

    headers: tuple[tuple[str, str], ...]
    """From, To, Cc, Date and Subject, as far as present, each on one line."""
    sender: str
    subject: str
    sent: datetime | None
    bodies: tuple[tuple[str, tuple[tuple[bytes, str], ...]], ...]
    """Each text: its cleaned plain version, or '', and its HTML parts with their declared types, or none."""
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
    texts: list[list[_Version]] = []
    attached: list[Inner] = []
    encrypted = _collect(message, texts, attached)
    bodies = tuple(
        (
            "\n\n".join(filter(None, (_plain(body, kind) for form, body, kind in versions if form == "text/plain"))),
            tuple((body, kind) for form, body, kind in versions if form == "text/html"),
        )
        for versions in texts
    )
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
    shown = [name for name in ("From", "To", "Cc", "Date", "Subject") if message[name]]
    return Mail(
        headers=tuple((name, words(message[name])) for name in shown),
        sender=one_line(senders[0][0] or senders[0][1]) if senders else written,
        subject=words(message.get("Subject")),
        sent=sent,
        bodies=bodies,
        attached=tuple(attached),
        notes=tuple(notes),
        encrypted=encrypted or any(plain.startswith("-----BEGIN PGP MESSAGE-----") for plain, _ in bodies),
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


def _collect(
    part: Message,
    texts: list[list[_Version]],
    attached: list[Inner],
    versions: list[_Version] | None = None,
) -> bool:
    """Add the texts and attachments of a part; return True if any of it is encrypted. `versions` are those of the text
    that the part is a version of."""
    form = part.get_content_type()
    if form == "multipart/encrypted" or form in _CIPHERS:
        return True
    if form in ("message/rfc822", "message/global"):
        attached.extend(_message_within(part))
        return False
    if form == "multipart/alternative" and versions is None:
        texts.append(versions := [])
    if part.is_multipart():
        return sum(_collect(each, texts, attached, versions) for each in _children(part)) > 0
    try:
        name, body = words(part.get_filename()), part.get_payload(decode=True)
    except _BAD:
        return False
    if form in ("text/plain", "text/html") and not name and part.get_content_disposition() != "attachment":
        if versions is None:
            texts.append(versions := [])
        versions.append((form, bytes(body or b""), str(part.get("Content-Type", ""))))
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


def _plain(body: bytes, content_type: str) -> str:
    text = decode(body, content_type).text.replace("\r\n", "\n")
    if "flowed" in content_type.lower():
        text = _FLOWED.sub(r"\1" if _NO_SPACE.search(content_type) else " ", text)
    return clean(text, keep_spacing=True)


def repeated_from(text: str) -> int:
    """Return the offset from which a message repeats earlier ones, or the length of the text."""
    found = [match.start() for form in (_RULE, _WROTE) if (match := form.search(text))]
    found += [match.start() for match in _LABELS.finditer(text) if _HAS_SENDER.search(match[0])]
    return min(found, default=len(text))


def own_and_repeated(text: str) -> list[tuple[str, bool]]:
    """Return the paragraphs of a plain text without quote marks ('> '), and for each True if it repeats a message."""
    text = _INTRODUCES.sub(lambda match: "".join(f"> {line}\n" for line in [*match[0].strip().split("\n"), ""]), text)
    tail = repeated_from(text)
    lines = [(line.startswith(">"), line) for line in text[:tail].split("\n")]
    lines += [(True, line) for line in text[tail:].split("\n")]
    found = []
    for (marked, blank), group in groupby(lines, lambda each: (each[0], not each[1].lstrip("> "))):
        if not blank:
            found.append(("\n".join(line.lstrip("> ") if line[0] == ">" else line for _, line in group), marked))
    return [(paragraph.rstrip(), marked) for paragraph, marked in found]


class EmlReader(Reader):
    """Reads messages in the format in which they are sent (RFC 5322)."""

    name: ClassVar[str] = "eml"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the message without attachments. Raises PageUnreadable (not a message, encrypted, no text),
        PageTooLarge."""
        url = snapshot.final_url or snapshot.url
        message = parsed(unpacked(body, url, MAX_BYTES, "file"))
        if message is None:
            advice = "Save it again from the mail program."
            raise PageUnreadable(url, f"The file at {url} is not an e-mail message.", advice=advice)
        return mail_document(mail_of(message), snapshot, self.name)


class MhtmlReader(Reader):
    """Reads web pages as browsers save them with their pictures (MHTML, RFC 2557)."""

    name: ClassVar[str] = "mhtml"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the first page, for a file of the user's own under the address that it was saved from. Raises
        PageUnreadable, PageTooLarge."""
        url = snapshot.final_url or snapshot.url
        message = parsed(unpacked(body, url, MAX_BYTES, "file"))
        pages = (part for part in (message.walk() if message else ()) if part.get_content_type() == "text/html")
        if (page := next(pages, None)) is None:
            raise PageUnreadable(url, f"The file at {url} holds no web page.", advice="Save the page again as HTML.")
        saved = words(page.get("Content-Location"))
        address = saved if is_web_url(saved) and not is_web_url(url) else url
        fields = {"final_url": address, "content_type": str(page.get("Content-Type"))}
        return HtmlReader().read(bytes(page.get_payload(decode=True) or b""), snapshot.model_copy(update=fields))


def mail_document(mail: Mail, snapshot: Snapshot, kind: str) -> Document:
    """Return the document of a message. Raises PageUnreadable if it is encrypted."""
    url = snapshot.final_url or snapshot.url
    if mail.encrypted:
        advice = "Open it in the mail program and save it decrypted."
        raise PageUnreadable(url, f"The message at {url} is encrypted (S/MIME or PGP).", advice=advice)
    laid, links = Laid(), dict[str, None]()
    head = "\n".join(f"{name}: {value}" for name, value in mail.headers)
    if head:
        laid.put(head, BlockKind.BYLINE)
    for plain, pages in mail.bodies:
        if found := _leaves(plain, pages, links):
            for leaf in found:
                laid.leaf(leaf)
            continue
        text = plain or "\n\n".join(clean(visible_text(decode(*page).text)) for page in pages)  # nested too deeply
        for part, repeated in own_and_repeated(text):
            laid.put(part, BlockKind.QUOTE if repeated else blocks_by_layout(part)[0].kind)
    text = "".join(laid.parts)
    laid.blocks = _with_repeated(laid.blocks, text, len(head))
    sent = mail.sent and (mail.sent if mail.sent.tzinfo else mail.sent.replace(tzinfo=UTC)).astimezone(UTC)
    published = Published(at=sent, precision=Precision.TIME, how="metadata") if sent else None
    return document_of(
        snapshot,
        text,
        [DateWitness(published, "the message's Date header")] if published else [],
        (*mail.notes, None if text != head else "the message has no text of its own", *struck_note(laid.blocks)),
        title=mail.subject,
        author=mail.sender or None,
        language=detect_language(text[len(head) :]),
        links=tuple(links),
        kind=kind,
        **laid.fields(),
    )


def _leaves(plain: str, pages: Iterable[tuple[bytes, str]], links: dict[str, None]) -> list[Leaf]:
    """Return the leaves of the HTML parts of a text and add their links, or none if the plain version is as good."""
    trees = [tree for page in pages if (tree := parse(decode(*page).text)) and tree.whole]
    urls = [url for tree in trees for url in links_in(tree.root, "")]
    found = [leaf for tree in trees for leaf in leaves_of(tree.root)]
    page_words = pieces("\n".join(leaf.text for leaf in found))
    is_stub = len(page_words & pieces(plain)) < _STUB * len(page_words)
    if not is_stub and not any(leaf.struck or leaf.kind is BlockKind.WITHDRAWN for leaf in found):
        return []
    links |= dict.fromkeys(urls)
    return found


def _with_repeated(blocks: Sequence[Block], text: str, start: int) -> list[Block]:
    """Return the blocks with those of repeated messages as quotes; what is quoted already repeats nothing further."""
    for block in blocks:
        if block.kind is BlockKind.QUOTE:
            text = text[: block.start] + ">" * (block.end - block.start) + text[block.end :]
    tail = start + repeated_from(text[start:])
    quotes = {"kind": BlockKind.QUOTE}
    return [
        each.model_copy(update=quotes) if each.start >= tail and each.kind in _REPEATABLE else each for each in blocks
    ]


if TYPE_CHECKING:
    from oxmsg.storage import Storage


class MsgReader(Reader):
    """Reads Outlook's MSG files."""

    name: ClassVar[str] = "msg"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the message without attachments. Raises PageUnreadable (damaged, encrypted)."""
        message = mail_in(body)
        if message is None:
            url = snapshot.final_url or snapshot.url
            advice = "Save it again, or as .eml, and read that."
            raise PageUnreadable(url, f"The Outlook message at {url} is damaged.", advice=advice)
        return mail_document(mail_of(message), snapshot, self.name)


def mail_in(body: bytes) -> Message | None:
    """Return the message in an MSG file, or None if it is damaged."""
    from olefile import OleFileIO
    from oxmsg.storage import Storage

    try:
        with OleFileIO(body) as file:
            return _mail(Storage.from_ole(file), _TOP)
    except _DAMAGED:
        return None


def _mail(storage: Storage, offset: int) -> Message:
    from oxmsg.attachment import Attachment
    from oxmsg.domain import constants as c
    from oxmsg.properties import Properties

    has = Properties(storage, properties_header_offset=offset)
    name = has.str_prop_value(c.PID_SENDER_NAME) or ""
    address = has.str_prop_value(c.PID_SENDER_SMTP_ADDRESS) or has.str_prop_value(c.PID_SENDER_EMAIL_ADDRESS) or ""
    sent = has.date_prop_value(c.PID_CLIENT_SUBMIT_TIME) or has.date_prop_value(c.PID_MESSAGE_DELIVERY_TIME)
    page = has.binary_prop_value(c.PID_HTML) or (has.str_prop_value(c.PID_BODY_HTML) or "").encode()
    mail = MIMEMultipart("mixed", "=-message")  # the library's boundaries differ each time
    for header, value in {
        "From": formataddr((name, address)) if "@" in address else name,
        "To": has.str_prop_value(c.PID_DISPLAY_TO),
        "Cc": has.str_prop_value(c.PID_DISPLAY_CC),
        "Date": format_datetime(sent) if sent else "",
        "Subject": has.str_prop_value(c.PID_SUBJECT),
    }.items():
        if value:
            mail[header] = Header(one_line(value), None if value.isascii() else "utf-8")  # type: ignore[assignment]
    texts = MIMEMultipart("alternative", "=-texts")
    texts.attach(MIMEText(has.str_prop_value(c.PID_BODY) or "", "plain", "utf-8"))
    if page:
        texts.attach(_file(page, "text/html"))
    mail.attach(texts)
    for each in storage.iter_attachment_storages():
        found = Attachment(each)
        inner = next((one for one in each.storages if one.name == _INNER), None)
        if inner is not None:
            mail.attach(MIMEMessage(_mail(inner, _WITHIN)))
        elif found.file_bytes:  # else it is only a link to a file
            file_name = found.file_name or found.properties.str_prop_value(c.PID_ATTACH_FILENAME) or "attachment"
            part = _file(found.file_bytes, found.mime_type or "application/octet-stream")
            part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", one_line(file_name)))
            mail.attach(part)
    return mail


def _file(body: bytes, content_type: str) -> MIMEBase:
    main, _, sub = content_type.partition("/")
    part = MIMEBase(main, sub or "octet-stream")
    part.set_payload(body)
    encode_base64(part)
    return part
