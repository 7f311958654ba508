"""Rules of a page's own style sheets, as a browser on a desktop applies them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from lxml.html import HtmlElement

from inquest.text.regex import regex

_SIZE = r"(?:xx?-)?small|0?\.\d|[1-8]\d(?:\.\d+)?%|(?:1[01]|\d)(?:\.\d+)?px|[1-8](?:\.\d+)?pt"
_SMALL = rf"font-size\s*:\s*(?:{_SIZE})[^{{}}]{{0,300}}"
_HIGH = r"(?:vertical-align\s*:\s*(?:top\b|[+.\d])|(?<![\w-])(?:top\s*:\s*-|bottom\s*:\s*[+.\d]))[^{}]{0,300}"
_ACTING = regex(
    r"line-through|vertical-align\s*:\s*(?:super|sub\b|text-)|font-variant-position\s*:\s*su|display\s*:\s*none|"
    rf"visibility\s*:\s*(?:hid|coll)|{_SMALL}{_HIGH}|{_HIGH}{_SMALL}",
    re.IGNORECASE,
)
_TELLING = regex(
    r"[ldvLDV](?i:ine-through|ertical-align\s*:|isplay\s*:|isibility\s*:)|[fF]ont-variant-position|"
    r"(?<![\w-])(?P<edge>[tT]op\s*:\s*-|[bB]ottom\s*:\s*[+.\d])"
)
_COMMENT = regex(r"<!--|-->|/\*[^*]*(?:\*(?!/)[^*]*)*\*/")
_DESKTOP = regex(
    r"\s*(?:only\s+)?(?:(?:screen|all)\b)?(?:(?:\s*and)?\s*\((?:min-(?:device-)?width\s*:|width\s*>=?)\s*"
    r"(?:(?:1[012]\d\d|\d{1,3})(?:\.\d+)?px|(?:[1-7]?\d|80)(?:\.\d+)?r?em)\s*\))*\s*",
    re.IGNORECASE,
)
"""A media query that holds on the screen of a desktop, for which nothing up to 1299 pixels is too wide."""
_AT_MEDIA = regex(r"@media([^{}]*)\{((?:[^{}]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})*)[^{}]*\}", re.IGNORECASE)
_NAMED = regex(r"[.#](?:[\w-]|\\.)+")
_MOST_RULES, _LONGEST_SHEET = 200, 500_000  # Rules, and characters of one <style> element, that are read.


_Named = dict[str, list[HtmlElement]]
_Rule = tuple[int, tuple[str, str]]
_Matched = tuple[bool, tuple[int, int, int], int, list[HtmlElement], str]


def select(root: HtmlElement, path: str) -> list[HtmlElement]:
    """The elements that an XPath finds."""
    found = root.xpath(path)
    return [each for each in found if hasattr(each, "itertext")] if isinstance(found, list) else []


def declared(root: HtmlElement) -> Iterator[tuple[HtmlElement, str]]:
    """Yield the elements that rules strike out, shift, hide or show, with the declarations, the strongest rule last
    (CSS Cascade 4, 6.1)."""
    sheets = [
        _AT_MEDIA.sub(lambda block: block[2] if _on_desktop(block[1]) else "", _COMMENT.sub("", text))
        for sheet in select(root, "//style[not(ancestor::noscript)]")
        if _on_desktop(sheet.get("media") or "all") and _ACTING.search(text := (sheet.text or "")[:_LONGEST_SHEET])
    ]
    if not sheets:
        return
    named = _by_name(select(root, "//*[@class or @id]"))
    named.pop(".no-js", None)  # which scripts replace (html5-boilerplate)
    rules = list(islice(enumerate(rule for text in sheets for rule in _rules(text, named)), _MOST_RULES))
    acting = [rule for rule in rules if _ACTING.search(rule[1][1])]
    ranked = list(_matched(root, acting, named))
    # Rules that only show matter for what others hide.
    found = _by_name(element for *_, elements, _ in ranked for element in elements).keys()
    showing = [rule for rule in rules if rule not in acting and found & _names(rule[1][0].rpartition(" ")[2])]
    for *_, elements, style in sorted([*ranked, *_matched(root, showing, named)], key=lambda rule: rule[:3]):
        yield from ((element, style) for element in elements)


def _matched(root: HtmlElement, rules: Iterable[_Rule], named: _Named) -> Iterator[_Matched]:
    """Yield the rank of rules, their elements and declarations; states such as :hover match no element."""
    from cssselect import HTMLTranslator, SelectorError, parse

    translator = HTMLTranslator()
    for place, (written, style) in rules:
        if written in named:
            rank = int(written[0] == "#"), int(written[0] == "."), 0
            yield "important" in style, rank, place, named[written], style
            continue
        try:
            for selector in parse(written):
                elements = select(root, translator.selector_to_xpath(selector, translate_pseudo_elements=True))
                yield "important" in style, selector.specificity(), place, elements, style
        except SelectorError:
            continue


def _by_name(elements: Iterable[HtmlElement]) -> _Named:
    """Return elements by their selectors: '.class' and '#id'."""
    named: _Named = {}
    for each in elements:
        for name in (*(each.get("class") or "").split(), f"#{each.get('id')}"):
            named.setdefault(name if name[0] == "#" else f".{name}", []).append(each)
    return named


def _names(selector: str) -> set[str]:
    return {name.replace("\\", "") for name in _NAMED.findall(selector)}


def _rules(text: str, named: _Named) -> Iterator[tuple[str, str]]:
    """Yield the selectors of a sheet that may concern elements with those names, with their declarations."""
    end = -1
    for found in _TELLING.finditer(text):
        start = text.rfind("{", 0, found.start())
        if start > end:
            end = text.find("}", start) % (len(text) + 1)
            above = max(text.rfind(sign, 0, start) for sign in "{};")
            if found["edge"] and not _ACTING.search(text, start, end):
                continue
            for selector in text[above + 1 : start].split(","):
                if _names(selector) <= named.keys():
                    yield selector.strip(), text[start + 1 : end]


def _on_desktop(media: str) -> bool:
    return any(_DESKTOP.fullmatch(query) for query in media.split(","))
