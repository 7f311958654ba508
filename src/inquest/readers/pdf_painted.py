"""The characters of a PDF page that a reader sees: what is not painted left out, struck and raised text known."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

from inquest.readers.pdf_chars import Box, char_box, char_origin
from inquest.readers.pdf_form import Additions
from inquest.readers.pdf_lines import PdfLine
from inquest.readers.pdf_marks import LINKED, LOWERED, RAISED, TAKEN_OUT, shifted
from inquest.text.regex import regex

MAX_CHARS = 200_000
"""Of one page; a page of print has 2,000 to 8,000."""
_MAX_OBJECTS = 20_000
_TINY = 1.5
"""Points; the smallest print that is meant to be read has 4."""
_LIGHT = 190
"""The darkest part of a colour from which on it may be the paper's; with less, text on white is legible."""
_SEEN = 16
"""Of 255: what a dot must change by for text to be seen."""
_SCALE = 0.5
"""Dots to a point in which it is found out what text changes on the page."""
_INVISIBLE = 3
_CLIP = 7
_SHIFTED = regex(r"[\[(]?[-+−–]?\d+(?:[,;–-]\s?\d+)*[\])]?|[\[(]?[a-z][\])]?|[*†‡§¶]+|[⁰¹²³⁴-⁹]+")
"""What is a mark or an exponent; other small text is a unit, an ordinal's end or a label beside a figure."""
_LONGEST = 6
"""Characters of a raised or lowered text that is a mark or an exponent."""
_BREAKS = (0x0D, 0x0A)


class Run(NamedTuple):
    """Characters `start` to `end` of the page, painted at once: one font, size, colour and baseline."""

    start: int
    end: int
    handle: Any
    address: int
    size: float
    up: tuple[float, float]
    """The direction from the baseline to the top of the letters, of length one."""
    x: float
    y: float
    mode: int
    colour: tuple[int, int, int, int]


class Drawn(NamedTuple):
    """An object of the page in the order of painting; `colour` is that of a filled path, None of anything else."""

    kind: int
    box: Box
    address: int
    colour: tuple[int, int, int, int] | None


@dataclass(slots=True)
class Seen:
    """A page as a reader sees it, and what was left out of it."""

    codes: list[int]
    """For each character of the page its code; a blank for one that is not seen or was struck out."""
    hidden: int = 0
    """Words left out because nobody sees them."""
    is_ocr: bool = False
    """The text lies unseen over a picture of the page."""
    struck: list[str] = field(default_factory=list)
    """Passages that are struck out."""
    lines: list[PdfLine] = field(default_factory=list)
    height: float = 0.0
    added: Additions = field(default_factory=Additions)


def seen_notes(pages: Sequence[Seen]) -> list[str]:
    """What of the pages was left out, or is not what it looks like, in words."""

    def on(counts: Sequence[int]) -> tuple[int, str]:
        numbers = [number for number, count in enumerate(counts, 1) if count]
        listed = ", ".join(str(number) for number in numbers[:10]) + (", ..." if len(numbers) > 10 else "")
        return sum(counts), f"page {listed}" if len(numbers) == 1 else f"pages {listed}"

    notes = []
    hidden, where = on([page.hidden for page in pages])
    if hidden:
        notes.append(f"hidden text left out ({'1 word' if hidden == 1 else f'{hidden} words'} on {where})")
    scanned, where = on([page.is_ocr for page in pages])
    if scanned:
        notes.append(f"the text of {where} is an OCR layer, which may differ from the picture above it")
    struck, where = on([len(page.struck) for page in pages])
    if struck:
        notes.append(
            f"struck-out text is no evidence ({'1 passage' if struck == 1 else f'{struck} passages'} on {where})"
        )
    return notes


def painted(page: Any, text_page: Any, struck_boxes: Sequence[Box] = ()) -> Seen:
    """The characters of a page. `page` and `text_page` are pypdfium2's; `struck_boxes`: where annotations strike."""
    from pypdfium2 import raw

    count = min(raw.FPDFText_CountChars(text_page.raw), MAX_CHARS)
    found = Seen([raw.FPDFText_GetUnicode(text_page.raw, index) for index in range(count)])
    runs = [
        part
        for each in _runs(text_page, count)
        if (run := _inked(each, found.codes)).end > run.start
        for part in _parts(text_page, run, found.codes)
    ]
    drawn = list(_drawn(page))
    hidden = _unseen(page, text_page, runs, drawn)
    if hidden:
        _leave_out(found, runs, hidden, drawn, page)
    _strike(found, text_page, runs, drawn, struck_boxes)
    _shift(found.codes, page, text_page, runs)
    return found


def _runs(text_page: Any, count: int) -> Iterator[Run]:
    from pypdfium2 import raw

    def address(index: int) -> int:
        handle = raw.FPDFText_GetTextObject(text_page.raw, index)
        return ctypes.addressof(handle.contents) if handle else 0

    start = 0
    while start < count:
        here = address(start)
        end = start + 1
        if not here:
            start = end
            continue
        while end + 7 < count and address(end + 7) == here:
            end += 8
        while end < count and address(end) == here:
            end += 1
        yield _run(text_page, start, end, here)
        start = end


def _run(text_page: Any, start: int, end: int, address: int) -> Run:
    from pypdfium2 import raw

    handle = raw.FPDFText_GetTextObject(text_page.raw, start)
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text_page.raw, start, matrix)
    scale = math.hypot(matrix.c, matrix.d) or 1.0
    parts = [ctypes.c_uint() for _ in range(4)]
    has_colour = raw.FPDFText_GetFillColor(text_page.raw, start, *parts)
    red, green, blue, alpha = (part.value for part in parts) if has_colour else (0, 0, 0, 255)
    x, y = char_origin(text_page, start)
    size = raw.FPDFText_GetFontSize(text_page.raw, start) * scale
    mode = raw.FPDFTextObj_GetTextRenderMode(handle)
    up = (matrix.c / scale, matrix.d / scale)
    return Run(start, end, handle, address, size, up, x, y, mode, (red, green, blue, alpha))


def _parts(text_page: Any, run: Run, codes: Sequence[int]) -> Iterator[Run]:
    """The run, cut where figures are drawn small and high: fonts have raised figures of their own, of the same size and
    on the same baseline as the rest."""
    begun, was_high = run.start, False
    for at in range(run.start, run.end + 1):
        is_high = at < run.end and 0x30 <= codes[at] <= 0x39 and run.up[1] > 0.99
        if is_high:
            _, bottom, _, top = char_box(text_page, at)
            is_high = bottom - run.y > 0.2 * run.size and top - bottom < 0.6 * run.size
        if is_high != was_high or at == run.end:
            if at > begun:
                x = run.x if begun == run.start else char_origin(text_page, begun)[0]
                part = run._replace(start=begun, end=at, x=x)
                yield part._replace(size=0.65 * run.size, y=run.y + 0.33 * run.size) if was_high else part
            begun, was_high = at, is_high


def _drawn(page: Any) -> Iterator[Drawn]:
    """The objects of a page and of the forms on it, in the order of painting."""
    from pypdfium2 import raw

    left = [_MAX_OBJECTS]

    def each(parent: Any, count: int, get: Callable[[Any, int], Any], placing: tuple[float, ...]) -> Iterator[Drawn]:
        for index in range(min(count, left[0])):
            handle = get(parent, index)
            left[0] -= 1
            kind = raw.FPDFPageObj_GetType(handle)
            if kind == raw.FPDF_PAGEOBJ_FORM:
                matrix = raw.FS_MATRIX()
                raw.FPDFPageObj_GetMatrix(handle, matrix)
                inner = _placed_in((matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f), placing)
                yield from each(handle, raw.FPDFFormObj_CountObjects(handle), raw.FPDFFormObj_GetObject, inner)
                continue
            edges = [ctypes.c_float() for _ in range(4)]
            raw.FPDFPageObj_GetBounds(handle, *edges)
            box = _moved((edges[0].value, edges[1].value, edges[2].value, edges[3].value), placing)
            colour = _fill(handle) if kind == raw.FPDF_PAGEOBJ_PATH else None
            yield Drawn(kind, box, ctypes.addressof(handle.contents), colour)

    return each(page.raw, raw.FPDFPage_CountObjects(page.raw), raw.FPDFPage_GetObject, (1, 0, 0, 1, 0, 0))


def _placed_in(inner: tuple[float, ...], outer: tuple[float, ...]) -> tuple[float, ...]:
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _moved(box: Box, by: tuple[float, ...]) -> Box:
    a, b, c, d, e, f = by
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
    across, up = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(up), max(across), max(up)


def _fill(handle: Any) -> tuple[int, int, int, int] | None:
    from pypdfium2 import raw

    mode, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(handle, mode, stroke)
    parts = [ctypes.c_uint() for _ in range(4)]
    if not mode.value or not raw.FPDFPageObj_GetFillColor(handle, *parts):
        return None
    return parts[0].value, parts[1].value, parts[2].value, parts[3].value


def _unseen(page: Any, text_page: Any, runs: Sequence[Run], drawn: Sequence[Drawn]) -> set[int]:
    """The numbers of the runs that nobody sees."""
    unseen: set[int] = set()
    doubtful: list[int] = []
    paper = page.get_bbox()
    layers: dict[int, bool] = {}
    behind = _Behind(drawn)
    for number, run in enumerate(runs):
        box = behind.box(run) or _box_of(text_page, run)
        off = box[2] <= paper[0] or box[0] >= paper[2] or box[3] <= paper[1] or box[1] >= paper[3]
        clear = run.colour[3] == 0 and run.mode in (0, 4)
        tiny = run.size < _TINY and box[3] - box[1] < _TINY
        if run.mode == _INVISIBLE or off or clear or tiny:
            unseen.add(number)
        elif run.mode == _CLIP or behind.may_hide(run, box) or _is_in_layer(run, layers):
            doubtful.append(number)
    if doubtful:
        unseen.update(_without_effect(page, text_page, runs, doubtful))
    return unseen


def _box_of(text_page: Any, run: Run) -> Box:
    first, last = char_box(text_page, run.start), char_box(text_page, run.end - 1)
    return min(first[0], last[0]), min(first[1], last[1]), max(first[2], last[2]), max(first[3], last[3])


class _Behind:
    """What is painted before and after text, at its place."""

    def __init__(self, drawn: Sequence[Drawn]) -> None:
        from pypdfium2 import raw

        self._boxes = {each.address: each.box for each in drawn if each.kind == raw.FPDF_PAGEOBJ_TEXT}
        self._order = {each.address: number for number, each in enumerate(drawn)}
        pictures = (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
        self._areas = [
            (number, each)
            for number, each in enumerate(drawn)
            if (each.colour is not None or each.kind in pictures)
            and each.box[2] - each.box[0] > 4
            and each.box[3] - each.box[1] > 4
        ][:3_000]

    def box(self, run: Run) -> Box | None:
        """The place of the text."""
        return self._boxes.get(run.address)

    def may_hide(self, run: Run, box: Box) -> bool:
        """True if a later area may cover the text, or what was painted there before it may have the text's colour."""
        order = self._order.get(run.address, -1)
        across, up = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        under = None
        for number, area in self._areas:
            if area.box[0] <= across <= area.box[2] and area.box[1] <= up <= area.box[3]:
                if number > order:
                    return True
                under = area
        if under and under.colour and under.colour[3] == 255:
            pairs = zip(under.colour[:3], run.colour[:3], strict=True)
            return all(abs(one - other) < 3 * _SEEN for one, other in pairs)
        return min(run.colour[:3]) >= _LIGHT


def _is_in_layer(run: Run, known: dict[int, bool]) -> bool:
    """True for text of an optional layer, which may be switched off."""
    from pypdfium2 import raw

    for index in range(raw.FPDFPageObj_CountMarks(run.handle)):
        mark = raw.FPDFPageObj_GetMark(run.handle, index)
        address = ctypes.addressof(mark.contents)
        if address not in known:
            name, length = (ctypes.c_ushort * 16)(), ctypes.c_ulong()
            raw.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), length)
            known[address] = bytes(name)[:4].decode("utf-16-le") == "OC"
        if known[address]:
            return True
    return False


def _without_effect(page: Any, text_page: Any, runs: Sequence[Run], doubtful: Sequence[int]) -> Iterator[int]:
    """Those of the doubtful runs without which the page looks the same."""
    from pypdfium2 import raw

    def dots() -> Any:
        drawing = page.render(scale=scale, draw_annots=False, may_draw_forms=False, prefer_bgrx=False)
        return drawing.to_numpy()[:, :, :3]

    scale = min(_SCALE, 1_500 / max(*page.get_size(), 1))
    shown = dots()
    handles = [runs[number].handle for number in doubtful]
    for handle in handles:
        raw.FPDFPageObj_SetIsActive(handle, 0)
    try:
        without = dots()
    finally:
        for handle in handles:
            raw.FPDFPageObj_SetIsActive(handle, 1)
    height, width = shown.shape[:2]
    across, down = ctypes.c_int(), ctypes.c_int()
    for number in doubtful:
        corners = []
        box = _box_of(text_page, runs[number])
        for x, y in ((box[0], box[1]), (box[2], box[3])):
            raw.FPDF_PageToDevice(page.raw, 0, 0, width, height, 0, x, y, across, down)
            corners.append((across.value, down.value))
        (left, one), (right, other) = corners
        rows = slice(max(0, min(one, other)), max(one, other) + 1)
        columns = slice(max(0, min(left, right)), max(left, right) + 1)
        if not (abs(shown[rows, columns].astype("int16") - without[rows, columns]) >= _SEEN).any():
            yield number


def _leave_out(found: Seen, runs: Sequence[Run], hidden: set[int], drawn: Sequence[Drawn], page: Any) -> None:
    """Blanks in place of hidden text, unless it is what was recognised in a picture of the page."""
    from pypdfium2 import raw

    lengths = [sum(found.codes[at] > 0x20 for at in range(run.start, run.end)) for run in runs]
    unseen = sum(lengths[number] for number in hidden)
    left, bottom, right, top = page.get_bbox()
    pictured = sum(
        max(0.0, min(each.box[2], right) - max(each.box[0], left))
        * max(0.0, min(each.box[3], top) - max(each.box[1], bottom))
        for each in drawn
        if each.kind == raw.FPDF_PAGEOBJ_IMAGE
    )
    if pictured >= 0.6 * (right - left) * (top - bottom) and 2 * unseen >= sum(lengths):
        found.is_ocr = True
        return
    spans = [(runs[number].start, runs[number].end) for number in sorted(hidden)]
    for start, end in _joined(spans, found.codes):
        found.hidden += len(_words(found.codes[start:end]).split())
        for at in range(start, end):
            if found.codes[at] not in _BREAKS:
                found.codes[at] = 0x20


def _joined(spans: Iterable[tuple[int, int]], codes: Sequence[int]) -> list[tuple[int, int]]:
    """Spans with those made one that only blanks and line breaks part."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and all(code <= 0x20 for code in codes[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _words(codes: Iterable[int]) -> str:
    return "".join(chr(code) if 0x20 < code < 0x110000 and not 0xD800 <= code < 0xE000 else " " for code in codes)


def _strike(
    found: Seen, text_page: Any, runs: Sequence[Run], drawn: Sequence[Drawn], struck_boxes: Sequence[Box]
) -> None:
    """Takes out the words that a line crosses, and keeps them apart."""
    from pypdfium2 import raw

    lines = [
        each.box
        for each in drawn
        if each.kind == raw.FPDF_PAGEOBJ_PATH and each.box[3] - each.box[1] < 3 and each.box[2] - each.box[0] > 3
    ]
    crossed: set[int] = set()
    for line in lines:
        middle = (line[1] + line[3]) / 2
        near = [run for run in runs if run.up[1] > 0.99 and 0.12 < (middle - run.y) / max(run.size, 1) < 0.5]
        crossed |= _crossed(text_page, [run for run in near if line[3] - line[1] < 0.2 * run.size], line)
    for box in struck_boxes:
        crossed |= _crossed(text_page, [run for run in runs if box[1] - 2 <= run.y <= box[3]], box)
    if not crossed:
        return
    words = [
        word
        for run in _joined([(at, at + 1) for at in sorted(crossed)], found.codes)
        for word in _whole(found.codes, *run, crossed)
    ]
    for start, end in _joined(words, found.codes):
        found.struck.append(" ".join(_words(found.codes[start:end]).split()))
        for at in range(start, end):
            if found.codes[at] > 0x20:
                found.codes[at] = TAKEN_OUT


def _crossed(text_page: Any, runs: Sequence[Run], line: Box) -> set[int]:
    """The characters along a line, if they take up most of its length: a rule of a table runs on beyond its words."""
    boxes = {
        at: box
        for run in runs
        for at in range(run.start, run.end)
        if line[0] - 1 <= ((box := char_box(text_page, at))[0] + box[2]) / 2 <= line[2] + 1
    }
    if not boxes:
        return set()
    width = max(box[2] for box in boxes.values()) - min(box[0] for box in boxes.values())
    inked = sum(box[2] - box[0] for box in boxes.values())
    return set(boxes) if width >= 0.75 * (line[2] - line[0]) and inked >= 0.5 * (line[2] - line[0]) else set()


def _whole(codes: Sequence[int], start: int, end: int, crossed: set[int]) -> Iterator[tuple[int, int]]:
    """The words between two places of which most is crossed."""
    while start > 0 and codes[start - 1] > 0x20:
        start -= 1
    while end < len(codes) and codes[end] > 0x20:
        end += 1
    begun = start
    for at in range(start, end + 1):
        if at == end or codes[at] <= 0x20:
            if at > begun and sum(place in crossed for place in range(begun, at)) >= 0.6 * (at - begun):
                yield begun, at
            begun = at + 1


def _shift(codes: list[int], page: Any, text_page: Any, runs: Sequence[Run]) -> None:
    """Puts what is raised or lowered from its line where `pdf_marks` finds it, and mends lines broken by it."""
    base: Run | None = None
    seen = [run for run in runs if 0x20 < codes[run.start] != TAKEN_OUT]
    for run, after in zip_longest(seen, seen[1:]):
        inked = [at for at in range(run.start, run.end) if codes[at] > 0x20]
        is_mark = len(inked) <= _LONGEST and bool(_SHIFTED.fullmatch(_words(codes[run.start : run.end])))
        place = _place_of(run, base) if base and len(inked) <= _LONGEST else 0
        if place and base and not _is_beside(text_page, base, run, 0.7):
            place = 0
        if not place and after and is_mark and _place_of(run, after) == RAISED:
            place = 0 if base and _is_beside(text_page, base, run, 4) else RAISED
        if not place:
            base = run
            continue
        if place == RAISED and base and _is_linked(page, text_page, inked[0], base.end - 1):
            place = LINKED
        for at in inked if is_mark else ():
            codes[at] = shifted(codes[at], place)
        _close(codes, text_page, base, run, after)


def _inked(run: Run, codes: Sequence[int]) -> Run:
    """The run without blanks at its ends."""
    start, end = run.start, run.end
    while start < end and codes[start] <= 0x20:
        start += 1
    while end > start and codes[end - 1] <= 0x20:
        end -= 1
    return run._replace(start=start, end=end)


def _place_of(run: Run, base: Run) -> int:
    """RAISED or LOWERED by its size and its baseline against those of the text beside it, or 0."""
    if run.up[0] * base.up[0] + run.up[1] * base.up[1] < 0.99:
        return 0
    rise = ((run.x - base.x) * base.up[0] + (run.y - base.y) * base.up[1]) / max(base.size, 0.1)
    is_small = run.size <= 0.87 * base.size
    if (0.12 if is_small else 0.2) < rise < 0.75 and run.size <= 1.02 * base.size:
        return RAISED
    return LOWERED if is_small and -0.45 < rise < -0.05 else 0


def _is_beside(text_page: Any, base: Run, run: Run, most: float) -> bool:
    """True if the run begins where the other ends, at most so many type sizes further. Turned text is not measured."""
    if base.up[1] < 0.99:
        return True
    gap = char_box(text_page, run.start)[0] - _right(text_page, base)
    return abs(run.y - base.y) < base.size and -0.6 * base.size < gap < most * base.size


def _right(text_page: Any, run: Run) -> float:
    return max(char_box(text_page, at)[2] for at in range(max(run.start, run.end - 3), run.end))


def _is_linked(page: Any, text_page: Any, mark: int, base: int) -> bool:
    from pypdfium2 import raw

    def link(at: int) -> bool:
        left, bottom, right, top = char_box(text_page, at)
        return bool(raw.FPDFLink_GetLinkAtPoint(page.raw, (left + right) / 2, (bottom + top) / 2))

    return link(mark) and not link(base)


def _close(codes: list[int], text_page: Any, base: Run | None, run: Run, after: Run | None) -> None:
    """Takes the line breaks away that the library makes before and after a raised mark in the middle of a line."""
    for one, other in ((base, run), (run, after)):
        if base is None or one is None or other is None:
            continue
        between = range(one.end, other.start)
        if not any(codes[at] in _BREAKS for at in between):
            continue
        on_line = other is run or abs(other.y - base.y) < 0.1 * base.size
        gap = char_box(text_page, other.start)[0] - _right(text_page, one)
        if on_line and -0.6 * base.size < gap < base.size:
            for at in between:
                codes[at] = 0x20 if gap > 0.22 * base.size else 0
