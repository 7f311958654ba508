"""The lines of a PDF page with their places, as the library finds them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from inquest.domain.document import Table
from inquest.readers.pdf_chars import Box, char_box, char_origin, char_size

CELL = " | "
"""Stands in a line between texts that are set far apart on it: cells of a table's row, columns side by side."""
_CELL_GAP = 1.9
"""Of the type size. A space is 0.25 of it, justified lines rarely stretch one beyond 1, an icon in the text takes 1.8;
columns of tables in the reports that this was set by begin at 2.0."""

HYPHEN = "\x02"
"""Stands in a line where a word was divided at a line's end; pdfium writes the two halves as one line."""
_HYPHENS = frozenset((0x02, 0xFFFE))
SHIFTED = 0x110000
"""Codes from here on are characters that are raised or lowered from their line; `pdf_marks` spells them."""
_PIECE_GAP = 0.5
"""Of the type size. Cells of dense tables are set no further apart; whether they are cells the rows around them say."""
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


class PdfPiece(NamedTuple):
    """Words of a line that stand closer together than cells do, with their left and right edge in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class PdfLine:
    """One line. Places in points from the lower left corner of the page; `top` and `bottom` are the baselines of its
    first and last characters, which differ where a divided word ties two lines together."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    """Of the type, in points."""
    weight: int
    """Of the first character, 400 is regular; -1: the font does not say."""
    end_weight: int
    pieces: tuple[PdfPiece, ...] = ()
    """The line cut wherever cells of a table could meet."""
    table: Table | None = None
    """The table, with offsets into `text`, if this is no line but a whole one."""


def page_lines(text_page: Any, codes: Sequence[int]) -> list[PdfLine]:
    """The lines of a page in the order of the content. `text_page` is a pypdfium2 text page, `codes` its characters as
    `pdf_painted` has them."""
    count = len(codes)
    lines: list[PdfLine] = []
    start = 0
    for index in range(count + 1):
        if index == count or codes[index] in (0x0D, 0x0A):
            if index > start:
                lines += _lines(text_page, codes, start, index)
            start = index + 1
    return lines


def _lines(text_page: Any, codes: Sequence[int], start: int, end: int) -> list[PdfLine]:
    """One line, or several that the library has put together although they have not the same baseline."""
    line = _line(text_page, codes, start, end, 0)
    if line is None or abs(line.top - line.bottom) <= 0.5 * line.size:
        return [line] if line else []
    if any(code in _HYPHENS for code in codes[start:end]):
        return [line]
    parts = _on_one_baseline(text_page, codes, range(start, end), 0.5 * line.size)
    return [made for first, last, turn in parts if (made := _line(text_page, codes, first, last, turn))]


def _on_one_baseline(
    text_page: Any, codes: Sequence[int], places: range, step: float
) -> Iterator[tuple[int, int, int]]:
    """Beginning, end and quarter turns of each run of words on one baseline."""
    from pypdfium2 import raw

    begun, before = places.start, (0, 0.0)
    for index in places:
        if codes[index] <= 0x20 or (index > places.start and codes[index - 1] > 0x20):
            continue
        quarters = max(0.0, raw.FPDFText_GetCharAngle(text_page.raw, index)) / (math.pi / 2)
        turn = round(quarters) % 4
        if abs(quarters - round(quarters)) > 0.05:
            turn = 0
        here = turn, _turned(char_origin(text_page, index), turn)[1]
        if index > begun and (before[0] != turn or abs(before[1] - here[1]) > step):
            yield begun, index, before[0]
            begun = index
        before = here
    yield begun, places.stop, before[0]


def _turned(point: tuple[float, float], turn: int) -> tuple[float, float]:
    """A place on the page as it is seen when text that runs down (1), upside down (2) or up (3) is set upright."""
    across, up = point
    return ((across, up), (-up, across), (-across, -up), (up, -across))[turn]


def _turned_box(text_page: Any, turn: int, index: int) -> Box:
    left, bottom, right, top = char_box(text_page, index)
    if not turn:
        return left, bottom, right, top
    one, other = _turned((left, bottom), turn), _turned((right, top), turn)
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])


def _line(text_page: Any, codes: Sequence[int], start: int, end: int, turn: int) -> PdfLine | None:
    visible = [index for index in range(start, end) if codes[index] > 0x20 and codes[index] not in _HYPHENS]
    if not visible:
        return None
    first, last = visible[0], visible[-1]
    size = _usual_size(text_page, visible)
    box = partial(_turned_box, text_page, turn)
    text, pieces = _with_cells(box, codes, start, end, size)
    if _is_letter_spaced(text):
        text = _closed_up(text_page, codes, visible)
    left, top = _turned(char_origin(text_page, first), turn)
    _, bottom = _turned(char_origin(text_page, last), turn)
    if codes[first] >= SHIFTED or codes[last] >= SHIFTED:
        on_line = [index for index in visible if codes[index] < SHIFTED] or visible
        top, bottom = (_turned(char_origin(text_page, index), turn)[1] for index in (on_line[0], on_line[-1]))
    rights = [box(last)[2]]
    if any(code in _HYPHENS for code in codes[start:end]):
        # The line runs to where its first half broke off.
        rights += [box(index - 1)[2] for index in range(start + 1, end) if codes[index] in _HYPHENS]
    return PdfLine(
        text=text,
        left=left,
        right=max(rights),
        top=top,
        bottom=bottom,
        size=size,
        weight=_weight(text_page, first),
        end_weight=_weight(text_page, last),
        pieces=pieces,
    )


def _spelled(codes: Sequence[int]) -> str:
    if codes and min(codes) >= 0x20 and max(codes) < 0xD800:
        return "".join(map(chr, codes)).translate(_LIGATURES)
    found: list[str] = []
    pending = 0
    for code in codes:
        if 0xD800 <= code < 0xDC00:
            pending = code
        elif 0xDC00 <= code < 0xE000 and pending:
            found.append(chr(0x10000 + ((pending - 0xD800) << 10) + (code - 0xDC00)))
            pending = 0
        elif code in _HYPHENS:
            found.append(HYPHEN)
        elif code >= SHIFTED:
            found.append(chr(code - SHIFTED + 0xE000))
        elif 0x20 <= code < 0x110000 and not 0xD800 <= code < 0xE000 and not 0xE000 <= code < 0xF900:
            found.append(chr(code))
        elif code in (0x09, 0xA0):
            found.append(" ")
    return "".join(found).translate(_LIGATURES)


def _is_letter_spaced(text: str) -> bool:
    """Whether a heading is set with space between its letters: C L I M AT E."""
    pieces = text.split()
    short = sum(1 for piece in pieces if len(piece) <= 2 and piece.isalpha() and piece.isupper())
    return len(pieces) >= 5 and short >= 0.6 * len(pieces)


def _closed_up(text_page: Any, codes: Sequence[int], visible: Sequence[int]) -> str:
    """A letter-spaced line with its words put together again: only gaps wider than those between letters are spaces.

    Gaps are taken relative to the type size, since such lines often mix two sizes; a very wide one parts two texts.
    """
    boxes = [char_box(text_page, index) for index in visible]
    sizes = [char_size(text_page, index) for index in visible]
    gaps = [(after[0] - before[2]) / size for before, after, size in zip(boxes, boxes[1:], sizes, strict=False)]
    texts: list[list[int]] = [[0]]
    for place, gap in enumerate(gaps, 1):
        if gap > _CELL_GAP:
            texts.append([])
        texts[-1].append(place)
    spelled = []
    for places in texts:
        inner = [gaps[place - 1] for place in places[1:]]
        usual = max(median(inner), 0.01) if inner else 1.0
        pieces = []
        for place in places:
            if place != places[0]:
                between = codes[visible[place - 1] + 1 : visible[place]]
                if any(code in _HYPHENS for code in between):
                    pieces.append(HYPHEN)
                elif gaps[place - 1] > 1.7 * usual:
                    pieces.append(" ")
            pieces.append(_spelled(codes[visible[place] : visible[place] + 1]))
        spelled.append("".join(pieces))
    return CELL.join(spelled)


def _with_cells(
    box: Callable[[int], Box], codes: Sequence[int], start: int, end: int, size: float
) -> tuple[str, tuple[PdfPiece, ...]]:
    """The words of a line and its pieces. Where the gap between two words is far wider than a space, they are cells of
    a row."""
    parts, pieces, begun, piece, index = [], [], start, start, start
    left = None
    while index < end:
        if codes[index] > 0x20 or index == start:
            left = box(index)[0] if left is None and codes[index] > 0x20 else left
            index += 1
            continue
        after = index
        while after < end and codes[after] <= 0x20:
            after += 1
        if after < end and not any(code in _HYPHENS for code in codes[index - 1 : after + 1]):
            right, following = box(index - 1)[2], box(after)[0]
            if following - right > _PIECE_GAP * size:
                pieces.append(PdfPiece(_spelled(codes[piece:index]).strip(), left or 0.0, right))
                piece, left = after, following
            if following - right > _CELL_GAP * size:
                parts.append(_spelled(codes[begun:index]))
                begun = after
        index = after + 1
    parts.append(_spelled(codes[begun:end]))
    while end > piece + 1 and codes[end - 1] <= 0x20:
        end -= 1
    pieces.append(PdfPiece(_spelled(codes[piece:end]).strip(), left or 0.0, box(end - 1)[2]))
    return CELL.join(part.strip() if len(parts) > 1 else part for part in parts), tuple(pieces)


def _usual_size(text_page: Any, visible: Sequence[int]) -> float:
    """The size that most of a line is set in: links and superscripts are often smaller than the text around them."""
    step = max(1, len(visible) // 7)
    sampled = [round(char_size(text_page, index), 1) for index in visible[::step]]
    return max(sampled, key=lambda size: (sampled.count(size), size))


def _weight(text_page: Any, index: int) -> int:
    from pypdfium2 import raw

    return int(raw.FPDFText_GetFontWeight(text_page.raw, index))
