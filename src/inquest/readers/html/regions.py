"""Parts of a page outside its article: page furniture, comments, other articles."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from lxml.html import HtmlElement

from inquest.domain.document import BlockKind
from inquest.readers.html.leaves import Leaf
from inquest.readers.html.meta import pieces
from inquest.readers.html.tree import OTHER_ARTICLE
from inquest.text.regex import regex
from inquest.text.written_dates import written_dates

_MOST = 0.4  # Share of the page's sentences above which a part is the article, whatever its name.
_LISTED = 0.8  # Share of the page's sentences in several articles above which the page is a list of them.
_ALIKE = 0.6  # Share of words that a heading must have in common with the title.
_NEXT_TO = 3  # Leaves below a heading that may give author and date.
_LEAST, _HOME = 150, 1 / 3
"""Characters and share of the page's sentences in the part of the heading that make it the article's part."""
_ATTRIBUTES = ("class", "id", "data-component", "data-testid", "aria-label")
_AFTER_LABEL = r"\s*(?:\([^()]{1,40}\)|[\w ,.]{1,30})?\s*[:–—](?!\d)"
_HUMP = regex(r"(?<=[a-z])(?=[A-Z])|[\W_]+")
_TABLE = tomllib.loads(Path(__file__).with_name("regions.toml").read_text("utf-8"))
_LANDMARKS, _ROLES, _ITEM_TYPES, _WORDS = (
    frozenset(_TABLE[name]) for name in ("landmarks", "roles", "item_types", "words")
)
_PHRASES = tuple(frozenset(phrase.split()) for phrase in _TABLE["phrases"])
COOKIES: tuple[str, ...] = tuple(_TABLE["cookies"])
"""Words for cookies in many languages."""
_RELATED = regex("|".join(_TABLE["related_labels"]), re.IGNORECASE)
LABEL = regex("|".join(_TABLE["labels"] + _TABLE["related_labels"]), re.IGNORECASE)
"""A line that only labels the content below it."""
_UPDATE = regex(rf"(?:{'|'.join(_TABLE['update_labels'])}){_AFTER_LABEL}|{'|'.join(_TABLE['update_sentences'])}", re.I)
"""The start of an editors' note on the article."""


class Regions(NamedTuple):
    """The parts of a page outside its article."""

    heading: Leaf | None
    """The article's own heading."""
    beside: set[HtmlElement]
    """The outermost elements outside the article."""
    others: int
    """Number of other articles on the page."""
    is_list: bool = False
    """True for a list of article beginnings with hardly any text of its own."""
    strange: int = 0
    """Characters of sentences outside the article's part with hardly a word of the title, in parts of no known name."""


def regions_of(root: HtmlElement, found: Sequence[Leaf], title: str, own: Iterable[str]) -> Regions:
    """Determine the regions of a page by its structure and the names of its parts, and mark other articles in the tree.
    `found` are its leaves, `own` its addresses."""
    heading = _main_heading(found, title)
    mass = mass_of(found)
    kept = set(heading.element.iterancestors()) if heading is not None else set()
    most = _MOST * mass[root]
    around = {up for element in {leaf.element for leaf in found} for up in _with_ancestors(element)}
    strange = _strangers(found, mass, heading, title) if heading is not None else set()
    beside = strange | {
        element
        for element in around
        if element not in kept
        and (_is_landmark(element) or (mass[element] <= most and _is_beside(element)) or _asks(element, mass))
    }
    beside |= set(_related(found, mass))
    if not any(leaf.is_sentence for leaf in found if not is_in(leaf.element, beside)):
        beside = {each for each in beside if mass[each] < max(most, _LEAST)}  # the article is in a dialog or footer
    paths = frozenset(path for address in own if (path := urlsplit(address).path.rstrip("/")))  # no front page
    others = _other_articles(found, heading, kept, paths)
    listed = len(others) > 1 and sum(mass[each] for each in others) > _LISTED * mass[root]
    if listed:
        others = set()
    for element in others:
        element.set(OTHER_ARTICLE, "")
    for leaf in found:
        label = _UPDATE.match(leaf.text)
        if label and not _is_date(leaf.text[label.end() :]):
            leaf.kind = BlockKind.UPDATE_NOTE
    unnamed = (each for each in strange if not _is_landmark(each) and not _is_beside(each))
    return Regions(heading, beside | others, len(others), listed, strange=sum(mass[each] for each in unnamed))


def _is_date(text: str) -> bool:
    dates = written_dates(text)
    return len(dates) == 1 and not (text[: dates[0].start] + text[dates[0].end :]).strip(" .")


def mass_of(found: Iterable[Leaf]) -> Counter[HtmlElement]:
    """Count the characters of sentences within each element."""
    own: Counter[HtmlElement] = Counter()
    for leaf in found:
        if leaf.is_sentence and leaf.link_share < 0.5:
            own[leaf.element] += len(leaf.text)
    mass: Counter[HtmlElement] = Counter()
    for element, length in own.items():
        for up in _with_ancestors(element):
            mass[up] += length
    return mass


def _strangers(found: Sequence[Leaf], mass: Counter[HtmlElement], heading: Leaf, title: str) -> set[HtmlElement]:
    """Return parts with hardly a word of title and heading, such as consent notices in any language."""
    wanted = pieces(f"{title} {heading.text}")
    above = list(heading.element.iterancestors())
    homes = [up for up in above if mass[up] >= max(_LEAST, _HOME * mass[above[-1]])]
    if not homes:
        return set()
    home = homes[0]
    if sum(leaf.is_sentence and is_in(leaf.element, {home}) for leaf in found) == 1:  # a lead
        home = next((up for up in reversed(homes) if up.tag in ("main", "article")), home)
    around = set(home.iterancestors())
    parts: dict[HtmlElement, set[str]] = {}
    for leaf in found:
        within = (up for up in _with_ancestors(leaf.element) if up in around or up.getparent() in around)
        part = next(within, home)
        known = parts.setdefault(part, set())
        if leaf.is_sentence and len(known) <= len(wanted) / 4:
            known |= wanted & pieces(leaf.text)
    most = min(len(wanted) / 4, len(parts[home]) - 1)
    return {
        part
        for part, common in parts.items()
        if part not in around and len(common) <= most and part.get("class") != home.get("class")
    }


def _main_heading(found: Sequence[Leaf], title: str) -> Leaf | None:
    """Return the heading that matches the page's title, else a line that is the title, else the first h1."""
    headings = [leaf for leaf in found if leaf.kind is BlockKind.HEADING]
    wanted = _words(title)
    main = [leaf for leaf in headings if leaf.element.tag == "h1"]
    best = max(headings, key=lambda leaf: (round(_shared(wanted, leaf.text), 3), leaf in main), default=None)
    named = (leaf for leaf in found if leaf.text == title)
    return best if says(title, best) else next(named, next(iter(main), None))


def says(title: str, heading: Leaf | None) -> bool:
    """Return True for a heading that matches the page's title."""
    wanted = _words(title)
    return heading is not None and bool(wanted) and _shared(wanted, heading.text) >= _ALIKE


def _shared(wanted: frozenset[str], text: str) -> float:
    words = _words(text)
    return 2 * len(wanted & words) / max(1, len(wanted) + len(words))


def _is_landmark(element: HtmlElement) -> bool:
    """Return True for parts that are never an article: navigation, footer, consent dialogs."""
    if element.tag in ("nav", "footer", "dialog") or (element.get("role") or "").lower() in _LANDMARKS:
        return True
    label = (element.get("aria-label") or "").replace(" ", "-")
    called = f"{element.get('id') or ''} {element.get('class') or ''} {label}".casefold()
    return element.tag in ("div", "section") and any(name in called for name in _TABLE["consent"])


def _is_beside(element: HtmlElement) -> bool:
    if element.tag == "form" or (element.tag == "aside" and not _is_callout(element)):
        return True
    if element.tag in ("body", "html", "main", "article", "p") or not element.attrib:
        return element.tag == "article" and _is_named(element.get("class") or "", linked=True)
    if (element.get("role") or "").lower() in _ROLES:
        return True
    linked = next(element.iter("a"), None) is not None
    return (element.get("itemtype") or "").rsplit("/", 1)[-1] in _ITEM_TYPES or any(
        _is_named(value, linked) for name in _ATTRIBUTES if (value := element.get(name))
    )


def _related(found: Sequence[Leaf], mass: Counter[HtmlElement]) -> Iterator[HtmlElement]:
    """Yield the parts without sentences and tables that begin with a label ('Read also') and hold a link."""
    for before, leaf in pairwise(found):
        if _RELATED.fullmatch(leaf.text):
            above = {*_with_ancestors(before.element)}
            whole = [up for up in _with_ancestors(leaf.element) if up not in above and not mass[up]][-1:]
            yield from (up for up in whole if up.find(".//a") is not None and up.find(".//table") is None)


def _asks(element: HtmlElement, mass: Counter[HtmlElement]) -> bool:
    """Return True for a form that asks for an e-mail address with the few words around it."""
    return mass[element] < _LEAST and element.find("form//input[@type='email']") is not None


def _is_callout(aside: HtmlElement) -> bool:
    """Return True for key figures or a note between paragraphs, without a link or field."""
    between = all(any(True for _ in aside.itersiblings("p", preceding=before)) for before in (True, False))
    return between and next(aside.iter("a", "form", "input", "button", "img"), None) is None


@lru_cache(maxsize=4096)
def _is_named(value: str, linked: bool) -> bool:
    """Return True for an attribute with words for something beside an article; what lists others has links."""
    for token in value.split():
        words = frozenset(part.lower() for part in _HUMP.split(token) if part)
        if words & _WORDS or (
            len(words) > 1 and any(phrase <= words and (linked or "list" not in phrase) for phrase in _PHRASES)
        ):
            return True
    return False


def _other_articles(
    found: Sequence[Leaf], heading: Leaf | None, kept: set[HtmlElement], own: frozenset[str]
) -> set[HtmlElement]:
    """Return other articles: they begin with a heading that links elsewhere, or a second h1 above an author or time."""
    others: set[HtmlElement] = set()
    firsts: dict[HtmlElement, int] = {}
    for place, leaf in enumerate(found):
        for up in _with_ancestors(leaf.element):
            if up in firsts:
                break
            firsts[up] = place
    for place, leaf in enumerate(found if heading is not None else ()):
        if leaf.kind is not BlockKind.HEADING or heading is None or _shared(_words(heading.text), leaf.text) >= _ALIKE:
            continue
        whole = _whole(leaf, kept)
        if whole is None or place - firsts[whole] > 1:
            continue
        addresses = [url for url, start, end in leaf.links if end - start > len(leaf.text) / 2 and url[:1] != "#"]
        addresses += filter(None, map(whole.get, ("data-url", "itemid", "data-href")))
        elsewhere = not all(_is_own(address, own) for address in addresses)
        below = found[place + 1 : place + 1 + _NEXT_TO]
        signed = any(each.time or "author" in (each.element.get("class") or "") for each in below)
        if elsewhere or (leaf.element.tag == "h1" and signed):
            others.add(whole)
    return others


def _whole(leaf: Leaf, kept: set[HtmlElement]) -> HtmlElement | None:
    """Return the article around a heading, or for an h1 outside articles all without the page's heading, or None."""
    outermost = None
    for up in _with_ancestors(leaf.element):
        if up in kept:
            break
        if up.tag == "article":
            return up
        outermost = up
    return outermost if leaf.element.tag == "h1" and outermost is not leaf.element else None


def _is_own(address: str, own: frozenset[str]) -> bool:
    """Return True for the address of the page, of a part of it, or below it, as for live entries."""
    try:
        path = urlsplit(address).path.rstrip("/")
    except ValueError:
        return False
    return not path or any(path == each or path.startswith(f"{each}/") for each in own)


def is_in(element: HtmlElement, parts: set[HtmlElement]) -> bool:
    """Return True for one of the parts and for an element within one."""
    return any(up in parts for up in _with_ancestors(element))


def _with_ancestors(element: HtmlElement) -> Iterator[HtmlElement]:
    yield element
    yield from element.iterancestors()


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
