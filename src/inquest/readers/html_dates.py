"""Where a page says when it was published: JSON-LD, meta tags, time elements, and the line below its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import datetime
from typing import TYPE_CHECKING

from inquest.readers.html_regions import OTHER_ARTICLE
from inquest.sources.dating import DateWitness, from_value, is_label, label_of, printed_date
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
_NUMBER = regex(r"\d")
_ENDS = (".", "!", "?", "…", "”", "»", "。")
_BELOW, _LONGEST_LINE, _PARAGRAPH = 40, 160, 200
"""Elements below a heading that are looked at, characters of a line, characters from which on the text has begun."""


def declared_dates(root: HtmlElement, meta: PageMeta, now: datetime) -> Iterator[DateWitness]:
    """What the page declares, weightiest first: in its JSON-LD, its meta tags, its time elements. What stands in an
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
    times = [element for element in root.iter("time") if element.get("datetime") and not _of_others(element)]
    marked = [element for element in times if element.get("pubdate") is not None or _is_published(element)]
    for element in marked[:1] or _of_the_article(times)[:1]:
        if found := witness(element.get("datetime"), "the time element"):
            yield found


def _is_published(element: HtmlElement) -> bool:
    return bool(_PUBLISHED.search(f"{element.get('itemprop') or ''} {element.get('class') or ''}"))


def _of_the_article(times: list[HtmlElement]) -> list[HtmlElement]:
    """Times inside an article or a header that are not those of a change."""
    return [
        element
        for element in times
        if not _CHANGED.search(f"{element.get('itemprop') or ''} {element.get('class') or ''}")
        and any(str(up.tag) in ("article", "header", "main") for up in element.iterancestors())
    ]


def _of_others(element: HtmlElement) -> bool:
    """Whether it stands in a comment, an aside, a list of other articles, or the foot of the page."""
    return any(_is_other(each) for each in (element, *element.iterancestors()))


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
    following = heading.xpath("following::*")
    around = next((up for up in heading.iterancestors() if str(up.tag) in ("article", "main")), root)
    paragraphs = 0
    bare = None
    for element in following[:_BELOW] if isinstance(following, list) else ():
        if around not in element.iterancestors():
            break
        lines = [said.strip() for said in element.itertext() if said.strip()]
        length = sum(map(len, lines))
        if str(element.tag) == "p" and lines and lines[-1].endswith(_ENDS):
            # One short one may be the summary that some sites print above the date.
            paragraphs += 1 if length < _PARAGRAPH else 2
        if paragraphs > 1:
            break
        if lines and length <= _LONGEST_LINE and not _of_others(element):
            texts = dict.fromkeys((" ".join(lines), "\n".join(lines)))
            label = _label_before(element) if _NUMBER.search("".join(lines)) else None
            for said in texts if label is not None else ():
                found = printed_date(f"{label}{said}", month_first=month_first, language=language)
                if found and found.labelled:
                    return DateWitness(found.witness.published, "the line below the heading")
                bare = bare or found
    return DateWitness(bare.witness.published, "the line below the heading") if bare else None


def _label_before(element: HtmlElement) -> str:
    """The label that stands before an element on its line or in its list: 'Received: ' before its `time` or `dd`."""
    for each in (element, *element.iterancestors()):
        parent = each.getparent()
        if parent is None or str(parent.tag) in ("article", "main", "body", "html"):
            return ""
        said = parent.text or ""
        for other in parent:
            if other is each:
                break
            said += f" {' '.join(other.itertext()) if isinstance(other.tag, str) else ''} {other.tail or ''}"
        if said.strip():
            # What comes after the last date: one that stands before has taken its label.
            last = _NUMBER.split(said)[-1].strip()
            return f"{last.rstrip(':')}: " if is_label(last) else ""
    return ""


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
    if _CHANGED.search(f"{element.get('class') or ''} {element.get('itemprop') or ''} {element.get('property') or ''}"):
        return True
    text = " ".join(element.itertext())
    if len(text) <= _LONGEST_LINE and label_of(text) == "other" and str(element.tag) != "time":
        return True
    return str(element.tag) in ("p", "h1", "h2", "h3", "blockquote", "td") and not element.get("class")
