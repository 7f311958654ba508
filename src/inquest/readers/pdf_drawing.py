"""A page of a PDF as it looks, with the place of a quote on it."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from inquest.domain.errors import PageUnreadable
from inquest.readers.pdf import PDFIUM
from inquest.text.regex import regex

if TYPE_CHECKING:
    from pypdfium2 import PdfPage


_SCALE = 1.6
"""Dots to a point: 115 to the inch, legible on a screen."""
_MOST_DOTS = 2_400
"""The longer side of a drawing; a poster is drawn smaller."""
_LEAST = 12
"""Letters of a sentence that is looked for by itself."""
_SENTENCE = regex(r"(?<=[.!?])\s+|\n+")
_IGNORED = "|-\u00ad\u2010\u2011\x02\ufffe"

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points from the lower left corner."""


def draw_page(body: bytes, number: int, quote: str = "") -> bytes:
    """Page `number` (from 1) as PNG, the quote marked where it stands on it. Raises PageUnreadable."""
    from pypdfium2 import PdfDocument, PdfiumError

    with PDFIUM:
        try:
            document = PdfDocument(body)
            try:
                if not 1 <= number <= len(document):
                    raise PageUnreadable("", f"The document has {len(document)} pages, and no page {number}.")
                return _drawn(document[number - 1], quote)
            finally:
                document.close()
        except PdfiumError as error:
            raise PageUnreadable("", f"Page {number} cannot be drawn ({error}).") from error


def _drawn(page: PdfPage, quote: str) -> bytes:
    width, height = page.get_size()
    scale = min(_SCALE, _MOST_DOTS / max(width, height, 1))
    dots = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False).to_numpy().copy()[:, :, :3]
    for left, bottom, right, top in _boxes(page, quote):
        rows = slice(max(0, int((height - top) * scale) - 1), max(0, int((height - bottom) * scale) + 2))
        columns = slice(max(0, int(left * scale) - 1), max(0, int(right * scale) + 2))
        # Like a marker on paper: what is dark stays dark.
        dots[rows, columns, 2] = dots[rows, columns, 2] // 3
        dots[rows, columns, 1] -= dots[rows, columns, 1] // 16
    return _png(dots.tobytes(), dots.shape[1], dots.shape[0])


def _boxes(page: PdfPage, quote: str) -> list[Box]:
    """The places of the quote; where a note or a table breaks it up, those of its sentences."""
    text_page = page.get_textpage()
    text, places = _bare(text_page.get_text_range())
    whole = _bare(quote)[0]
    wanted = [whole] if whole in text else [_bare(each)[0] for each in _SENTENCE.split(quote)]
    found: list[Box] = []
    for each in wanted:
        at = text.find(each) if len(each) >= _LEAST or each == whole else -1
        if each and at >= 0:
            first, last = places[at], places[at + len(each) - 1]
            count = text_page.count_rects(first, last - first + 1)
            found += [text_page.get_rect(index) for index in range(count)]
    return found


def _bare(text: str) -> tuple[str, list[int]]:
    """The letters alone, and their places: white space, hyphens and the bars of tables are set differently."""
    kept = [(char, place) for place, char in enumerate(text) if not char.isspace() and char not in _IGNORED]
    return "".join(char for char, _ in kept), [place for _, place in kept]


def _png(dots: bytes, width: int, height: int) -> bytes:
    lines = b"".join(b"\0" + dots[row * width * 3 : (row + 1) * width * 3] for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
