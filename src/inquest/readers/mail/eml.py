"""Reader of e-mail messages; text repeated from earlier messages becomes a quote."""

from __future__ import annotations

from datetime import UTC
from typing import ClassVar

from inquest.domain.document import Block, BlockKind, Document, Precision, Published, Snapshot, TextLink
from inquest.domain.errors import PageTooLarge, PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers import unpacked
from inquest.readers.documents import Laid, document_of
from inquest.readers.mail.message import Mail, mail_of, own_and_repeated, parsed, repeated_from
from inquest.sources.dating import DateWitness
from inquest.text.blocks import blocks_by_layout
from inquest.text.languages import detect_language
from inquest.text.tables import moved

MAX_BYTES = 200_000_000
_STUB = 0.2  # Length relative to the HTML part below which the plain text is a stub ('your program shows no HTML').
_REPEATABLE = (BlockKind.PARAGRAPH, BlockKind.LIST)


class EmlReader(Reader):
    """Reads messages in the format in which they are sent (RFC 5322)."""

    name: ClassVar[str] = "eml"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the message without attachments. Raises PageUnreadable (not a message, encrypted, no text),
        PageTooLarge."""
        url = snapshot.final_url or snapshot.url
        message = parsed(unpacked(body, url, MAX_BYTES, "file"))
        if message is None:
            raise PageUnreadable(
                url, f"The file at {url} is not an e-mail message.", advice="Save it again from the mail program."
            )
        return mail_document(mail_of(message), snapshot, self.name)


def mail_document(mail: Mail, snapshot: Snapshot, kind: str) -> Document:
    """Return the document of a message. Raises PageUnreadable if it is encrypted."""
    url = snapshot.final_url or snapshot.url
    if mail.encrypted:
        raise PageUnreadable(
            url,
            f"The message at {url} is encrypted (S/MIME or PGP).",
            advice="Open it in the mail program and save it decrypted.",
        )
    inner = _of_page(mail, snapshot)
    if inner is None:
        laid = Laid()
        for part, repeated in own_and_repeated(mail.plain):
            laid.put(part, BlockKind.QUOTE if repeated else blocks_by_layout(part)[0].kind)
        text = "".join(laid.parts)
        language = detect_language(text)
        inner = Document(snapshot=snapshot.hash, url=url, text=text, blocks=tuple(laid.blocks), language=language)
    head = "\n".join(f"{name}: {value}" for name, value in mail.headers)
    by, first = (len(head) + 2, 1) if head else (0, 0)
    byline = [Block(kind=BlockKind.BYLINE, start=0, end=len(head))] if head else []
    sent = mail.sent and (mail.sent if mail.sent.tzinfo else mail.sent.replace(tzinfo=UTC)).astimezone(UTC)
    published = Published(at=sent, precision=Precision.TIME, how="metadata") if sent else None
    return document_of(
        snapshot,
        "\n\n".join(filter(None, (head, inner.text))),
        [DateWitness(published, "the message's Date header")] if published else [],
        (*mail.notes, None if inner.text else "the message has no text of its own"),
        title=mail.subject,
        author=mail.sender or None,
        language=inner.language,
        blocks=(*byline, *(each.model_copy(update=_moved(each, by)) for each in inner.blocks)),
        tables=tuple(moved(table, by) for table in inner.tables),
        links=inner.links,
        text_links=tuple(
            link.model_copy(update=_moved(link, by) | {"block": link.block + first}) for link in inner.text_links
        ),
        kind=kind,
    )


def _moved(range_of: Block | TextLink, by: int) -> dict[str, int]:
    return {"start": range_of.start + by, "end": range_of.end + by}


def _of_page(mail: Mail, snapshot: Snapshot) -> Document | None:
    """Return the HTML part of a message as a document, or None if the plain text is as good."""
    from inquest.readers.html.reader import HtmlReader

    page, content_type = mail.html
    if not page or len(mail.plain) > _STUB * len(page):
        return None
    as_page = snapshot.model_copy(update={"content_type": content_type, "headers": (), "status": 200})
    try:
        document = HtmlReader().read(page, as_page)
    except (PageUnreadable, PageTooLarge):
        return None
    if len(mail.plain) > _STUB * len(document.text):
        return None
    quotes = {"kind": BlockKind.QUOTE}
    tail = repeated_from(document.text)
    blocks = tuple(
        each.model_copy(update=quotes) if each.start >= tail and each.kind in _REPEATABLE else each
        for each in document.blocks
    )
    return document.model_copy(update={"blocks": blocks})
