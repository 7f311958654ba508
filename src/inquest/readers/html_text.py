"""The article of a page, as plain paragraphs."""

from __future__ import annotations

import logging
import re
from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from inquest.readers.html_tree import MAX_ELEMENTS, MAX_TAGS, Tree, visible_text
from inquest.readers.plain import clean, one_line, paragraphs

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["article_text"]

_THREE_READINGS_UP_TO = 4_000
"""Elements; above it one reading has to do, to keep a page under a second or so."""
_ENOUGH = 250
"""Characters; an article shorter than this may be an extractor's failure, and the next way is tried."""
_WORD = re.compile(r"\w+")
_AD_LABEL = re.compile(r"advertisement|advert|anzeige|publicité|publicidad|pubblicità|advertentie", re.IGNORECASE)
_LABEL_BELOW = re.compile(
    r"(?:\d* ?comments?|leave a (?:comment|reply)|kommentare|commentaires|share(?: this(?: article| story)?)?|teilen|"
    r"(?:related|more|also|read more|see also)(?: articles| stories| news)?\W*|you may also like\W*|"
    r"most (?:read|popular)[^.\n]{0,30}|tell us what you think\W*|filed under:[^.\n]{0,80}|tags?:[^.\n]{0,80})",
    re.IGNORECASE,
)
_BREAK = "\0"
"""Stands for <br> until the lines are made; no page text holds it (see html_tree.parse)."""


def article_text(tree: Tree, markup: str, url: str) -> tuple[str, str | None]:
    """The text of the page's article, and what a person should know of how it was had.

    The extractor is asked in three settings; the reading that shares most words with the other two stands. A page
    with hardly any article text (a list, a notice, a form) is read more generously, and in the end whole.
    """
    if not tree.whole or tree.elements > MAX_ELEMENTS:
        note = "too large or nested too deeply for finding the article: the whole text of the page is kept"
        if markup.count("<") > MAX_TAGS:
            note = f"too large: the text of the first {MAX_TAGS:,} tags is kept"
        return clean(visible_text(markup)), note
    settings: list[dict[str, bool]] = [{"fast": True}]
    if tree.elements <= _THREE_READINGS_UP_TO:
        settings += [{"favor_precision": True}, {"fast": True, "favor_precision": True}]
    readings = [reading for setting in settings if (reading := _extract(tree, url, **setting))]
    text = _most_agreed(readings)
    if len(text) < _ENOUGH:
        text = max(text, _extract(tree, url, favor_recall=True), key=len)
    text = _trimmed(text)
    if len(text) < _ENOUGH:
        whole = clean(visible_text(markup))
        if len(whole) > 2 * len(text):
            return whole, "no article found: the whole text of the page is kept"
    return text, None


def _trimmed(text: str) -> str:
    """The text without advertisement marks, and without the labels of what stood below the article."""
    blocks = [block for block in text.split("\n\n") if not _AD_LABEL.fullmatch(block)]
    while len(blocks) > 1 and _LABEL_BELOW.fullmatch(blocks[-1]):
        blocks.pop()
    return "\n\n".join(blocks)


def _extract(tree: Tree, url: str, **setting: Any) -> str:
    from trafilatura import bare_extraction

    # The library logs what it discards as errors; here that is an answer, not an event.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    extracted: Any = bare_extraction(
        deepcopy(tree.root), url=url or None, include_comments=False, include_tables=True, **setting
    )
    return _render(extracted.body) if extracted is not None and extracted.body is not None else ""


def _most_agreed(readings: list[str]) -> str:
    """The reading with the largest overlap in words with the others; the first of equals."""
    if len(readings) < 3:
        return readings[0] if readings else ""
    counts = [Counter(_WORD.findall(reading)) for reading in readings]

    def agreement(index: int) -> float:
        return sum(_overlap(counts[index], other) for place, other in enumerate(counts) if place != index)

    return readings[max(range(len(readings)), key=agreement)]


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def _render(body: _Element) -> str:
    """The extractor's tree as paragraphs with blank lines between, list items and table rows as lines of their own."""
    blocks: list[str] = []
    loose: list[str] = []

    def flush() -> None:
        blocks.append(_lines("".join(loose)))
        loose.clear()

    def walk(element: _Element) -> None:
        loose.append(element.text or "")
        for child in element:
            tag = child.tag if isinstance(child.tag, str) else ""
            if tag in ("p", "head", "quote", "code", "div", "main", "body"):
                flush()
                walk(child)
                flush()
            elif tag == "list":
                flush()
                blocks.append("\n".join(line for item in child.iter("item") if (line := _item(item))))
            elif tag == "table":
                flush()
                blocks.append("\n".join(line for row in child.iter("row") if (line := _row(row))))
            else:
                loose.append(_inline(child))
            loose.append(child.tail or "")

    walk(body)
    flush()
    return clean(paragraphs(blocks))


def _inline(element: _Element) -> str:
    if element.tag == "lb":
        return _BREAK
    if element.tag == "graphic":
        return ""
    inner = [element.text or ""]
    for child in element:
        inner += (_inline(child), child.tail or "")
    return "".join(inner)


def _item(item: _Element) -> str:
    """One list item on one line; items of a list inside it come in their own turn."""
    parts = [item.text or ""]
    for child in item:
        if child.tag != "list":
            parts.append(f" {_inline(child)} " if child.tag in ("p", "head", "quote") else _inline(child))
        parts.append(child.tail or "")
    text = one_line("".join(parts).replace(_BREAK, " "))
    return f"- {text}" if text else ""


def _row(row: _Element) -> str:
    cells = [one_line(_inline(cell).replace(_BREAK, " ")) for cell in row.iter("cell")]
    return " | ".join(cells).strip(" |") if any(cells) else ""


def _lines(text: str) -> str:
    """Line feeds of the source are spaces in HTML; the page's own line breaks are kept."""
    return "\n".join(line for part in text.split(_BREAK) if (line := " ".join(part.split())))
