"""Where a page says when it was published: JSON-LD, meta tags, time elements, and the line below its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import datetime
from typing import TYPE_CHECKING

from inquest.readers.html_regions import OTHER_ARTICLE
from inquest.readers.html_tree import BLOCKS, SILENT
from inquest.sources.dating import DateWitness, from_text, from_value, label_of
from inquest.text.lexicon import pattern, word_lists
from inquest.text.regex import regex

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from inquest.readers.html_meta import PageMeta


_DATE_TAGS = word_lists(__name__, "meta_tags")["date"]
_OTHERS = pattern(__name__, "others")
"""How sites name the parts of a page that are not its article."""
_OTHER_TAGS = frozenset(("aside", "footer", "nav", "li"))
_CHANGED = regex(r"modified|updated|changed|revised", re.IGNORECASE)
_PUBLISHED = regex(r"datepublished|pubdate|published|entry-date", re.IGNORECASE)
_OWN = {"article", "header", "main"}
_LONGEST, _LINE, _PIECES = 600, 160, 5
"""Characters below a heading that are looked at, and of a line; elements in one."""
_DIGIT = regex(r"\d")


def declared_dates(root: HtmlElement, meta: PageMeta, now: datetime) -> Iterator[DateWitness]:
    """What the page declares, weightiest first: in its JSON-LD, its meta tags, its time elements. What appears in an
    element that was found to be another article (OTHER_ARTICLE) dates that one."""

    def witness(value: object, where: str) -> DateWitness | None:
        return from_value(value, where, now=now, month_first=meta.month_first, language=meta.language)

    tags = meta.tags
    for node in meta.declared[:1]:
        for key in ("datePublished", "dateCreated"):
            if found := witness(node.get(key), f"JSON-LD {key}"):
                yield found
                break
    for name in _DATE_TAGS:
        if name in tags and (found := witness(tags[name][0], f"the meta tag {name}")):
            yield found
            break
    # Times inside an article or a header that are not those of a change; before them, those marked as what is asked.
    times = [(each, (each, *each.iterancestors())) for each in root.iter("time") if each.get("datetime")]
    times = [(each, around) for each, around in times if not any(map(_is_other, around))]
    marked = [each for each, _ in times if each.get("pubdate") is not None or _PUBLISHED.search(_named(each))]
    plain = [each for each, around in times if {up.tag for up in around} & _OWN and not _CHANGED.search(_named(each))]
    for element in (marked or plain)[:1]:
        if found := witness(element.get("datetime"), "the time element"):
            yield found


def _named(element: HtmlElement) -> str:
    return f"{element.get('itemprop') or ''} {element.get('class') or ''}"


def _is_other(element: HtmlElement) -> bool:
    if element.get(OTHER_ARTICLE) is not None:
        return True
    if str(element.tag) in ("body", "html", "article", "main"):
        return False
    named = f"{element.get('class') or ''} {element.get('id') or ''}"
    return str(element.tag) in _OTHER_TAGS or bool(_OTHERS.search(named))


def line_of_the_heading(root: HtmlElement, month_first: bool | None, language: str | None) -> DateWitness | None:
    """The date on a line between the page's heading and the beginning of its text, which text extraction may leave
    out as furniture."""
    heading = next(iter(root.iter("h1")), None)
    if heading is None:
        return None
    text = ""
    for said in _below(heading):
        text += said
        if len(text) > _LONGEST:
            break
    lines = (" ".join(line.split()) for line in text.split("\n"))
    found = from_text("\n".join(filter(None, lines)), month_first=month_first, language=language)
    return DateWitness(found.published, "the line below the heading") if found else None


def _below(heading: HtmlElement) -> Iterator[str]:
    """What follows a heading in its article, as lines of blocks, without the parts that are no article."""
    for each in (heading, *heading.iterancestors()):
        if str(each.tag) in ("article", "main", "body"):
            return
        yield f"{_flat(each.tail)}\n"
        for other in each.itersiblings():
            yield from _said(other)
            yield _flat(other.tail)


def _said(element: HtmlElement) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in SILENT or _is_other(element):
        return
    cell = element.tag in ("td", "th")
    apart = " | " if cell else "\n" if element.tag in BLOCKS or element.tag == "br" else " "
    yield "" if cell else apart
    yield _flat(element.text)
    for child in element:
        yield from _said(child)
        yield _flat(child.tail)
    yield apart


def _flat(text: str | None) -> str:
    return (text or "").replace("\n", " ")


def searched_date(root: HtmlElement, now: datetime) -> DateWitness | None:
    """What a library finds in the markup of the article, for want of anything better.

    It is not shown what dates other things: comments, lists of other articles, the foot of the page, running text.
    """
    from htmldate import find_date

    kept = deepcopy(root)
    for element in list(kept.iter()):
        if element.getparent() is not None and (_is_other(element) or _dates_nothing(element)):
            element.drop_tree()
    # Every date it may find lies before retrieval; its own 'today' plays no part.
    latest = now.strftime("%Y-%m-%d")
    date = find_date(kept, extensive_search=False, original_date=True, min_date="1995-01-01", max_date=latest)
    return from_value(date, "the markup", how="detected", now=now)


def _dates_nothing(element: HtmlElement) -> bool:
    """A change, or a paragraph: what its sentences speak of has dates of its own."""
    if str(element.tag) in ("p", "h1", "h2", "h3", "blockquote", "td") and not element.get("class"):
        return True
    if _CHANGED.search(f"{_named(element)} {element.get('property') or ''}"):
        return True
    if len(element) > _PIECES or str(element.tag) == "time":
        return False
    text = " ".join(element.itertext())
    return len(text) <= _LINE and _DIGIT.search(text) is not None and label_of(text) == "other"
