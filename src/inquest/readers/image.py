"""Pictures of text: screenshots, photographs and scans, read by OCR."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageTooLarge, PageUnreadable
from inquest.kit.reader import ON_PAGE, Reader
from inquest.readers.documents import document_of
from inquest.readers.ocr import INSTALL, MAX_SIDE, OcrPage, engine, ocr_notes, read_picture
from inquest.readers.pdf.layout import text_of_pages
from inquest.sources.dating import from_text, from_url

if TYPE_CHECKING:
    from inquest.readers.ocr import Dots

MAX_PIXELS = 80_000_000
"""An A3 page at 600 dots per inch has 70 million; a small file can declare far more."""
MAX_PAGES = 100
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP")
_POINTS = 72 / 200
"""Points per dot. A picture does not give its size; for a scanned A4 page this is about the printed size."""


class ImageReader(Reader):
    """Reads pictures if an OCR engine is installed."""

    name: ClassVar[str] = "image"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the text of a picture; each frame of a TIFF is a page, and of an animated GIF only the first is read.
        Raises PageUnreadable (OCR not installed, no text, damaged) and PageTooLarge (over 80 million dots)."""
        url = snapshot.final_url or snapshot.url
        found = engine()
        if found is None:
            raise PageUnreadable(url, f"The file at {url} is a picture, which only OCR can read.", advice=f"{INSTALL}.")
        read: dict[int, OcrPage] = {}
        count = 1
        for number, (dots, count) in enumerate(pictures(body, url), 1):
            ON_PAGE.get()(number, count)
            read[number] = read_picture(found, dots)
        notes = ocr_notes(read, count)
        if not any(page.lines for page in read.values()):
            why = notes[0] if notes else "OCR finds no words on it"
            raise PageUnreadable(url, f"The picture at {url} has no text: {why}.", advice="Provide a sharper picture.")
        if count > len(read):
            notes.append(f"the first {len(read)} of {count} pages: split the file")
        pages = [page.laid_out(_POINTS) for page in read.values()]
        (text, tables), starts = text_of_pages(pages)
        dates = from_text(text), from_url(url)
        return document_of(snapshot, text, dates, notes, pages=starts, tables=tables, kind=self.name)


def pictures(body: bytes, url: str) -> Iterator[tuple[Dots, int]]:
    """Yield up to 100 pictures of a file, turned upright and on white, with their number. Needs the extra `ocr`. Raises
    PageUnreadable (damaged) and PageTooLarge."""
    import numpy as np
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            opened = Image.open(BytesIO(body), formats=_FORMATS)
        with opened:
            count = getattr(opened, "n_frames", 1) if opened.format == "TIFF" else 1
            for number in range(min(count, MAX_PAGES)):
                opened.seek(number)
                if opened.width * opened.height > MAX_PIXELS:
                    raise Image.DecompressionBombError
                upright = ImageOps.exif_transpose(opened).convert("RGBA")
                upright.thumbnail((MAX_SIDE, MAX_SIDE))
                paper = Image.new("RGBA", upright.size, "white")
                yield np.asarray(Image.alpha_composite(paper, upright).convert("RGB")), count
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        most = f"more than {MAX_PIXELS // 1_000_000} million pixels"
        raise PageTooLarge(url, f"The picture at {url} has {most}.") from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise PageUnreadable(
            url,
            f"The picture at {url} is damaged or incomplete and cannot be opened.",
            advice="Fetch or copy it again.",
        ) from error
