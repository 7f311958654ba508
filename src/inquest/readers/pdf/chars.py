"""The characters of a PDF page, their positions, and runs of one font, size, colour and baseline."""

from __future__ import annotations

import ctypes
import math
from bisect import bisect_right
from collections.abc import Iterator
from operator import attrgetter
from typing import Any, NamedTuple

from pypdfium2 import raw

from inquest.domain.document import BlockKind
from inquest.text.regex import regex

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points from the lower left corner of the page."""
MAX_CHARS = 200_000
"""Maximum for one page; a printed page has 2,000 to 8,000."""
HYPHEN = "\x02"
"""The character at which a word was divided at the end of a line; pdfium writes the two halves as one line."""
_SOFT = 0xAD  # A soft hyphen; many fonts give their hyphen this code.
_LIGATURES = dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))
_UNUSED = range(0x40000, 0x110000)  # Unassigned and private planes, used for the readers' own signs.
_DIGIT = regex("[0-9]")


class _Texts(dict[int, str]):
    """The text for each code, computed when it is first met."""

    def __missing__(self, code: int) -> str:
        text = "" if code < 0x20 or 0xD800 <= code < 0xF900 or code in _UNUSED else chr(code)
        self[code] = text = _LIGATURES.get(text, text)
        return text


_TEXTS = _Texts({0x02: HYPHEN, 0xFFFE: HYPHEN, 0x0A: "\n", 0x0D: "\n", 0x09: " ", 0xA0: " "})


class Run(NamedTuple):
    """Characters `start` to `end` of the page, painted at once."""

    start: int
    end: int
    handle: Any
    address: int
    size: float
    """Type size as displayed, in points: many producers write it into the text matrix instead of the font size."""
    weight: int
    turn: int
    """Quarter turns: text that runs down (1), upside down (2), up (3), upright (0), or at another angle (-1)."""
    base: float
    """The height of the baseline when the text is turned upright."""
    mode: int
    colour: tuple[int, int, int, int]


class Added(NamedTuple):
    """A block that is not part of the page's own text; it follows the paragraph of a character (-1: the page)."""

    kind: BlockKind
    text: str
    place: int = -1


def turned(box: Box, turn: int) -> Box:
    """Return the box after text with this number of quarter turns is set upright."""
    left, bottom, right, top = box
    return (box, (-top, left, -bottom, right), (-right, -top, -left, -bottom), (bottom, -right, top, -left))[
        max(turn, 0)
    ]


class PageChars:
    """The characters of a page. `texts`, the text read for each of them, may be changed."""

    def __init__(self, text_page: Any) -> None:
        self._raw, self._box = text_page.raw, raw.FPDFText_GetCharBox
        self._sides = [ctypes.c_double() for _ in range(4)]
        count = min(raw.FPDFText_CountChars(self._raw), MAX_CHARS)
        codes = [raw.FPDFText_GetUnicode(self._raw, index) for index in range(count)]
        self.texts = [_TEXTS[code] for code in codes]
        for index in range(1, count):
            if 0xDC00 <= codes[index] < 0xE000 and 0xD800 <= codes[index - 1] < 0xDC00:
                self.texts[index] = _TEXTS[0x10000 + ((codes[index - 1] - 0xD800) << 10) + (codes[index] - 0xDC00)]
        self.runs = list(self._runs())
        for index in range(count if self.runs else 0):
            if codes[index] == _SOFT:
                run = self.run_at(index)
                left, bottom, right, top = self.box(index, run.turn)
                has_ink = 0.01 * run.size < top - bottom < right - left
                self.texts[index] = "-" if has_ink else ""
        self.gone: set[int] = set()
        """Characters that take up space on their line but are not read: hidden or struck out."""

    def box(self, index: int, turn: int = 0) -> Box:
        """Left, bottom, right and top of a character's ink, in points, when it is turned upright."""
        left, right, bottom, top = self._sides
        self._box(self._raw, index, left, right, bottom, top)
        box = left.value, bottom.value, right.value, top.value
        return turned(box, turn) if turn > 0 else box

    def loose_box(self, index: int, turn: int) -> Box:
        """A character's box with the white beside its ink, when it is turned upright."""
        rect = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(self._raw, index, rect)
        return turned((rect.left, rect.bottom, rect.right, rect.top), turn)

    def run_at(self, index: int) -> Run:
        """The run of a character, or the run before it."""
        return self.runs[max(bisect_right(self.runs, index, key=attrgetter("start")) - 1, 0)]

    def origin(self, index: int, turn: int) -> float:
        """The start of a character on its baseline when it is turned upright."""
        raw.FPDFText_GetCharOrigin(self._raw, index, *self._sides[:2])
        x, y = self._sides[0].value, self._sides[1].value
        return turned((x, y, x, y), turn)[0]

    def run_box(self, run: Run) -> Box:
        """The box of a run, by its first and last character."""
        first, last = self.box(run.start), self.box(run.end - 1)
        return min(first[0], last[0]), min(first[1], last[1]), max(first[2], last[2]), max(first[3], last[3])

    def text(self, start: int, end: int) -> str:
        """The text from `start` to `end`."""
        return "".join(self.texts[start:end])

    def words(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the beginning and end of each word in a part of the page."""
        begun = start
        for index in range(start, end + 1):
            if index == end or self.texts[index] in (" ", "\n"):
                if any(self.texts[begun:index]):
                    yield begun, index
                begun = index + 1

    def take_out(self, start: int, end: int) -> None:
        """Replace the text from `start` to `end` with spaces."""
        for index in range(start, end):
            if self.texts[index] != "\n":
                self.texts[index] = " "
                self.gone.add(index)

    def _runs(self) -> Iterator[Run]:
        def address(index: int) -> int:
            handle = raw.FPDFText_GetTextObject(self._raw, index)
            return ctypes.addressof(handle.contents) if handle else 0

        start, count = 0, len(self.texts)
        while start < count:
            here, end = address(start), start + 1
            while here and end + 7 < count and address(end + 7) == here:
                end += 8
            while end < count and address(end) == here:
                end += 1
            first, last = start, end
            while first < last and self.texts[first] in ("", " ", "\n"):
                first += 1
            while last > first and self.texts[last - 1] in ("", " ", "\n"):
                last -= 1
            if here and first < last:
                yield from self._parts(self._run(first, last, here))
            start = end

    def _run(self, start: int, end: int, address: int) -> Run:
        handle = raw.FPDFText_GetTextObject(self._raw, start)
        matrix, across, up = raw.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
        raw.FPDFText_GetMatrix(self._raw, start, matrix)
        parts = [ctypes.c_uint() for _ in range(4)]
        has_colour = raw.FPDFText_GetFillColor(self._raw, start, *parts)
        red, green, blue, alpha = (part.value for part in parts) if has_colour else (0, 0, 0, 255)
        raw.FPDFText_GetCharOrigin(self._raw, start, across, up)
        quarters = -math.atan2(matrix.b, matrix.a) / (math.pi / 2)
        turn = round(quarters) % 4 if abs(quarters - round(quarters)) < 0.05 else -1
        x, y = across.value, up.value
        size = raw.FPDFText_GetFontSize(self._raw, start) * (math.hypot(matrix.c, matrix.d) or 1.0)
        weight, mode = raw.FPDFText_GetFontWeight(self._raw, start), raw.FPDFTextObj_GetTextRenderMode(handle)
        base, colour = turned((x, y, x, y), turn)[1], (red, green, blue, alpha)
        return Run(start, end, handle, address, size, weight, turn, base, mode, colour)

    def _parts(self, run: Run) -> Iterator[Run]:
        """Yield the run, cut at a font's own raised figures, which have the size and baseline of the rest."""
        if run.turn < 0 or not _DIGIT.search(self.text(run.start, run.end)):
            yield run
            return
        begun, was_high = run.start, False
        for index in range(run.start, run.end + 1):
            is_high = index < run.end and "0" <= self.texts[index] <= "9"
            if is_high:
                _, bottom, _, top = self.box(index, run.turn)
                is_high = bottom - run.base > 0.2 * run.size and top - bottom < 0.6 * run.size
            if is_high != was_high or index == run.end:
                if index > begun:
                    part = run._replace(start=begun, end=index)
                    high = part._replace(size=0.65 * run.size, base=run.base + 0.33 * run.size)
                    yield high if was_high else part
                begun, was_high = index, is_high
