"""Other people's markup as plain text, and their XML as a tree: neither may do anything but be read."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element
    from lxml.html import HtmlElement

__all__ = ["child_text", "children", "html_root", "plain", "xml_root"]

_LONGEST = 100_000
"""Characters of markup looked at; a snippet or an abstract is far shorter."""
_TAG = re.compile(r"</?(?P<name>[a-zA-Z][\w:-]*)[^<>]*>")
_ESCAPED_TAG = re.compile(r"</?(?:p|b|i|em|strong|br|span|su[bp]|a|ul|ol|li|div|title|jats:[a-z-]+)\b[^<>]*>", re.I)
_BREAKS = frozenset(
    "p div br li ul ol dl dt dd h1 h2 h3 h4 h5 h6 tr td th table section article header footer title sec list "
    "list-item disp-formula blockquote hr option".split()
)
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
_XML_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r")


def plain(markup: str) -> str:
    """The text of an HTML or JATS fragment on one line: tags, scripts and comments off, entities resolved.

    Invisible characters that can turn text round or hide words are dropped; lone surrogates become U+FFFD. Plain text
    comes back as it is, '<' in 'a < b' included.
    """
    text = markup[:_LONGEST]
    if "<" in text:
        for start, end in (("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>")):
            text = _without(text, start, end)
        text = _TAG.sub(_break, text)
    if "&" in text:
        text = html.unescape(text)
        # Some services escape an abstract's markup once more than they say.
        text = _ESCAPED_TAG.sub(" ", text) if "<" in text else text
    text = _CONTROL.sub("", text)
    return " ".join(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split())


def _break(tag: re.Match[str]) -> str:
    return " " if tag["name"].lower().removeprefix("jats:") in _BREAKS else ""


def _without(text: str, start: str, end: str) -> str:
    """The text without what stands between the two marks; linear, whatever is put in."""
    lower = text.lower()
    if start not in lower:
        return text
    kept, position = [], 0
    while (found := lower.find(start, position)) >= 0:
        kept.append(text[position:found])
        closing = lower.find(end, found)
        if closing < 0:
            return " ".join(kept)
        position = closing + len(end)
    kept.append(text[position:])
    return " ".join(kept)


def xml_root(body: bytes) -> _Element:
    """The root of an XML document from a stranger: no entities, no document type, nothing fetched, no huge trees.

    Raises ValueError for anything that is not well-formed to its end, and for a document that declares a type: feeds
    have no need of one, and it is where entity attacks begin.
    """
    from lxml import etree

    # One stray control character in one headline must not lose the whole feed. UTF-16 has zero bytes of its own.
    if b"\x00" not in body[:64]:
        body = body.translate(None, _XML_CONTROL)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        root = etree.fromstring(body.strip(), parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f"not well-formed XML: {(error.msg or '')[:100]}") from error
    if root.getroottree().docinfo.doctype:
        raise ValueError("an XML document with a document type, which no feed has")
    return root


def html_root(text: str) -> HtmlElement:
    """The root of an HTML page. Raises ValueError where there is nothing that could be one."""
    from lxml import etree, html

    try:
        return html.document_fromstring(text.replace("\x00", ""))
    except etree.LxmlError as error:
        raise ValueError(f"not a page: {str(error)[:100]}") from error


def children(element: _Element, name: str) -> list[_Element]:
    """The child elements of that local name, whatever their namespace (some services make one per query)."""
    return [child for child in element if isinstance(child.tag, str) and child.tag.rpartition("}")[2] == name]


def child_text(element: _Element, name: str) -> str:
    """The text of the first child of that local name, as it stands; '' where there is none."""
    for child in children(element, name):
        return "".join(str(piece) for piece in child.itertext(with_tail=False)).strip()
    return ""
