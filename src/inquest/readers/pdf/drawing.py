"""Drawings of PDF pages with a quote highlighted."""

from __future__ import annotations

import struct
import zlib
from contextlib import closing
from typing import TYPE_CHECKING

from pypdfium2 import PdfDocument, PdfiumError, PdfPage

from inquest.domain.errors import PageUnreadable
from inquest.readers import is_picture
from inquest.readers.ocr import INSTALL, PDFIUM, bare_letters, engine, page_dots, pictures, quoted_boxes, read_picture
from inquest.readers.pdf.chars import Box
from inquest.text.regex import regex

if TYPE_CHECKING:
    from inquest.readers.ocr import Dots


_SCALE = 1.6  # Dots per point: 115 per inch, legible on a screen.
_MOST_DOTS = 2_400  # Dots of the longer side; posters are drawn smaller.
_LEAST = 12  # Letters of a sentence that is searched for by itself.
_SENTENCE = regex(r"(?<=[.!?])\s+|\n+")


def draw_page(body: bytes, number: int, quote: str = "") -> bytes:
    """Draw page `number` (from 1) of a PDF or a picture as PNG with the quote highlighted. Raises PageUnreadable."""
    if is_picture(body):
        return _drawn_picture(body, number, quote)
    try:
        with PDFIUM, closing(PdfDocument(body)) as document:
            if not 1 <= number <= len(document):
                raise PageUnreadable("", f"The document has {len(document)} pages, so there is no page {number}.")
            return _drawn(document[number - 1], quote)
    except PdfiumError as error:
        raise PageUnreadable("", f"Page {number} cannot be drawn ({error}).") from error


def _drawn(page: PdfPage, quote: str) -> bytes:
    width, height = page.get_size()
    scale = min(_SCALE, _MOST_DOTS / max(width, height, 1))
    dots = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False).to_numpy().copy()[:, :, :3]
    boxes = [
        (left * scale, (height - top) * scale, right * scale, (height - bottom) * scale)
        for left, bottom, right, top in _boxes(page, quote)
    ]
    return _marked(dots, boxes)


def _drawn_picture(body: bytes, number: int, quote: str) -> bytes:
    if engine() is None:
        raise PageUnreadable("", "A picture cannot be drawn.", advice=f"{INSTALL}.")
    frames = pictures(body, "")
    dots = next((dots for place, (dots, _) in enumerate(frames, 1) if place == number), None)
    if dots is None:
        raise PageUnreadable("", f"The picture has no page {number}.")
    return _marked(dots.copy(), _ocr_boxes(dots, quote))


def _ocr_boxes(dots: Dots, quote: str) -> list[Box]:
    """Return the boxes of a quote in dots from the upper left corner; OCR of the same picture gives the same words."""
    found = engine() if quote else None
    if found is None:
        return []
    words = read_picture(found, dots).words
    return quoted_boxes(words, _wanted("".join(bare_letters(word.text) for word in words), quote))


def _marked(dots: Dots, boxes: list[Box]) -> bytes:
    """Highlight boxes (left, top, right, bottom in dots) and return the picture as PNG."""
    for left, top, right, bottom in boxes:
        rows = slice(max(0, int(top) - 1), max(0, int(bottom) + 2))
        columns = slice(max(0, int(left) - 1), max(0, int(right) + 2))
        # Like a highlighter: dark dots stay dark.
        dots[rows, columns, 2] = dots[rows, columns, 2] // 3
        dots[rows, columns, 1] -= dots[rows, columns, 1] // 16
    height, width = dots.shape[:2]
    lines = b"".join(b"\0" + row.tobytes() for row in dots)
    png = b"\x89PNG\r\n\x1a\n"
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    for chunk in (b"IHDR" + header, b"IDAT" + zlib.compress(lines, 6), b"IEND"):
        png += struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return png


def _boxes(page: PdfPage, quote: str) -> list[Box]:
    """Return the boxes of the quote, or of its sentences if a note or a table interrupts it."""
    text_page = page.get_textpage()
    printed = text_page.get_text_range()
    text, places = bare_letters(printed), [place for place, char in enumerate(printed) if bare_letters(char)]
    if not any(map(str.isalnum, text)):
        dots, scale = page_dots(page)
        height = page.get_height()
        placed = [tuple(side / scale for side in box) for box in _ocr_boxes(dots, quote)]
        return [(left, height - low, right, height - top) for left, top, right, low in placed]
    found: list[Box] = []
    for each in _wanted(text, quote):
        at = text.find(each)
        if at >= 0:
            first, last = places[at], places[at + len(each) - 1]
            count = text_page.count_rects(first, last - first + 1)
            found += [text_page.get_rect(index) for index in range(count)]
    return found


def _wanted(text: str, quote: str) -> list[str]:
    """Return the bare quote if the text contains it, else its longer sentences."""
    whole = bare_letters(quote)
    if whole in text:
        return [whole] if whole else []
    return [bare for each in _SENTENCE.split(quote) if len(bare := bare_letters(each)) >= _LEAST]
