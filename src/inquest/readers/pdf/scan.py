"""OCR of PDF pages without text."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from threading import Lock
from typing import TYPE_CHECKING

from inquest.kit.reader import ON_PAGE
from inquest.readers.ocr import MAX_SIDE, OcrPage, engine, ocr_notes, read_picture

if TYPE_CHECKING:
    from pypdfium2 import PdfPage as Page

    from inquest.readers.ocr import Dots
    from inquest.readers.pdf.layout import PdfPage

PDFIUM = Lock()
"""The library is not thread-safe."""
MAX_OCR_PAGES = 100
"""Per file; a page takes two to ten seconds."""
_SCALE = 200 / 72  # Dots per point: 200 per inch.


def with_scans(body: bytes, pages: Sequence[PdfPage], unread: Sequence[int]) -> tuple[list[PdfPage], list[str]]:
    """Return the pages, those without lines read by OCR if an engine is installed, and notes on them. `unread` has the
    numbers (from 1) of pages that cannot be loaded; exceptions of ON_PAGE end the reading."""
    empty = [number for number, page in enumerate(pages, 1) if not page.lines and number not in unread]
    found = engine() if empty else None
    if found is None:
        return list(pages), []
    from pypdfium2 import PdfDocument

    read: dict[int, OcrPage] = {}
    filled = list(pages)
    report = ON_PAGE.get()
    for number in empty[:MAX_OCR_PAGES]:
        if report is not None:
            report(number, len(pages))
        with PDFIUM, closing(PdfDocument(body)) as document:
            dots, scale = page_dots(document[number - 1])
        read[number] = read_picture(found, dots)
        filled[number - 1] = read[number].laid_out(1 / scale)
    notes = ocr_notes(read, len(pages))
    if len(empty) > MAX_OCR_PAGES:
        notes.append(f"OCR was run on the first {MAX_OCR_PAGES} of {len(empty)} pages without text: split the file")
    return filled, notes


def page_dots(page: Page) -> tuple[Dots, float]:
    """Return the picture of a page for OCR and its dots per point, fewer for pages larger than A4."""
    scale = min(_SCALE, MAX_SIDE / max(*page.get_size(), 1))
    return page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False).to_numpy()[:, :, :3].copy(), scale
