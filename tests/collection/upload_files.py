"""Small files of the kinds that are split or unpacked."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage


def word_document(text: str) -> bytes:
    """A DOCX with one paragraph."""
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        body = f"<w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body>"
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{word}">{body}</w:document>')
    return packed.getvalue()


def message(text: str) -> bytes:
    """A message with that text and two attachments, a film and a note with one more sentence."""
    made = EmailMessage()
    made["From"], made["Subject"] = "anna@paper.example", "The port"
    made.set_content(text)
    made.add_attachment(b"\0\1", maintype="video", subtype="mp4", filename="film.mp4")
    made.add_attachment(f"{text} Nobody was hurt.", filename="note.txt")
    return made.as_bytes()
