"""What a page's own style says of how an element is shown: inline, and by rules of its <style> elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.text.regex import regex

if TYPE_CHECKING:
    import re

    from lxml.html import HtmlElement

_COMMENT = regex(r"/\*[^*]*(?:\*(?!/)[^*]*)*\*/")
_RULE = regex(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = regex(r"(?:[a-zA-Z][\w-]*|\*)?(?:[.#][a-zA-Z_-][\w-]*){0,4}")
_PARTS = regex(r"([.#])([\w-]+)")
_MOST_RULES = 100
_LONGEST_SHEET = 500_000
"""Characters of one <style> element that are read."""


def styled(root: HtmlElement, wanted: re.Pattern[str]) -> list[HtmlElement]:
    """The elements whose inline style or a rule of the page's own sheets matches, in no particular order.

    Of selectors, those of tags, classes and ids are evaluated, one below the other; states (':hover') and attributes
    are not, nor are sheets that would have to be fetched.
    """
    found = [element for element in select(root, "//*[@style]") if wanted.search(element.get("style") or "")]
    rules = 0
    for sheet in root.iter("style"):
        text = (sheet.text or "")[:_LONGEST_SHEET]
        if not wanted.search(text) or "print" in (sheet.get("media") or ""):
            continue
        for rule in _RULE.finditer(_COMMENT.sub("", text)):
            if not wanted.search(rule[2]):
                continue
            for selector in rule[1].rpartition(";")[2].split(","):
                rules += 1
                path = _path(selector)
                if path and rules <= _MOST_RULES:
                    found += select(root, path)
    return found


def select(root: HtmlElement, path: str) -> list[HtmlElement]:
    """The elements that an XPath finds."""
    found = root.xpath(path)
    return [each for each in found if hasattr(each, "itertext")] if isinstance(found, list) else []


def _path(selector: str) -> str:
    """The XPath of a selector; '' for one that is not evaluated."""
    steps = []
    for compound in selector.split():
        if not _SIMPLE.fullmatch(compound):
            return ""
        step = f"//{compound.split('.')[0].split('#')[0].lower() or '*'}"
        for sign, name in _PARTS.findall(compound):
            has_class = f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"
            step += f"[{has_class}]" if sign == "." else f"[@id='{name}']"
        steps.append(step)
    return "".join(steps)
