"""Publication dates of a page: JSON-LD, meta tags, time elements, and the line below its heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from datetime import datetime
from itertools import dropwhile, islice, takewhile
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from inquest.domain.document import Precision
from inquest.domain.reasons import Reason
from inquest.readers.html.sheets import select
from inquest.readers.html.tree import BLOCKS, HOME, OTHER_ARTICLE, SILENT, STRUCK
from inquest.sources.dating import DateWitness, from_text, from_value, label_of
from inquest.text.lexicon import pattern, word_lists
from inquest.text.regex import regex
from inquest.text.written_dates import written_dates

if TYPE_CHECKING:
    from inquest.readers.html.meta import PageMeta


_DATE_TAGS = word_lists(__name__, "meta_tags")["date"]
_OTHERS = pattern(__name__, "others")  # Names that sites give to parts of a page outside its article.
_OTHER_TAGS = frozenset(("aside", "nav", "li", "figure", "figcaption"))
ARTICLE_TYPES = regex(r"(?:Article|(?<!Job)Posting|Report|Review|Blog|Statement|Dataset|Publication|Claim|Episode)$")
"""Types of schema.org that may be a page's article."""
_OTHER_ITEMS = regex(r"schema\.org/\w*(?:Object|Comment|Answer)$")
_CHANGED = regex(r"modified|updated|changed|revised|startdate|enddate", re.IGNORECASE)
_PUBLISHED = regex(r"datepublished|pubdate|published|entry-date", re.IGNORECASE)
_ARTICLE_DATA, _ADDRESS = regex(r'"\w*(?:Article|Posting)"'), regex(r'"(?:url|mainEntityOfPage)"\s*:')
_OTHER_DATA = regex(r'"\w*(?:Comment|Answer|Review|WebSite)"')
_OWN = frozenset(("article", "header", "main"))
_ENTRY = regex(r"(?<!\S)h-?entry(?!\S)")  # hAtom 0.1 and microformats2 (microformats.org/wiki)
_PROPERTY = regex(r"(?:date|time|author|published)$", re.IGNORECASE)  # The end of the name of an item's property
_TO_THE_SECOND = regex(r"T\d\d:\d\d:(?!00)")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_AT_THE_END = "following::*[self::p or self::tr or self::dt or self::li or self::h2 or self::h3]"
_LONGEST, _LINE, _PIECE, _LABEL, _PIECES = 600, 160, 60, 40, 5
"""Characters searched below a heading, of a line, of a date in an element and of a label, and child elements of a
line."""
_CAPTURE = regex(r"/(\d{4}\.?\d\d\.?\d\d-?\d{6})/https?:")  # In an archive's address: when it took the page
_DIGIT = regex(r"\d")
_FULL_YEAR, _NAMED = regex(r"\d{4}"), regex(r"[^\W\d_]\s*[:：]")


def declared_dates(root: HtmlElement, meta: PageMeta, now: datetime) -> Iterator[DateWitness]:
    """Yield the dates that the page declares, strongest first: JSON-LD, meta tags, time elements. Elements of other
    articles (OTHER_ARTICLE) are ignored. A day of creation may be that of a draft, as in a file; a tag with only a
    month or year may mean an issue, so the next tag follows; and the time in an archive's address is of the capture."""
    tags = meta.tags
    links = [link.get("href") or "" for link in root.iter("link")]
    captures = {"".join(filter(str.isdigit, taken[1])) for each in links if (taken := _CAPTURE.search(each))}

    def witness(value: object, where: str | Reason, name: str) -> DateWitness | None:
        how = "file" if name.casefold().endswith("created") else "metadata"
        found = from_value(value, where, how=how, now=now, month_first=meta.month_first, language=meta.language)
        if found and f"{found.published.at:%Y%m%d%H%M%S}" in captures:
            return DateWitness(found.published.model_copy(update={"how": "archive"}), where)
        return found

    for node in meta.declared[:1]:
        for key in ("datePublished", "dateCreated"):
            if found := witness(node.get(key), f"JSON-LD {key}", key):
                yield found
                break
    for name in _DATE_TAGS:
        where = Reason(code="pages.where_meta", data={"tag": name})
        if name in tags and (found := witness(tags[name][0], where, name)):
            yield found
            if found.published.precision not in (Precision.MONTH, Precision.YEAR):
                break
    # Times marked as publication come before other times in an article or a header, except times of changes and events.
    times = [(each, tuple(item_of(each))) for each in root.iter("time") if each.get("datetime")]
    above = around_home(root)
    times = [each for each in times if not (any(map(is_other, each[1])) or is_teaser(each[1], above))]
    times = [each for each in times if _label(each[0]) in (None, "published")]
    times.sort(key=lambda found: all(up.get(HOME) is None for up in found[1]))
    marked = [
        each
        for each, _ in times
        if each.get("pubdate") is not None or _PUBLISHED.search(_named(each)) or _label(each) == "published"
    ]
    own = [
        each
        for each, around in times
        if around[0] in above or any(up.tag in _OWN or up.get("role") == "main" for up in around)
    ]
    plain = [each for each in own if not _CHANGED.search(_named(each))]
    for element in (marked or plain)[:1]:
        if (
            found := witness(element.get("datetime"), "the time element", "")
        ) and found.published.at.date() not in meta.events:
            yield found


def item_of(element: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the elements around a time or author; for a property of an item by its name (microdata, hAtom, 'post__date'
    for the only time of a 'post': BEM), those from the item outwards."""
    around = (element, *element.iterancestors())
    named = [name for each in around[:2] for name in (each.get("class") or "").split() if _PROPERTY.search(name)]
    is_named = element.get("itemprop") is not None or any(map(_PUBLISHED.search, named))

    def is_item(up: HtmlElement) -> bool:
        if is_named and (up.get("itemscope") is not None or _ENTRY.search(up.get("class") or "")):
            return True
        blocks = tuple(f"{block}_" for block in (up.get("class") or "").split()) if named else ()
        return any(name.startswith(blocks) for name in named) and len([*islice(up.iter("time"), 2)]) == 1

    item = next(filter(is_item, around), None) if is_named or named else None
    return dropwhile(lambda up: item is not None and up is not item, around)


def _label(time: HtmlElement) -> str | None:
    """Return the kind of label right before a time ('First published', 'Manuscript accepted'), or else around it. A
    time without its own label in a paper's history counts as one of receipt: the text has the others. A post, unlike a
    paper, is submitted at a second."""
    is_post = _TO_THE_SECOND.search(time.get("datetime") or "") is not None
    if label := label_of(before(time).rpartition(".")[2]):
        return None if is_post and label == "before" else label
    around = takewhile(lambda up: next(up.iter("h1"), None) is None, time.iterancestors())
    lines = takewhile(lambda line: len(line) <= _LINE, (" ".join(" ".join(up.itertext()).split()) for up in around))
    kinds = ("published",) if is_post else ("before", "published")
    return next((kind for kind in map(label_of, lines) if kind in kinds), None)


def before(element: HtmlElement) -> str:
    """Return the words right before an element; those of another must be a label's, few and without figures."""
    for each in (element, *element.iterancestors()):
        other, up = each.getprevious(), each.getparent()
        text = ((up.text if up is not None else "") if other is None else other.tail) or ""
        if text.strip() or up is None:
            return text
        if other is not None and (words := _words(other)):
            is_label = len(words) <= _LABEL and not _DIGIT.search(words) and other.tag not in _HEADINGS
            return words if is_label else ""
    return ""


def _named(element: HtmlElement) -> str:
    return f"{element.get('itemprop') or ''} {element.get('class') or ''}"


def is_other(element: HtmlElement) -> bool:
    """Return True for what is not part of the article, by its name or mark: other articles, struck-out words,
    comments, videos and pictures. What holds the page's heading or text may have any name ('header has-caption'), and a
    footer before the text is of its author and date."""
    if element.get(OTHER_ARTICLE) is not None or element.get(STRUCK) is not None:
        return True
    if str(element.tag) in ("body", "html", "article", "main"):
        return False
    named = f"{element.get('class') or ''} {element.get('id') or ''}"
    is_named = _OTHERS.search(named) is not None and not _holds_own(element)
    is_footer = element.tag == "footer" and not select(element, f"following-sibling::*[descendant-or-self::*[@{HOME}]]")
    return element.tag in _OTHER_TAGS or is_footer or is_named or is_other_item(element)


def is_other_item(element: HtmlElement) -> bool:
    """Return True for a comment, answer, video or picture by its microdata, without the page's heading and text."""
    is_item = _OTHER_ITEMS.search(element.get("itemtype") or "") is not None
    return is_item and not _holds_own(element) and not _is_subject(element)


def _holds_own(element: HtmlElement) -> bool:
    return bool(select(element, f"descendant-or-self::*[self::h1 or @{HOME}]"))


def _is_subject(item: HtmlElement) -> bool:
    """Return True for an item with the name of the page's heading or at the start of its title: a video's own page."""
    names = [
        name for each in select(item, "*[@itemprop='name']") if (name := " ".join(each.get("content", "").split()))
    ]
    headings = [_words(each) for each in item.getroottree().iter("h1", "title") if names]
    return any(heading.startswith(name) for heading in headings for name in names)


def around_home(root: HtmlElement) -> set[HtmlElement]:
    """Return the parts of the article (HOME) and what is around them."""
    return {up for home in select(root, f"//*[@{HOME}]") for up in (home, *home.iterancestors())}


def is_teaser(around: Iterable[HtmlElement], above: set[HtmlElement]) -> bool:
    """Return True for elements in an article that does not hold the page's (`above`, see around_home) or its heading: a
    teaser, or an entry of a live page."""
    articles = (
        up
        for up in around
        if up.tag == "article"
        or ARTICLE_TYPES.search(up.get("itemtype") or up.get("typeof") or "")
        or _ENTRY.search(up.get("class") or "")
        or (up.tag == "section" and up.getprevious() is not None and next(up.iter(*_HEADINGS), None) is not None)
    )
    article = next(articles, None)
    return article is not None and article not in above and next(article.iter("h1"), None) is None


def lines_of_the_heading(root: HtmlElement, title: str) -> tuple[str, str]:
    """Return the lines between the page's heading (the only one that is its title, or else the first) and its text,
    and those above it in its header, nearest first: text extraction may leave them out."""
    titled = [each for each in root.iter("h1", "h2", "h3") if title and title == _words(each)]
    heading = titled[0] if len(titled) == 1 else next(root.iter("h1"), None)
    if heading is None:
        return "", ""
    return _joined(_below(heading)), _joined(_above(heading))


def _joined(lines: Iterator[str]) -> str:
    text = ""
    for line in lines:
        text += line
        if len(text) > _LONGEST:
            break
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))


def _below(heading: HtmlElement) -> Iterator[str]:
    """Yield the lines below a heading within its article."""
    for each in (heading, *heading.iterancestors()):
        if str(each.tag) in ("article", "main", "body"):
            return
        yield f"{_flat(each.tail)}\n"
        for other in each.itersiblings():
            yield from lines_of(other)
            yield _flat(other.tail)


def _above(heading: HtmlElement) -> Iterator[str]:
    """Yield the lines above a heading within its header: up to another heading or more text than a line."""
    for each in (heading, *heading.iterancestors()):
        up = each.getparent()
        if up is None or up.tag == "body" or each.tag in ("article", "main", "body") or len(_words(each)) > _LINE:
            return
        for other in each.itersiblings(preceding=True):
            if len(_words(other)) > _LINE or next(other.iter("h2", "h3", "h4"), None) is not None:
                return
            yield from lines_of(other)


def _words(element: HtmlElement) -> str:
    return " ".join(" ".join(map(str, element.itertext())).split())


def lines_of(element: HtmlElement) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in SILENT or (is_other(element) and not _is_dateline(element)):
        return
    cell = element.tag in ("td", "th")
    apart = " | " if cell else "\n" if element.tag in BLOCKS or element.tag == "br" else _around(element)
    yield "" if cell or element.tag == "dd" else apart
    yield _flat(element.text)
    for child in element:
        yield from lines_of(child)
        yield _flat(child.tail)
    yield ": " if element.tag == "dt" else apart


def _around(element: HtmlElement) -> str:
    """Return what separates an element within a line from the rest: a figure without words or a label is a line."""
    parent, words = element.getparent(), " ".join(map(str, element.itertext()))
    if parent is None or not _DIGIT.search(words) or len(words) > _PIECE:
        return " "
    before = element.getprevious()
    beside = f"{(parent.text if before is None else before.tail) or ''} {element.tail or ''}"
    if any(map(str.isalpha, beside)):
        return " | " if parent.get("class") else " "
    return " | " if label_of(" ".join(map(str, parent.itertext()))) else "\n"


def _is_dateline(item: HtmlElement) -> bool:
    """Return True for an item with a year in a list as short as a line, unlike lists of events, facts and articles."""
    listed = item.getparent()
    if item.tag != "li" or listed is None or next(item.iter("a"), None) is not None:
        return False
    items = [" ".join(map(str, each.itertext())) for each in listed.iterchildren("li")]
    unnamed = [text for text in items if _FULL_YEAR.search(text) and label_of(text) is None]
    text = " ".join(map(str, item.itertext()))
    is_named = _NAMED.search(text) is not None and label_of(text) is None
    return sum(map(len, items)) <= _LINE and len(unnamed) <= 1 and not is_named and bool(_FULL_YEAR.search(text))


def _flat(text: str | None) -> str:
    return (text or "").replace("\n", " ")


def searched_date(root: HtmlElement, now: datetime, month_first: bool | None) -> DateWitness | None:
    """Return the date that htmldate finds in the article's markup, as a last resort. Parts that date other things are
    removed first: comments, lists of articles, the footer, running text; so are dates in numbers that do not begin with
    the day, which htmldate takes for it."""
    from htmldate import find_date

    kept = deepcopy(root)
    above = around_home(kept)
    for element in [*kept.iter("time"), *kept.iter()]:  # times of changes before the lines that hold them
        is_beside = is_other(element) or is_teaser([element], above)
        if element.getparent() is not None and (is_beside or _dates_nothing(element, month_first)):
            element.drop_tree()
    # Dates must precede retrieval; the library's own 'today' must not matter.
    latest = now.strftime("%Y-%m-%d")
    date = find_date(kept, extensive_search=False, original_date=True, min_date="1995-01-01", max_date=latest)
    return from_value(date, Reason(code="pages.where_markup"), how="detected", now=now)


def lines_at_the_end(root: HtmlElement) -> list[str]:
    """Return the short lines below the last paragraph of an article, in its <article>, <main> or the part around it:
    'Published: 5 March 2024'."""
    own = [up for home in select(root, f"//*[@{HOME}]")[-1:] for up in (home, *home.iterancestors())]
    whole = next((up for up in own if up.tag in ("article", "main")), own[1] if own[3:] else None)  # no page's <body>
    prose = [] if whole is None else select(whole, f".//p[string-length(normalize-space()) > {_PIECE}]")[-1:]
    lines: list[str] = []
    for line in select(prose[0], _AT_THE_END) if prose else ():
        around = list(takewhile(lambda up: up is not whole, line.iterancestors()))
        if around[-1:] and around[-1].getparent() is not whole:
            break
        if not any(is_other(each) for each in around if each.tag != "footer"):
            value = line.getnext() if line.tag == "dt" or line.tag in _HEADINGS else None
            lines.append(_words(line) if value is None else f"{_words(line)}: {_words(value)}")
    return [line for line in lines if len(line) <= _PIECE]


def _dates_nothing(element: HtmlElement, month_first: bool | None) -> bool:
    """Return True for a modification date, for a title or paragraph, which may mention any date, for a date among other
    words (see from_text), and for data of any item, or with comments, answers or reviews: the JSON-LD of an article
    with its address was read before."""
    if str(element.tag) == "script":
        data = element.text or ""
        is_article = bool(_ARTICLE_DATA.search(data)) and bool(_ADDRESS.search(data))
        return is_article or _OTHER_DATA.search(data) is not None or "ld+json" not in (element.get("type") or "")
    if str(element.tag) in ("title", "p", "h1", "h2", "h3", "blockquote", "td") and not element.get("class"):
        return True
    is_change = element.tag == "time" and label_of(_words(element)) not in (None, "published")
    if is_change or _CHANGED.search(f"{_named(element)} {element.get('property') or ''}"):
        return True
    is_line = len(element) <= _PIECES and str(element.tag) != "time"
    lines = "".join(islice(lines_of(element), 10 * _LINE)) if is_line else ""  # more pieces make a longer line
    if len(lines) > _LINE or not _DIGIT.search(lines):
        return False
    dates = written_dates(lines)
    if month_first is not False and any(len(each.parts) < 3 for each in dates):
        return True
    return label_of(lines) not in (None, "published") or (bool(dates) and from_text(lines) is None)
