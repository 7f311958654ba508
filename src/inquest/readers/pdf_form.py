"""What people add to a PDF: filled form fields, notes, text and strokes put on a page as annotations."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from inquest.domain.document import Block, BlockKind
from inquest.readers.pdf_chars import Box
from inquest.readers.pdf_layout import PageText
from inquest.readers.plain import one_line
from inquest.text.tables import moved

_MAX_ANNOTATIONS = 2_000
"""Of one page."""
_MAX_LENGTH = 20_000
_UNSEEN = 0x02 | 0x20
"""The flags Hidden and NoView."""
_PASSWORD = 1 << 13
_LABEL_GAP = 150
"""Points between a field and the words to the left of it that name it, at most."""


@dataclass(slots=True)
class Additions:
    """What was added to one page."""

    fields: list[str] = field(default_factory=list)
    """'label: value' of what is filled in."""
    texts: list[str] = field(default_factory=list)
    """Text put on the page."""
    notes: list[str] = field(default_factory=list)
    struck: list[Box] = field(default_factory=list)


def additions(page: Any, text_page: Any, form: Any) -> Additions:
    """The annotations and filled fields of a page; `form` is the form environment of the document or None."""
    from pypdfium2 import raw

    found = Additions()
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            if not raw.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
                _add(found, annotation, text_page, form)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    found.fields = list(dict.fromkeys(found.fields))
    return found


def _add(found: Additions, annotation: Any, text_page: Any, form: Any) -> None:
    from pypdfium2 import raw

    kind = raw.FPDFAnnot_GetSubtype(annotation)
    if kind == raw.FPDF_ANNOT_WIDGET:
        if form and (entry := _field(annotation, text_page, form.raw)):
            found.fields.append(entry)
        return
    if kind in (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_STAMP):
        return
    if kind == raw.FPDF_ANNOT_STRIKEOUT:
        found.struck += _quads(annotation)
    contents = " ".join(_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents").split())
    if contents:
        (found.texts if kind == raw.FPDF_ANNOT_FREETEXT else found.notes).append(contents)


def _field(annotation: Any, text_page: Any, form: Any) -> str:
    """'label: value' of a filled field; '' for an empty one, a button, and one whose value the page already paints."""
    from pypdfium2 import raw

    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    box = _rect(annotation)
    if kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        if not raw.FPDFAnnot_IsChecked(form, annotation):
            return ""
        value = "yes"
        if kind == raw.FPDF_FORMFIELD_RADIOBUTTON:
            value = _right_of(text_page, box) or _string(raw.FPDFAnnot_GetFormFieldExportValue, form, annotation)
    elif kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        is_password = kind == raw.FPDF_FORMFIELD_TEXTFIELD and (
            raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD
        )
        value = "" if is_password else _string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        if not value and kind == raw.FPDF_FORMFIELD_LISTBOX:
            value = ", ".join(_chosen(annotation, form))
    else:
        return ""
    value = " ".join(value.split())
    if not value or "".join(value.split()) in "".join(_bounded(text_page, box).split()):
        return ""
    label = _string(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation).strip()
    if not label and kind == raw.FPDF_FORMFIELD_CHECKBOX:
        label = _beside(text_page, box) or _right_of(text_page, box)
    elif not label and kind != raw.FPDF_FORMFIELD_RADIOBUTTON:
        label = _beside(text_page, box)
    label = label or _string(raw.FPDFAnnot_GetFormFieldName, form, annotation)
    return f"{' '.join(label.split()).rstrip(' :')}: {value}"


def _chosen(annotation: Any, form: Any) -> Iterator[str]:
    from pypdfium2 import raw

    for index in range(min(raw.FPDFAnnot_GetOptionCount(form, annotation), 200)):
        if raw.FPDFAnnot_IsOptionSelected(form, annotation, index):
            yield _string(raw.FPDFAnnot_GetOptionLabel, form, annotation, index)


def _string(get: Callable[..., int], *arguments: Any) -> str:
    from pypdfium2 import raw

    length = min(get(*arguments, None, 0), 2 * _MAX_LENGTH)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    get(*arguments, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), length)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0").replace("\r", "\n")


def _rect(annotation: Any) -> Box:
    from pypdfium2 import raw

    rect = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, rect)
    return (
        min(rect.left, rect.right),
        min(rect.bottom, rect.top),
        max(rect.left, rect.right),
        max(rect.bottom, rect.top),
    )


def _quads(annotation: Any) -> Iterator[Box]:
    from pypdfium2 import raw

    points = raw.FS_QUADPOINTSF()
    for index in range(min(raw.FPDFAnnot_CountAttachmentPoints(annotation), _MAX_ANNOTATIONS)):
        if raw.FPDFAnnot_GetAttachmentPoints(annotation, index, points):
            across = (points.x1, points.x2, points.x3, points.x4)
            up = (points.y1, points.y2, points.y3, points.y4)
            yield min(across), min(up), max(across), max(up)


def _bounded(text_page: Any, box: Box) -> str:
    return str(text_page.get_text_bounded(*box))


def _beside(text_page: Any, box: Box) -> str:
    """The words left of a field, or else right above it."""
    left, bottom, right, top = box
    row = _bounded(text_page, (max(0.0, left - 3 * _LABEL_GAP), bottom, left + 1, top))
    above = _bounded(text_page, (left - 4, top - 1, right, top + 16))
    words = [line.strip() for line in (row.splitlines() or above.splitlines()) if line.strip()]
    return words[-1] if words else ""


def _right_of(text_page: Any, box: Box) -> str:
    words = _bounded(text_page, (box[2] - 1, box[1], box[2] + 2 * _LABEL_GAP, box[3])).splitlines()
    return words[0].strip() if words else ""


def extras(found: Additions, struck: Sequence[str], number: int) -> list[tuple[BlockKind, str]]:
    """The blocks that the additions to page `number`, and the words struck out on it, make."""
    lines = "\n".join(filter(None, (one_line(each) for each in found.fields)))
    made = [(BlockKind.LIST, lines[:1].upper() + lines[1:])]
    made += [(BlockKind.PARAGRAPH, each[:1].upper() + each[1:]) for each in map(one_line, found.texts)]
    made += [(BlockKind.WITHDRAWN, f"Struck out on page {number}: {text}") for text in map(one_line, struck) if text]
    made += [(BlockKind.COMMENT, f"Note on page {number}: {text}") for text in map(one_line, found.notes) if text]
    return [(kind, text) for kind, text in made if text]


def with_extras(page: PageText, blocks: Sequence[tuple[BlockKind, str]]) -> tuple[PageText, list[Block]]:
    """A page's text with further blocks, and their places in it. They come before its last paragraph, which may run on
    over the page's end."""
    if not blocks:
        return page, []
    at = max(page.text.rfind("\n\n"), 0)
    at = min([at, *(table.rows[0][0][0] for table in page.tables if table.rows[0][0][0] < at < table.rows[-1][-1][1])])
    added, placed, length = "", [], at + 2 * (at > 0)
    for kind, text in blocks:
        placed.append(Block(kind=kind, start=length, end=length + len(text)))
        added += text + "\n\n"
        length += len(text) + 2
    begun = at + 2 * (at > 0)
    tables = tuple(moved(table, len(added)) if table.rows[0][0][0] >= begun else table for table in page.tables)
    return PageText((page.text[:begun] + added + page.text[begun:]).rstrip(), tables), placed
