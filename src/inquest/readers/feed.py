"""RSS, Atom and JSON feeds: every item with its link, its content read as HTML."""

from __future__ import annotations

import json
from contextlib import suppress
from html import escape
from typing import ClassVar
from urllib.parse import urljoin

from lxml import etree
from lxml.builder import E
from lxml.etree import _Element

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.domain.reasons import Reason
from inquest.kit.reader import Reader
from inquest.readers import unpacked
from inquest.readers.documents import Laid, document_of
from inquest.readers.html.leaves import Leaf
from inquest.readers.html.tree import DECLARATION, NOT_XML, parse, visible_text
from inquest.readers.office.package import local
from inquest.readers.office.writing import leaves_of
from inquest.readers.plain import clean, decode, one_line, struck_note
from inquest.sources.dating import from_value
from inquest.text.languages import language_of
from inquest.text.urls import is_web_url

_MAX_BYTES = 20_000_000
_MAX_ITEMS = 1_000
_DATES = ("pubdate", "lastbuilddate", "updated", "date")


class FeedReader(Reader):
    """Reads RSS 0.9 to 2.0, RDF, Atom and JSON Feed."""

    name: ClassVar[str] = "feed"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return items in feed order: the title, date and author on a line, the address, then the content.

        Entities and external documents are never resolved. Raises PageUnreadable if there are no items.
        """
        url = snapshot.final_url or snapshot.url
        decoded = decode(unpacked(body, url, _MAX_BYTES, "feed"), snapshot.content_type)
        written = _of_json(decoded.text) if decoded.text.lstrip().startswith("{") else decoded.text
        markup = NOT_XML.sub("", DECLARATION.sub("", written)).strip()
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, recover=True, huge_tree=False, remove_comments=True
        )
        root = None
        with suppress(etree.XMLSyntaxError):
            root = etree.fromstring(markup.encode("utf-8"), parser=parser) if markup else None
        if root is None or _name(root) not in ("rss", "feed", "rdf"):
            raise PageUnreadable(url, f"The document at {url} is not an RSS, Atom or JSON feed.")
        head = next((child for child in root if _name(child) == "channel"), root)
        items = [element for element in root.iter() if _name(element) in ("item", "entry")]
        if not items:
            raise PageUnreadable(url, f"The feed at {url} has no items.")
        laid, links = Laid(), dict[str, None]()
        for item in items[:_MAX_ITEMS]:
            date, link = one_line(_text(item, "pubdate", "published", "updated", "date")), _link(item, url)
            under = " · ".join(filter(None, (date, one_line(_text(item, "creator", "author")))))
            if top := clean("\n".join(filter(None, (one_line(_text(item, "title")), under, link)))):
                laid.put(top, BlockKind.PARAGRAPH)
            for leaf in _leaves(_filled(item, "encoded", "content", "description", "summary"), link or url):
                laid.leaf(leaf, link or url)
            links |= {link: None} if link else {}
        text = "".join(laid.parts)
        if not any(char.isalnum() for char in text):
            raise PageUnreadable(url, f"The items in the feed at {url} have no text.")
        places = {name: Reason(code="pages.where_feed", data={"tag": name}) for name in _DATES}
        dates = (
            from_value(_text(head, name), at, how="feed", now=snapshot.retrieved_at) for name, at in places.items()
        )
        title = one_line(_text(head, "title"))
        notes = [f"the first {_MAX_ITEMS} of {len(items)} items"] if len(items) > _MAX_ITEMS else []
        declared = (_text(head, "language") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[:2].lower()
        return document_of(
            snapshot,
            text,
            [next(filter(None, dates), None)],
            (*notes, *struck_note(laid.blocks)),
            title=title,
            publisher=title or None,
            language=language_of(text, declared or None),
            links=tuple(links),
            kind=self.name,
            **laid.fields(),
        )


def _of_json(text: str) -> str:
    """Return a JSON Feed (jsonfeed.org/version/1.1) as an Atom feed, or '' if it is not well-formed."""
    try:
        given = json.loads(text)
        root = E.feed(*(getattr(E, name)(str(given[name])) for name in ("title", "language") if name in given))
        for item in given["items"]:
            authors = item.get("authors") or given.get("authors") or [item.get("author") or given.get("author") or {}]
            found = {
                "title": item.get("title"),
                "published": item.get("date_published"),
                "author": ", ".join(each["name"] for each in authors if "name" in each),
                "content": item.get("content_html") or escape(item.get("content_text") or item.get("summary") or ""),
                "id": item.get("url") or item.get("external_url") or item.get("id"),
            }
            root.append(E.entry(*(getattr(E, name)(str(value)) for name, value in found.items() if value)))
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""
    return etree.tostring(root, encoding="unicode")


def _name(element: _Element) -> str:
    return local(element).lower()


def _filled(parent: _Element, *names: str) -> _Element | None:
    """Return the first child with one of these names that has text."""
    found = (child for name in names for child in parent if _name(child) == name)
    return next((child for child in found if any(map(str.strip, map(str, child.itertext())))), None)


def _text(parent: _Element, *names: str) -> str:
    """Return the text of the first child with one of these names, without markup, or ''."""
    child = _filled(parent, *names)
    written = "".join(map(str, child.itertext())) if child is not None else ""
    return (visible_text(written) if "<" in written or "&" in written else written).strip()


def _leaves(content: _Element | None, url: str) -> list[Leaf]:
    """Return the blocks of an item's content: elements (XHTML), escaped HTML, or plain text."""
    if content is None:
        return []
    if content.find("*") is not None:
        for each in content.iter("*"):
            each.tag = local(each)
        markup = etree.tostring(content, encoding="unicode", method="html", with_tail=False)
    else:
        markup = "".join(map(str, content.itertext()))
        markup = markup if "<" in markup or "&" in markup else f"<pre>{markup}</pre>"
    tree = parse(markup)
    return leaves_of(tree.root, url) if tree else []


def _link(item: _Element, base: str) -> str | None:
    for child in item:
        if _name(child) == "link" and child.get("rel", "alternate") == "alternate":
            try:
                address = urljoin(base, (child.get("href") or child.text or "").strip())
            except ValueError:
                continue
            if is_web_url(address) and address != base:
                return address
    identity = _text(item, "guid", "id")
    return identity if is_web_url(identity) else None
