"""Pictures of text: screenshots, photographs, scans and PDF pages without text, read by OCR in reading order."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from statistics import median
from threading import Lock
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from pypdfium2 import PdfDocument
from pypdfium2 import PdfPage as PdfiumPage

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageTooLarge, PageUnreadable
from inquest.kit.reader import ON_PAGE, Reader
from inquest.readers.documents import document_of
from inquest.readers.pdf.chars import HYPHEN
from inquest.readers.pdf.layout import PdfPage, text_of_pages
from inquest.readers.pdf.lines import PdfLine, PdfPiece
from inquest.readers.pdf.tables import with_tables
from inquest.readers.plain import listed
from inquest.sources.dating import from_text, from_url
from inquest.text.regex import regex

Dots = NDArray[np.uint8]
"""Rows, columns, and the colours red, green and blue."""

PDFIUM = Lock()
"""The library is not thread-safe."""
MAX_OCR_PAGES = 100
"""Per file; a page takes two to ten seconds."""
_DOTS = 200 / 72  # Dots per point: 200 per inch.
INSTALL = "Install OCR: pip install 'inquest[ocr]'"
MAX_SIDE = 2_400
"""Dots of the longer side given to OCR: A4 at 200 dots per inch. `python -m bench.quality ocr` measures errors and
time."""
LEAST_SURE = 0.75
"""Confidence below which lines are left out and counted, which removes what is not print. At 75 to 300 dots per inch at
least 98 % of correct lines are above, but so are nearly all lines with a wrong letter (`sure_right` and `unsure_wrong`
of `python -m bench.quality ocr`), so documents ask to compare quotes."""
_UPRIGHT = 0.9  # Confidence above which a page of wide lines is not tried in other orientations.
_PROSE = 18  # Letters in a typical line of a text column; table cells have fewer.
_TYPE = 0.8  # Type size relative to the height of a line's box, which includes ascenders, descenders and a margin.

IGNORED = "|-\u00ad\u2010\u2011\x02\ufffe"
"""Characters, besides white space, in which a quote and its page may differ."""
_DIVIDED = regex(r"(?<=[^\W\d_])[-\u2010\u2011]$")

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in dots from the upper left corner."""
MAX_PIXELS = 80_000_000
"""An A3 page at 600 dots per inch has 70 million; a small file can declare far more."""
MAX_PAGES = 100
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP")
_POINTS = 72 / 200
"""Points per dot. A picture does not give its size; for a scanned A4 page this is about the printed size."""


@dataclass(frozen=True, slots=True)
class OcrWord:
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class OcrLine:
    """A line found by an engine: its words, confidence (0 to 1), box, and slope (down over across)."""

    text: str
    box: Box
    confidence: float
    slope: float = 0.0
    words: tuple[OcrWord, ...] = ()


@dataclass(frozen=True, slots=True)
class OcrPage:
    """The text of a picture. `confidence` is the mean over its letters; `words` are placed on the picture before
    rotation."""

    lines: tuple[OcrLine, ...]
    """Lines in reading order, on the upright page."""
    words: tuple[OcrWord, ...]
    confidence: float
    unsure: int
    """Lines left out because of low confidence."""
    height: int
    """Dots, upright."""

    def laid_out(self, scale: float) -> PdfPage:
        """Return the page in the form of a PDF page, with `scale` points per dot."""
        sizes = _sizes([line.box[3] - line.box[1] for line in self.lines])
        lines: list[PdfLine] = []
        for found, height in zip(self.lines, sizes, strict=True):
            size = height * _TYPE * scale
            left, right = found.box[0] * scale, found.box[2] * scale
            base = (self.height - (found.box[1] + found.box[3]) / 2) * scale - 0.3 * size
            pieces = (PdfPiece(found.text, left, right),)
            line = PdfLine(found.text, left, right, base, base, size, weight=-1, end_weight=-1, pieces=pieces)
            above = lines[-1] if lines else None
            if above and _DIVIDED.search(above.text) and line.text[:1].islower() and line.top < above.bottom:
                # As in a PDF, the two halves of a divided word are on one line.
                text = _DIVIDED.sub(HYPHEN, above.text) + line.text
                right = max(above.right, line.right)
                pieces = (PdfPiece(text, above.left, right),)
                lines[-1] = replace(above, text=text, bottom=line.bottom, right=right, pieces=pieces)
            else:
                lines.append(line)
        return PdfPage(tuple(with_tables(lines)), self.height * scale)


class OcrEngine(Protocol):
    """An OCR engine. The same picture must give the same lines."""

    def lines(self, dots: Dots) -> list[OcrLine]:
        """The lines of a picture, in any order."""
        ...


@cache
def engine() -> OcrEngine | None:
    """Return the engine if the extra `ocr` is installed; it is created once, as its models take seconds to load."""
    return RapidOcr() if find_spec("rapidocr") is not None else None


def read_picture(found: OcrEngine, dots: Dots) -> OcrPage:
    """Read a picture that may be rotated by quarter turns."""
    if int(dots.max(initial=0)) - int(dots.min(initial=255)) < 40:
        return OcrPage((), (), 0.0, 0, dots.shape[0])  # blank except for dust
    turns, lines = 0, found.lines(dots)
    best = _quality(lines)
    if lines and best < _UPRIGHT:
        for turn in (1, 3) if _wide(lines) < 0.5 else (2, 1, 3):
            other = found.lines(np.ascontiguousarray(np.rot90(dots, turn)))
            if _quality(other) > best:
                turns, lines, best = turn, other, _quality(other)
            if best >= _UPRIGHT:
                break
    lines = [line for line in lines if any(char.isalnum() for char in line.text)]
    sure = [line for line in lines if line.confidence >= LEAST_SURE]
    if sum(len(line.text) for line in sure) < sum(len(line.text) for line in lines) / 2:
        sure = []  # handwriting or a blurred page, where a high confidence is chance
    slope = median(line.slope for line in sure) if sure else 0.0
    ordered = _in_order([_straight(line, slope) for line in sure])
    height, width = dots.shape[:2]
    placed = (OcrWord(word.text, _back(word.box, turns, width, height)) for line in ordered for word in line.words)
    confidence = _mean([(line.confidence, len(line.text)) for line in sure])
    upright = width if turns % 2 else height
    return OcrPage(tuple(ordered), tuple(placed), confidence, len(lines) - len(sure), upright)


def ocr_notes(read: Mapping[int, OcrPage], pages: int) -> list[str]:
    """Return notes on the pages read by OCR. `read` has them by page number, from 1."""
    sure = [number for number, page in read.items() if page.lines]
    unreadable = [number for number, page in read.items() if page.unsure and not page.lines]
    unsure = sum(page.unsure for page in read.values() if page.lines)
    notes = []
    if sure:
        mean = _mean([(read[number].confidence, len(read[number].lines)) for number in sure])
        which = "" if pages == 1 else f" on {numbered(sure)} of {pages}"
        lines = "1 unsure line is" if unsure == 1 else f"{unsure} unsure lines are"
        left_out = f", {lines} left out" if unsure else ""
        notes.append(f"read by OCR{which} (confidence {mean:.0%}{left_out}): compare quotes with the picture")
    if unreadable:
        notes.append(f"OCR cannot read {numbered(unreadable)}: handwriting, or not sharp enough")
    return notes


def with_scans(body: bytes, pages: Sequence[PdfPage], unread: Sequence[int]) -> tuple[list[PdfPage], list[str]]:
    """Return the pages, those without lines read by OCR if an engine is installed, and notes on them. `unread` has the
    numbers (from 1) of pages that cannot be loaded; exceptions of ON_PAGE end the reading."""
    empty = [number for number, page in enumerate(pages, 1) if not page.lines and number not in unread]
    found = engine() if empty else None
    if found is None:
        return list(pages), []

    read: dict[int, OcrPage] = {}
    filled = list(pages)
    for number in empty[:MAX_OCR_PAGES]:
        ON_PAGE.get()(number, len(pages))
        with PDFIUM, closing(PdfDocument(body)) as document:
            dots, scale = page_dots(document[number - 1])
        read[number] = read_picture(found, dots)
        filled[number - 1] = read[number].laid_out(1 / scale)
    notes = ocr_notes(read, len(pages))
    if len(empty) > MAX_OCR_PAGES:
        notes.append(f"OCR was run on the first {MAX_OCR_PAGES} of {len(empty)} pages without text: split the file")
    return filled, notes


def page_dots(page: PdfiumPage) -> tuple[Dots, float]:
    """Return the picture of a page for OCR and its dots per point, fewer for pages larger than A4."""
    scale = min(_DOTS, MAX_SIDE / max(*page.get_size(), 1))
    return page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False).to_numpy()[:, :, :3].copy(), scale


def numbered(pages: Sequence[int]) -> str:
    """Return the numbers of pages for a note."""
    return f"{'page' if len(pages) == 1 else 'pages'} {listed(pages)}"


def quoted_boxes(words: Sequence[OcrWord], wanted: Sequence[str]) -> list[Box]:
    """Return the boxes of the words that make up each of the `wanted` texts, which are bare letters, where found."""
    letters = [bare_letters(word.text) for word in words]
    text, owners = "".join(letters), [place for place, own in enumerate(letters) for _ in own]
    found = [(at, each) for each in wanted if (at := text.find(each)) >= 0]
    return [words[place].box for at, each in found for place in dict.fromkeys(owners[at : at + len(each)])]


def bare_letters(text: str) -> str:
    """Return a text without white space, hyphens and the bars of tables, which vary in print."""
    return "".join(char for char in text if not char.isspace() and char not in IGNORED)


def _quality(lines: Sequence[OcrLine]) -> float:
    return _mean([(line.confidence, len(line.text)) for line in lines]) * _wide(lines)


def _wide(lines: Sequence[OcrLine]) -> float:
    """Return the share of letters in horizontal lines; on a page that lies on its side, lines are vertical."""
    return _mean([(float(line.box[2] - line.box[0] > line.box[3] - line.box[1]), len(line.text)) for line in lines])


def _mean(weighted: Iterable[tuple[float, int]]) -> float:
    pairs = list(weighted)
    return sum(value * weight for value, weight in pairs) / (sum(weight for _, weight in pairs) or 1)


def _straight(line: OcrLine, slope: float) -> OcrLine:
    """Return a line with the page's slope removed; its words keep their places on the picture."""
    left, top, right, bottom = line.box
    half = max(1.0, bottom - top - abs(slope) * (right - left)) / 2
    middle, across = (top + bottom) / 2 - slope * (left + right) / 2, (top + bottom) / 2 * slope
    return replace(line, box=(left + across, middle - half, right + across, middle + half), slope=0.0)


def _back(box: Box, turns: int, width: int, height: int) -> Box:
    """Map a box on a picture that was rotated counterclockwise by quarter turns back to the original."""
    left, top, right, bottom = box
    if turns == 1:
        return width - bottom, left, width - top, right
    if turns == 2:
        return width - right, height - bottom, width - left, height - top
    return (top, height - right, bottom, height - left) if turns == 3 else box


def _in_order(lines: list[OcrLine]) -> list[OcrLine]:
    """Sort lines into reading order by the recursive X-Y cut (Nagy and Seth, 1984); rows of a table stay rows."""
    ordered: list[OcrLine] = []
    waiting = [lines]
    while waiting:
        part = waiting.pop()
        halves = _cut(part, 0) or _cut(part, 1) if len(part) > 1 else None
        if halves:
            waiting += halves[::-1]
        else:
            ordered += sorted(part, key=lambda line: (line.box[0], line.box[1]))
    return ordered


def _cut(part: list[OcrLine], axis: int) -> tuple[list[OcrLine], list[OcrLine]] | None:
    """Split lines at the widest gap along an axis (0: between columns, 1: between rows); None without a gap."""
    ordered = sorted(part, key=lambda line: line.box[axis])
    size = median(line.box[3] - line.box[1] for line in part)
    widest, at = (0.5 * size, 0) if axis == 0 else (-0.3 * size, 0)  # boxes of close lines overlap a little
    end = ordered[0].box[axis + 2]
    for place, line in enumerate(ordered[1:], 1):
        gap = line.box[axis] - end
        if gap > widest * 1.05 + 0.01 and (axis == 1 or (_is_column(ordered[:place]) and _is_column(ordered[place:]))):
            widest, at = gap, place
        end = max(end, line.box[axis + 2])
    return (ordered[:at], ordered[at:]) if at else None


def _is_column(lines: list[OcrLine]) -> bool:
    return len(lines) >= 3 and median(len(line.text) for line in lines) >= _PROSE


def _sizes(heights: list[float]) -> list[float]:
    """Return heights of boxes, with those that differ only by their letters made equal."""
    of: dict[float, float] = {}
    group: list[float] = []
    for height in [*sorted(heights), float("inf")]:
        if group and height > 1.3 * group[0]:
            of.update(dict.fromkeys(group, median(group)))
            group = []
        group.append(height)
    return [of[height] for height in heights]


class RapidOcr:
    """PP-OCR models of rapidocr, which are part of its wheel. They know Latin, Greek, Chinese and Japanese letters;
    other scripts get a low confidence. One thread keeps the results reproducible."""

    def __init__(self) -> None:
        from rapidocr import RapidOCR

        threads = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
        limits = {"Global.max_side_len": MAX_SIDE, "Global.text_score": 0.0, "Global.log_level": "critical"}
        self._read = RapidOCR(params={**threads, **limits})
        self._lock = Lock()

    def lines(self, dots: Dots) -> list[OcrLine]:
        """The lines, each with its words."""
        with self._lock:
            # read_picture rotates whole pages; the library would rotate each line.
            found = self._read(dots[:, :, ::-1].copy(), use_cls=False, return_word_box=True)
        if found.boxes is None or not found.txts:
            return []
        words = found.word_results if len(found.word_results or ()) == len(found.txts) else [()] * len(found.txts)
        lines: list[OcrLine] = []
        for corners, text, score, parts in zip(found.boxes, found.txts, found.scores, words, strict=True):
            (left, top), (right, top_right) = ((float(x), float(y)) for x, y in corners[:2])
            box = _around(corners)
            slope = (top_right - top) / (right - left) if right - left > 1.5 * (box[3] - box[1]) else 0.0
            own = tuple(OcrWord(word, _around(places)) for word, _, places in parts) or (OcrWord(text, box),)
            lines.append(OcrLine(" ".join(text.split()), box, float(score), slope, own))
        return lines


def _around(corners: Any) -> Box:
    across, down = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    return min(across), min(down), max(across), max(down)


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
        why = f"The picture at {url} is damaged or incomplete and cannot be opened."
        raise PageUnreadable(url, why, advice="Fetch or copy it again.") from error
