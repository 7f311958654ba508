"""A page's tree as browsers lay it out: shadow roots in place, ruby without its readings, unknown elements inline,
words that are struck out marked as such."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.readers.html_styles import Styles, select, styled
from inquest.readers.html_tree import BLOCKS, SILENT
from inquest.text.regex import regex

if TYPE_CHECKING:
    from lxml.html import HtmlElement

STRUCK = "data-inquest-struck"
"""The attribute of elements whose words the page strikes out."""
_LINE_THROUGH = regex(r"text-decoration(?:-line)?\s*:[^;}]*\bline-through")
_NOT_STRUCK = regex(r"text-decoration(?:-line)?\s*:\s*none")
_BLOCK_STYLE = regex(r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|list-item|flow-root)\b")
_KEPT = frozenset(
    "a abbr acronym b bdi bdo big br cite code del dfn em font i img ins kbd mark picture q s samp small span strike "
    "strong sub sup time tt u var wbr input source track area base link meta param col rt rp ruby title msup msub "
    "msubsup mfrac".split()
)
"""Inline elements that mean something to what reads the tree later; others become spans."""


def lay_out(root: HtmlElement, styles: Styles) -> None:
    """Change a tree into what a browser shows of it (HTML Standard, 15.3: which elements are blocks).

    Declarative shadow roots take the place of their hosts' content, which fills their slots. The readings of ruby go.
    Elements that are neither blocks nor known inline ones become spans, or divs where they hold blocks; so do buttons
    and labels in running text. What is struck out is marked with STRUCK.
    """
    for template in list(root.iter("template")):
        if (template.get("shadowrootmode") or template.get("shadowroot")) in ("open", "closed"):
            _show_shadow(template)
    for reading in list(root.iter("rt", "rp")):
        _drop_reading(reading)
    _mark_struck(root, styles)
    present = {str(element.tag) for element in root.iter() if isinstance(element.tag, str)}
    unknown = present - BLOCKS - SILENT - _KEPT | (present & {"button", "math"})
    changed = list(root.iter(*unknown)) if unknown else []
    for element in changed:
        if element.tag != "button" or is_in_text(element):
            element.tag = "div" if _holds_blocks(element) else "span"
    for element in select(root, "//span[contains(@style, 'display')]"):
        if _BLOCK_STYLE.search(element.get("style") or ""):
            element.tag = "div"


def _holds_blocks(element: HtmlElement) -> bool:
    return any(True for _ in element.iterdescendants(*BLOCKS))


def _show_shadow(template: HtmlElement) -> None:
    host = template.getparent()
    if host is None:
        return
    light: dict[str, list[HtmlElement]] = {}
    for child in [each for each in host if each is not template]:
        light.setdefault(child.get("slot") or "", []).append(child)
    loose = (host.text or "") + (template.tail or "")
    host.text = template.tail = None
    for child in [each for each in host if each is not template]:
        host.remove(child)
    for slot in list(template.iter("slot")):
        filled = light.pop(slot.get("name") or "", [])
        words = "" if slot.get("name") else loose
        if filled or words.strip():
            for each in list(slot):
                slot.remove(each)
            slot.text = words
            slot.extend(filled)
    template.tag = "div" if _holds_blocks(template) else "span"


def _drop_reading(reading: HtmlElement) -> None:
    """Take out a reading; what an unclosed one swallowed of the ruby's own words stays."""
    for piece in reversed([each for each in reading if each.tag in ("rb", "rt", "rp")]):
        reading.addnext(piece)
    if reading.getparent() is not None:
        reading.drop_tree()


def _mark_struck(root: HtmlElement, styles: Styles) -> None:
    for element in root.iter("del", "s", "strike"):
        if element.tag == "del" or not _NOT_STRUCK.search(element.get("style") or ""):
            element.set(STRUCK, "")
    for element in [*styled(styles, _LINE_THROUGH), *select(root, "//*[@role='deletion']")]:
        if element.tag not in ("html", "body") and not _NOT_STRUCK.search(element.get("style") or ""):
            element.set(STRUCK, "")


def is_in_text(element: HtmlElement) -> bool:
    """True where words stand right before or after an element in its block."""
    before, up = element.getprevious(), element.getparent()
    said = (before.tail if before is not None else up.text if up is not None else "") or ""
    return any(char.isalnum() for char in said + (element.tail or ""))
