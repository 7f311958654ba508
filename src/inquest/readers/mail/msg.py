"""Reader of Outlook messages, which are first converted to the format in which messages are sent."""

from __future__ import annotations

import struct
from email.encoders import encode_base64
from email.header import Header
from email.message import Message
from email.mime.base import MIMEBase
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime, formataddr
from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.mail.eml import mail_document
from inquest.readers.mail.message import mail_of
from inquest.readers.plain import one_line

if TYPE_CHECKING:
    from oxmsg.storage import Storage

_TOP, _WITHIN = 32, 24  # Bytes before the properties of a message, and of a message within another (MS-OXMSG 2.4.1).
_INNER = "__substg1.0_3701000D"  # The storage of an attached message (MS-OXMSG 2.2.2.1).
_DAMAGED = (OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError, struct.error, RecursionError)
"""Exceptions of the library for a damaged file."""


class MsgReader(Reader):
    """Reads Outlook's MSG files."""

    name: ClassVar[str] = "msg"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the message without attachments. Raises PageUnreadable (damaged, encrypted)."""
        message = mail_in(body)
        if message is None:
            url = snapshot.final_url or snapshot.url
            raise PageUnreadable(
                url, f"The Outlook message at {url} is damaged.", advice="Save it again, or as .eml, and read that."
            )
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
    mail.attach(MIMEText(has.str_prop_value(c.PID_BODY) or "", "plain", "utf-8"))
    if page:
        mail.attach(_file(page, "text/html"))
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
