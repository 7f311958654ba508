"""The visible characters of a PDF page, with struck-out and raised text detected."""

from __future__ import annotations

import ctypes
import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from pypdfium2 import raw

from inquest.domain.document import BlockKind
from inquest.readers.pdf.chars import Added, Box, PageChars, Run, turned
from inquest.readers.pdf.lines import END, LINKED, LOWERED, RAISED, PdfLine
from inquest.text.regex import regex

_MAX_OBJECTS = 20_000
_TINY = 1.5  # Points; the smallest legible print has 4.
_NARROW = 0.05  # Mean width of legible characters relative to their size, at least; narrow type has 0.3.
_LIGHT = 190  # Minimum value of the darkest colour channel for text that may be invisible on white paper.
_SEEN = 16  # Minimum change of a dot (0 to 255) that makes text visible.
_WINDOW = 0.5  # Minimum correlation of what a page shows with the letters that it shows through.
_SCALE = 0.5  # Dots per point when comparing drawings of the page.
_INVISIBLE, _CLIP = 3, 7  # Modes in which text is painted (ISO 32000-1, 9.3.6).
_MARK = regex(
    r"[,;]?\s?[\[(]?[-+−–]?(?:\d+|[a-z](?![a-z])|[*†‡§¶]+)(?:[,;–-]\s?(?:\d+|[a-z](?![a-z])|[*†‡§¶]+))*[\])]?[,;]?|[⁰¹²³⁴-⁹]+|[,;]"
)
"""One or more marks, or an exponent; other small text is a unit, the end of an ordinal, or a label beside a number."""
_LONGEST = 6  # Characters of a raised or lowered mark or exponent.
_SMALL = 0.87  # Size of raised and lowered text relative to its base, at most.
_NEAR = 100  # Runs before and after a mark among which its base is sought.
_TALLEST = 100  # Points of the largest type that a line may strike out.


class Drawn(NamedTuple):
    """An object of the page in painting order; `colour` is that of a filled path, else None."""

    kind: int
    box: Box
    handle: Any
    colour: tuple[int, int, int, int] | None
    is_nested: bool
    """True within a form object, which may be of a layer that is switched off."""


@dataclass(slots=True)
class Seen:
    """The visible content of a page, and what was left out."""

    lines: list[PdfLine] = field(default_factory=list)
    height: float = 0.0
    hidden: int = 0
    """Number of invisible words left out."""
    is_ocr: bool = False
    """True if invisible text lies over a picture of the page."""
    added: list[Added] = field(default_factory=list)
    """Text struck out, filled in or noted on the page."""


def painted(page: Any, chars: PageChars, struck_boxes: Sequence[Box] = (), covered: Sequence[Box] = ()) -> Seen:
    """Reduce `chars` to the visible text of a pypdfium2 page. `struck_boxes` are struck out by annotations, `covered`
    boxes may be covered by them."""
    found, drawn = Seen(height=page.get_height()), list(_drawn(page))
    if hidden := _unseen(page, chars, drawn, covered):
        _leave_out(found, page, chars, drawn, hidden)
    _strike(found, chars, drawn, struck_boxes)
    _shift(page, chars)
    return found


def _drawn(page: Any) -> Iterator[Drawn]:
    """Yield the objects of a page and of its form objects in painting order."""
    placing: list[Any] = []
    for each in islice(page.get_objects(), _MAX_OBJECTS):
        del placing[each.level :]
        if each.type == raw.FPDF_PAGEOBJ_FORM:
            placing.append(each.get_matrix())
            continue
        box = _bounds(each)
        for matrix in reversed(placing):
            box = matrix.on_rect(*box)
        colour = _fill(each.raw) if each.type == raw.FPDF_PAGEOBJ_PATH else None
        yield Drawn(each.type, box, each.raw, colour, bool(placing))


def _bounds(drawn: Any) -> Box:
    """Return the box of an object. The library adds the width of a stroke on each side, which covers half of it."""
    left, bottom, right, top = drawn.get_bounds()
    mode, stroke, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    if drawn.type == raw.FPDF_PAGEOBJ_PATH and raw.FPDFPath_GetDrawMode(drawn.raw, mode, stroke) and stroke.value:
        raw.FPDFPageObj_GetStrokeWidth(drawn.raw, width)
        matrix = drawn.get_matrix()
        half = width.value * math.hypot(matrix.c, matrix.d) / 2
        left, bottom, right, top = left + half, bottom + half, right - half, top - half
    return left, bottom, right, top


def _fill(handle: Any) -> tuple[int, int, int, int] | None:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(handle, mode, stroke)
    parts = [ctypes.c_uint() for _ in range(4)]
    if not mode.value or not raw.FPDFPageObj_GetFillColor(handle, *parts):
        return None
    return parts[0].value, parts[1].value, parts[2].value, parts[3].value


def _unseen(page: Any, chars: PageChars, drawn: Sequence[Drawn], covered: Sequence[Box]) -> list[Run]:
    """Return the invisible runs, by their settings or, in doubt, by their effect on a drawing of the page."""
    unseen: list[Run] = []
    doubtful: list[tuple[Run, list[Box]]] = []
    windows: list[Run] = []
    paper = page.get_bbox()
    texts = [(number, each) for number, each in enumerate(drawn) if each.kind == raw.FPDF_PAGEOBJ_TEXT]
    places = {ctypes.addressof(each.handle.contents): (number, each.box, each.is_nested) for number, each in texts}
    pictures = (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
    areas = [
        (number, each)
        for number, each in enumerate(drawn)
        if (each.colour or each.kind in pictures) and min(each.box[2] - each.box[0], each.box[3] - each.box[1]) > 4
    ][:3_000]
    areas += [(len(drawn), Drawn(raw.FPDF_PAGEOBJ_UNKNOWN, box, None, None, False)) for box in covered]
    for run in chars.runs:
        order, box, is_nested = places.get(run.address, (-1, None, False))
        box = box or chars.run_box(run)
        over = [area.box for number, area in areas if number > order and _overlap(area.box, box)]
        clear = run.colour[3] == 0 and run.mode in (0, 4)
        tiny = run.size < _TINY and box[3] - box[1] < _TINY
        if run.mode == _INVISIBLE or not _overlap(box, paper) or tiny or _is_squeezed(chars, run):
            unseen.append(run)
        elif clear or run.mode == _CLIP:
            windows.append(run)
        elif (
            over
            or is_nested
            or _may_hide(areas, order, box, run.colour)
            or _is_in_layer(run)
            or _is_clipped(run, chars.run_box(run))
        ):
            doubtful.append((run, over))
    unseen += _without_effect(page, chars, doubtful, bool(covered)) if doubtful else ()
    return unseen + list(_unfilled(page, chars, drawn, windows) if windows else ())


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _middle(box: Box) -> Box:
    across, up = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return across, up, across, up


def _may_hide(areas: Sequence[tuple[int, Drawn]], order: int, box: Box, colour: Sequence[int]) -> bool:
    """Return True if the area below the text has nearly its colour."""
    under: tuple[int, ...] | None = None
    for number, area in areas:
        if number < order and _overlap(area.box, _middle(box)):
            under = area.colour
    if under is None or under[3] < 255:
        return min(colour[:3]) >= _LIGHT
    return all(abs(under[part] - colour[part]) < 3 * _SEEN for part in range(3))


def _is_clipped(run: Run, box: Box) -> bool:
    """Return True for text outside one of the paths that it is clipped by."""
    clip, x, y = raw.FPDFPageObj_GetClipPath(run.handle), ctypes.c_float(), ctypes.c_float()
    for path in range(raw.FPDFClipPath_CountPaths(clip)):
        corners = []
        for index in range(raw.FPDFClipPath_CountPathSegments(clip, path)):
            raw.FPDFPathSegment_GetPoint(raw.FPDFClipPath_GetPathSegment(clip, path, index), x, y)
            corners.append((x.value, y.value))
        across, up = zip(*corners or [(0.0, 0.0)], strict=True)
        if not _overlap(box, (min(across), min(up), max(across), max(up))):
            return True
    return False


def _is_squeezed(chars: PageChars, run: Run) -> bool:
    """Return True for several characters in next to no width, by their horizontal scaling or spacing."""
    left, bottom, right, top = turned(chars.run_box(run), run.turn)
    count = run.end - run.start
    return count > 2 and bottom < top and right - left < _NARROW * run.size * count


def _is_in_layer(run: Run) -> bool:
    """Return True for text of an optional layer, which may be switched off."""
    name, length = (ctypes.c_ushort * 16)(), ctypes.c_ulong()
    for index in range(raw.FPDFPageObj_CountMarks(run.handle)):
        raw.FPDFPageObjMark_GetName(raw.FPDFPageObj_GetMark(run.handle, index), name, ctypes.sizeof(name), length)
        if bytes(name)[:4].decode("utf-16-le") == "OC":
            return True
    return False


def _without_effect(
    page: Any, chars: PageChars, doubtful: Sequence[tuple[Run, list[Box]]], is_annotated: bool
) -> Iterator[Run]:
    """Yield the doubtful runs without which the page looks the same, or such words of them below one of the boxes."""

    def is_same(box: Box, inset: int = 0) -> bool:
        where = _dots_in(page, shown, box, inset)
        change = abs(shown[where].astype("int16") - without[where])
        return not (change >= _SEEN).any() and (not inset or change.size > 0)

    shown = _drawing(page, is_annotated=is_annotated)
    without = _drawing(page, [run.handle for run, _ in doubtful], is_annotated=is_annotated)
    for run, over in doubtful:
        if is_same(chars.run_box(run)):
            yield run
            continue
        # The ink of the words beside a covered word must not count as its own.
        for start, end in chars.words(run.start, run.end) if over else ():
            word = run._replace(start=start, end=end)
            box, beside = chars.run_box(word), {*chars.texts[start - 1 : start], *chars.texts[end : end + 1]}
            if beside <= {" ", "\n"} and any(_overlap(each, _middle(box)) for each in over) and is_same(box, 1):
                yield word


def _unfilled(page: Any, chars: PageChars, drawn: Sequence[Drawn], windows: Sequence[Run]) -> Iterator[Run]:
    """Yield the transparent and clipping runs whose letters no area shows. A transparent one over a picture may be an
    OCR layer, and other text may be in the same place."""
    own = {run.address for run in windows}
    others = [each for each in drawn if ctypes.addressof(each.handle.contents) not in own]
    shown = _drawing(page, [each.handle for each in others if each.kind == raw.FPDF_PAGEOBJ_TEXT])
    for run in windows:
        raw.FPDFTextObj_SetTextRenderMode(run.handle, raw.FPDF_TEXTRENDERMODE_FILL)
        raw.FPDFPageObj_SetFillColor(run.handle, 0, 0, 0, 255)
    letters = _drawing(page, [each.handle for each in others])
    pictures = [each.box for each in others if each.kind == raw.FPDF_PAGEOBJ_IMAGE]
    for run in windows:
        box = chars.run_box(run)
        where = _dots_in(page, shown, box)
        ink = letters[where].mean(axis=2)
        is_over = run.mode != _CLIP and any(_overlap(each, box) for each in pictures)
        if is_over or not any(abs(_correlation(ink, shown[where][:, :, part])) >= _WINDOW for part in range(3)):
            yield run


def _correlation(one: Any, other: Any) -> float:
    spread = float(one.std() * other.std()) if one.size else 0.0
    return float(((one - one.mean()) * (other - other.mean())).mean()) / spread if spread else 0.0


def _drawing(page: Any, without: Sequence[Any] = (), *, is_annotated: bool = False) -> Any:
    """Return the dots of a page without some of its objects."""
    scale = min(_SCALE, 1_500 / max(*page.get_size(), 1))
    for handle in without:
        raw.FPDFPageObj_SetIsActive(handle, 0)
    try:
        drawing = page.render(scale=scale, draw_annots=is_annotated, may_draw_forms=False, prefer_bgrx=False)
        return drawing.to_numpy()[:, :, :3]
    finally:
        for handle in without:
            raw.FPDFPageObj_SetIsActive(handle, 1)


def _dots_in(page: Any, dots: Any, box: Box, inset: int = 0) -> tuple[slice, slice]:
    """Return the rows and columns of a box in a drawing."""
    x, y = ctypes.c_int(), ctypes.c_int()
    height, width = dots.shape[:2]
    corners = []
    for corner in (box[:2], box[2:]):
        raw.FPDF_PageToDevice(page.raw, 0, 0, width, height, 0, *corner, x, y)
        corners.append((x.value, y.value))
    columns, rows = (slice(max(0, min(side) + inset), max(0, *side) + 1 - inset) for side in zip(*corners, strict=True))
    return rows, columns


def _leave_out(found: Seen, page: Any, chars: PageChars, drawn: Sequence[Drawn], hidden: Sequence[Run]) -> None:
    """Remove hidden text, unless it is the OCR layer of a page that is mostly pictures."""
    left, bottom, right, top = page.get_bbox()
    pictured = sum(
        max(0.0, min(box[2], right) - max(box[0], left)) * max(0.0, min(box[3], top) - max(box[1], bottom))
        for kind, box, *_ in drawn
        if kind == raw.FPDF_PAGEOBJ_IMAGE
    )
    is_most = 2 * sum(run.end - run.start for run in hidden) >= sum(run.end - run.start for run in chars.runs)
    if is_most and pictured >= 0.6 * (right - left) * (top - bottom):
        found.is_ocr = True
        return
    places = {index for run in hidden for index in range(run.start, run.end)}
    found.hidden = sum(any(i in places for i in range(*word)) for word in chars.words(0, len(chars.texts)))
    for run in hidden:
        chars.take_out(run.start, run.end)
    chars.runs = [run for run in chars.runs if not places.issuperset(range(run.start, run.end))]


def _strike(found: Seen, chars: PageChars, drawn: Sequence[Drawn], struck_boxes: Sequence[Box]) -> None:
    """Remove the words crossed by a line, and keep them apart."""
    upright = sorted((run for run in chars.runs if run.turn == 0), key=lambda run: run.base)
    bases = [run.base for run in upright]
    crossed: set[int] = set()
    for kind, line, *_ in drawn:
        thick, middle = line[3] - line[1], (line[1] + line[3]) / 2
        if kind == raw.FPDF_PAGEOBJ_PATH and thick < 3 and line[2] - line[0] > 3:
            near = upright[bisect_left(bases, middle - _TALLEST / 2) : bisect_left(bases, middle)]
            near = [run for run in near if thick < 0.2 * run.size and 0.12 < (middle - run.base) / run.size < 0.5]
            crossed |= _crossed(chars, near, line)
    for box in struck_boxes:
        crossed |= _crossed(chars, [run for run in upright if box[1] - 2 <= run.base <= box[3]], box)
    passage: list[str] = []
    count = len(chars.texts)
    for start, end in (*chars.words(0, count), (count, count)) if crossed else ():
        if start < end and sum(index in crossed for index in range(start, end)) >= 0.6 * (end - start):
            passage.append(chars.text(start, end))
            chars.take_out(start, end)
        elif passage:
            found.added.append(Added(BlockKind.WITHDRAWN, " ".join(passage), start - 1))
            passage = []
    chars.runs = [run for run in chars.runs if run.start not in chars.gone or run.end - 1 not in chars.gone]


def _crossed(chars: PageChars, runs: Sequence[Run], line: Box) -> set[int]:
    """Return the characters along a line if they fill most of it; a table rule is longer than its words."""
    boxes = {
        index: box
        for run in runs
        for index in range(run.start, run.end)
        if line[0] - 1 <= ((box := chars.box(index))[0] + box[2]) / 2 <= line[2] + 1
    }
    if not boxes:
        return set()
    width = max(box[2] for box in boxes.values()) - min(box[0] for box in boxes.values())
    inked = sum(box[2] - box[0] for box in boxes.values())
    return set(boxes) if width >= 0.75 * (line[2] - line[0]) and inked >= 0.5 * (line[2] - line[0]) else set()


def _shift(page: Any, chars: PageChars) -> None:
    """Enclose raised and lowered text in signs, move it to its baseline, and rejoin lines broken by it."""
    base: Run | None = None
    for number in range(len(chars.runs) - 1, 0, -1):
        sign, figure = chars.runs[number - 1 : number + 1]
        # The minus of an exponent is often of a font of its own.
        is_level = (sign.end, sign.size, sign.base, sign.turn) == (figure.start, figure.size, figure.base, figure.turn)
        if is_level and chars.text(sign.start, sign.end) in ("-", "−", "–", "+"):
            chars.runs[number - 1 : number + 1] = [sign._replace(end=figure.end)]
    for number, (run, after) in enumerate(zip_longest(chars.runs[:], chars.runs[1:])):
        text = chars.text(run.start, run.end)
        is_short, is_mark = len(text) <= _LONGEST, bool(_MARK.fullmatch(text))
        last = chars.runs[number - 1]
        kind = _kind(run, base) if base and is_short and -0.6 < _gap(chars, last, run) < 0.7 else ""
        if not kind and is_mark and is_short and (owner := _owner(chars, number)):
            chars.texts[owner.end - 1] += f"{RAISED}{text}{END}"
            chars.texts[run.start : run.end] = [" "] * (run.end - run.start)
            continue
        begins = not kind  # the mark begins its line, as in a note
        if not kind and after and is_mark and _kind(run, after) == RAISED:
            kind = "" if base and -0.6 < _gap(chars, base, run) < 4 else RAISED
        if not kind:
            base = run
            continue
        if kind == RAISED and base and _is_linked(page, chars, run.start) and not _is_linked(page, chars, base.end - 1):
            kind = LINKED
        if is_mark:
            chars.texts[run.start] = kind + chars.texts[run.start]
            chars.texts[run.end - 1] += END
        on_line = (after if begins else base) or run
        chars.runs[number] = run._replace(base=on_line.base)
        for one, other in ((base, run), (run, after)):
            if not one or not other or (other is after and abs(other.base - on_line.base) >= 0.1 * on_line.size):
                continue
            # The library puts a line break around a raised mark within a line.
            if "\n" in chars.texts[one.end : other.start] and -0.6 < (gap := _gap(chars, one, other)) < 1:
                chars.texts[one.end : other.start] = [" " if gap > 0.22 else ""] * (other.start - one.end)


def _owner(chars: PageChars, number: int) -> Run | None:
    """Return the run that a small mark directly follows, if others were painted between them: some producers paint
    the marks of a row after its cells."""
    mark = chars.runs[number]
    near = (run for run in chars.runs[max(0, number - _NEAR) : number + _NEAR] if mark.size <= _SMALL * run.size)
    return next((run for run in near if _kind(mark, run) == RAISED and -0.1 < _gap(chars, run, mark) < 0.4), None)


def _kind(run: Run, base: Run) -> str:
    """Return RAISED, LOWERED or '', by size and baseline relative to the text beside it."""
    rise = (run.base - base.base) / max(base.size, 0.1)
    is_small = run.size <= _SMALL * base.size
    if run.turn != base.turn or run.turn < 0 or run.size > 1.02 * base.size:
        return ""
    if (0.12 if is_small else 0.2) < rise < 0.75:
        return RAISED
    return LOWERED if is_small and -0.45 < rise < -0.05 else ""


def _gap(chars: PageChars, one: Run, other: Run) -> float:
    """Return the distance between two runs on one line in type sizes, or -1."""
    if one.turn != other.turn or abs(one.base - other.base) >= one.size:
        return -1.0
    right = max(chars.box(index, one.turn)[2] for index in range(max(one.start, one.end - 3), one.end))
    return (chars.box(other.start, one.turn)[0] - right) / max(one.size, 0.1)


def _is_linked(page: Any, chars: PageChars, index: int) -> bool:
    left, bottom, right, top = chars.box(index)
    return bool(raw.FPDFLink_GetLinkAtPoint(page.raw, (left + right) / 2, (bottom + top) / 2))
