"""Links in the running text of a page, and the addresses of its further pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inquest.readers.documents import target_of
from inquest.readers.html.meta import base_of
from inquest.sources.credits import SOURCE_LABELS
from inquest.text.lexicon import pattern
from inquest.text.regex import regex
from inquest.text.sentences import fold

if TYPE_CHECKING:
    from lxml.html import HtmlElement


_LEAST = 12  # Characters of a paragraph long enough to be recognised in a text.
_PARAGRAPHS = ("p", "blockquote", "div")
_ASIDES = frozenset("aside footer form header nav button li".split())
_WORD = regex(r"\w+")


def source_links(root: HtmlElement, text: str, url: str) -> tuple[str, ...]:
    """Return the targets of source lines between the paragraphs of the text that consist only of links."""
    flat, base = " ".join(text.split()), base_of(root, url)
    held: dict[HtmlElement, bool] = {}
    found: dict[str, None] = {}
    for anchor in root.iter("a"):
        words = " ".join(_WORD.findall(fold(anchor.text_content())))
        if words not in SOURCE_LABELS or any(each.tag in _ASIDES for each in anchor.iterancestors()):
            continue
        address, block = target_of(anchor.get("href") or "", base), anchor.getparent()
        if not address or address == url or block is None or any(child.tag != "a" for child in block):
            continue
        own = [block.text or "", *(child.tail or "" for child in block)]
        if not any(map(_WORD.search, own)) and _among(block, flat, held):
            found[address] = None
    return tuple(found)


def _among(block: HtmlElement, flat: str, held: dict[HtmlElement, bool]) -> bool:
    """Return True if a sibling of the block, or a child of one, is a paragraph of the article."""
    parent = block.getparent()
    if parent is None:
        return False
    if parent not in held:
        near = [each for sibling in parent for each in (sibling, *sibling) if each.tag in _PARAGRAPHS]
        words = (" ".join(each.text_content().split()) for each in near)
        held[parent] = any(len(each) >= _LEAST and each in flat for each in words)
    return held[parent]


_MOST = 30  # Pages; more than that is an archive rather than an article.
_DIGIT, _NUMBER = regex(r"\d"), regex(r"\d{1,2}")
_NUMBERED = pattern(__name__, "numbered")


def further_pages(root: HtmlElement, url: str) -> tuple[str, ...]:
    """Return the addresses of the further pages of an article, in order. They differ from this page's address by a
    number and are linked by that number or as the next page; empty if a number is missing."""
    own, number = _numbered(url)
    found: dict[int, str] = {}
    for link in root.iter("a", "link"):
        target, is_next = (link.get("href") or "").strip(), "next" in (link.get("rel") or "").split()
        if not _DIGIT.search(target):
            continue
        label = "".join(map(str, link.itertext())).strip()
        if not is_next and not _NUMBER.fullmatch(label):
            continue
        address = target_of(target, url) or ""
        base, other = _numbered(address)
        if base == own and (is_next or label == str(other)):
            found.setdefault(other, address)
    following = sorted(page for page in found if number < page <= _MOST)
    if following != list(range(number + 1, number + 1 + len(following))):
        return ()
    return tuple(found[page] for page in following)


def _numbered(url: str) -> tuple[str, int]:
    """Return an address without its page number, and the number or 1."""
    match = _NUMBERED.fullmatch(url)
    if match is None:
        return url.rstrip("/"), 1
    return f"{match['before']}{match['after']}".rstrip("/"), int(match["number"])
