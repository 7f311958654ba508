"""Pages of a PDF as pictures, with the quote highlighted."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from pypdfium2 import PdfDocument

from inquest.demo import report
from inquest.domain.document import Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.readers.pdf.drawing import draw_page
from inquest.readers.pdf.reader import PdfReader
from tests.reports.made_case import NOON


def dots_of(png: bytes) -> np.ndarray:
    """Rows of red, green and blue."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, found, size = 8, b"", (0, 0)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + content) == struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0]
        size = struct.unpack(">II", content[:8]) if kind == b"IHDR" else size
        found += content if kind == b"IDAT" else b""
        at += 12 + length
    width, height = size
    rows = np.frombuffer(zlib.decompress(found), np.uint8).reshape(height, 1 + width * 3)
    return rows[:, 1:].reshape(height, width, 3)


def marked(png: bytes) -> int:
    """Dots in the highlighter's yellow."""
    dots = dots_of(png).astype(int)
    return int(((dots[:, :, 0] > 200) & (dots[:, :, 1] > 200) & (dots[:, :, 2] < 120)).sum())


def test_a_sentence_is_marked_on_that_page_and_on_no_other() -> None:
    body = report().read_bytes()
    url = "file:///r.pdf"
    document = PdfReader().read(
        body, Snapshot(hash="sha256:0", url=url, final_url=url, retrieved_at=NOON, size=len(body))
    )
    for start in document.pages[1::3]:
        first = document.text.index(". ", start) + 2
        quote = document.text[first : document.text.index(". ", first) + 1]
        number = document.page_of(first)
        assert number is not None
        assert marked(draw_page(body, number, quote)) > marked(draw_page(body, number)) + 500, quote
        other = number % len(document.pages) + 1
        assert marked(draw_page(body, other, quote)) == marked(draw_page(body, other))


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(PageUnreadable, match="no page 99"):
        draw_page(report().read_bytes(), 99)
    with pytest.raises(PageUnreadable):
        draw_page(b"%PDF-1.4 broken", 1)


def test_of_300_pages_one_is_drawn_and_it_is_the_one_that_is_asked_for() -> None:
    """Each page drawn as in its own document: earlier pages have no influence."""
    source = PdfDocument(report().read_bytes())
    long = PdfDocument.new()
    while len(long) < 300:
        long.import_pages(source)
    written = io.BytesIO()
    long.save(written)
    of_each = [draw_page(report().read_bytes(), number) for number in (1, 2)]
    last = len(long) - len(source)
    assert [draw_page(written.getvalue(), last + number) for number in (1, 2)] == of_each
