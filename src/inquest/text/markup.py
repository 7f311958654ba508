"""Untrusted markup as plain text, and untrusted XML and HTML as trees; nothing in them is executed or fetched."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, TypeAlias

from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex

if TYPE_CHECKING:
    from lxml.etree import _Element
    from lxml.html import HtmlElement

Element: TypeAlias = "_Element"  # An element of XML, for annotations


_LONGEST = 100_000  # Characters of markup that are read; snippets and abstracts are far shorter
_UNREAD = tuple(
    (regex(start, re.IGNORECASE | re.ASCII), regex(end, re.IGNORECASE | re.ASCII))
    for start, end in (("<!--", "-->"), (r"<script\b", r"</script\s*>"), (r"<style\b", r"</style\s*>"))
)
_TAG = regex(r"</?(?P<name>[a-zA-Z][\w:-]*)[^<>]*>|<[!?][^<>]*>")
_ESCAPED_TAG = pattern(__name__, "escaped_tag")
_UNPAIRED = frozenset(("p", "br", "li"))
"""Tags that often occur without their pair in doubly escaped text, and are hardly ever its subject."""
_BREAKS = word_set(__name__, "breaks")
_JOINERS = frozenset("\u200c\u200d")  # Zero-width joiners, which some scripts and emoji need between letters
_XML_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\r")


def plain(markup: str) -> str:
    """The text of an HTML or JATS fragment on one line, without tags, scripts and comments, entities resolved.
    Invisible characters are dropped (control, zero-width, bidirectional, private and unassigned ones, which can reverse
    a text or hide words in it), except joiners between letters that need them; lone surrogates become U+FFFD. Plain
    text is returned unchanged, '<' in 'a < b' included, and so is a tag that a text mentions ('&lt;b&gt; is a tag');
    doubly escaped tags come in pairs and are removed."""
    text = markup[:_LONGEST]
    if "<" in text:
        for start, end in _UNREAD:
            text = _without(text, start, end)
        text = _TAG.sub(lambda tag: " " if (tag["name"] or "").lower().removeprefix("jats:") in _BREAKS else "", text)
    if "&" in text:
        text = html.unescape(text)
        if "<" in text:
            found = {(tag["end"], tag["name"].lower()) for tag in _ESCAPED_TAG.finditer(text)}
            names = {name for _, name in found}
            marks = {
                each for each in names if {("", each), ("/", each)} <= found or each.startswith("jats:")
            } | _UNPAIRED
            text = _ESCAPED_TAG.sub(lambda tag: " " if tag["name"].lower() in marks else tag.group(), text)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join((text if text.isprintable() else _visible(text)).split())


def _visible(text: str) -> str:
    """The text without invisible characters; control characters become spaces."""
    kept = []
    for place, char in enumerate(text):
        if char.isprintable():
            kept.append(char)
        elif char.isspace() or (char != "\0" and unicodedata.category(char) == "Cc"):
            kept.append(" ")
        elif char in _JOINERS and 0 < place < len(text) - 1 and ord(text[place - 1]) > 0x2FF:
            kept.append(char)
    return "".join(kept)


def _without(text: str, start: re.Pattern[str], end: re.Pattern[str]) -> str:
    """Remove everything between the two marks, in linear time for any input."""
    kept, position = [], 0
    while found := start.search(text, position):
        kept.append(text[position : found.start()])
        closing = end.search(text, found.end())
        if closing is None:
            return " ".join(kept)
        position = closing.end()
    kept.append(text[position:])
    return " ".join(kept)


def xml_root(body: bytes) -> _Element:
    """Parse an untrusted XML document, without entities, network access or huge trees, and return its root. Raises
    ValueError if it is not well-formed, or declares a document type: feeds need none, and entity attacks do."""
    from lxml import etree

    # One stray control character in a headline must not lose the whole feed. UTF-16 has zero bytes anyway.
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
    """Parse an HTML page and return its root. Raises ValueError if it cannot be parsed."""
    from lxml import etree, html

    try:
        return html.document_fromstring(text.replace("\x00", ""))
    except etree.LxmlError as error:
        raise ValueError(f"not a page: {str(error)[:100]}") from error


def children(element: _Element, name: str) -> list[_Element]:
    """The child elements with a local name, in any namespace (some services make one per query)."""
    return [child for child in element if isinstance(child.tag, str) and child.tag.rpartition("}")[2] == name]


def child_text(element: _Element, name: str) -> str:
    """The text of the first child with a local name; '' if absent."""
    for child in children(element, name):
        return "".join(str(piece) for piece in child.itertext(with_tail=False)).strip()
    return ""
