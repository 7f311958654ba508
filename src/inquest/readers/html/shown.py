"""A page's tree as browsers lay it out: shadow roots in place, ruby without its readings, unknown elements inline, and
words that are struck out, raised or lowered marked as such."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from inquest.readers.html.tree import BLOCKS, SILENT
from inquest.readers.plain import one_line
from inquest.text.regex import regex

if TYPE_CHECKING:
    from lxml.html import HtmlElement

STRUCK = "data-inquest-struck"
"""The attribute of elements whose words the page strikes out."""
OTHER_ARTICLE = "data-inquest-other"
"""The attribute of elements that hold another article."""
HOME = "data-inquest-home"
"""The attribute of the element that holds the text of the page's article, and its heading if it has one."""
SHIFTED = "data-inquest-shifted"
"""The attribute of elements that a style raises ('up') or lowers ('down')."""
_STYLE = regex(
    r"(?P<struck>text-decoration(?:-line)?\s*:[^;}]*\bline-through)|vertical-align\s*:\s*(?:"
    r"(?P<up>super|text-top|top\b|\+?[\d.]*[1-9][\d.]*(?:em|ex|px|pt|rem|%))|(?P<down>sub\b|text-bottom|-\.?\d))|"
    r"position\s*:\s*relative[^}]*\btop\s*:\s*(?:(?P<above>-\.?\d)|(?P<below>[\d.]*[1-9]))"
)
_TELLING = regex(r"line-through|vertical-align\s*:\s*(?:super|sub\b|text-)")
_COMMENT = regex(r"/\*[^*]*(?:\*(?!/)[^*]*)*\*/")
_AT_MEDIA = regex(r"@media([^{}]*)\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}")
_CLASS = regex(r"\.([\w-]+)")
_MOST_RULES, _LONGEST_SHEET = 50, 500_000  # Rules, and characters of one <style> element, that are read.
_BLOCK_STYLE = regex(r"(?:^|;)\s*display\s*:\s*(?:block|flex|grid|table|list-item|flow-root)\b")
_KEPT = frozenset("a b base br del em font i img input link meta s span strike strong sub sup time title wbr".split())
"""Inline elements that mean something to what reads the tree later; others become spans."""


def lay_out(root: HtmlElement) -> None:
    """Change a tree into what a browser shows of it (HTML Standard, 15.3: which elements are blocks).

    Declarative shadow roots replace the content of their hosts, which fills their slots. Ruby readings are removed.
    Elements that are neither blocks nor known inline elements become spans, or divs if they hold blocks, and so do
    buttons in running text. Struck-out, raised and lowered text is marked (STRUCK, SHIFTED).
    """
    for template in list(root.iter("template")):
        if (template.get("shadowrootmode") or template.get("shadowroot")) in ("open", "closed"):
            _show_shadow(template)
        elif template.getparent() is not None:
            template.drop_tree()
    for reading in list(root.iter("rt", "rp")):
        # Words of the ruby itself that an unclosed reading swallowed stay.
        for piece in reversed([each for each in reading if each.tag in ("rb", "rt", "rp")]):
            reading.addnext(piece)
        if reading.getparent() is not None:
            reading.drop_tree()
    present = {str(element.tag) for element in root.iter()}
    styled = select(root, "//*[@style]")
    _mark(root, styled)
    if "math" in present:
        _mark_maths(root)
    unknown = present - BLOCKS - SILENT - _KEPT | (present & {"button", "math"})
    for element in list(root.iter(*unknown)) if unknown else ():
        if element.tag != "button" or is_in_text(element):
            element.tag = "div" if _holds_blocks(element) else "span"
    for element in styled:
        if element.tag == "span" and _BLOCK_STYLE.search(element.get("style") or ""):
            element.tag = "div"


def is_in_text(element: HtmlElement) -> bool:
    """True if there are words right before or after an element in its block."""
    before, up = element.getprevious(), element.getparent()
    near = (before.tail if before is not None else up.text if up is not None else "") or ""
    return any(char.isalnum() for char in near + (element.tail or ""))


def select(root: HtmlElement, path: str) -> list[HtmlElement]:
    """The elements that an XPath finds."""
    found = root.xpath(path)
    return [each for each in found if hasattr(each, "itertext")] if isinstance(found, list) else []


def shown_words(element: HtmlElement) -> str:
    """Return the words of an element on one line, without those struck out."""
    found = element.xpath(f".//text()[not(ancestor::*[@{STRUCK}])]")
    return one_line("".join(map(str, found))) if isinstance(found, list) else ""


def _holds_blocks(element: HtmlElement) -> bool:
    return any(True for _ in element.iterdescendants(*BLOCKS))


def _show_shadow(template: HtmlElement) -> None:
    host = template.getparent()
    if host is None:
        return
    light: dict[str, list[HtmlElement]] = {}
    for child in [each for each in host if each is not template]:
        light.setdefault(child.get("slot") or "", []).append(child)
        host.remove(child)
    for slot in list(template.iter("slot")):
        if filled := light.pop(slot.get("name") or "", []):
            slot[:], slot.text = filled, None
    template.tag = "div" if _holds_blocks(template) else "span"


def _mark(root: HtmlElement, with_style: Sequence[HtmlElement]) -> None:
    """Mark what the markup, inline styles and the page's own sheets strike out, raise or lower."""
    for element in (*root.iter("del", "s", "strike"), *select(root, "//*[@role='deletion']")):
        element.set(STRUCK, "")
    styled = [(element, element.get("style") or "") for element in with_style]
    names: set[str] | None = None
    for selector, style in islice(_rules(root), _MOST_RULES):
        names = names or set(" ".join(str(each.get("class")) for each in select(root, "//*[@class]")).split())
        if set(_CLASS.findall(selector)) <= names:
            styled += [(element, style) for element in select(root, _xpath(selector))]
    for element, style in styled:
        for shift in _STYLE.finditer(style):
            if shift["struck"] and element.tag not in ("html", "body"):
                element.set(STRUCK, "")
            elif not shift["struck"]:
                element.set(SHIFTED, "up" if shift["up"] or shift["above"] else "down")


def _mark_maths(root: HtmlElement) -> None:
    for element in select(root, "//msup[*[2]]|//msub[*[2]]|//msubsup[*[2]]"):
        if element.tag != "msup":
            element[1].set(SHIFTED, "down")
        if element.tag != "msub":
            element[-1].set(SHIFTED, "up")
    for fraction in select(root, "//mfrac[*[2]]"):
        fraction.text, fraction[0].tail = " ", "/"


def _rules(root: HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield the selectors of the page's style sheets that may strike out or shift text, with their declarations; media
    other than screens are ignored."""
    for sheet in root.iter("style"):
        text = (sheet.text or "")[:_LONGEST_SHEET]
        if not _is_for_screens(sheet.get("media") or "all") or not _TELLING.search(text):
            continue
        text = _AT_MEDIA.sub(lambda block: block[2] if _is_for_screens(block[1]) else "", _COMMENT.sub("", text))
        end = -1
        for found in _TELLING.finditer(text):
            start = text.rfind("{", 0, found.start())
            if start > end:
                end = text.find("}", start) % (len(text) + 1)
                above = max(text.rfind(sign, 0, start) for sign in "{};")
                for selector in text[above + 1 : start].split(","):
                    yield selector, text[start + 1 : end]


def _is_for_screens(media: str) -> bool:
    return any(name in media for name in ("screen", "all"))


def _xpath(selector: str) -> str:
    """The XPath of a selector; one that finds nothing for pseudo-elements, states such as :hover, and errors."""
    from cssselect import HTMLTranslator, SelectorError

    try:
        return HTMLTranslator().css_to_xpath(selector)
    except SelectorError:
        return "//none"
