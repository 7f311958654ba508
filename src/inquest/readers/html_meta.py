"""What a page says about itself: title, author, publisher, dates, language, address. Its claims, not facts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from inquest.claims.claim_review import claim_reviews
from inquest.domain.leads import ClaimReview
from inquest.readers.plain import one_line
from inquest.text.lexicon import pattern, word_lists
from inquest.text.regex import regex
from inquest.text.sentences import content_words
from inquest.text.urls import clean as clean_url
from inquest.text.urls import is_web_url
from inquest.text.written_dates import month_comes_first

if TYPE_CHECKING:
    from lxml.html import HtmlElement


_ARTICLE_TYPES = regex(r"(?:Article|Posting|Report|Review|Blog|Statement|Dataset|Publication|Claim)$|^Article$")
_MAX_LINKS = 2_000
_ALIKE, _FEWEST = 0.6, 2
"""Share of the shorter headline's words, and number of words, that two headlines of one article have in common."""
_LONGEST_WORDS = 12
"""Characters a word on average, above which a script has no spaces between its words."""
_TAGS = word_lists(__name__, "meta_tags")
_AUTHOR_TAGS = _TAGS["author"]
_SITE_TAGS = _TAGS["site"]
_BYLINE = regex(r"^\s*(?:written\s+by|by|von|par|por|di|door)\s*:?\s+", re.IGNORECASE)
_NOT_A_NAME = pattern(__name__, "not_a_name")


@dataclass(slots=True)
class PageMeta:
    """What the page declares."""

    title: str = ""
    author: str | None = None
    publisher: str | None = None
    language: str | None = None
    month_first: bool | None = None
    """Whether its numeric dates begin with the month, by its language and country; None: not known."""
    canonical_url: str | None = None
    declared: list[dict[str, Any]] = field(default_factory=list)
    """The articles of its JSON-LD."""
    tags: dict[str, list[str]] = field(default_factory=dict)
    """Its meta tags, names in lower case."""
    reviews: tuple[ClaimReview, ...] = ()
    """Checks of claims that the page says it is."""


def page_meta(root: HtmlElement, url: str, retrieved_at: datetime) -> PageMeta:
    """Everything from the head, JSON-LD and the marked-up parts of the body. Malformed parts are passed over."""
    tags = _meta_tags(root)
    declared = list(_json_ld(root))
    canonical = _canonical(root, tags, url)
    articles = _own_articles([node for node in declared if _is_article(node)], root, url, {url, canonical or url})
    publisher = _publisher(articles, tags)
    found = PageMeta(publisher=publisher)
    found.title = _title(root, articles, tags, publisher, url)
    found.author = _author(root, articles, tags, publisher)
    locale = _locale(root, tags)
    found.language = locale[:2].lower() if locale else None
    found.month_first = month_comes_first(locale, _host(url))
    found.canonical_url = canonical
    found.declared, found.tags = articles, tags
    found.reviews = claim_reviews(declared, url, now=retrieved_at)
    return found


def _meta_tags(root: HtmlElement) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {}
    for element in root.iter("meta"):
        content = _said(element.get("content") or "")
        for key in ("property", "name", "itemprop", "http-equiv"):
            name = (element.get(key) or "").strip().lower()
            if name and content:
                tags.setdefault(name, []).append(content)
    return tags


def _json_ld(root: HtmlElement) -> Iterator[dict[str, Any]]:
    """Every object in the page's JSON-LD, outermost first."""
    for script in root.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower() or not script.text:
            continue
        source = script.text.strip().removeprefix("<!--").removesuffix("-->").strip().rstrip(";")
        try:
            waiting: list[Any] = [json.loads(source, strict=False)]
        except (ValueError, RecursionError):
            continue
        while waiting:
            node = waiting.pop(0)
            if isinstance(node, dict):
                yield node
                waiting += [value for value in node.values() if isinstance(value, dict | list)]
            elif isinstance(node, list):
                waiting += [value for value in node if isinstance(value, dict | list)]


def _is_article(node: dict[str, Any]) -> bool:
    kinds = node.get("@type")
    names = kinds if isinstance(kinds, list) else [kinds]
    return any(isinstance(name, str) and _ARTICLE_TYPES.search(name) for name in names)


def _own_articles(articles: list[dict[str, Any]], root: HtmlElement, url: str, own: set[str]) -> list[dict[str, Any]]:
    """The declared articles that are this page's, surest first: their address is the page's, else their headline is its
    heading or title, else it is the only one, and says neither. A page may declare other articles too, or these alone.
    """
    shown = [one_line(str(each.text_content())) for each in root.iter("h1", "title")]
    pages = {_page(each) for each in own}
    by_address: list[dict[str, Any]] = []
    by_headline: list[dict[str, Any]] = []
    unnamed: list[dict[str, Any]] = []
    for node in articles:
        named = [node.get("url"), node.get("@id"), node.get("mainEntityOfPage")]
        ids = [one.get("@id") or one.get("url") if isinstance(one, dict) else one for one in named]
        # '#article' and the like name a part of whatever page they are on.
        addresses = {
            _page(_against(url, one)) for one in ids if isinstance(one, str) and one.strip()[:1] not in ("#", "")
        }
        headlines = [
            _said(one) for key in ("headline", "name", "alternativeHeadline") if isinstance(one := node.get(key), str)
        ]
        if any(alike(headline, each) for headline in headlines for each in shown):
            (by_address if addresses & pages else by_headline).append(node)
        elif addresses & pages:
            by_address.append(node)
        elif not addresses and not (headlines and shown):
            unnamed.append(node)
    return by_address + by_headline or (unnamed if len(articles) == 1 else [])


def _against(url: str, address: str) -> str:
    try:
        return urljoin(url, address.strip())
    except ValueError:
        return ""


def _page(address: str) -> tuple[str, str, str]:
    """An address as far as it names a page: host, path and query."""
    try:
        parts = urlsplit(clean_url(address))
    except ValueError:
        return "", address, ""
    return (parts.hostname or "").removeprefix("www."), parts.path.rstrip("/"), parts.query


def alike(one: str, other: str) -> bool:
    """True where two headlines share most of their words, or the shorter is within the other, as without the site's
    name; of scripts without spaces, where they share most of their pairs of characters."""
    first, second = pieces(one), pieces(other)
    common = len(first & second)
    return common >= _ALIKE * max(1, min(len(first), len(second))) and common >= min(_FEWEST, len(first))


def pieces(text: str) -> frozenset[str]:
    """The words of a text that can be compared; of scripts without spaces, the pairs of characters."""
    words = content_words(text)
    if text.isascii() or len(words) > len(text) / _LONGEST_WORDS:
        return frozenset(words)
    return frozenset(word[place : place + 2] for word in words for place in range(max(1, len(word) - 1)))


def _names(value: Any) -> list[str]:
    found: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        name = one.get("name") if isinstance(one, dict) else one
        parts = name if isinstance(name, list) else [name]
        found += [_said(part) for part in parts if isinstance(part, str) and _said(part)]
    return found


def _said(text: str) -> str:
    """A value of JSON-LD or a meta tag on one line; entities that were escaped twice are read too."""
    return one_line(unescape(text))


def _publisher(articles: list[dict[str, Any]], tags: dict[str, list[str]]) -> str | None:
    for node in articles:
        for name in _names(node.get("publisher")):
            if not is_web_url(name):
                return name[:200]
    return next((tags[tag][0][:200] for tag in _SITE_TAGS if tag in tags and not is_web_url(tags[tag][0])), None)


def _title(
    root: HtmlElement, articles: list[dict[str, Any]], tags: dict[str, list[str]], publisher: str | None, url: str
) -> str:
    headings = [one_line(str(h1.text_content())) for h1 in root.iter("h1")]
    headings = [heading for heading in headings if heading]
    candidates = [_said(node["headline"]) for node in articles[:1] if isinstance(node.get("headline"), str)]
    candidates += [
        tags[name][0] for name in ("og:title", "citation_title", "dc.title", "twitter:title") if name in tags
    ]
    candidates += headings[:1] if len(headings) == 1 else []
    titles = [one_line(str(title.text_content())) for title in root.iter("title")]
    candidates += titles[:1]
    candidates += headings[:1]
    sites = {
        _squeezed(name) for name in (publisher, *(tags.get("og:site_name", [])), _host_word(url), _host(url)) if name
    }
    for candidate in candidates:
        title = _without_site(candidate, sites, headings)
        if title and _squeezed(title) not in sites:
            return title[:500]
    return candidates[0][:500] if candidates else ""


_SEPARATOR = regex(r"\s+[|–—·»•:-]+\s+|\s*\|\s*")


def _without_site(title: str, sites: set[str], headings: list[str]) -> str:
    """The title without the site's name at its end or beginning, and without what the page's heading does not say."""
    for heading in headings:
        if len(heading) >= 15 and len(heading) < len(title) and heading in title:
            return heading
    while (ends := list(_SEPARATOR.finditer(title))) and _squeezed(title[ends[-1].end() :]) in sites:
        title = title[: ends[-1].start()]
    if (first := _SEPARATOR.search(title)) and _squeezed(title[: first.start()]) in sites:
        title = title[first.end() :]
    return title.strip()


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold()).removeprefix("the")


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _host_word(url: str) -> str:
    labels = _host(url).split(".")
    return labels[-2] if len(labels) >= 2 else ""


def _author(
    root: HtmlElement, articles: list[dict[str, Any]], tags: dict[str, list[str]], publisher: str | None
) -> str | None:
    declared: list[list[str]] = [_names(node.get("author")) for node in articles[:1]]
    declared += [tags[name] for name in _AUTHOR_TAGS if name in tags]
    return _first_names(declared, publisher) or _first_names(_marked_authors(root), publisher)


def _marked_authors(root: HtmlElement) -> list[list[str]]:
    """What the page marks as its author in the body; looked for only where it declares none, since it takes long."""
    marked = root.xpath(
        "//*[@itemprop='author' or @rel='author' or contains(concat(' ', normalize-space(@class), ' '), ' byline ')"
        " or contains(concat(' ', normalize-space(@class), ' '), ' author ')"
        " or contains(concat(' ', normalize-space(@class), ' '), ' author-name ')]"
    )
    found = marked[:3] if isinstance(marked, list) else []
    return [[one_line(str(element.text_content()))] for element in found if hasattr(element, "text_content")]


def _first_names(sources: list[list[str]], publisher: str | None) -> str | None:
    """The names of the first source that gives any."""
    for source in sources:
        spelled = [_BYLINE.sub("", name).strip(" ,|·") for name in source]
        names = [name for name in spelled if name != publisher and _is_a_name(name)]
        if names:
            return ", ".join(dict.fromkeys(names))[:300]
    return None


def _is_a_name(text: str) -> bool:
    return 2 < len(text) <= 80 and not _NOT_A_NAME.search(text) and not re.search(r"\d{3}", text)


def _locale(root: HtmlElement, tags: dict[str, list[str]]) -> str | None:
    """The language tag, with its region where the page gives one: 'en-GB'."""
    declared = [root.get("lang"), root.get("{http://www.w3.org/XML/1998/namespace}lang"), root.get("xml:lang")]
    declared += [tags[name][0] for name in ("content-language", "og:locale", "dc.language") if name in tags]
    for value in declared:
        match = re.match(r"[a-zA-Z]{2}(?:[-_][a-zA-Z0-9]{2,8})*(?=[,;\s]|$)", (value or "").strip())
        if match:
            return match[0]
    return None


def _canonical(root: HtmlElement, tags: dict[str, list[str]], url: str) -> str | None:
    named = [link.get("href") for link in root.iter("link") if (link.get("rel") or "").lower() == "canonical"]
    for value in [*named, *tags.get("og:url", [])]:
        try:
            absolute = urljoin(url, (value or "").strip())
        except ValueError:
            continue
        if value and is_web_url(absolute):
            return absolute
    return None


def links_in(root: HtmlElement, url: str) -> tuple[str, ...]:
    """Absolute http(s) addresses of the page's links, in order, each once, without the page itself; at most 2,000."""
    base = base_of(root, url)
    found: dict[str, None] = {}
    for anchor in root.iter("a"):
        address = target_of(anchor.get("href") or "", base)
        if address is not None and address != url:
            found[address] = None
        if len(found) >= _MAX_LINKS:
            break
    return tuple(found)


def base_of(root: HtmlElement, url: str) -> str:
    """The address that the page's relative links count from."""
    base = next((element.get("href") for element in root.iter("base") if element.get("href")), None)
    try:
        return urljoin(url, base) if base else url
    except ValueError:
        return url


@lru_cache(maxsize=4096)
def target_of(target: str, base: str) -> str | None:
    """The absolute http(s) address that a link leads to, without tracking parameters; None: to no other page."""
    target = target.strip()
    if not target or target.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
        return None
    try:
        # Most links are whole addresses, which the library would take apart and put together again for nothing.
        address = clean_url(target if target.startswith(_WHOLE) else urljoin(base, target))
    except ValueError:
        return None
    return address if _PLAIN.match(address) or is_web_url(address) else None


_WHOLE = ("https://", "http://")
_PLAIN = regex(r"https?://[a-z0-9.-]+[/?]")
