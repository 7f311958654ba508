"""Additions to a PDF: filled form fields, notes, and annotations that add or strike out text."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pypdfium2 import raw

from inquest.domain.document import BlockKind, NoteMark
from inquest.readers.pdf.chars import Added, Box
from inquest.readers.pdf.layout import PageText
from inquest.readers.pdf.lines import NOTES, mark_of
from inquest.readers.plain import clean, one_line
from inquest.text.blocks import moved
from inquest.text.regex import regex
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url

_FIRST_SIGN = 0x50000  # In a Unicode plane without characters, which `clean` keeps and pages never contain.
_SIGN = regex("[\U00050000-\U0005ffff]")
_MAX_ANNOTATIONS = 2_000  # Per page.
_MAX_LENGTH = 20_000
_UNSEEN = 0x02 | 0x20  # The flags Hidden and NoView.
_PASSWORD = 1 << 13
_NO_NOTES = (2, 13, 16)
"""Links, stamps and pop-up windows of notes: FPDF_ANNOT_LINK, _STAMP and _POPUP of PDFium (fpdf_annot.h)."""
_COVERING = (3, 5, 6, 7, 9, 13, 15, 28)
"""Annotations that may paint over text: FPDF_ANNOT_FREETEXT, _SQUARE, _CIRCLE, _POLYGON, _HIGHLIGHT, _STAMP, _INK and
_REDACT. Icons of notes do not count: viewers move and hide them."""
_LABEL_GAP = 150  # Points, at most, between a field and its label to the left.


def additions(page: Any, text_page: Any, form: Any) -> tuple[list[Added], list[Box], list[Box]]:
    """Return the notes, texts and filled fields ('label: value') of a page, the boxes struck out by annotations, and
    those that annotations may cover. `form` is the document's form environment or None."""
    found: list[Added] = []
    fields: dict[str, None] = {}
    struck: list[Box] = []
    covered: list[Box] = []
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        try:
            if raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
                continue
            if kind in _COVERING:
                covered.append(_rect(annotation))
            if kind in _NO_NOTES:
                continue
            if kind == raw.FPDF_ANNOT_WIDGET:
                fields[_field(annotation, text_page, form.raw) if form else ""] = None
                continue
            if kind == raw.FPDF_ANNOT_STRIKEOUT:
                struck += _quads(annotation)
            if contents := one_line(_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")):
                left, bottom, right, top = _rect(annotation)
                middle = (left + right) / 2, (bottom + top) / 2
                place = raw.FPDFText_GetCharIndexAtPos(text_page.raw, *middle, 300, max(12, top - bottom))
                is_text = kind == raw.FPDF_ANNOT_FREETEXT
                block = (BlockKind.PARAGRAPH, contents) if is_text else (BlockKind.COMMENT, f"Note: {contents}")
                found.append(Added(*block, place))
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    if filled := "\n".join(filter(None, fields)):
        found.append(Added(BlockKind.LIST, filled))
    return found, struck, covered


def links(document: Any, page: Any, text_page: Any) -> list[tuple[int, str]]:
    """Return the web addresses that a page links to, each with the index of the last linked character."""
    found: list[tuple[int, str]] = []
    at, link = ctypes.c_int(0), raw.FPDF_LINK()
    while len(found) < _MAX_ANNOTATIONS and raw.FPDFLink_Enumerate(page.raw, ctypes.byref(at), ctypes.byref(link)):
        action, rect = raw.FPDFLink_GetAction(link), raw.FS_RECTF()
        if not action or not raw.FPDFLink_GetAnnotRect(link, ctypes.byref(rect)):
            continue
        buffer = ctypes.create_string_buffer(_MAX_LENGTH)
        raw.FPDFAction_GetURIPath(document.raw, action, buffer, _MAX_LENGTH)
        url, height = buffer.value.decode("utf-8", "replace"), abs(rect.top - rect.bottom)
        last = max(rect.left, rect.right) - 0.1 * height, (rect.top + rect.bottom) / 2
        place = raw.FPDFText_GetCharIndexAtPos(text_page.raw, *last, height, height / 2)
        if place >= 0 and is_web_url(url):
            found.append((place, clean_url(url)))
    return found


def _field(annotation: Any, text_page: Any, form: Any) -> str:
    """Return 'label: value' of a filled field, or '' if it is empty, a button, or already painted on the page."""
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    box = _rect(annotation)
    if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        if not raw.FPDFAnnot_IsChecked(form, annotation):
            return ""
        value = "yes"
        if kind == raw.FPDF_FORMFIELD_RADIOBUTTON:
            value = _right_of(text_page, box) or _string(raw.FPDFAnnot_GetFormFieldExportValue, form, annotation)
    elif kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        # The value of a choice may be a code: the page shows the labels of its options.
        count = 0 if kind == raw.FPDF_FORMFIELD_TEXTFIELD else raw.FPDFAnnot_GetOptionCount(form, annotation)
        value = ", ".join(
            _string(raw.FPDFAnnot_GetOptionLabel, form, annotation, index)
            for index in range(min(count, 200))
            if raw.FPDFAnnot_IsOptionSelected(form, annotation, index)
        )
        flags = raw.FPDFAnnot_GetFormFieldFlags(form, annotation)
        if not value and not (kind == raw.FPDF_FORMFIELD_TEXTFIELD and flags & _PASSWORD):
            value = _string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
    else:
        return ""
    value = " ".join(value.split())
    if not value or "".join(value.split()) in "".join(text_page.get_text_bounded(*box).split()):
        return ""
    label = _string(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation).strip()
    if not label and kind != raw.FPDF_FORMFIELD_RADIOBUTTON:
        label = _beside(text_page, box) or (_right_of(text_page, box) if kind == raw.FPDF_FORMFIELD_CHECKBOX else "")
    label = label or _string(raw.FPDFAnnot_GetFormFieldName, form, annotation)
    return f"{' '.join(label.split()).rstrip(' :')}: {value}"


def _string(get: Callable[..., int], *arguments: Any) -> str:
    length = min(get(*arguments, None, 0), 2 * _MAX_LENGTH)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    get(*arguments, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), length)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0").replace("\r", "\n")


def _rect(annotation: Any) -> Box:
    rect = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, rect)
    (left, right), (bottom, top) = sorted((rect.left, rect.right)), sorted((rect.bottom, rect.top))
    return left, bottom, right, top


def _quads(annotation: Any) -> Iterator[Box]:
    points = raw.FS_QUADPOINTSF()
    for index in range(min(raw.FPDFAnnot_CountAttachmentPoints(annotation), _MAX_ANNOTATIONS)):
        if raw.FPDFAnnot_GetAttachmentPoints(annotation, index, points):
            across = (points.x1, points.x2, points.x3, points.x4)
            up = (points.y1, points.y2, points.y3, points.y4)
            yield min(across), min(up), max(across), max(up)


def _beside(text_page: Any, box: Box) -> str:
    """Return the words left of a field, or else right above it."""
    left, bottom, right, top = box
    row = text_page.get_text_bounded(max(0.0, left - 3 * _LABEL_GAP), bottom, left + 1, top)
    above = text_page.get_text_bounded(left - 4, top - 1, right, top + 16)
    words = [line.strip() for line in (row.splitlines() or above.splitlines()) if line.strip()]
    return words[-1] if words else ""


def _right_of(text_page: Any, box: Box) -> str:
    words = text_page.get_text_bounded(box[2] - 1, box[1], box[2] + 2 * _LABEL_GAP, box[3]).splitlines()
    return words[0].strip() if words else ""


def sign(number: int) -> str:
    """Return the character that marks the place of a numbered block in a line."""
    return chr(_FIRST_SIGN + min(number, 0xFFFF))


def with_added(
    whole: PageText, starts: Sequence[int], added: Sequence[tuple[int, Added]], urls: Sequence[str]
) -> tuple[PageText, tuple[int, ...], dict[tuple[int, int], BlockKind], tuple[NoteMark, ...]]:
    """Insert blocks into a text, and take note marks out; return it with the offsets of its pages, the kinds of the
    blocks by range, and the marks. `added` has the page (from 0) of each block, which follows the paragraph with its
    sign, or else its page; `urls`: the addresses of links."""
    places = {ord(found[0]) - _FIRST_SIGN: found.start() for found in _SIGN.finditer(whole.text)}
    noted = [(found.start(), *mark_of(found[0], urls)) for found in NOTES.finditer(whole.text)]
    cuts = (*places.values(), *(place for place, _, _ in noted))
    edits: list[tuple[int, int, str, BlockKind | None]] = [(place, 1, "", None) for place in cuts]
    for number, (page, block) in enumerate(added):
        place = places.get(number, max(starts[page + 1] - 2, 0) if page + 1 < len(starts) else len(whole.text))
        end = whole.text.find("\n\n", place)
        edits.append((end if end >= 0 else len(whole.text), 0, clean(block.text), block.kind))
    parts: list[str] = []
    blocks: dict[tuple[int, int], BlockKind] = {}
    moves = [(0, 0)]
    at = length = 0
    for place, cut, text, kind in sorted(edits, key=lambda edit: edit[0]):
        parts.append(whole.text[at:place])
        length += place - at
        at = place + cut
        if kind is not None and text:
            gap = "\n\n" if length else ""
            parts.append(gap + text)
            blocks[length + len(gap), length + len(gap) + len(text)] = kind
            length += len(gap) + len(text)
        moves.append((at, length - at))
    edges = [edge for edge, _ in moves]

    def move(offset: int) -> int:
        return moves[bisect_right(edges, offset) - 1][1]

    tables = tuple(moved(table, move(table.rows[0][0][0])) for table in whole.tables)
    text = "".join(parts) + whole.text[at:]
    marks = tuple(NoteMark(at=place + move(place), label=label, url=url) for place, label, url in noted)
    return PageText(text, tables), tuple(start + move(start) for start in starts), blocks, marks
