"""What a page's own style says of how an element is shown: inline, and by rules of its <style> elements."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from inquest.text.regex import regex

if TYPE_CHECKING:
    import re

    from lxml.html import HtmlElement

_COMMENT = regex(r"/\*[^*]*(?:\*(?!/)[^*]*)*\*/")
_TELLING = regex(r"line-through|vertical-align|font-variant-position|position\s*:\s*relative")
_SIMPLE = regex(r"(?:[a-zA-Z][\w-]*|\*)?(?:[.#][a-zA-Z_-][\w-]*){0,4}")
_PARTS = regex(r"([.#])([\w-]+)")
_MOST_RULES = 100
_LONGEST_SHEET = 500_000
"""Characters of one <style> element that are read."""


class Styles(NamedTuple):
    """What a page's style says that may raise, lower or strike out words."""

    root: HtmlElement
    inline: list[tuple[HtmlElement, str]]
    rules: list[tuple[str, str]]
    """Selectors and declarations, as written."""
    names: frozenset[str]
    """The classes and ids that elements have."""


def styles_of(root: HtmlElement) -> Styles:
    """The inline styles of a tree and the rules of its sheets that say something of raised or struck-out words."""
    inline = [(element, element.get("style") or "") for element in select(root, "//*[@style]")]
    rules: list[tuple[str, str]] = []
    for sheet in root.iter("style"):
        text = (sheet.text or "")[:_LONGEST_SHEET]
        if "print" in (sheet.get("media") or "") or not _TELLING.search(text):
            continue
        text, end = _COMMENT.sub("", text), -1
        for found in _TELLING.finditer(text):
            start = text.rfind("{", 0, found.start())
            if start < 0 or start < end:
                continue  # the same rule says several such things
            end = text.find("}", start) % (len(text) + 1)
            above = max(text.rfind(sign, 0, start) for sign in "{};")
            rules.append((text[above + 1 : start], text[start + 1 : end]))
    named = (value for element in root.iter() for value in (element.get("class"), element.get("id")) if value)
    names = {name for value in named for name in value.split()} if rules else set()
    return Styles(root, inline, rules, frozenset(names))


def styled(styles: Styles, wanted: re.Pattern[str]) -> list[HtmlElement]:
    """The elements whose inline style or a rule of the page's own sheets matches, in no particular order.

    Of selectors, those of tags, classes and ids are evaluated, one below the other; states (':hover') and attributes
    are not, nor are sheets that would have to be fetched.
    """
    found = [element for element, style in styles.inline if wanted.search(style)]
    paths = (
        _path(selector, styles.names)
        for selectors, said in styles.rules
        if wanted.search(said)
        for selector in selectors.split(",")
    )
    for path in islice(filter(None, paths), _MOST_RULES):
        found += select(styles.root, path)
    return found


def select(root: HtmlElement, path: str) -> list[HtmlElement]:
    """The elements that an XPath finds."""
    found = root.xpath(path)
    return [each for each in found if hasattr(each, "itertext")] if isinstance(found, list) else []


def _path(selector: str, names: frozenset[str]) -> str:
    """The XPath of a selector; '' for one that is not evaluated, or names what no element has."""
    steps = []
    for compound in selector.split():
        if not _SIMPLE.fullmatch(compound):
            return ""
        step = f"//{compound.split('.')[0].split('#')[0].lower() or '*'}"
        for sign, name in _PARTS.findall(compound):
            if name not in names:
                return ""
            has_class = f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"
            step += f"[{has_class}]" if sign == "." else f"[@id='{name}']"
        steps.append(step)
    return "".join(steps)
