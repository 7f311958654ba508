"""RSS and Atom feeds: every item as a paragraph, with its link."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urljoin

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageTooLarge, PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.charset import decode
from inquest.readers.html_tree import visible_text
from inquest.readers.plain import clean, one_line, paragraphs
from inquest.readers.unpack import unpacked
from inquest.sources.dating import DateWitness, from_value, publication_date
from inquest.text.languages import language_of
from inquest.text.regex import regex
from inquest.text.urls import is_web_url

if TYPE_CHECKING:
    from lxml.etree import _Element


FEED_START = regex(rb"<(?:rss|feed|rdf:RDF)[\s>]", re.IGNORECASE)
"""What a feed begins with, after declarations and comments."""
_MAX_BYTES = 20_000_000
_MAX_ITEMS = 1_000
_DECLARATION = regex(r"^\s*<\?xml[^>]{0,500}\?>")
_NOT_XML = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class FeedReader(Reader):
    """Reads RSS 0.9 to 2.0, RDF and Atom."""

    name: ClassVar[str] = "feed"
    content_types: ClassVar[tuple[str, ...]] = (
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/xml",
        "text/xml",
    )

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Items in the feed's order: title, date and author on a line, then the description, then the address.

        Entities and external documents are never resolved. Raises PageUnreadable where there is no item.
        """
        from lxml import etree

        url = snapshot.final_url or snapshot.url
        body = unpacked(body, url, _MAX_BYTES)
        if len(body) > _MAX_BYTES:
            raise PageTooLarge(
                url, f"The feed at {url} has {len(body) / 1e6:.0f} MB; {_MAX_BYTES // 1_000_000} MB are read."
            )
        decoded = decode(body, snapshot.content_type)
        markup = _NOT_XML.sub("", _DECLARATION.sub("", decoded.text)).strip()
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, recover=True, huge_tree=False, remove_comments=True
        )
        try:
            root = etree.fromstring(markup.encode("utf-8"), parser=parser) if markup else None
        except etree.XMLSyntaxError:
            root = None
        if root is None or not isinstance(root.tag, str) or _name(root) not in ("rss", "feed", "rdf"):
            raise PageUnreadable(url, f"The document at {url} is neither an RSS nor an Atom feed.")
        head = next((child for child in root if isinstance(child.tag, str) and _name(child) == "channel"), root)
        items = [
            element for element in root.iter() if isinstance(element.tag, str) and _name(element) in ("item", "entry")
        ]
        if not items:
            raise PageUnreadable(url, f"The feed at {url} has no items.")
        blocks, links = [], []
        for item in items[:_MAX_ITEMS]:
            block, link = _item(item, url)
            blocks.append(block)
            links += [link] if link else []
        text = clean(paragraphs(blocks))
        if not any(char.isalnum() for char in text):
            raise PageUnreadable(url, f"The items of the feed at {url} have no text.")
        witnesses = [_date(head, ("pubdate", "lastbuilddate", "updated", "date"), snapshot)]
        dated = publication_date([witness for witness in witnesses if witness], snapshot.retrieved_at)
        notes = [f"the first {_MAX_ITEMS} of {len(items)} items"] if len(items) > _MAX_ITEMS else []
        declared = (_text(head, "language") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")[:2].lower()
        return Document(
            snapshot=snapshot.hash,
            url=url,
            title=one_line(_text(head, "title")),
            published=dated.published,
            dates=dated.evidence,
            publisher=one_line(_text(head, "title")) or None,
            language=language_of(text, declared or None),
            text=text,
            links=tuple(dict.fromkeys(links)),
            kind=self.name,
            notes=(*notes, *dated.notes),
        )


def _name(element: _Element) -> str:
    """The tag without its namespace, in lower case."""
    return str(element.tag).rsplit("}", 1)[-1].lower()


def _text(parent: _Element, *names: str) -> str:
    """The text of the first child with one of these names, markup taken out, '' where there is none."""
    for name in names:
        for child in parent:
            if isinstance(child.tag, str) and _name(child) == name:
                written = "".join(str(part) for part in child.itertext())
                return visible_text(written).strip() if "<" in written or "&" in written else written.strip()
    return ""


def _item(item: _Element, base: str) -> tuple[str, str | None]:
    title = one_line(_text(item, "title"))
    author = one_line(_text(item, "creator", "author"))
    date = one_line(_text(item, "pubdate", "published", "updated", "date"))
    described = _text(item, "encoded", "content", "description", "summary")
    link = _link(item, base)
    under = " · ".join(part for part in (date, author) if part)
    return "\n".join(part for part in (title, under, described, link) if part), link


def _link(item: _Element, base: str) -> str | None:
    for child in item:
        if isinstance(child.tag, str) and _name(child) == "link" and child.get("rel", "alternate") == "alternate":
            try:
                address = urljoin(base, (child.get("href") or child.text or "").strip())
            except ValueError:
                continue
            if is_web_url(address) and address != base:
                return address
    identity = _text(item, "guid", "id")
    return identity if is_web_url(identity) else None


def _date(head: _Element, names: tuple[str, ...], snapshot: Snapshot) -> DateWitness | None:
    for name in names:
        if witness := from_value(_text(head, name), f"the feed's {name}", how="feed", now=snapshot.retrieved_at):
            return witness
    return None
