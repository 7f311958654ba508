"""The line in which an article names its sources by links alone: 'Source', 'Read the original report'.

It is no part of the text, and unlike the lists of other articles around it it stands among the article's own paragraphs
and says what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.readers.html_meta import base_of, target_of
from inquest.stories.credit_tables import source_labels
from inquest.text.regex import regex
from inquest.text.sentences import fold

if TYPE_CHECKING:
    from lxml.html import HtmlElement


_LEAST = 12
"""Characters of a paragraph that a text can be known to hold."""
_PARAGRAPHS = ("p", "blockquote", "div")
_ASIDES = frozenset("aside footer form header nav button li".split())
_WORD = regex(r"\w+")


def source_links(root: HtmlElement, text: str, url: str) -> tuple[str, ...]:
    """Where the lines of sources lead to that stand among the paragraphs of the text and are nothing but links."""
    flat, base = " ".join(text.split()), base_of(root, url)
    held: dict[HtmlElement, bool] = {}
    found: dict[str, None] = {}
    for anchor in root.iter("a"):
        words = " ".join(_WORD.findall(fold(anchor.text_content())))
        if words not in source_labels() or any(each.tag in _ASIDES for each in anchor.iterancestors()):
            continue
        address, block = target_of((anchor.get("href") or "").strip(), base), anchor.getparent()
        if address and address != url and block is not None and _only_links(block) and _among(block, flat, held):
            found[address] = None
    return tuple(found)


def _only_links(block: HtmlElement) -> bool:
    """Whether nothing but links stands in an element."""
    own = [block.text or "", *(child.tail or "" for child in block)]
    return not any(_WORD.search(each) for each in own) and all(child.tag == "a" for child in block)


def _among(block: HtmlElement, flat: str, held: dict[HtmlElement, bool]) -> bool:
    """Whether a paragraph of the article's text is this block's sibling, or a child of one."""
    parent = block.getparent()
    if parent is None:
        return False
    if parent not in held:
        near = [each for sibling in parent for each in (sibling, *sibling) if each.tag in _PARAGRAPHS]
        words = (" ".join(each.text_content().split()) for each in near)
        held[parent] = any(len(each) >= _LEAST and each in flat for each in words)
    return held[parent]
